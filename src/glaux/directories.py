"""What directories that grow share: one writer at a time, and files that survive a kill."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from glaux.errors import InvalidFile

LOCK = ".lock"
CHECKPOINTS = "checkpoints"
"""the folder of a directory's checkpoints, each named by a number and renamed to it when it is whole"""


@contextmanager
def locked(path: Path, doing: str) -> Iterator[None]:
    """While this lasts no other process works in the directory; InvalidFile if one does.

    ``doing`` completes the sentence "Another process is ... now". The lock ends with the process.
    """
    with (path / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidFile(f"Another process is {doing} in '{path}' now.") from None
        yield


def append_line(path: Path, row: dict[str, Any]) -> None:
    """Add a line of JSON at once: the system has it when this returns, whatever becomes of the process."""
    with path.open("a") as file:
        file.write(json.dumps(row, separators=(",", ":")) + "\n")


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of JSON of a file; a line that was cut off by a kill is left out."""
    if not path.exists():
        return
    for line in path.read_bytes().splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


def cut_broken_end(path: Path) -> None:
    """Remove what a kill has left of a last line, so that the next one begins on a line of its own."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)


def checkpoints(path: Path) -> list[Path]:
    """The whole checkpoints of a directory, the newest last."""
    return sorted(p for p in (path / CHECKPOINTS).glob("[0-9]*") if p.is_dir())


def replace_file(path: Path, content: bytes) -> None:
    """Put the content there in one step; it is on the disk when this returns."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
