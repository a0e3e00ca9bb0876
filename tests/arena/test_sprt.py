"""Sequential tests: the ratio against a plain computation, the errors by simulation."""

from __future__ import annotations

from itertools import pairwise
from math import isclose, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import glaux
from glaux.arena.contest import Contest, play_until_decided
from glaux.arena.elo import expected_score
from glaux.arena.sprt import PRIOR, Hypotheses, SequentialTest, log_likelihood_ratio
from glaux.errors import InvalidParameter

SMALL = glaux.make("connect_four:rows=4,columns=4,length=3")


def best_log_likelihood(counts: list[int], score: float) -> float:
    """By a general optimizer over softmax coordinates: nothing in common with the formula."""
    weights = np.array(counts) + PRIOR
    points = np.arange(5) / 4

    def logs(x: np.ndarray) -> np.ndarray:
        return x - x.max() - np.log(np.exp(x - x.max()).sum())

    found = minimize(
        lambda x: -weights @ logs(x) / weights.sum(),
        np.log(weights),
        constraints={"type": "eq", "fun": lambda x: np.exp(logs(x)) @ points - score},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-13},
    )
    assert abs(np.exp(logs(found.x)) @ points - score) < 1e-8
    return float(-found.fun * weights.sum())


@pytest.mark.parametrize(
    "counts", [[3, 5, 20, 8, 6], [10, 10, 10, 10, 10], [1, 0, 30, 0, 9], [0, 2, 9, 14, 40]]
)
@pytest.mark.parametrize("elos", [(0, 20), (-50, 50), (100, 200)])
def test_the_ratio_is_that_of_the_most_likely_chances(counts: list[int], elos: tuple[int, int]) -> None:
    by_optimizer = best_log_likelihood(counts, expected_score(elos[1])) - best_log_likelihood(
        counts, expected_score(elos[0])
    )
    assert isclose(log_likelihood_ratio(counts, *elos), by_optimizer, rel_tol=1e-3, abs_tol=1e-3)


