"""What a stranger can do to a directory of files: a list of changes, of any file that is there.

There are tens of thousands of them, and a test makes a few: each is worked out when it is made.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import struct
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from safetensors.numpy import load, save

HUGE = 1 << 42
"""bytes of a file that has none of them on the disk"""


Content = Callable[[], bytes]
"""what a file is to hold, worked out when it is wanted"""


class Change(NamedTuple):
    """A change, and how it is made in the directory."""

    name: str
    make: Callable[[Path], object]


def changes_of(good: Path, canary: Path, outside: Path) -> list[Change]:
    """All the changes of what stands in this directory."""
    files = sorted(p.relative_to(good) for p in good.rglob("*") if p.is_file() and p.name != ".lock")
    folders = sorted(p.relative_to(good) for p in good.rglob("*") if p.is_dir())
    found = [Change(f"{f}: {name}", partial(_put, f, make)) for f in files for name, make in KINDS.items()]
    found += [
        Change(f"{f}: {name}", partial(_put, f, partial(_link, to)))
        for f in [*files, Path(".lock"), *folders]
        for name, to in {"a device": "/dev/zero", "a link": outside / "secret", "a folder": outside}.items()
    ]
    for file in files:
        content = (good / file).read_bytes()
        if file.suffix == ".safetensors":
            contents = arrays_changed(load(content), save)
        elif file.suffix == ".npz":
            with np.load(io.BytesIO(content)) as stored:
                contents = arrays_changed(dict(stored), _npz)
        elif file.suffix in (".json", ".jsonl"):
            contents = json_changed(content, canary, outside)
        else:
            contents = words_changed(content, canary, outside)
        for name, other in [*bytes_changed(content), *contents]:
            found.append(Change(f"{file}: {name}", partial(_put, file, partial(_write, other))))
    return found


def _put(file: Path, make: Callable[[Path], object], folder: Path) -> None:
    path = folder / file
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    make(path)


def _link(target: object, path: Path) -> None:
    path.symlink_to(str(target))


def _write(content: Content, path: Path) -> None:
    path.write_bytes(content())


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(HUGE)


KINDS: dict[str, Callable[[Path], object]] = {
    "gone": lambda path: None,
    "a pipe": os.mkfifo,
    "a directory": Path.mkdir,
    "a link to itself": lambda path: path.symlink_to(path.name),
    "huge": _sparse,
}
"""Things that can stand in the place of a file."""


def bytes_changed(content: bytes) -> Iterator[tuple[str, Content]]:
    rng = random.Random(len(content))
    for _ in range(6):
        at = rng.randrange(8 * len(content))
        yield f"bit {at} flipped", partial(_flipped, content, at)
    for _ in range(3):
        length = rng.randrange(len(content))
        yield f"cut at {length}", partial(_cut, content, length)
    yield "empty", bytes
    yield "longer", lambda: content + content
    yield "zeros", lambda: bytes(1 << 20)
    yield "noise", lambda: random.Random(len(content)).randbytes(5000)
    yield "deep", lambda: b"[" * 2_000_000
    yield "deep and whole", lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    yield "wide", lambda: b"[" + b"[]," * 3_000_000 + b"[]]"
    yield "a long number", lambda: b"9" * 100_000
    yield "a long line", lambda: b'{"match": 1, "a": "' + b"x" * (40 << 20) + b'"}\n' + content
    yield "a pickle", lambda: b"cos\nsystem\n(S'true'\ntR."


def _cut(content: bytes, length: int) -> bytes:
    return content[:length]


def _flipped(content: bytes, at: int) -> bytes:
    flipped = content[at // 8] ^ 1 << at % 8
    return content[: at // 8] + bytes([flipped]) + content[at // 8 + 1 :]


def hostile_values(canary: Path, outside: Path) -> list[Any]:
    """What can stand in JSON where something else is expected."""
    return [
        *[None, True, -1, 0, 3, 2**31, 2**53, 2**64, 10**30, 1e308, -0.5, 1e-320, float("nan"), float("inf")],
        *["", "x", "x" * 100_000, "\x1b]0;x\x07", "[/red]", "[link=x]", "\ud800", "\n\n", "é" * 300],
        *[[], {}, [[]], {"a": 1}, [1e300], ["x"], [2**70], list(range(1000))],
        *[
            "evil.py:Evil",
            "evil.py",
            "./evil.py:Evil:size=3",
            "a=evil.py",
            "open_spiel:game=nfg_game(filename=evil.py)",
        ],
        *[f"gtp:touch {canary}", f"uci:touch {canary}", f"gtp:timeout=1,command=touch {canary}"],
        *[
            f"ubfms:value={outside}",
            f"greedy:value={outside}/../outside",
            str(outside),
            "../outside",
            "/dev/zero",
        ],
        *[
            "mcts:iterations=99999999999999999999",
            "additive_depth:longest=1e999",
            "mobility",
            "hex:size=1000000",
        ],
    ]


def json_changed(content: bytes, canary: Path, outside: Path) -> Iterator[tuple[str, Content]]:
    """Each leaf and branch of the first line or of all replaced, or left out."""
    lines = content.split(b"\n")
    many = len(lines) > 2 and lines[0].endswith(b"}") and lines[0].startswith(b"{")
    value, rest = (
        (json.loads(lines[0]), b"\n" + b"\n".join(lines[1:])) if many else (json.loads(content), b"")
    )
    others = [*((repr(other)[:60], other) for other in hostile_values(canary, outside)), ("absent", ABSENT)]
    for place in _places(value):
        name = "/".join(map(str, place))
        for shown, other in others:
            yield f"{name} is {shown}", partial(_replaced, value, place, other, rest)


ABSENT = object()


def _places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values inside, but only to the first two of a list."""
    inside = list(value.items()) if isinstance(value, dict) else []
    inside = list(enumerate(value))[:2] if isinstance(value, list) else inside
    for key, one in inside:
        yield (*here, key)
        yield from _places(one, (*here, key))


