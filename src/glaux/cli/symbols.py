"""How a cell's symbol looks on a screen.

The symbols of a game follow a convention that makes this possible without knowing the game: a
letter X or x is a piece of the first player, O or o of the second (small letters are pieces that
are about to act), a dot is nothing, and a leading digit is the level on which it all stands. What the
convention leaves open is in the game's look.
"""

from __future__ import annotations

from typing import NamedTuple

from glaux.looks.look import Look, Piece

FIRST_STYLE = "bold #ffb454"
SECOND_STYLE = "bold #8ad7ff"
OTHER_STYLE = "bold #d8d8e0"
FAINT_STYLE = "#7f86a8"

FIRST_PIECE, SECOND_PIECE = "●", "○"

_STYLES = {"first": FIRST_STYLE, "second": SECOND_STYLE}
_GLYPHS = {
    ("first", False): (FIRST_PIECE, "X"),
    ("first", True): ("◉", "x"),
    ("second", False): (SECOND_PIECE, "O"),
    ("second", True): ("◎", "o"),
}
"""of pieces by owner and whether they are about to act, and the same in ASCII"""


class Drawn(NamedTuple):
    """A symbol on the screen: as wide as the symbol itself."""

    text: str
    style: str
    empty: bool = False
    level: int = 0


def draw_symbol(look: Look, symbol: str, first_to_move: bool, ascii_only: bool = False) -> Drawn:
    """A symbol of the game with this look."""
    level = int(symbol[0]) if len(symbol) > 1 and symbol[0].isdecimal() else None
    core = symbol if level is None else symbol[1:]
    prefix = "" if level is None else str(level or " ")
    if core.strip(".") == "":
        dot = " " if level else "." if ascii_only else "·"
        style = OTHER_STYLE if level else FAINT_STYLE
        return Drawn((prefix + dot).ljust(len(symbol)), style, empty=True, level=level or 0)
    drawn = [_draw_piece(look.pieces.get(letter), letter, first_to_move, ascii_only) for letter in core]
    styles = [style for _, style in drawn if style]
    style = styles[0] if len(styles) == 1 else OTHER_STYLE
    return Drawn(prefix + "".join(text for text, _ in drawn), style, level=level or 0)


def _draw_piece(piece: Piece | None, letter: str, first_to_move: bool, ascii_only: bool) -> tuple[str, str]:
    """The character of a piece, and its style if it has one."""
    if piece is None:
        return letter, ""
    owner = piece.owner if piece.owner != "mover" else "first" if first_to_move else "second"
    glyph, plain = _GLYPHS.get((owner, piece.acting), (letter, letter))
    style = piece.ink or _STYLES.get(owner, "")
    return (plain if ascii_only else piece.glyph or glyph), style


def sticker_style(piece: Piece | None) -> str:
    """The style of a sticker: its ink on its colour."""
    return "" if piece is None else f"bold {piece.ink} on {piece.colour}"


def piece(first: bool, ascii_only: bool = False) -> str:
    """The piece that stands for a player in sentences."""
    if ascii_only:
        return "X" if first else "O"
    return FIRST_PIECE if first else SECOND_PIECE


def player_style(first: bool) -> str:
    """The colour of a player."""
    return FIRST_STYLE if first else SECOND_STYLE
