"""Other implementations of our games, and the comparison of random matches with them.

    python -m tests.games.oracles --matches 2000

plays that many random matches of each game beside its oracle and prints the table of
`docs/oracles.md`. An oracle speaks our action texts: the translations are here.
"""

import argparse
import copy
import random
import re
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol

import pyspiel
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import glaux
from tests.reference.outer_open_gomoku import OuterOpenGomoku
from tests.reference.protocol import Reference, State, cell_text
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
        text = super().text(action)
        start, end = re.findall(r"[a-z]\d+", text)
        return self.mirrored(start) + "x" * text.endswith("*") + self.mirrored(end)

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


class GomokuMatch(SpielMatch):
    """OpenSpiel's m,n,k-game, whose first stone may go anywhere: other openings are left out."""

    def text(self, action: int) -> str:
        size = self.spiel.get_game().get_parameters()["m"]
        row, column = divmod(action, size)
        return cell_text((column, size - 1 - row))

    def by_text(self) -> dict[str, int]:
        if self.spiel.move_number() > 0:
            return super().by_text()
        size = self.spiel.get_game().get_parameters()["m"]
        outer = (0, 1, size - 2, size - 1)
        return {
            text: action
            for text, action in super().by_text().items()
            if action // size in outer or action % size in outer
        }


class LinesOfActionMatch(SpielMatch):
    """Adds our two ways to draw: a repetition, and 100 plies without a capture.

    OpenSpiel draws as well when the board has occurred before with the other player to move. There
    it does not judge.
    """

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.past: list[str] = []  # the boards since the last capture

    def board(self) -> str:
        return str(self.spiel).split("\n\n")[0]  # the player to move follows

    def text(self, action: int) -> str:
        return super().text(action).replace("-", "")

    def apply(self, text: str) -> None:
        self.past = [] if "x" in text else [*self.past, self.board()]
        super().apply(text)

    def drawn(self) -> bool:
        """Whether our rules end the match here unless somebody has won."""
        same_player_to_move = self.past[-2::-2]
        return self.board() in same_player_to_move or len(self.past) >= 100

    def outcome(self) -> int | None:
        outcome = super().outcome()
        return 0 if outcome is None and self.drawn() else outcome

    def judges(self) -> bool:
        return super().outcome() != 0 or self.drawn()


@dataclass(frozen=True)
class Case:
    """A game and its oracle."""

    game: str  # as glaux.make takes it
    oracle: str  # a name for people
    start: Callable[[], Match]
    matches: int  # how many the tests play unless told otherwise

    def __str__(self) -> str:
        return f"{self.game} and {self.oracle}"


def spiel(game: str, oracle: str, matches: int, kind: type[SpielMatch] = SpielMatch) -> Case:
    return Case(game, f"OpenSpiel {oracle}", lambda: kind(oracle), matches)


def reference(game: str, rules: Reference[Any], matches: int) -> Case:
    return Case(game, "plain Python reference", lambda: ReferenceMatch(rules), matches)


COLUMNS = [
    "game",
    "oracle",
    "matches",
    "positions",
    "won",
    "drawn",
    "lost",
    "not judged",
    "disagreements",
]

CASES = [
    spiel("othello", "othello", 500, OthelloMatch),
    spiel("hex", "hex(board_size=11,swap=True)", 100),
    spiel("hex:swap=false", "hex(board_size=11)", 100),
    spiel("hex:size=4", "hex(board_size=4,swap=True)", 1000),
    spiel("hex:size=7,swap=false", "hex(board_size=7)", 400),
    spiel("breakthrough", "breakthrough", 200, BreakthroughMatch),
    spiel("breakthrough:rows=6,columns=2", "breakthrough(rows=6,columns=2)", 1000, BreakthroughMatch),
    spiel("clobber", "clobber(rows=10,columns=10)", 150),
    spiel("clobber:rows=5,columns=6", "clobber(rows=5,columns=6)", 1000),
    spiel("amazons", "amazons(board_size=10)", 300, AmazonsMatch),
    spiel("amazons:size=8", "amazons(board_size=8)", 300, AmazonsMatch),
    spiel("amazons:size=6", "amazons(board_size=6)", 500, AmazonsMatch),
    spiel("lines_of_action", "lines_of_action", 100, LinesOfActionMatch),
    spiel("connect_four", "connect_four", 1000, ConnectFourMatch),
    reference("santorini", Santorini(), 200),
    reference("santorini:size=4", Santorini(4), 200),
    reference("surakarta", Surakarta(), 50),
    reference("surakarta:size=8", Surakarta(8), 30),
    reference("outer_open_gomoku", OuterOpenGomoku(), 50),
    reference("outer_open_gomoku:size=6", OuterOpenGomoku(6), 500),
    spiel("outer_open_gomoku", "mnk(m=15,n=15,k=5)", 50, GomokuMatch),
]


