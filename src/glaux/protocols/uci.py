"""UCI, the text protocol of chess programs, with its dialects: UCCI for Xiangqi and UAI for Ataxx.

The GUI says which dialect it is by its first word, ``uci``, answered by who the engine is, its options and
``uciok``. Then it sends ``position fen FEN moves ...`` and ``go movetime 1000``; the engine tells what it
finds by ``info`` lines, and its move by ``bestmove a2a3``. The first player is white. A look has the names
and letters of its game in each dialect (``[uci]``, ``[ucci]``, ``[uai]``; ``glaux.protocols.fen`` reads
them).

UCCI has clocks of the mover, ``go time 60000 increment 0``, and options without the words name and value.
UAI is UCI with another first word, and black begins. Fairy-Stockfish speaks UCI, with an option for the
game, and UCCI.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from glaux.errors import EngineError, InvalidParameter
from glaux.looks.finding import look_of, looks
from glaux.looks.look import Look, UciForm, Variant
from glaux.protocols.fen import Notation
from glaux.protocols.process import EngineProcess
from glaux.rules.game import Game, State

RESIGN = "resign"
Found = TypeVar("Found")


@dataclass(frozen=True)
class Dialect:
    """A protocol of the family."""

    name: str
    """the word that begins it; ``ok`` behind it is the answer"""
    new_match: str
    """what tells an engine to forget the last match"""
    remark: str
    """what begins a line for people"""
    score: str
    """what stands before the number of a score"""
    named: bool
    """options are written with the words name and value"""
    farewell: str = ""
    """the last line of an engine"""
    nothing: str = "bestmove (none)"
    """the answer if there is no move"""
    first: str = "w"
    """the colour of who begins, in the names of the clocks"""

    def side(self, first: bool) -> str:
        """The colour of a player."""
        return self.first if first else {"w": "b", "b": "w"}[self.first]

    def option(self, name: str, about: str) -> str:
        """The line in which an engine offers an option."""
        return f"option {'name ' if self.named else ''}{name} {about}"

    def set_option(self, name: str, value: str) -> str:
        """The line that sets an option."""
        return f"setoption name {name} value {value}" if self.named else f"setoption {name} {value}"

    def parse_option(self, words: Sequence[str]) -> tuple[str, str]:
        """The name and the value of ``setoption``, in small letters, from the words behind it."""
        if not self.named:
            name, value = words[:1], words[1:]
        else:
            split = words.index("value") if "value" in words else len(words)
            name, value = words[1:split] if words[:1] == ["name"] else (), words[split + 1 :]
        return " ".join(name).lower(), " ".join(value).lower()


UCI = Dialect("uci", "ucinewgame", "info string", "cp ", named=True)
UCCI = Dialect(
    "ucci", "setoption newgame", "info message", "", named=False, farewell="bye", nothing="nobestmove"
)
UAI = Dialect("uai", "uainewgame", "info string", "cp ", named=True, first="b")
DIALECTS = {dialect.name: dialect for dialect in (UCI, UCCI, UAI)}


def form_in(look: Look, dialect: Dialect) -> UciForm:
    """How a look says that a dialect is spoken."""
    form = getattr(look, dialect.name)
    assert isinstance(form, UciForm)
    return form


def variant_of(game: Game, dialect: Dialect = UCI) -> str:
    """The name of the game in a dialect; InvalidParameter if it has none."""
    board = game.spec.board
    for variant in form_in(look_of(game), dialect).variants:
        if (variant.rows, variant.columns) == (board.rows, board.columns):
            return variant.name
    known = ", ".join(
        f"{name} with {variant.rows} rows and {variant.columns} columns"
        for name, variant in variants(dialect)
    )
    raise InvalidParameter(f"{dialect.name.upper()} supports {known}, not {game.text}.")


def variants(dialect: Dialect) -> list[tuple[str, Variant]]:
    """The boards of a dialect, each with the name of our game."""
    return [(name, variant) for name, look in looks().items() for variant in form_in(look, dialect).variants]


def notation_of(game: Game, dialect: Dialect = UCI) -> Notation:
    """How positions and moves of the game are written; InvalidParameter if the dialect does not have it."""
    variant_of(game, dialect)
    return Notation(game, form_in(look_of(game), dialect))


def dialects_of(game: Game) -> list[Dialect]:
    """The dialects that have the game; InvalidParameter if there are none."""
    found = [dialect for dialect in DIALECTS.values() if _has(dialect, game)]
    if not found:
        variant_of(game)  # which says for what it is spoken
    return found


def _has(dialect: Dialect, game: Game) -> bool:
    size = (game.spec.board.rows, game.spec.board.columns)
    return any((v.rows, v.columns) == size for v in form_in(look_of(game), dialect).variants)


# What a GUI says


@dataclass(frozen=True)
class Position:
    """The arguments of ``position``."""

    fen: str
    """empty: the start of the game"""
    moves: list[str]


def parse_position(words: Sequence[str]) -> Position:
    """The words behind ``position``; InvalidParameter if they say nothing."""
    split = words.index("moves") if "moves" in words else len(words)
    head, moves = list(words[:split]), list(words[split + 1 :])
    if head == ["startpos"]:
        return Position("", moves)
    if len(head) < 2 or head[0] != "fen":
        raise InvalidParameter("A position must be 'startpos' or 'fen' with a FEN, then 'moves' with moves.")
    return Position(" ".join(head[1:]), moves)


@dataclass(frozen=True)
class Go:
    """The arguments of ``go``: numbers by their names, and words alone."""

    numbers: dict[str, int] = field(default_factory=dict)
    words: frozenset[str] = frozenset()

    @property
    def endless(self) -> bool:
        """Whether it goes on until it is stopped."""
        return bool(self.words & {"infinite", "ponder"})

    def clock(self, side: str) -> tuple[int, int, int] | None:
        """What is left for the mover, what a move adds, and the moves that it has to last for; 0: all.

        The side is the mover's colour, w or b. None if it has no clock.
        """
        left = self.numbers.get("time", self.numbers.get(f"{side}time"))
        added = self.numbers.get("increment", self.numbers.get(f"{side}inc", 0))
        return None if left is None else (left, added, self.numbers.get("movestogo", 0))


def parse_go(words: Sequence[str]) -> Go:
    """The words behind ``go``: numbers with their names, negative ones as 0."""
    numbers: dict[str, int] = {}
    for name, text in itertools.pairwise(words):
        digits = text.removeprefix("-")
        if digits.isascii() and digits.isdecimal() and not name[:1].isdecimal():
            numbers[name] = int(text[:18]) if digits == text else 0
    return Go(numbers, frozenset(words) - numbers.keys())


# What an engine says


def parse_best_move(line: str) -> str | None:
    """The move of a ``bestmove`` line, empty if it has none, ``resign`` if it gives up; None of another."""
    words = line.split()
    if words[:1] == ["nobestmove"]:
        return ""
    if len(words) < 2 or words[0] != "bestmove":
        return None
    return RESIGN if RESIGN in words[2:] else words[1]


def parse_variants(line: str) -> list[str] | None:
    """The variants that an engine offers, if the line is that option."""
    words = line.split()
    if words[:3] != ["option", "name", "UCI_Variant"]:
        return None
    return [word for before, word in itertools.pairwise(words) if before == "var"]


def parse_perft_move(line: str) -> str | None:
    """The move of a line of ``go perft 1``."""
    move, colon, count = line.partition(":")
    return move if colon and count.strip() == "1" and move.isalnum() else None


def ask(
    engine: EngineProcess, command: str, timeout: float, found: Callable[[str], Found | None]
) -> tuple[Found, list[str]]:
    """Send a command and read lines until ``found`` finds something; with the lines before it."""
    engine.send(command)
    deadline = time.monotonic() + timeout
    lines: list[str] = []
    while True:
        line = engine.read_line(deadline, command)
        answer = found(line)
        if answer is not None:
            return answer, lines
        lines.append(line)
        if time.monotonic() > deadline:
            raise engine.failure(f"did not answer '{command}' in time")


def said(text: str) -> Callable[[str], bool | None]:
    """For ``ask``: whether a line is this one."""
    return lambda line: True if line.strip() == text else None


def say_hello(engine: EngineProcess, game: Game, timeout: float, dialect: Dialect = UCI) -> None:
    """Make sure that the engine speaks the dialect and has the game, and choose it."""
    variant = variant_of(game, dialect)
    _, lines = ask(engine, dialect.name, timeout, said(f"{dialect.name}ok"))
    if dialect is UCI:
        offered = next((names for names in map(parse_variants, lines) if names is not None), [])
        if variant not in offered:
            raise EngineError(f"The program {engine.name} does not support the variant {variant}.")
        engine.send(dialect.set_option("UCI_Variant", variant))
    if any(line.split()[:2] == ["option", "usemillisec"] for line in lines):
        engine.send(dialect.set_option("usemillisec", "true"))


def wait_until_ready(engine: EngineProcess, timeout: float) -> None:
    """Wait until the engine has done all that it was told."""
    ask(engine, "isready", timeout, said("readyok"))


def legal_moves(engine: EngineProcess, state: State, timeout: float) -> set[str]:
    """The moves that the engine thinks are legal."""
    engine.send(f"position fen {notation_of(state.game).write_position(state)}")
    _, lines = ask(engine, "go perft 1", timeout, lambda line: True if "Nodes searched" in line else None)
    return {move for move in map(parse_perft_move, lines) if move is not None}
