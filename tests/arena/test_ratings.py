"""Ratings: against plain computations, in degenerate cases, and by properties."""

from __future__ import annotations

from math import isclose, log, log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaux.arena.elo import ELO, expected_score
from glaux.arena.ratings import PRIOR_ELO, Ratings, fit_ratings
from glaux.errors import InvalidParameter

CHI_SQUARED_95 = 3.841459


def table(rows: list[list[int]]) -> np.ndarray:
    return np.array(rows, dtype=np.int64)


def rate(wins: list[list[int]] | np.ndarray, draws: list[list[int]] | np.ndarray | None = None) -> Ratings:
    wins = np.asarray(wins, dtype=np.int64)
    return fit_ratings(wins, np.zeros_like(wins) if draws is None else np.asarray(draws, dtype=np.int64))


def elos(ratings: Ratings) -> np.ndarray:
    return np.array([rating.elo for rating in ratings.players])


def zermelo(points: np.ndarray, rounds: int = 20_000) -> np.ndarray:
    """Zermelo's iteration for Bradley and Terry's model, without a prior: Elo of mean 0."""
    games = points + points.T
    strength = np.ones(len(points))
    for _ in range(rounds):
        expected = games / (strength[:, None] + strength[None, :])
        strength = points.sum(axis=1) / expected.sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    found: np.ndarray = 400 * np.log10(strength)
    return found