@dataclass
class Finding:
    """What one match has shown."""

    positions: int  # how many were compared
    outcome: int | None  # None if the oracle did not judge to the end
    disagreement: str | None = None


def compare_match(case: Case, game: glaux.Game, seed: int, number: int) -> Finding:
    """Plays a random match and compares every position of it.

    The match depends on the case, the seed and its number only, so that it can be played again.
    """
    rng = random.Random(f"{seed} {case.game} {number}")
    s, match, played = game.initial(), case.start(), []
    while match.judges():
        what = difference(game, s, match)
        if what is not None:
            where = f"{case}, seed {seed}, match {number}, after '{' '.join(played)}'"
            return Finding(len(played), None, f"{where}: {what}")
        if game.terminal(s):
            return Finding(len(played) + 1, game.outcome(s))
        s, text = random_step(game, s, match, rng)
        played.append(text)
    return Finding(len(played), None)


def random_step(
    game: glaux.Game, s: glaux.State, match: Match, rng: random.Random
) -> tuple[glaux.State, str]:
    """Plays a random action in both; our next state and the action's text."""
    action = rng.choice(game.actions(s))
    text = game.action_text(s, action)
    match.apply(text)
    return game.apply(s, action), text


def difference(game: glaux.Game, s: glaux.State, match: Match) -> str | None:
    """How ours and the oracle differ in this state, or None."""
    if game.outcome(s) != match.outcome():
        return f"our outcome is {game.outcome(s)}, the oracle's {match.outcome()}"
    if game.terminal(s):
        return score_difference(game, s, match)
    if game.first_player(s) != match.first_player():
        return f"the first player is to move: we say {game.first_player(s)}"
    ours = [game.action_text(s, action) for action in game.actions(s)]
    theirs = match.actions()
    if sorted(ours) != sorted(theirs):
        extra, missing = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
        return f"of {len(ours)} actions only ours are {extra}, only the oracle's {missing}"
    return None


def score_difference(game: glaux.Game, s: glaux.State, match: Match) -> str | None:
    """How the scores of a match that is over differ, where both have one."""
    theirs = match.score()
    if theirs is None or game.score(s) == theirs:
        return None
    return f"our score is {game.score(s)}, the oracle's {theirs}"


def perft(match: Match, depth: int) -> int:
    """The number of sequences of `depth` legal actions from the state of a match."""
    if depth == 0:
        return 1
    total = 0
    for text in match.actions():
        child = match.copy()
        child.apply(text)
        total += perft(child, depth - 1)
    return total


def middle_game(case: Case, game: glaux.Game, rng: random.Random, plies: int) -> tuple[glaux.State, Match]:
    """A state that random play of this many plies leads to, or the last one before the end."""
    s, match = game.initial(), case.start()
    for _ in range(plies):
        twin = match.copy()
        following, _ = random_step(game, s, twin, rng)
        if game.terminal(following) or not twin.judges():
            break
        s, match = following, twin
    return s, match


def row(case: Case, findings: list[Finding]) -> list[str]:
    """A line of the table."""
    outcomes = [finding.outcome for finding in findings]
    figures = [
        len(findings),
        sum(finding.positions for finding in findings),
        *(outcomes.count(outcome) for outcome in (1, 0, -1, None)),
        sum(finding.disagreement is not None for finding in findings),
    ]
    return [case.game, case.oracle, *(f"{figure:,}" for figure in figures)]


def main() -> int:
    """Compares many matches of each game and prints the table; 1 if there is a disagreement."""
    parser = argparse.ArgumentParser(description="Compare our games with independent oracles.")
    parser.add_argument("--matches", type=int, default=2000, help="of each game and oracle")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--game", default="", help="only games whose text starts with this")
    options = parser.parse_args()

    cases = [case for case in CASES if case.game.startswith(options.game)]
    console = Console(width=150)
    table = Table(*COLUMNS, box=box.MARKDOWN, title=f"seed {options.seed}")
    disagreements = []
    with Progress(console=console) as progress:
        for case in cases:
            game = glaux.make(case.game)
            numbers = progress.track(range(options.matches), description=str(case))
            findings = [compare_match(case, game, options.seed, number) for number in numbers]
            table.add_row(*row(case, findings))
            disagreements += [f.disagreement for f in findings if f.disagreement is not None]
    console.print(table)
    for text in disagreements[:10]:
        console.print(text)
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
