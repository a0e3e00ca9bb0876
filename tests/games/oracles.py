"""The comparison of random matches with independent implementations of the rules.

    python -m tests.games.oracles --matches 2000

plays that many random matches of each game beside its oracle and prints the table of
`docs/oracles.md`; with `--seconds 60` as many of them as that time is enough for.
"""

import argparse
import random
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import Progress

import glaux
from tests.games.draughts import DraughtsMatch, NumberedMatch
from tests.games.fairy import AtaxxMatch
from tests.games.matches import (
    AmazonsMatch,
    ArimaaMatch,
    BreakthroughMatch,
    ConnectFourMatch,
    GoMatch,
    GomokuMatch,
    HavannahMatch,
    LinesOfActionMatch,
    Match,
    MorpionMatch,
    OthelloMatch,
    QuoridorMatch,
    ReferenceMatch,
    SpielMatch,
)
from tests.games.xiangqi_matches import FairyMatch, XiangqiMatch
from tests.reference.arimaa import Arimaa
from tests.reference.canadian_draughts import Draughts
from tests.reference.connect6 import Connect6
from tests.reference.go import Go
from tests.reference.havannah import Havannah
from tests.reference.lines_of_action import LinesOfAction
from tests.reference.morpion import Morpion
from tests.reference.othello import Othello
from tests.reference.outer_open_gomoku import OuterOpenGomoku
from tests.reference.protocol import Reference
from tests.reference.quoridor import Quoridor
from tests.reference.rubik import Rubik
from tests.reference.santorini import Santorini
from tests.reference.shobu import Shobu
from tests.reference.surakarta import Surakarta
from tests.reference.xiangqi import Xiangqi


@dataclass(frozen=True)
class Case:
    """A game and its oracle."""

    game: str  # as glaux.make takes it
    oracle: str  # a name for people
    start: Callable[[], Match]
    matches: int  # how many the tests play at night unless told otherwise

    def __str__(self) -> str:
        return f"{self.game} and {self.oracle}"


def spiel(game: str, oracle: str, matches: int, kind: type[SpielMatch] = SpielMatch) -> Case:
    return Case(game, f"OpenSpiel {oracle}", lambda: kind(oracle), matches)


def reference(game: str, rules: Reference[Any], matches: int) -> Case:
    return Case(game, "plain Python reference", lambda: ReferenceMatch(rules), matches)


def arimaa(game: str, rules: Arimaa, matches: int) -> Case:
    return Case(game, "plain Python reference", lambda: ArimaaMatch(rules), matches)


def cube(game: str, matches: int) -> Case:
    ours = glaux.make(game)
    start = ours.state_text(ours.initial()).split()[0]
    quarter = bool(ours.parameters["quarter"])
    return reference(game, Rubik(start, ours.spec.max_plies, quarter), matches)


def fairy(game: str, matches: int, **setting: Any) -> Case:
    return Case(game, "Fairy-Stockfish's library", lambda: AtaxxMatch(**setting), matches)


def pydraughts(game: str, variant: str, matches: int) -> Case:
    olympiad = "olympiad" in game
    return Case(game, f"pydraughts {variant}", lambda: DraughtsMatch(variant, olympiad), matches)


