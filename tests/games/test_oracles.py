"""Every position of random matches is the same for us and for an independent implementation.

A third of the matches of each case by day, all of them with ``--nightly``. GLAUX_ORACLE_MATCHES sets their
number instead; GLAUX_SEED repeats a run. The many that docs/oracles.md tells of are played by
``python -m tests.games.oracles``.
"""

import os
import random

import pytest

import glaux
from tests.games.matches import Match
from tests.games.oracles import CASES, Case, compare_match, middle_game, perft

cases = pytest.mark.parametrize("case", CASES, ids=str)


@cases
def test_random_matches(case: Case, seed: int, pytestconfig: pytest.Config) -> None:
    game = glaux.make(case.game)
    matches = case.matches if pytestconfig.getoption("--nightly") else -(-case.matches // 3)
    for number in range(int(os.environ.get("GLAUX_ORACLE_MATCHES", matches))):
        finding = compare_match(case, game, seed, number)
        assert finding.disagreement is None, finding.disagreement


@cases
def test_perft_from_the_start(case: Case) -> None:
    game = glaux.make(case.game)
    check_perft(game, game.initial(), case.start())


@cases
def test_perft_from_middle_games(case: Case, seed: int) -> None:
    game, rng = glaux.make(case.game), random.Random(f"{seed} {case}")
    for plies in (6, 15, 30):
        check_perft(game, *middle_game(case, game, rng, plies))


def check_perft(game: glaux.Game, s: glaux.State, match: Match) -> None:
    """Compares the counts of growing depths until the oracle has a hundred leaves."""
    for depth in range(1, 6):
        expected = perft(match, depth)
        if expected is None:  # rare: the oracle's rules part from ours within these few plies
            assert depth > 1
            break
        assert game.perft(depth, s) == expected, f"depth {depth} from {s!r}"
        if expected > 60:
            break
