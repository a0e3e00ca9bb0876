"""What directories that grow share: one writer at a time, and files that survive a kill.

A checkpoint is a directory with SHA256SUMS, the checksums of all its files as ``sha256sum -c`` takes them.
It is written beside the others under a hidden name, synced, and renamed when it is whole; only then are
older ones removed, and the one before it never is. Those of before SHA256SUMS are taken as they are.

Such a directory may come from a stranger (``glaux.foreign``): no link in it is followed, and who writes in it
looks at all of it first.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from glaux.errors import InvalidFile
from glaux.foreign import JSON_MOST, check_folder, check_no_links, open_foreign, read_foreign, read_json

LOCK = ".lock"
CHECKPOINTS = "checkpoints"
"""the folder of a directory's checkpoints, each named by a number and renamed to it when it is whole"""
SUMS = "SHA256SUMS"
LINE_MOST = 1 << 20
"""bytes of a line of JSON"""
LINES_MOST = 4 << 30
"""bytes of a file of such lines"""
SHOWN = 200
"""characters of a difference in a sentence"""


@contextmanager
def locked(path: Path, doing: str) -> Iterator[None]:
    """While this lasts no other process works in the directory; InvalidFile if one does.

    ``doing`` completes the sentence "Another process is ... now". The lock ends with the process.
    """
    check_no_links(path)  # before the first byte is written: the lock itself could be one
    handle = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    with os.fdopen(handle, "wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidFile(f"Another process is {doing} in '{path}' now.") from None
        yield


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Let an error of the system say which file could not be written, as a full disk does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def begun(path: Path, head: str, what: str, *before: str) -> bool:
    """Whether the directory has its head; if not, it is there now, empty but for files ``before`` the head.

    InvalidFile if it holds something else. ``what`` completes the sentence "... holds no ...".
    """
    if path.exists() and not path.is_dir():
        raise InvalidFile(f"'{path}' is not a directory.")
    path.mkdir(parents=True, exist_ok=True)
    check_no_links(path)
    if (path / head).exists():
        return True
    if any(entry.name not in (LOCK, *before) for entry in path.iterdir()):
        raise InvalidFile(f"The directory '{path}' is not empty, and holds no {what}.")
    return False


def write_head(file: Path, head: dict[str, Any]) -> None:
    """The JSON at the head of a directory, as people read it."""
    replace_file(file, json.dumps(head, indent=2, ensure_ascii=False).encode() + b"\n")


def check_head(file: Path, what: str, kind: str, newest: int) -> dict[str, Any]:
    """The JSON at the head of a directory; InvalidFile unless it is of this kind and no newer format.

    ``what`` completes the sentence "... is not the head of ...".
    """
    try:
        head = read_json(file)
        found, number = head["kind"], int(head["format"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        found, number = "", 0
    if found != kind:
        raise InvalidFile(f"'{file}' is not the head of {what}.")
    if number > newest:
        raise InvalidFile(f"'{file.parent}' was written by a newer Glaux: upgrade Glaux to use it.")
    return dict(head)


def check_same(path: Path, what: str, head: dict[str, Any], wanted: dict[str, Any]) -> None:
    """InvalidFile that says what differs, unless the head of a directory has all that is wanted.

    ``what`` completes the sentence "... holds another ...".
    """
    for key, value in wanted.items():
        if head.get(key) != value:
            raise InvalidFile(
                f"'{path}' holds another {what}, with {key}: {_shown(head.get(key))}, not {_shown(value)}; "
                "choose another directory with --out."
            )


def _shown(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return "not set" if value is None else text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def append_line(path: Path, row: dict[str, Any]) -> None:
    """Add a line of JSON at once: the system has it when this returns, whatever becomes of the process."""
    with writing(path), path.open("a") as file:
        file.write(json.dumps(row, separators=(",", ":")) + "\n")


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of JSON of a file; a line that was cut off by a kill, or is not one of ours, is left out."""
    try:
        file = open_foreign(path, LINES_MOST)
    except FileNotFoundError:
        return
    with file:
        while line := file.readline(LINE_MOST):
            whole = line.endswith(b"\n") or len(line) < LINE_MOST
            while not whole:  # far too long: passed over in pieces
                rest = file.readline(LINE_MOST)
                whole, line = not rest or rest.endswith(b"\n"), b""
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict):
                yield row


def cut_broken_end(path: Path) -> None:
    """Remove what a kill has left of a last line, so that the next one begins on a line of its own."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            begin = max(0, end - LINE_MOST)
            file.seek(begin)
            found = file.read(end - begin).rfind(b"\n")
            if found >= 0:
                end = begin + found + 1
                break
            end = begin
        file.truncate(end)


def checkpoints(path: Path) -> list[Path]:
    """The whole checkpoints of a directory, the newest last."""
    found = check_folder(path / CHECKPOINTS).glob("[0-9]*")
    named = (check_folder(p) for p in found if NAME.fullmatch(p.name))
    return sorted((p for p in named if p.is_dir()), key=_order)


NAME = re.compile(r"(\d+)(?:\.(\d+))?")
"""a checkpoint: its number, and how often it was written again"""


def _order(place: Path) -> tuple[int, int]:
    number, again = place.name.partition(".")[::2]
    return int(number), int(again or 0)


def checkpoint_number(place: Path) -> int:
    """What the checkpoint is named by."""
    return _order(place)[0]


@contextmanager
def new_checkpoint(path: Path, number: int, *others: str) -> Iterator[Path]:
    """A directory to write into, which becomes the newest checkpoint of ``path`` if all goes well.

    Checksums are taken of its files, and of ``others`` that ``path`` has. The checkpoint before it stays.
    """
    folder = path / CHECKPOINTS
    folder.mkdir(exist_ok=True)
    before = checkpoints(path)
    if before and checkpoint_number(before[-1]) > number:
        raise InvalidFile(f"There is already a newer checkpoint than {number}: '{before[-1]}'.")
    again = max((_order(p)[1] + 1 for p in before if checkpoint_number(p) == number), default=0)
    place = folder / (f"{number:08d}.{again}" if again else f"{number:08d}")
    beside = folder / f".{place.name}"
    shutil.rmtree(beside, ignore_errors=True)
    try:
        with writing(beside):
            beside.mkdir()
            yield beside
            outside = [f"../../{name}" for name in others if (path / name).is_file()]
            write_sums(beside, outside)
            beside.rename(place)
            sync(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    for old in before[:-1]:  # hidden first: a kill here leaves nothing that looks like a checkpoint
        old.rename(folder / f".old.{old.name}")
    for old in folder.glob(".*"):
        shutil.rmtree(old, ignore_errors=True)


def write_sums(place: Path, outside: list[str]) -> None:
    """Take the checksums of all files below a directory, and of some outside; all is on the disk then."""
    inside = sorted(p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file())
    lines = [f"{_sum(place / name)}  {name}\n" for name in [*outside, *inside]]
    replace_file(place / SUMS, "".join(lines).encode())
    for folder in (p for p in place.rglob("*") if p.is_dir()):
        sync(folder)


def check_sums(place: Path, only: str | None = None) -> None:
    """InvalidFile that names the file if one is not as it was written; ``only``: this file alone.

    A directory without checksums passes, as those of before have none.
    """
    listed: dict[str, str] = {}
    try:
        for line in read_foreign(place / SUMS, JSON_MOST).decode().splitlines(keepends=True):
            match = re.fullmatch(r"([0-9a-f]{64})  ((?:\.\./\.\./)?[\w.-]+(?:/[\w.-]+)*)\n", line, re.ASCII)
            if match is None or ".." in match[2].removeprefix("../../").split("/"):
                raise ValueError
            listed[match[2]] = match[1]
    except FileNotFoundError:
        return
    except (OSError, ValueError):
        raise InvalidFile(f"The file '{place / SUMS}' is damaged.") from None
    inside = {p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file()}
    names = {name for name in listed if not name.startswith("../")} | inside - {SUMS}
    for name in [only] if only is not None else sorted(names | listed.keys()):
        file = Path(os.path.normpath(place / name))
        if not file.is_file():
            raise InvalidFile(f"The file '{file}' is missing.")
        if name not in listed:
            raise InvalidFile(f"The file '{file}' has no checksum in {SUMS}: one of them is damaged.")
        if _sum(file) != listed[name]:
            raise InvalidFile(f"The file '{file}' is damaged: it was changed after it was written.")


def _sum(file: Path) -> str:
    with open_foreign(file) as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Let a directory, or a file that was written before, be on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_file(path: Path, content: bytes) -> None:
    """Put the content there in one step; it is on the disk when this returns."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with writing(path):
            beside.unlink(missing_ok=True)
            with beside.open("xb") as file:  # never through a link that waits there
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
            sync(path.parent)
    finally:
        beside.unlink(missing_ok=True)
