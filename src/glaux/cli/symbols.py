"""How a cell's symbol looks on a screen.

The symbols of a game follow a convention that makes this possible without knowing the game: a
letter X or x is a piece of the first player, O or o of the second (small letters are pieces that
are about to act), a dot is nothing, and a leading digit is the level on which it all stands.
"""

from __future__ import annotations

from typing import NamedTuple

FIRST_STYLE = "bold #ffb454"
SECOND_STYLE = "bold #8ad7ff"
OTHER_STYLE = "bold #d8d8e0"
FAINT_STYLE = "#7f86a8"

FIRST_PIECE, SECOND_PIECE = "●", "○"

_PIECES = {
    "X": (FIRST_PIECE, FIRST_STYLE),
    "x": ("◉", FIRST_STYLE),
    "O": (SECOND_PIECE, SECOND_STYLE),
    "o": ("◎", SECOND_STYLE),
}

_ACTING = "acting"  # stands for the x or o of the player to move
_SPECIAL = {"amazons": {"a": ("✕", "#f38ba8"), "m": _ACTING, "s": _ACTING}}
"""Symbols of single games that the convention leaves open."""


CUBES = ("rubik2", "rubik3")
"""Games whose drawing is an unfolded net; its letters are the colours of stickers."""
STICKER_STYLES = {
    "U": "bold #404040 on #f4f4f4",
    "R": "bold #ffd9d9 on #c41e3a",
    "F": "bold #d9ffe6 on #00894c",
    "D": "bold #5c4d00 on #ffd500",
    "L": "bold #5c2600 on #ff8c1a",
    "B": "bold #d9e6ff on #1f4fbf",
}


class Look(NamedTuple):
    """A symbol on the screen: as wide as the symbol itself."""

    text: str
    style: str
    empty: bool = False
    level: int = 0


def look(game: str, symbol: str, first_to_move: bool, ascii_only: bool = False) -> Look:
    """The look of a symbol of the game of this name."""
    level = int(symbol[0]) if len(symbol) > 1 and symbol[0].isdecimal() else None
    core = symbol if level is None else symbol[1:]
    prefix = "" if level is None else str(level or " ")
    special = _SPECIAL.get(game, {}).get(core)
    if special is _ACTING:
        core = "x" if first_to_move else "o"
    elif special is not None and not ascii_only:
        return Look(prefix + special[0], special[1], level=level or 0)
    if core.strip(".") == "":
        dot = " " if level else "." if ascii_only else "·"
        style = OTHER_STYLE if level else FAINT_STYLE
        return Look((prefix + dot).ljust(len(symbol)), style, empty=True, level=level or 0)
    owners = [_PIECES[letter] for letter in core if letter in _PIECES]
    text = core if ascii_only else "".join(_PIECES.get(letter, (letter,))[0] for letter in core)
    return Look(prefix + text, owners[0][1] if len(owners) == 1 else OTHER_STYLE, level=level or 0)


def piece(first: bool, ascii_only: bool = False) -> str:
    """The piece that stands for a player in sentences."""
    if ascii_only:
        return "X" if first else "O"
    return FIRST_PIECE if first else SECOND_PIECE


def player_style(first: bool) -> str:
    """The colour of a player."""
    return FIRST_STYLE if first else SECOND_STYLE
