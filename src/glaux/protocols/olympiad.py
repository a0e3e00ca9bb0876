"""The games, boards and moves of the Computer Olympiad, as its client speaks of them.

The client knows a game on a board by one word, its event: ``hex11``. Columns are letters from A with I,
rows are numbers, and A1 is at the bottom left. A move is a cell for what is placed, else from and to; a
turn of several actions comes as several moves. The look of a game says where that differs from ours
(``[olympiad]``).

There are two dialects. The plain one has players 0 and 1 and moves as ``A2-A3``, the one of Go players b
and w and moves as ``a2a3``. A request is answered in its own.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from glaux.errors import UnknownName, suggest
from glaux.looks.finding import looks
from glaux.rules.game import Game
from glaux.rules.registry import make

CELL = re.compile(r"[a-z][0-9]{1,2}")
Move = tuple[str, ...]
"""the cells of a move in order, or a word such as ``pass``"""


class OlympiadDialect(Enum):
    """How players and moves are written."""

    PLAIN = auto()
    GO = auto()


PLAYERS = {"0": OlympiadDialect.PLAIN, "1": OlympiadDialect.PLAIN} | dict.fromkeys(
    ("b", "w", "black", "white"), OlympiadDialect.GO
)


def events() -> dict[str, str]:
    """The text of our game for each event."""
    return {
        event.name: f"{name}:{event.parameters}" if event.parameters else name
        for name, look in looks().items()
        for event in look.olympiad.events
    }


def game_of(event: str) -> Game:
    """The game of an event; UnknownName if there is none."""
    known = events()
    if event not in known:
        raise UnknownName(f"There is no event '{event}'{suggest(event, list(known))}")
    return make(known[event])


def parse_move(text: str) -> Move:
    """The cells of a text in either dialect, or its word."""
    lower = text.lower()
    cells = CELL.findall(lower)
    return tuple(cells) if cells else (lower,)


def write_move(move: Move, dialect: OlympiadDialect) -> str:
    """A move in a dialect."""
    if not CELL.fullmatch(move[0]):
        return move[0]
    return "".join(move) if dialect is OlympiadDialect.GO else "-".join(move).upper()