def _replaced(value: Any, place: tuple[Any, ...], other: Any, rest: bytes) -> bytes:
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in place[:-1]:
        inner = inner[key]
    if other is ABSENT:
        del inner[place[-1]]
    else:
        inner[place[-1]] = other
    return json.dumps(copy).encode() + rest


def words_changed(content: bytes, canary: Path, outside: Path) -> Iterator[tuple[str, Content]]:
    """Each quoted or bracketed text of a record, and names in a list of checksums, replaced."""
    words = [str(value).encode("utf-8", "surrogatepass") for value in hostile_values(canary, outside)]
    for opening, closing in ((b'"', b'"'), (b"[", b"]"), (b"  ", b"\n")):
        parts = content.split(opening)
        for i in range(1, min(len(parts), 16)):
            end = parts[i].find(closing)
            for word in words if end >= 0 else []:
                texts = [*parts[:i], word + parts[i][end:], *parts[i + 1 :]]
                yield f"text {i} is {word[:40]!r}", partial(opening.join, texts)


OTHER_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "double": lambda array: array.astype(np.float64),
    "bytes": lambda array: array.astype(np.uint8),
    "signed": lambda array: array.astype(np.int32),
    "flat": lambda array: array.reshape(-1),
    "deeper": lambda array: array[None],
    "empty": lambda array: array[:0],
    "twice": lambda array: np.concatenate([array, array]),
    "noise": lambda array: np.frombuffer(np.random.default_rng(1).bytes(array.nbytes), array.dtype).reshape(
        array.shape
    ),
    "full": lambda array: np.full_like(array, 255 if array.dtype == np.uint8 else 127),
    "zeros": np.zeros_like,
    "negative": lambda array: (-1 - array.astype(np.int64)).astype(array.dtype),
    "scalar": lambda array: np.zeros((), array.dtype),
}


def _with_first(bad: float, array: Any) -> Any:
    other = array.copy()
    other.reshape(-1)[:1] = bad
    return other


