"""What a look says: the board, the pieces and the colours that people see, the names that programs use.

A look is a value. Its parts are frozen dataclasses with a default for everything, so that an empty
file is the look of a plain board with two colours of stones. docs/looks.md explains every key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GROUNDS = (
    "squares",
    "felt",
    "lines",
    "loops",
    "floors",
    "hexagons",
    "frame",
    "net",
    "paper",
    "draughts",
    "tiles",
    "boards",
    "walls",
)
KINDS = {
    "connection": "Connection",
    "row": "In a row",
    "territory": "Territory",
    "race": "Races",
    "capture": "Capturing and pushing",
    "draughts": "Draughts",
    "chess": "Chess and its kin",
    "puzzle": "For one player",
    "": "Others",
}
"""where people look for a game, in the order of ``glaux games``, with the heading there"""
FLIPS = ("seat", "asked", "never")
ANIMALS = ("rabbit", "cat", "dog", "horse", "camel", "elephant")
SHAPES = ("stone", "worker", "block", "sticker", "text", "cross")


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

    shape: str = choice("dot", "ring", "cross", "trap", "corners")
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
    rim: bool = False
    """the cells along the edges of a hexagon, and those in its corners, have tones of their own"""
    absent: str = choice("hidden", "plain")
    """cells of the rectangle that are not there: nothing, or a bare light square, as in draughts"""
    stars: bool = False
    """the star points of a board of lines"""
    river: int = 0
    """lines down stop between this row from the top and the next one"""
    words: tuple[str, ...] = ()
    """written in the river, where the machine has their characters"""
    ghosts: bool = True
    """whether an empty cell that can be played shows the stone that would stand there"""
    wins: str = choice("", "line", "chain")
    """what the page marks at the end: a row of the winner's pieces, or those that are joined"""
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
    mark: str = choice("", "crown", "chevron", "ring", *ANIMALS)
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
    counted: str = ""
    """what the number beside a name counts; pieces, if nothing is said"""


@dataclass(frozen=True)
class GtpForm:
    """How GTP is spoken."""

    words: Mapping[str, str] = field(default_factory=dict)
    """how GTP writes actions of the game, where it is otherwise"""
    capitals: bool = False
    silent_passes: bool = False
    """a player who can't move is skipped without a pass"""
    after_the_end: str = ""
    """the answer to genmove when the match is over; without one, that is an error"""
    first: str = choice("black", "white")
    """the colour of who begins"""
    turn: int = 1
    """this many actions of a turn are one move, with hyphens between them"""
    out_of_turn: bool = False
    """a player who is not next may still play, as if the position had been set up"""


@dataclass(frozen=True)
class SgfForm:
    """How SGF holds a record."""

    game: int = 0
    """the number in GM; 0: SGF has none for the game"""
    name: str = ""
    """what programs write in GM where there is no number; without either, SGF does not have the game"""
    size: int = 0
    """what SZ is if it is not said"""
    letters: bool = False
    """cells are written as two letters, counted from the top left"""
    setup: bool = False
    """a match may start with any stones on the board"""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """properties of the root that are parameters of the game, such as KM"""
    words: Mapping[str, str] = field(default_factory=dict)
    """how SGF writes actions of the game, where it is otherwise"""
    silent_passes: bool = False
    """passes are not written: a player who has to pass is simply not next"""
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
    """How UCI is spoken, or a protocol like it: the names of the game, FEN and moves."""

    variants: tuple[Variant, ...] = many(Variant)
    """without any, the protocol does not have the game"""
    pieces: Mapping[str, str] = field(default_factory=dict)
    """the letters of our symbols in FEN; without any, the symbols themselves"""
    first: str = "w"
    second: str = "b"
    """the players in FEN"""
    rest: str = "- - 0 1"
    """what follows them"""
    wall: str = "*"
    """a cell of FEN that the board does not have"""
    lowest: int = 1
    """the number of the lowest row in moves"""
    mirrored: bool = False
    """their lowest row is our highest"""
    placed: str = ""
    """what a move has before the cell of a piece that is placed"""
    passing: str = ""
    """a pass; without a word, it is a move of a piece to where it stands"""


@dataclass(frozen=True)
class NBoardForm:
    """How NBoard and GGF speak of the game."""

    game: str = ""
    """its name in GGF; empty: NBoard does not have it"""
    pieces: Mapping[str, str] = field(default_factory=dict)
    """the signs of our symbols, the first player's first"""


@dataclass(frozen=True)
class HubForm:
    """How Hub, the protocol of draughts engines, speaks of the game."""

    pieces: Mapping[str, str] = field(default_factory=dict)
    """the letters of our symbols; without any, Hub does not have the game"""


@dataclass(frozen=True)
class PdnForm:
    """How PDN, the format of draughts, holds a record."""

    game: int = 0
    """the number in GameType; 0: PDN does not have the game"""
    letters: bool = False
    """squares are written as in chess, not as numbers"""
    kings: tuple[str, ...] = ()
    """the symbols that are kings"""


@dataclass(frozen=True)
class AeiForm:
    """How AEI, the protocol of Arimaa programs, speaks of the game."""

    first: str = ""
    second: str = ""
    """the letters of the players; without them, AEI does not have the game"""


@dataclass(frozen=True)
class OlympiadEvent:
    """A board on which the game is played at the Computer Olympiad."""

    name: str = ""
    parameters: str = ""
    """of the game, as texts of games have them; empty: the default"""


@dataclass(frozen=True)
class OlympiadForm:
    """How the client of the Computer Olympiad speaks of the game (``glaux.protocols.olympiad``)."""

    events: tuple[OlympiadEvent, ...] = many(OlympiadEvent)
    """without any, the game is not played there"""
    cells: str = choice("", "mirrored", "upside_down", "crossed")
    """how its cells lie on our board: alike, with the columns mirrored, with the rows counted from the other
    side, or rows for columns until a swap"""
    joined: int = 1
    """this many actions at the beginning of a turn are one move"""
    copied: bool = False
    """a piece that is placed comes from an own piece beside it, which is named first"""
    pulled: bool = False
    """an action of three cells that begins with an opponent's piece pulls it: from and to of who pulls are
    named, then from and to of the piece that is pulled"""


@dataclass(frozen=True)
class OpenSpielForm:
    """The same game in OpenSpiel."""

    game: str = ""
    """its text at our default parameters; empty: there is none"""


@dataclass(frozen=True)
class Look:
    """How a game looks and is spoken of."""

    kind: str = choice("", *filter(None, KINDS))
    """the heading under which ``glaux games`` has the game"""
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
    pdn: PdnForm = PdnForm()
    uci: UciForm = UciForm()
    ucci: UciForm = UciForm()
    uai: UciForm = UciForm()
    nboard: NBoardForm = NBoardForm()
    hub: HubForm = HubForm()
    aei: AeiForm = AeiForm()
    olympiad: OlympiadForm = OlympiadForm()
    open_spiel: OpenSpielForm = OpenSpielForm()
