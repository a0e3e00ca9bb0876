"""Files that may come from strangers: opened and read so that nothing they are can do harm.

A value, a run, a record or a tournament is data. A file of it is read only if it is a plain file (no pipe
that blocks, no device that never ends) of a bounded size. Inside such a directory no link is followed: the
directory was named by the user, but what a link in it points to was not, and a training run or tournament
also writes there. JSON from such a file has finite numbers and printable texts alone, so that a sentence that
repeats one of them can't speak to the terminal.

What the content means is checked by whoever reads it; arrays are read by ``glaux.arrays``, and a GAME or
PLAYER that a file names is looked at by the registries of games and players before it is made.
"""

from __future__ import annotations

import errno
import json
import math
import os
import resource
import stat
from io import BufferedReader
from pathlib import Path
from typing import Any

from glaux.errors import InvalidFile

JSON_MOST = 4 << 20
"""bytes of a JSON file: Python's objects can take 30 times as much"""
DIGITS = 40
"""digits of a whole number: the state of a random generator has 128 bits"""


def machine_memory() -> int:
    """Bytes that this process may have at most: no file that is larger can be read whole."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return memory if allowed == resource.RLIM_INFINITY else min(memory, allowed)


def open_foreign(path: Path, most: int | None = None, *, links: bool = False) -> BufferedReader:
    """The file, open for reading; InvalidFile unless it is a plain file of at most ``most`` bytes.

    By default as many as the machine has of memory. ``links``: the user has named this very file, so
    that it may be a link to one. OSError if it is not there or can't be opened.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if links else os.O_NOFOLLOW)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise linked(path) from None
        if error.errno == errno.ENXIO:  # a socket
            raise InvalidFile(f"'{path}' is not a plain file.") from None
        raise
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise InvalidFile(f"'{path}' is not a plain file.")
        limit = machine_memory() if most is None else most
        if found.st_size > limit:
            raise InvalidFile(f"'{path}' has {found.st_size:,} bytes, but the limit is {limit:,}.")
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_foreign(path: Path, most: int | None = None, *, links: bool = False) -> bytes:
    """The content of a file; as :func:`open_foreign`."""
    with open_foreign(path, most, links=links) as file:
        try:
            return file.read()
        except MemoryError:
            raise InvalidFile(f"'{path}' is too large for the memory of this machine.") from None


def read_json(path: Path, *, links: bool = False) -> Any:
    """The contents of a JSON file; ValueError if it is not one, or has what no file of Glaux has."""
    return parse_json(read_foreign(path, JSON_MOST, links=links))


def parse_json(content: bytes) -> Any:
    """JSON with finite numbers and printable texts; ValueError otherwise."""
    try:
        value = json.loads(content, parse_constant=_constant, parse_float=_float, parse_int=_int)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one
        elif isinstance(one, str) and not one.isprintable():
            raise ValueError("it has a text that can't be printed")
    return value


def check_no_links(folder: Path) -> None:
    """InvalidFile if anything below a directory is neither a plain file nor a directory.

    Called before something is written there: what is written through a link ends elsewhere.
    """
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            entry = Path(place, name)
            mode = entry.lstat().st_mode
            if stat.S_ISLNK(mode):
                raise linked(entry)
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                raise InvalidFile(f"'{entry}' is neither a plain file nor a directory.")


def check_folder(folder: Path) -> Path:
    """The directory itself; InvalidFile if it is a link."""
    if folder.is_symlink():
        raise linked(folder)
    return folder


def linked(path: Path) -> InvalidFile:
    """The refusal of a link."""
    return InvalidFile(
        f"'{path}' is a link, and Glaux follows none inside a directory: replace it with a copy."
    )


def _constant(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _int(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError("a number is too large")
    return int(text)