def test_near_the_truth_the_ratio_is_that_of_normal_means() -> None:
    """For many pairs and a small difference: n (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    counts = np.array([1000, 2000, 4000, 2300, 1100])
    points = np.arange(5) / 4
    mean = counts @ points / counts.sum()
    variance = counts @ (points - mean) ** 2 / counts.sum()
    s0, s1 = expected_score(0), expected_score(5)
    normal = counts.sum() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert isclose(log_likelihood_ratio(list(counts), 0, 5), normal, rel_tol=0.02)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 200), min_size=5, max_size=5), st.integers(-300, 250), st.integers(5, 200))
def test_the_ratio_is_antisymmetric_and_always_finite(counts: list[int], elo0: int, more: int) -> None:
    ratio = log_likelihood_ratio(counts, elo0, elo0 + more)
    assert np.isfinite(ratio)
    assert isclose(ratio, -log_likelihood_ratio(counts, elo0 + more, elo0), abs_tol=1e-6)
    mirrored = log_likelihood_ratio(counts[::-1], -elo0 - more, -elo0)
    assert isclose(ratio, -mirrored, rel_tol=1e-5, abs_tol=1e-6)


def test_a_won_pair_speaks_for_the_stronger_hypothesis() -> None:
    test = SequentialTest(Hypotheses(0, 100))
    ratios = []
    for _ in range(15):
        test.add((1, 1))
        ratios.append(test.llr)
    assert all(b > a for a, b in pairwise(ratios))
    assert test.verdict == "H1"
    assert test.counts == [0, 0, 0, 0, 15]


def test_bounds_are_walds() -> None:
    lower, upper = Hypotheses(0, 10, alpha=0.05, beta=0.1).bounds
    assert isclose(lower, log(0.1 / 0.95))
    assert isclose(upper, log(0.9 / 0.05))


def decided(hypotheses: Hypotheses, elo: float, draws: float, bias: float, rng: np.random.Generator) -> str:
    """A simulated test: a player of this strength, a share of draws, and an advantage of the first move."""
    test = SequentialTest(hypotheses)
    while test.verdict == "undecided":
        outcomes = []
        for advantage in (bias, -bias):
            score = expected_score(elo) + advantage
            share = min(draws, 2 * score, 2 - 2 * score)
            outcomes.append(int(rng.choice([1, 0, -1], p=[score - share / 2, share, 1 - score - share / 2])))
        test.add((outcomes[0], outcomes[1]))
    return test.verdict


@pytest.mark.parametrize(
    ("elos", "draws", "bias"),
    [((0, 150), 0.0, 0.0), ((-75, 75), 0.4, 0.0), ((-75, 75), 0.0, 0.25), ((150, 300), 0.1, 0.05)],
)
def test_errors_are_as_rare_as_they_are_said_to_be(
    elos: tuple[float, float], draws: float, bias: float
) -> None:
    """With risks of 10%, 20 wrong of 100 are out of the question: their probability is under 0.2%.

    Seeds are fixed, so that the test always has the same outcome.
    """
    hypotheses = Hypotheses(*elos, alpha=0.1, beta=0.1)
    rng = np.random.default_rng(7)
    wrong = sum(decided(hypotheses, elos[0], draws, bias, rng) == "H1" for _ in range(100))
    assert wrong < 20
    wrong = sum(decided(hypotheses, elos[1], draws, bias, rng) == "H0" for _ in range(100))
    assert wrong < 20


def test_beyond_the_hypotheses_errors_are_rarer_still() -> None:
    hypotheses = Hypotheses(0, 100)
    rng = np.random.default_rng(3)
    assert sum(decided(hypotheses, -150, 0.2, 0.0, rng) == "H1" for _ in range(40)) == 0
    assert sum(decided(hypotheses, 250, 0.2, 0.0, rng) == "H0" for _ in range(40)) == 0


def test_a_contest_stops_when_it_is_decided() -> None:
    contest = Contest(SMALL, ("mcts:iterations=100", "random"), 400, opening=1)
    test = SequentialTest(Hypotheses(0, 100))
    played = list(play_until_decided(contest, test, 1))
    assert test.verdict == "H1"
    assert len(played) == 2 * sum(test.counts) < 100
    assert [index for index, _ in played] == list(range(len(played)))


def test_the_verdict_does_not_depend_on_the_workers() -> None:
    contest = Contest(SMALL, ("mcts:iterations=30", "random"), 60, opening=2, seed=5)
    summaries = []
    for workers in (1, 2):
        test = SequentialTest(Hypotheses(0, 60))
        games = [(index, record.actions) for index, record in play_until_decided(contest, test, workers)]
        summaries.append((test.summary(), games))
    assert summaries[0] == summaries[1]


def test_games_can_run_out() -> None:
    test = SequentialTest(Hypotheses(0, 5))
    games = list(play_until_decided(Contest(SMALL, ("random", "random"), 6), test, 1))
    assert len(games) == 6
    assert test.verdict == "undecided"
    assert test.summary()["pairs"] == 3


@pytest.mark.parametrize(
    ("hypotheses", "sentence"),
    [
        (Hypotheses(10, 10), "must be below"),
        (Hypotheses(20, 10), "must be below"),
        (Hypotheses(float("nan"), 10), "must be below"),
        (Hypotheses(0, 1e6), "between -1000 and 1000"),
        (Hypotheses(0, 10, alpha=0), "risk alpha"),
        (Hypotheses(0, 10, beta=0.5), "risk beta"),
    ],
)
def test_impossible_hypotheses(hypotheses: Hypotheses, sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        SequentialTest(hypotheses)


def test_a_test_needs_whole_pairs() -> None:
    test = SequentialTest(Hypotheses(0, 10))
    with pytest.raises(InvalidParameter, match="an even number"):
        list(play_until_decided(Contest(SMALL, ("random", "random"), 7), test, 1))
