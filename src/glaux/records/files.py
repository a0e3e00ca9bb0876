"""Files of records: SGF if the name ends in .sgf, PDN if it ends in .pdn, else text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from glaux.errors import InvalidFile
from glaux.foreign import read_foreign
from glaux.records.pdn import read_pdn, write_pdn
from glaux.records.record import Record
from glaux.records.sgf import read_sgf, write_sgf
from glaux.records.text import read_text, write_text
from glaux.rules.game import Game, State
from glaux.rules.registry import make_foreign

LARGEST = 1 << 28
"""Bytes of a file that is read."""


def add_records(path: Path, records: Iterable[Record]) -> None:
    """Add records to the end of a file, which is made if it is not there."""
    data = b"".join(_written(path, record) for record in records)
    with path.open("ab") as file:
        file.write(data)


def load_records(path: Path, game: Game | None = None) -> list[Record]:
    """All the records of a file; InvalidFile if it has none or one of them is wrong.

    A record whose rules are a Python file is read only if the caller gives that very ``game``: a
    record from elsewhere runs no code.
    """
    if not path.is_file():
        raise InvalidFile(f"There is no file '{path}'.")
    data = read_foreign(path, LARGEST, links=True)
    try:
        records = _read(path, data, lambda text: _made(text, game))
    except InvalidFile as error:
        raise InvalidFile(f"'{path}': {error}") from None
    if not records:
        raise InvalidFile(f"'{path}' has no records.")
    return records


def check_format(path: Path, start: State) -> None:
    """InvalidParameter if matches of this game from this start can't be saved under this name."""
    _written(path, Record(start))


def _read(path: Path, data: bytes, make_game: Callable[[str], Game]) -> list[Record]:
    match path.suffix.lower():
        case ".sgf":
            return read_sgf(data)
        case ".pdn":
            return read_pdn(_decoded(data), make_game)
    return read_text(_decoded(data), make_game)


def _written(path: Path, record: Record) -> bytes:
    match path.suffix.lower():
        case ".sgf":
            return write_sgf(record)
        case ".pdn":
            return write_pdn(record).encode()
    return write_text(record).encode()


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidFile(f"byte {error.start} is not text.") from None


def _made(text: str, game: Game | None) -> Game:
    if game is not None:
        if game.text != text:
            raise InvalidFile(f"this is a match of {text}, not of {game.text}.")
        return game
    return make_foreign(text, "--rules {} in a command, load_records(path, game) in Python.")
