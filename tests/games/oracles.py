"""Other implementations of our games, and the comparison of random matches with them.

    python -m tests.games.oracles --matches 2000

plays that many random matches of each game beside its oracle and prints the table of
`docs/oracles.md`. An oracle speaks our action texts: the translations are here.
"""

import argparse
import copy
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol

import pyspiel
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import glaux
from tests.reference.outer_open_gomoku import OuterOpenGomoku
from tests.reference.protocol import Reference, State
from tests.reference.santorini import Santorini
from tests.reference.surakarta import Surakarta


class Match(Protocol):
    """A match as an oracle sees it. Actions are in our notation; +1 is the first player's win."""

    def actions(self) -> list[str]: ...
    def apply(self, text: str) -> None: ...
    def first_player(self) -> bool: ...
    def outcome(self) -> int | None: ...
    def score(self) -> int | None: ...
    def copy(self) -> "Match": ...

    def judges(self) -> bool:
        """Whether the oracle plays the same rules as we do in this state and after it."""
        ...


class ReferenceMatch(Generic[State]):
    """A match by one of the plain Python references."""

    def __init__(self, game: Reference[State], s: State | None = None) -> None:
        self.game = game
        self.s = game.initial() if s is None else s

    def actions(self) -> list[str]:
        return self.game.actions(self.s)

    def apply(self, text: str) -> None:
        self.s = self.game.apply(self.s, text)

    def first_player(self) -> bool:
        return self.game.first_player(self.s)

    def outcome(self) -> int | None:
        return self.game.outcome(self.s)

    def score(self) -> int | None:
        return self.game.score(self.s)

    def copy(self) -> "ReferenceMatch[State]":
        return ReferenceMatch(self.game, self.s)

    def judges(self) -> bool:
        return True


class SpielMatch:
    """A match by OpenSpiel."""

    def __init__(self, game: str) -> None:
        self.spiel = pyspiel.load_game(game).new_initial_state()

    def text(self, action: int) -> str:
        """Our text of an action of OpenSpiel's."""
        return self.spiel.action_to_string(action)

    def by_text(self) -> dict[str, int]:
        """OpenSpiel's legal actions by our texts."""
        return {self.text(action): action for action in self.spiel.legal_actions()}

    def actions(self) -> list[str]:
        return list(self.by_text())

    def apply(self, text: str) -> None:
        self.spiel.apply_action(self.by_text()[text])

    def first_player(self) -> bool:
        return self.spiel.current_player() == 0

    def outcome(self) -> int | None:
        return int(self.spiel.returns()[0]) if self.spiel.is_terminal() else None

    def score(self) -> int | None:
        return None

    def copy(self) -> "SpielMatch":
        twin = copy.copy(self)
        twin.spiel = self.spiel.clone()
        return twin

    def judges(self) -> bool:
        return True


class OthelloMatch(SpielMatch):
    """Adds the score, which OpenSpiel reduces to win, draw and loss."""

    def score(self) -> int | None:
        board = str(self.spiel).split("\n", 1)[1]  # the first line names the player to move
        return board.count("x") - board.count("o")


class ConnectFourMatch(SpielMatch):
    def text(self, action: int) -> str:
        return str(action + 1)


class BreakthroughMatch(SpielMatch):
    """OpenSpiel's first player starts at the top, ours at the bottom: rows are mirrored."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.rows = self.spiel.get_game().get_parameters()["rows"]

    def text(self, action: int) -> str:
        start, end = re.findall(r"[a-z]\d+", super().text(action))
        return self.mirrored(start) + self.mirrored(end)

    def mirrored(self, cell: str) -> str:
        return f"{cell[0]}{self.rows + 1 - int(cell[1:])}"


class AmazonsMatch(SpielMatch):
    """OpenSpiel names cells by (row, column), counted from 1 at the top left."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.size = self.spiel.get_game().get_parameters()["board_size"]

    def text(self, action: int) -> str:
        row, column = divmod(action, self.size)
        return cell_text((column, self.size - 1 - row))


class LinesOfActionMatch(SpielMatch):
    """Adds our rule that a repetition ends the match as a draw.

    OpenSpiel also ends it when the board is the same but the other player is to move. In that
    state it does not judge.
    """

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.seen = {self.position()}
        self.repeated = False

    def position(self) -> tuple[str, int]:
        """The board and which player is to move (players alternate)."""
        board = str(self.spiel).split("\n\n")[0]
        return board, self.spiel.move_number() % 2

    def text(self, action: int) -> str:
        return super().text(action).replace("-", "")

    def apply(self, text: str) -> None:
        super().apply(text)
        position = self.position()
        self.repeated = position in self.seen
        self.seen = self.seen | {position}

    def outcome(self) -> int | None:
        return 0 if self.repeated else super().outcome()

    def judges(self) -> bool:
        return self.repeated or super().outcome() != 0


@dataclass(frozen=True)
class Case:
    """A game and its oracle."""

    game: str  # as glaux.make takes it
    oracle: str  # a name for people
    start: Callable[[], Match]
    matches: int  # how many the tests play unless told otherwise


def spiel(game: str, oracle: str, matches: int, kind: type[SpielMatch] = SpielMatch) -> Case:
    return Case(game, f"OpenSpiel {oracle}", lambda: kind(oracle), matches)


def reference(game: str, rules: Reference[Any], matches: int) -> Case:
    return Case(game, "plain Python reference", lambda: ReferenceMatch(rules), matches)


CASES = [
    spiel("othello", "othello", 100, OthelloMatch),
    spiel("hex:size=11", "hex(board_size=11,swap=True)", 100),
    spiel("connect_four", "connect_four", 200, ConnectFourMatch),
    spiel("breakthrough", "breakthrough", 100, BreakthroughMatch),
    spiel("amazons:size=6", "amazons(board_size=6)", 100, AmazonsMatch),
    spiel("lines_of_action", "lines_of_action", 50, LinesOfActionMatch),
    reference("santorini", Santorini(), 100),
    reference("surakarta", Surakarta(), 50),
    reference("outer_open_gomoku", OuterOpenGomoku(), 50),
]


class Disagreement(AssertionError):
    """Ours and the oracle differ. The message holds what is needed to see it again."""


@dataclass
class Tally:
    """What a number of matches have shown."""

    matches: int = 0
    positions: int = 0
    unfinished: int = 0  # matches in which the oracle stopped judging
    disagreements: list[Disagreement] = field(default_factory=list)


def random_of(seed: int, case: Case, match: int) -> random.Random:
    """The generator of one match: each match can be repeated without the ones before it."""
    return random.Random(f"{seed} {case.game} {match}")


def play_match(case: Case, game: glaux.Game, rng: random.Random, tally: Tally) -> None:
    """Plays one random match and compares every position of it."""


def difference(game: glaux.Game, s: glaux.State, match: Match) -> str | None:
    """How ours and the oracle differ in this state, or None."""
