"""Ratings on the Elo scale from the results of many players, with 95% intervals.

The model is Bradley and Terry's: with strengths r in natural units, player i wins against j with
probability 1 / (1 + exp(r_j - r_i)). A draw counts as half a win and half a loss, as in every score of
Glaux, so that the best fit gives each player the score that he really has; draws vary less than that
says, and the intervals are then wider than they need be. Matches are taken as independent.

A player who wins everything would be infinitely strong, and players who never met, nor through others,
can't be compared at all. A weak prior keeps that finite: strengths are normal around their mean with a
standard deviation of ``PRIOR_ELO``. Where there are results on both sides it moves a rating by less than
its interval by far; where there are none it decides, and ``Rating.open_below`` or ``open_above`` says so.

Only differences have a meaning. 0 is the mean of the players, each weighted by how much the results say
about him (Fisher's information), so that one who lost everything, of whom little is known, does not
blur the intervals of the others.

Intervals are the likelihood's: all the ratings whose likelihood ratio to the best (the prior included)
is one that the chi-squared distribution has in 95% of cases, the other strengths fitted anew to each. So
they are wide on the side on which the results leave a rating open, which an inverse Hessian can't say.

The fit is scipy's trust-region method on exact derivatives of a convex function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glaux.arena.elo import ELO
from glaux.arena.interval import Z_95
from glaux.errors import InvalidParameter

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

PRIOR_ELO = 1000.0
OPEN = 0.05
"""The share of the others, by their weight in the mean, that makes a rating an open one."""


@dataclass(frozen=True)
class Rating:
    """One player's rating in Elo points, and the ends of its 95% interval."""

    elo: float
    low: float
    high: float
    open_below: bool
    """whether the results leave it open how low it is: then the prior alone bounds it"""
    open_above: bool

    @property
    def interval(self) -> str:
        """The interval for people: only the ends that the results bound."""
        if self.open_below and self.open_above:
            return "open"
        if self.open_below:
            return f"below {self.high:+.0f}"
        return f"above {self.low:+.0f}" if self.open_above else f"{self.low:+.0f} to {self.high:+.0f}"


@dataclass(frozen=True)
class Ratings:
    """The ratings of all, in the order of the results."""

    players: list[Rating]
    groups: list[list[int]]
    """the players in groups, the strongest first, such that those of one group are bound to each other
    by points won and lost: how far two groups are apart is open on one side at least"""


def fit_ratings(wins: Counts, draws: Counts) -> Ratings:
    """The ratings that fit best: ``wins[i, j]`` of i against j, ``draws[i, j]`` = ``draws[j, i]``."""
    _check(wins, draws)
    points = wins + draws / 2
    model = _Model(points)
    best = model.fit(np.zeros(model.size), np.eye(model.size))
    weights = model.information(best)
    directions = model.basis.T @ (np.eye(len(points)) - weights[:, None])
    elos = best @ directions * ELO
    unbeaten = ~_scored(points)
    below, above = unbeaten @ weights > OPEN, weights @ unbeaten > OPEN
    ratings = []
    for player, elo in enumerate(elos):
        low, high = model.interval(directions[:, player], best)
        is_open = bool(below[player]), bool(above[player])
        ratings.append(Rating(float(elo), low * ELO, high * ELO, *is_open))
    return Ratings(ratings, _groups(points, elos))


def _check(wins: Counts, draws: Counts) -> None:
    size = len(wins)
    if size < 2 or wins.shape != (size, size) or draws.shape != (size, size):
        raise InvalidParameter("Ratings need the results of at least two players, each against each.")
    if (wins < 0).any() or (draws < 0).any() or wins.diagonal().any() or draws.diagonal().any():
        raise InvalidParameter("Results must be counts of games between different players.")
    if (draws != draws.T).any():
        raise InvalidParameter("Draws must be counted for both players.")


