"""The statistics against the papers' numbers and against plain implementations of their definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaux.experiments.statistics import (
    binomial_p,
    difference,
    holm,
    kendall_tau,
    moving_average,
    wilcoxon_p,
)


def test_wilcoxon_of_forty_repetitions_that_are_all_better_is_the_papers() -> None:
    """Table 6: 9.09e-13 for Othello and Havannah 8."""
    assert wilcoxon_p(np.linspace(0.1, 1.3, 40)) == pytest.approx(9.09e-13, rel=1e-3, abs=0)


@pytest.mark.parametrize(("wins", "losses", "published"), [(910, 90, 1.12e-171), (555, 45, 4.19e-113)])
def test_binomial_is_that_of_tables_8_and_11(wins: int, losses: int, published: float) -> None:
    """91% of 1,000 matches against MoHex, 92.5% of 600 against Sharp."""
    assert binomial_p(wins, losses) == pytest.approx(published, rel=0.005, abs=0)


@given(st.integers(0, 60), st.integers(0, 60))
def test_binomial_is_the_sum_of_its_tail(wins: int, losses: int) -> None:
    games = wins + losses
    tail = sum(math.comb(games, k) for k in range(wins, games + 1)) / 2**games
    assert binomial_p(wins, losses) == pytest.approx(tail)


def plain_wilcoxon(differences: list[float]) -> float:
    """By going through all signs of the ranks; equal sizes have the mean of their ranks."""
    found = [d for d in differences if d != 0]
    sizes = sorted(abs(d) for d in found)

    def rank(d: float) -> float:
        places = [i + 1 for i, size in enumerate(sizes) if size == abs(d)]
        return sum(places) / len(places)

    ranks = [rank(d) for d in found]
    seen = sum(r for r, d in zip(ranks, found, strict=True) if d > 0)
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product((0, 1), repeat=len(ranks))]
    return sum(s >= seen - 1e-9 for s in sums) / len(sums)


@given(st.lists(st.integers(-6, 6), max_size=9))
def test_wilcoxon_is_the_share_of_signs_that_say_as_much(differences: list[int]) -> None:
    assert wilcoxon_p([d / 8 for d in differences]) == pytest.approx(plain_wilcoxon(list(differences)))


def test_wilcoxon_with_equal_sizes_goes_on_from_that_without() -> None:
    """Sizes that are nearly equal have nearly the p-value of equal ones, where ranks cannot change it."""
    assert wilcoxon_p([0.5] * 40) == pytest.approx(2.0**-40, rel=1e-9, abs=0)
    assert wilcoxon_p([0.5] * 12 + [-0.5] * 4) == pytest.approx(binomial_p(12, 4))
    assert wilcoxon_p(np.repeat(np.linspace(0.1, 1, 200), 2)) == pytest.approx(2.0**-400, rel=1e-9, abs=0)


def test_holm_is_that_of_its_definition() -> None:
    """Reject in order while p times the number of those left is below the level."""
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    for level in (0.019, 0.021, 0.031, 0.05, 0.061):
        rejected: set[int] = set()
        for place, i in enumerate(sorted(range(4), key=lambda i: p[i])):
            if p[i] * (4 - place) > level:
                break
            rejected.add(i)
        assert {i for i, corrected in enumerate(holm(p)) if corrected <= level} == rejected
    assert holm([]) == []


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=8))
def test_kendall_counts_pairs_in_the_same_order(points: list[tuple[int, int]]) -> None:
    pairs = list(itertools.combinations(points, 2))
    signs = [np.sign(a[0] - b[0]) * np.sign(a[1] - b[1]) for a, b in pairs]
    untied = [sum(a[k] != b[k] for a, b in pairs) for k in (0, 1)]
    expected = sum(signs) / math.sqrt(untied[0] * untied[1]) if all(untied) else None
    assert kendall_tau(*zip(*points, strict=True)) == pytest.approx(expected)


def test_a_difference_counts_every_game_the_same() -> None:
    found = difference([np.array([0.1, 0.2, 0.3]), np.array([0.0])])
    assert found.estimate.mean == pytest.approx(0.1)
    assert found.estimate.low < 0.1 < found.estimate.high
    assert found.pairs == 4
    assert found.p_better == pytest.approx(1 / 8)


def test_moving_average_has_a_shorter_beginning() -> None:
    assert moving_average([1, 2, 3, 4], 2) == [1, 1.5, 2.5, 3.5]
    assert moving_average([1, 2, 3], 6) == [1, 1.5, 2]