NOT_FINITE = {str(bad): partial(_with_first, bad) for bad in (np.nan, np.inf, -np.inf)}


def arrays_changed(
    arrays: dict[str, Any], write: Callable[[dict[str, Any]], bytes]
) -> Iterator[tuple[str, Content]]:
    """Each array with other numbers, types and shapes; other names; heads that claim too much."""

    def replaced(name: str, change: Callable[[Any], Any]) -> bytes:
        return write(arrays | {name: np.ascontiguousarray(change(arrays[name]))})

    def renamed(name: str, other: str | None) -> bytes:
        names = {key: other if key == name else key for key in arrays}
        return write({new: arrays[key] for key, new in names.items() if new is not None})

    for name, array in arrays.items():
        for kind, change in (OTHER_ARRAYS | (NOT_FINITE if array.dtype.kind == "f" else {})).items():
            yield f"{name} is {kind}", partial(replaced, name, change)
        yield f"{name} is gone", partial(renamed, name, None)
        yield f"{name} is renamed", partial(renamed, name, f"{name}x")
    yield "one more", lambda: write(arrays | {"more": np.zeros(3, np.float32)})
    yield from (_heads_of_npz if write is _npz else _heads_of_safetensors)()


def _npz(arrays: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _heads_of_safetensors() -> Iterator[tuple[str, Content]]:
    for shape, end in (([1 << 45], 1 << 47), ([1 << 62, 4], 0), ([-1], 4), ([2], 8)):
        entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, end]}
        head = json.dumps({"weights": entry}).encode()
        yield f"a head that claims {shape}", partial(_headed, head + bytes(4), len(head))
    for length in (1 << 45, 2**64 - 1, 0, 90 << 20):
        yield f"a head of {length} bytes", partial(_headed, bytes(100), length)
    deep = b'{"a":' + b"[" * 100_000
    yield "a deep head", partial(_headed, deep, len(deep))
    for kind in ("BF16", "F8_E4M3", "I128", "BOOL"):
        head = json.dumps({"weights": {"dtype": kind, "shape": [0], "data_offsets": [0, 0]}}).encode()
        yield f"of type {kind}", partial(_headed, head, len(head))


def _headed(content: bytes, length: int) -> bytes:
    """A file of safetensors that says how long its head is."""
    return struct.pack("<Q", length) + content


def _heads_of_npz() -> Iterator[tuple[str, Content]]:
    yield "a bomb", _bomb
    yield "objects", lambda: _npz({"used": np.array([{"a": 1}], dtype=object)})
    for shape in (
        *(
            "(35184372088832,)",
            "(-4,)",
            "(1,2,2,1,1,1,1,1,1,1)",
            "(9999999999999999999999,)",
            "(True,)",
            "(4",
        ),
        "(" * 60 + ")" * 60,
    ):
        yield f"a head that claims {shape[:30]}", partial(_claiming, shape)
    many = b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 65535, 65535, 2**32 - 1, 0, 0)
    yield "a directory that is not there", lambda: many


def _bomb() -> bytes:
    """400 megabytes of zeros in a small file; written in parts, for the memory of this process is watched."""
    head, stream = io.BytesIO(), io.BytesIO()
    shape = {"descr": "<i8", "fortran_order": False, "shape": (50_000_000,)}
    np.lib.format.write_array_header_1_0(head, shape)
    with ZipFile(stream, "w", ZIP_DEFLATED) as stored, stored.open("used.npy", "w") as file:
        file.write(head.getvalue())
        for _ in range(400):
            file.write(bytes(1_000_000))
    return stream.getvalue()


def _claiming(shape: str) -> bytes:
    """An npz with an array whose head has this shape, and four bytes."""
    head = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}".ljust(245) + "\n"
    stream = io.BytesIO()
    with ZipFile(stream, "w") as stored:
        stored.writestr(
            "replay.used.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(4)
        )
    return stream.getvalue()