def draughts(game: str, matches: int, size: int, olympiad: bool = False) -> Case:
    rules = Draughts(size, olympiad)
    return Case(game, "plain Python reference", lambda: NumberedMatch(rules), matches)


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
    spiel("othello", "othello", 417, OthelloMatch),
    spiel("hex", "hex(board_size=11,swap=True)", 83),
    spiel("hex:swap=false", "hex(board_size=11)", 83),
    spiel("hex:size=4", "hex(board_size=4,swap=True)", 833),
    spiel("hex:size=7,swap=false", "hex(board_size=7)", 333),
    spiel("breakthrough", "breakthrough", 167, BreakthroughMatch),
    spiel("breakthrough:rows=6,columns=2", "breakthrough(rows=6,columns=2)", 833, BreakthroughMatch),
    spiel("clobber", "clobber(rows=10,columns=10)", 133),
    spiel("clobber:rows=5,columns=6", "clobber(rows=5,columns=6)", 833),
    spiel("amazons", "amazons(board_size=10)", 250, AmazonsMatch),
    spiel("amazons:size=8", "amazons(board_size=8)", 250, AmazonsMatch),
    spiel("amazons:size=6", "amazons(board_size=6)", 417, AmazonsMatch),
    spiel("lines_of_action:passes=false,mover_wins=true", "lines_of_action", 83, LinesOfActionMatch),
    reference("lines_of_action", LinesOfAction(), 3),
    reference("lines_of_action:size=4", LinesOfAction(4), 33),
    reference("lines_of_action:size=5,repetitions=3,limit=0", LinesOfAction(5, 3, 0), 7),
    spiel("connect_four", "connect_four", 833, ConnectFourMatch),
    spiel("xiangqi", "xiangqi", 3, XiangqiMatch),
    Case("xiangqi", "Fairy-Stockfish", FairyMatch, 1),
    reference("xiangqi:olympiad=true", Xiangqi(olympiad=True), 2),
    reference("othello:size=4", Othello(4), 133),
    reference("othello:size=6", Othello(6), 33),
    reference("othello:size=10", Othello(10), 7),
    reference("othello:size=16", Othello(16), 1),
    reference("santorini", Santorini(), 167),
    reference("santorini:size=4", Santorini(4), 167),
    reference("surakarta", Surakarta(), 42),
    reference("surakarta:size=8", Surakarta(8), 25),
    reference("outer_open_gomoku", OuterOpenGomoku(), 42),
    reference("outer_open_gomoku:size=6", OuterOpenGomoku(6), 417),
    reference("connect6", Connect6(), 10),
    reference("connect6:size=7", Connect6(7), 100),
    spiel("outer_open_gomoku", "mnk(m=15,n=15,k=5)", 42, GomokuMatch),
    reference("shobu", Shobu(), 4),
    arimaa("arimaa", Arimaa(), 3),
    arimaa("arimaa:repetitions=4,limit=300", Arimaa(occurrences=4, longest=300), 3),
    spiel("morpion:length=4,sheet=13", "morpion_solitaire", 50, MorpionMatch),
    reference("morpion", Morpion(size=20), 1),
    reference("morpion:sheet=16", Morpion(), 3),
    reference("morpion:touching=true", Morpion(5, touching=True, size=24, bound=1000), 1),
    reference("morpion:length=4", Morpion(4, size=17), 10),
    reference("morpion:length=4,touching=true", Morpion(4, touching=True, size=19), 7),
    reference("morpion:sheet=10,bound=20", Morpion(size=10, bound=20), 20),
    fairy("ataxx", 3),
    fairy("ataxx:walls=1", 2, walls="c3 c5 e3 e5"),
    fairy("ataxx:walls=2", 2, walls="c4 d3 d5 e4"),
    fairy("ataxx:size=5", 7, size=5),
    fairy("ataxx:size=8", 1, size=8),
    pydraughts("international_draughts", "standard", 1),
    pydraughts("international_draughts:olympiad=true", "standard", 1),
    pydraughts("brazilian_draughts", "brazilian", 3),
    draughts("canadian_draughts", 2, size=12),
    draughts("canadian_draughts:olympiad=true", 1, size=12, olympiad=True),
    draughts("canadian_draughts:size=6", 33, size=6),
    draughts("international_draughts", 3, size=10),
    draughts("brazilian_draughts:olympiad=true", 7, size=8, olympiad=True),
    spiel("go", "go(board_size=9,komi=7.5)", 13, GoMatch),
    spiel("go:size=5,komi=2.5", "go(board_size=5,komi=2.5)", 83, GoMatch),
    spiel("go:size=13,komi=-0.5", "go(board_size=13,komi=-0.5)", 2, GoMatch),
    reference("go:size=2,komi=0.5,plies=60", Go(2, 0.5, 60), 133),
    reference("go:size=3,komi=1,plies=100", Go(3, 1, 100), 20),
    reference("go:size=5,komi=7.5", Go(5), 8),
    reference("go:size=9", Go(9), 1),
    spiel("havannah", "havannah(board_size=8,swap=True)", 50, HavannahMatch),
    spiel("havannah:size=4", "havannah(board_size=4,swap=True)", 500, HavannahMatch),
    spiel("havannah:size=10,swap=false", "havannah(board_size=10)", 20, HavannahMatch),
    reference("havannah:size=4", Havannah(4), 133),
    reference("havannah:size=5,swap=false", Havannah(5, swap=False), 20),
    spiel("quoridor", "quoridor", 3, QuoridorMatch),
    spiel("quoridor:size=5,walls=3", "quoridor(board_size=5,wall_count=3)", 20, QuoridorMatch),
    reference("quoridor", Quoridor(), 1),
    reference("quoridor:size=3,walls=2,limit=8", Quoridor(3, 2, 8), 67),
    reference("quoridor:size=4,walls=4,limit=20", Quoridor(4, 4, 20), 20),
    reference("quoridor:size=6,walls=5", Quoridor(6, 5), 3),
    cube("rubik2:twists=2,limit=40", 33),
    cube("rubik3:twists=1,limit=40,quarter=true", 20),
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
    parser.add_argument("--seconds", type=float, default=0, help="of CPU time for each, at most; 0: no limit")
    parser.add_argument("--game", default="", help="only games that start so; several as go,hex")
    options = parser.parse_args()

    print(f"seed {options.seed}\n")
    print(f"| {' | '.join(COLUMNS)} |")
    print(f"|---|---|{'---:|' * (len(COLUMNS) - 2)}", flush=True)
    disagreements = []
    with Progress(console=Console(stderr=True)) as progress:
        for case in [case for case in CASES if case.game.startswith(tuple(options.game.split(",")))]:
            game = glaux.make(case.game)
            findings, begun = [], time.process_time()
            for number in progress.track(range(options.matches), description=str(case)):
                findings.append(compare_match(case, game, options.seed, number))
                if options.seconds and time.process_time() - begun > options.seconds:
                    break
            print(f"| {' | '.join(row(case, findings))} |", flush=True)
            disagreements += [f.disagreement for f in findings if f.disagreement is not None]
    for text in disagreements[:10]:
        print(text)
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
