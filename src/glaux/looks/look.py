"""What a look says: the board, the pieces and the colours that people see, the names that programs use.

A look is a value. Its parts are frozen dataclasses with a default for everything, so that an empty
file is the look of a plain board with two colours of stones. docs/looks.md explains every key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GROUNDS = ("squares", "felt", "lines", "loops", "floors", "hexagons", "frame", "net")
FLIPS = ("seat", "asked", "never")
SHAPES = ("stone", "worker", "block", "sticker", "text")


def choice(*values: str) -> Any:
    """A text out of these, by default the first."""
    return field(default=values[0], metadata={"choices": values})


def colour() -> Any:
    """A colour as #rrggbb; empty: that of the style sheet."""
    return field(default="", metadata={"colour": True})


def many(item: type[Any]) -> Any:
    """A list of tables."""
    return field(default=(), metadata={"item": item})


@dataclass(frozen=True)
class Mark:
    """A decoration of single cells, such as the traps of Arimaa."""

    shape: str = choice("dot", "ring", "cross", "trap")
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stroke:
    """A line from cell to cell that the ground has besides its own, such as the palaces of Xiangqi."""

    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class BoardLook:
    """The board without anything on it, and how it is touched."""

    ground: str = choice("", *GROUNDS)
    """what is under the pieces; empty: squares or hexagons, as the board has them"""
    flip: str = choice(*FLIPS)
    """turned for the second player; only when somebody asks; never"""
    edges: bool = False
    """the upper and lower edge have the colour of the first player, the sides that of the second"""
    absent: str = choice("hidden", "plain")
    """cells of the rectangle that are not there: nothing, or a bare light square, as in draughts"""
    stars: bool = False
    """the star points of a board of lines"""
    river: int = 0
    """lines down stop between this row from the top and the next one"""
    ghosts: bool = True
    """whether an empty cell that can be played shows the stone that would stand there"""
    size: int = 3
    """stickers along the edge of a face, for the ground ``net``"""
    marks: tuple[Mark, ...] = many(Mark)
    lines: tuple[Stroke, ...] = many(Stroke)


@dataclass(frozen=True)
class Piece:
    """What one symbol of the cells stands for."""

    owner: str = choice("", "first", "second", "mover")
    """``mover``: whoever is to move"""
    acting: bool = False
    """it has to act in the rest of the turn"""
    name: str = ""
    """for who listens"""
    glyph: str = ""
    """one narrow character in a terminal; empty: the usual one of its owner, or the symbol"""
    ink: str = colour()
    """of the glyph in a terminal, if not the owner's"""
    shape: str = choice(*SHAPES)
    mark: str = choice("", "crown", "chevron", "ring")
    """on a stone"""
    text: str = ""
    """written on the stone, or as the shape ``text``"""
    colour: str = colour()
    """of the shape on the page, if not the owner's"""


PIECES = {
    "X": Piece(owner="first"),
    "x": Piece(owner="first", acting=True),
    "O": Piece(owner="second"),
    "o": Piece(owner="second", acting=True),
}
"""the convention for symbols, which a look may change"""


@dataclass(frozen=True)
class Tones:
    """The colours of the page; empty ones are those of the style sheet."""

    first: str = colour()
    first_light: str = colour()
    first_dark: str = colour()
    first_ink: str = colour()
    second: str = colour()
    second_light: str = colour()
    second_dark: str = colour()
    second_ink: str = colour()
    wood: str = colour()
    light: str = colour()
    dark: str = colour()
    label: str = colour()


@dataclass(frozen=True)
class Players:
    """What the players are called, usually by their colours."""

    first: str = ""
    second: str = ""


@dataclass(frozen=True)
class GtpForm:
    """How GTP is spoken."""

    words: Mapping[str, str] = field(default_factory=dict)
    """how GTP writes actions of the game, where it is otherwise"""
    capitals: bool = False
    silent_passes: bool = False
    """who can't move is passed over without a word"""
    after_the_end: str = ""
    """the answer to genmove when the match is over; without one, that is an error"""


@dataclass(frozen=True)
class SgfForm:
    """How SGF holds a record."""

    game: int = 0
    """the number in GM; 0: SGF does not have the game"""
    size: int = 0
    """what SZ is if it is not said"""
    words: Mapping[str, str] = field(default_factory=dict)
    """how SGF writes actions of the game, where it is otherwise"""
    silent_passes: bool = False
    """passes are not written: who has to pass is simply not next"""
    rules: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """texts of RU, each with the parameters that it stands for"""


@dataclass(frozen=True)
class Variant:
    """A size of the board that UCI programs have, and their name of the game on it."""

    name: str = ""
    rows: int = 0
    columns: int = 0


@dataclass(frozen=True)
class UciForm:
    """How UCI is spoken: the names of the game, and the letters of its pieces in FEN."""

    variants: tuple[Variant, ...] = many(Variant)
    pieces: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OpenSpielForm:
    """The same game in OpenSpiel."""

    game: str = ""
    """its text at our default parameters; empty: there is none"""


@dataclass(frozen=True)
class Look:
    """How a game looks and is spoken of."""

    board: BoardLook = BoardLook()
    pieces: Mapping[str, Piece] = field(default_factory=lambda: dict(PIECES), metadata={"item": Piece})
    """by symbol, without its level"""
    colours: Tones = Tones()
    night: Tones = Tones()
    """the colours that differ where the page is dark"""
    players: Players = Players()
    thumbnail: tuple[str, ...] = (". . . .", ". X . .", ". . O .", ". . . .")
    """a small picture: rows of symbols with spaces between them"""
    gtp: GtpForm = GtpForm()
    sgf: SgfForm = SgfForm()
    uci: UciForm = UciForm()
    open_spiel: OpenSpielForm = OpenSpielForm()
