"""The comparison of random matches with independent implementations of the rules.

    python -m tests.games.oracles --matches 2000

plays that many random matches of each game beside its oracle and prints the table of
`docs/oracles.md`.
"""

import argparse
import random
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import glaux
from tests.games.matches import (
    AmazonsMatch,
    BreakthroughMatch,
    ConnectFourMatch,
    GomokuMatch,
    LinesOfActionMatch,
    Match,
    OthelloMatch,
    ReferenceMatch,
    SpielMatch,
)
from tests.reference.othello import Othello
from tests.reference.outer_open_gomoku import OuterOpenGomoku
from tests.reference.protocol import Reference
from tests.reference.rubik import Rubik
from tests.reference.santorini import Santorini
from tests.reference.surakarta import Surakarta


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


def cube(game: str, matches: int) -> Case:
    ours = glaux.make(game)
    start = ours.state_text(ours.initial()).split()[0]
    quarter = bool(ours.parameters["quarter"])
    return reference(game, Rubik(start, ours.spec.max_plies, quarter), matches)


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
    spiel("othello", "othello", 1250, OthelloMatch),
    spiel("hex", "hex(board_size=11,swap=True)", 250),
    spiel("hex:swap=false", "hex(board_size=11)", 250),
    spiel("hex:size=4", "hex(board_size=4,swap=True)", 2500),
    spiel("hex:size=7,swap=false", "hex(board_size=7)", 1000),
    spiel("breakthrough", "breakthrough", 500, BreakthroughMatch),
    spiel("breakthrough:rows=6,columns=2", "breakthrough(rows=6,columns=2)", 2500, BreakthroughMatch),
    spiel("clobber", "clobber(rows=10,columns=10)", 400),
    spiel("clobber:rows=5,columns=6", "clobber(rows=5,columns=6)", 2500),
    spiel("amazons", "amazons(board_size=10)", 750, AmazonsMatch),
    spiel("amazons:size=8", "amazons(board_size=8)", 750, AmazonsMatch),
    spiel("amazons:size=6", "amazons(board_size=6)", 1250, AmazonsMatch),
    spiel("lines_of_action", "lines_of_action", 250, LinesOfActionMatch),
    spiel("connect_four", "connect_four", 2500, ConnectFourMatch),
    reference("othello:size=4", Othello(4), 400),
    reference("othello:size=6", Othello(6), 100),
    reference("othello:size=10", Othello(10), 20),
    reference("othello:size=16", Othello(16), 4),
    reference("santorini", Santorini(), 500),
    reference("santorini:size=4", Santorini(4), 500),
    reference("surakarta", Surakarta(), 125),
    reference("surakarta:size=8", Surakarta(8), 75),
    reference("outer_open_gomoku", OuterOpenGomoku(), 125),
    reference("outer_open_gomoku:size=6", OuterOpenGomoku(6), 1250),
    spiel("outer_open_gomoku", "mnk(m=15,n=15,k=5)", 125, GomokuMatch),
    cube("rubik2:twists=2,limit=40", 100),
    cube("rubik3:twists=1,limit=40,quarter=true", 60),
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
    rng = random.Random(f"{seed} {case} {number}")
    s, match = game.initial(), case.start()
    played: list[str] = []
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


def perft(match: Match, depth: int) -> int | None:
    """The number of sequences of `depth` legal actions, 1 or more, from the state of a match.

    None if the oracle does not judge one of the positions on the way.
    """
    texts = match.actions()
    if depth == 1:
        return len(texts)
    total = 0
    for text in texts:
        child = match.copy()
        child.apply(text)
        leaves = perft(child, depth - 1) if child.judges() else None
        if leaves is None:
            return None
        total += leaves
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
    table = Table(*COLUMNS, box=box.MARKDOWN, title=f"seed {options.seed}")
    disagreements = []
    with Progress() as progress:
        for case in cases:
            game = glaux.make(case.game)
            numbers = progress.track(range(options.matches), description=str(case))
            findings = [compare_match(case, game, options.seed, number) for number in numbers]
            table.add_row(*row(case, findings))
            disagreements += [f.disagreement for f in findings if f.disagreement is not None]
    Console(width=160).print(table)
    for text in disagreements[:10]:
        print(text)
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
