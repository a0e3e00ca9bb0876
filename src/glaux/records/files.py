"""Files of records: text, or SGF if the name ends in .sgf."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from glaux.errors import InvalidFile
from glaux.records.record import Record
from glaux.records.sgf import read_sgf, write_sgf
from glaux.records.text import read_text, write_text
from glaux.rules.game import Game
from glaux.rules.registry import make

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
    if path.stat().st_size > LARGEST:
        raise InvalidFile(f"'{path}' is too large for a file of records.")
    data = path.read_bytes()
    try:
        records = (
            read_sgf(data) if _is_sgf(path) else read_text(_decoded(data), lambda text: _made(text, game))
        )
    except InvalidFile as error:
        raise InvalidFile(f"'{path}': {error}") from None
    if not records:
        raise InvalidFile(f"'{path}' has no records.")
    return records


def check_format(path: Path, game: Game) -> None:
    """InvalidParameter if matches of this game can't be saved under this name."""
    _written(path, Record(game.initial()))


def _is_sgf(path: Path) -> bool:
    return path.suffix.lower() == ".sgf"


def _written(path: Path, record: Record) -> bytes:
    return write_sgf(record) if _is_sgf(path) else write_text(record).encode()


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidFile(f"byte {error.start} is no text.") from None


def _made(text: str, game: Game | None) -> Game:
    if game is not None:
        if game.text != text:
            raise InvalidFile(f"this is a match of {text}, not of {game.text}.")
        return game
    if ".py" in text:
        raise InvalidFile(f"its rules are in {text}, which is run only if you name it as the game.")
    return make(text)