class _Model:
    """Minus the log posterior of the strengths, as coordinates in a basis of the vectors of mean 0."""

    def __init__(self, points: Floats) -> None:
        players = len(points)
        self.first, self.second = np.triu_indices(players, 1)
        self.points = points[self.first, self.second]
        self.games = self.points + points[self.second, self.first]
        self.basis = np.linalg.qr(np.eye(players)[:, 1:] - 1 / players)[0]
        self.size = players - 1
        # The difference of strengths of pair p is differences[p] @ coordinates.
        self.differences = self.basis[self.first] - self.basis[self.second]
        self.precision = (ELO / PRIOR_ELO) ** 2

    def cost(self, x: Floats) -> float:
        """Minus the log posterior."""
        gaps = self.differences @ x
        surprises = self.games * np.logaddexp(0, gaps) - self.points * gaps
        return float(surprises.sum() + self.precision * (x @ x) / 2)

    def gradient(self, x: Floats) -> Floats:
        """The first derivatives of the cost."""
        surplus = self.games * self.chances(x) - self.points
        slope: Floats = surplus @ self.differences + self.precision * x
        return slope

    def hessian(self, x: Floats) -> Floats:
        """The second derivatives of the cost."""
        weighted = self.pair_information(x)[:, None] * self.differences
        curvature: Floats = self.differences.T @ weighted + self.precision * np.eye(self.size)
        return curvature

    def chances(self, x: Floats) -> Floats:
        """The probability that the first of each pair wins."""
        from scipy.special import expit  # noqa: PLC0415 (only those who rate wait for it)

        chances: Floats = expit(self.differences @ x)
        return chances

    def pair_information(self, x: Floats) -> Floats:
        """Fisher's information about the difference of each pair."""
        chances = self.chances(x)
        return self.games * chances * (1 - chances)

    def information(self, x: Floats) -> Floats:
        """The share of each player in the information about all."""
        each = np.zeros(self.size + 1)
        np.add.at(each, self.first, self.pair_information(x))
        np.add.at(each, self.second, self.pair_information(x))
        total = each.sum()
        return each / total if total > 0 else np.full_like(each, 1 / len(each))

    def fit(self, start: Floats, along: Floats) -> Floats:
        """The best coordinates among start + along @ z."""
        if along.shape[1] == 0:
            return start
        from scipy.optimize import minimize  # noqa: PLC0415

        found = minimize(
            lambda z: self.cost(start + along @ z),
            np.zeros(along.shape[1]),
            jac=lambda z: along.T @ self.gradient(start + along @ z),
            hess=lambda z: along.T @ self.hessian(start + along @ z) @ along,
            method="trust-exact",
            options={"gtol": 1e-6, "max_trust_radius": 100.0},
        )
        best: Floats = start + along @ found.x
        return best

    def interval(self, direction: Floats, best: Floats) -> tuple[float, float]:
        """The ends of the 95% interval of direction @ coordinates."""
        here, lowest = float(direction @ best), self.cost(best)
        # One way to move that coordinate alone, and all the ways that leave it where it is.
        shift = np.linalg.solve(self.hessian(best), direction)
        spread = float(np.sqrt(direction @ shift))
        others = np.linalg.svd(direction[None, :])[2][1:].T

        def excess(steps: float) -> float:
            # The root makes it nearly a straight line: for a quadratic cost it would be |steps| - Z_95.
            cost = self.cost(self.fit(best + steps / spread * shift, others)) if steps else lowest
            return math.sqrt(2 * max(0.0, cost - lowest)) - Z_95

        down, up = _root(lambda steps: excess(-steps)), _root(excess)
        return here - down * spread, here + up * spread


def _root(excess: Callable[[float], float]) -> float:
    """The one positive root of a growing function that is negative at 0, in standard deviations."""
    from scipy.optimize import brentq  # noqa: PLC0415

    far = 2.5
    while excess(far) <= 0:
        far *= 2
    return float(brentq(excess, 0, far, xtol=1e-4))


def _scored(points: Floats) -> npt.NDArray[np.bool_]:
    """Whether i scored against j, or against one who did, and so on: then r_i - r_j is bounded below."""
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415

    scored: npt.NDArray[np.bool_] = np.isfinite(shortest_path(points > 0, unweighted=True))
    return scored


def _groups(points: Floats, elos: Floats) -> list[list[int]]:
    """The strongly connected parts of "scored against", the strongest first."""
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    _, labels = connected_components(points, directed=True, connection="strong")
    groups = [[int(player) for player in np.flatnonzero(labels == label)] for label in np.unique(labels)]
    ordered = [sorted(group, key=lambda player: -elos[player]) for group in groups]
    return sorted(ordered, key=lambda group: -float(np.mean([elos[player] for player in group])))