def results(size: int, seed: int, games: int = 100, spread: float = 150) -> tuple[np.ndarray, np.ndarray]:
    """Random results of a round robin between players of random strengths, draws among them."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0, spread, size)
    wins, draws = np.zeros((2, size, size), dtype=np.int64)
    for i in range(size):
        for j in range(i + 1, size):
            score = expected_score(strengths[i] - strengths[j])
            share = 0.4 * min(score, 1 - score)
            chances = [score - share / 2, share, 1 - score - share / 2]
            wins[i, j], draws[i, j], wins[j, i] = rng.multinomial(games, chances)
            draws[j, i] = draws[i, j]
    return wins, draws


@pytest.mark.parametrize("seed", range(5))
def test_ratings_are_those_of_zermelos_iteration(seed: int) -> None:
    wins, draws = results(5, seed)
    found = elos(rate(wins, draws))
    plain = zermelo(wins + draws / 2)
    differences = (found - found.mean()) - plain
    assert np.abs(differences).max() < 3, "the prior moves them by little"


def test_with_many_games_the_prior_is_nothing() -> None:
    wins, draws = results(6, 1, games=100_000)
    found = elos(rate(wins, draws))
    assert np.abs(found - found.mean() - zermelo(wins + draws / 2)).max() < 0.01


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    first, second = rate([[0, 7500], [2500, 0]]).players
    assert isclose(first.elo - second.elo, 400 * log10(3), abs_tol=0.1)
    with_draws = rate([[0, 5000], [0, 0]], [[0, 5000], [5000, 0]]).players
    assert isclose(with_draws[0].elo - with_draws[1].elo, 400 * log10(3), abs_tol=0.1)


def test_intervals_of_two_players_are_those_of_the_likelihood() -> None:
    """On a grid: all differences whose log posterior is within half the 95% point of the best."""
    for wins, losses in [(15, 5), (30, 30), (9, 1), (10, 0)]:
        first, second = rate([[0, wins], [losses, 0]]).players
        gaps = np.linspace(-5000, 5000, 2_000_001)
        # Two strengths at a distance from their mean of half the gap each.
        costs = wins * np.log1p(10 ** (-gaps / 400)) + losses * np.log1p(10 ** (gaps / 400))
        costs += (gaps / 2) ** 2 / PRIOR_ELO**2
        inside = gaps[costs <= costs.min() + CHI_SQUARED_95 / 2]
        assert isclose(first.elo - second.elo, gaps[costs.argmin()], abs_tol=0.1)
        assert isclose(2 * first.low, inside[0], abs_tol=0.1)
        assert isclose(2 * first.high, inside[-1], abs_tol=0.1)
        assert isclose(second.low, -first.high, abs_tol=0.01)


def test_with_many_games_intervals_are_those_of_the_inverse_hessian() -> None:
    wins, draws = results(4, 2, games=50_000)
    ratings = rate(wins, draws)
    r = elos(ratings) / ELO
    games = wins + wins.T + draws
    chances = 1 / (1 + np.exp(r[None, :] - r[:, None]))
    information = games * chances * (1 - chances)
    hessian = np.diag(information.sum(axis=1)) - information
    weights = information.sum(axis=1) / information.sum()
    directions = np.eye(4) - weights
    spread = np.sqrt(np.diag(directions @ np.linalg.pinv(hessian) @ directions.T)) * ELO
    for rating, width in zip(ratings.players, spread, strict=True):
        assert isclose(rating.high - rating.elo, 1.959964 * width, rel_tol=0.02)
        assert isclose(rating.elo - rating.low, 1.959964 * width, rel_tol=0.02)


def test_intervals_hold_what_they_promise() -> None:
    """Simulated tournaments: the true ratings are in 95% of the intervals, give or take the chance."""
    rng = np.random.default_rng(5)
    inside = 0
    truth = np.array([0.0, 100.0, -150.0, 40.0])
    for _ in range(40):
        wins = np.zeros((4, 4), dtype=np.int64)
        for i in range(4):
            for j in range(i + 1, 4):
                wins[i, j] = rng.binomial(40, expected_score(truth[i] - truth[j]))
                wins[j, i] = 40 - wins[i, j]
        ratings = rate(wins)
        found = elos(ratings)
        # The true ratings on the scale of the found ones: the same weighted mean is 0.
        chances = 1 / (1 + 10 ** ((found[None, :] - found[:, None]) / 400))
        weights = (40 * chances * (1 - chances) * (1 - np.eye(4))).sum(axis=1)
        shifted = truth - weights @ truth / weights.sum()
        inside += sum(p.low <= t <= p.high for p, t in zip(ratings.players, shifted, strict=True))
    assert 0.90 <= inside / 160 <= 0.99


def test_who_wins_everything_is_open_above() -> None:
    ratings = rate([[0, 50, 50], [0, 0, 30], [0, 20, 0]])
    best, middle, worst = ratings.players
    assert (best.open_below, best.open_above) == (False, True)
    assert not (middle.open_below or middle.open_above or worst.open_below or worst.open_above)
    assert best.low > middle.high
    assert ratings.groups == [[0], [1, 2]]
    assert best.high - best.elo > 2 * (best.elo - best.low), "more room above than below"


def test_a_bounded_player_is_not_blurred_by_one_who_lost_everything() -> None:
    two = rate([[0, 60], [40, 0]]).players[0]
    three = rate([[0, 60, 100], [40, 0, 100], [0, 0, 0]]).players[0]
    assert isclose(two.high - two.low, three.high - three.low, rel_tol=0.1)


def test_players_who_never_met() -> None:
    ratings = rate([[0, 6, 0, 0], [4, 0, 0, 0], [0, 0, 0, 7], [0, 0, 3, 0]])
    assert sorted(map(sorted, ratings.groups)) == [[0, 1], [2, 3]]
    assert all(rating.open_below and rating.open_above for rating in ratings.players)
    assert all(np.isfinite([rating.low, rating.high]).all() for rating in ratings.players)


def test_no_games_at_all() -> None:
    ratings = rate([[0, 0, 0]] * 3)
    assert np.allclose(elos(ratings), 0)
    widths = [rating.high - rating.low for rating in ratings.players]
    # Of three independent normal strengths, less their mean: a variance of 2/3.
    assert np.allclose(widths, 2 * 1.959964 * PRIOR_ELO * np.sqrt(2 / 3), rtol=1e-3)


def test_only_draws_are_no_difference() -> None:
    ratings = rate([[0, 0], [0, 0]], [[0, 80], [80, 0]])
    assert np.allclose(elos(ratings), 0, atol=1e-6)
    assert ratings.groups == [[0, 1]]


cells = st.integers(0, 40)


@st.composite
def round_robins(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    size = draw(st.integers(2, 5))
    wins, draws = np.zeros((2, size, size), dtype=np.int64)
    for i in range(size):
        for j in range(i + 1, size):
            wins[i, j], wins[j, i] = draw(cells), draw(cells)
            draws[i, j] = draws[j, i] = draw(cells)
    return wins, draws


@settings(max_examples=25)
@given(round_robins(), st.randoms(use_true_random=False))
def test_ratings_do_not_depend_on_the_order_of_the_players(tables, random) -> None:
    wins, draws = tables
    order = list(range(len(wins)))
    random.shuffle(order)
    plain = rate(wins, draws)
    shuffled = rate(wins[np.ix_(order, order)], draws[np.ix_(order, order)])
    for place, player in enumerate(order):
        one, other = shuffled.players[place], plain.players[player]
        assert np.allclose([one.elo, one.low, one.high], [other.elo, other.low, other.high], atol=0.05)


@settings(max_examples=25)
@given(round_robins())
def test_intervals_hold_their_ratings_and_the_mirror_is_the_mirror(tables) -> None:
    wins, draws = tables
    ratings, mirrored = rate(wins, draws), rate(wins.T.copy(), draws)
    for rating, mirror in zip(ratings.players, mirrored.players, strict=True):
        assert rating.low < rating.elo < rating.high
        assert np.allclose([rating.elo, rating.low], [-mirror.elo, -mirror.high], atol=0.05)
        assert (rating.open_below, rating.open_above) == (mirror.open_above, mirror.open_below)


@settings(max_examples=25)
@given(round_robins(), st.data())
def test_another_win_never_hurts(tables, data) -> None:
    wins, draws = tables
    i, j = data.draw(st.permutations(range(len(wins))))[:2]
    more = wins.copy()
    more[i, j] += 1
    before, after = elos(rate(wins, draws)), elos(rate(more, draws))
    assert after[i] - after[j] > before[i] - before[j]


@settings(max_examples=15)
@given(round_robins())
def test_a_draw_is_half_a_win_for_each(tables) -> None:
    wins, draws = tables
    halves = rate(2 * wins + draws)
    wholes = rate(2 * wins, 2 * draws)
    assert np.allclose(elos(halves), elos(wholes), atol=0.01)


@pytest.mark.parametrize(
    ("wins", "draws", "sentence"),
    [
        ([[0]], [[0]], "at least two"),
        ([[0, 1], [2, 0]], [[0]], "at least two"),
        ([[0, -1], [2, 0]], [[0, 0], [0, 0]], "counts of games"),
        ([[1, 1], [2, 0]], [[0, 0], [0, 0]], "different players"),
        ([[0, 1], [2, 0]], [[0, 1], [0, 0]], "counted for both"),
    ],
)
def test_impossible_results(wins: list[list[int]], draws: list[list[int]], sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        fit_ratings(table(wins), table(draws))


def test_the_scale() -> None:
    assert isclose(expected_score(400), 10 / 11)
    assert isclose(ELO * log(10), 400)
