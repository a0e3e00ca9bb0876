"""Means over several games with stratified bootstrap intervals, as the papers of Athénan report them.

Each game is a stratum: its results are drawn again with replacement, as many as there are, and the mean
of the games' means is taken; the 95% interval holds the middle of many such means (the percentile
method; R. Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice",
2021). Each game counts the same, however many results it has.

What is drawn again is the repetition: one file of ``glaux match`` for each trained network. When a game
has but one file, nothing is known of how repetitions vary, and its matches are drawn again instead,
those with each colour for themselves; the interval is then one for these very players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
import numpy.typing as npt

from glaux.arena.interval import wilson
from glaux.errors import InvalidParameter

Floats = npt.NDArray[np.float64]

RESAMPLES = 10_000
BATCH_BYTES = 1 << 26
LEVEL = 0.95


@dataclass(frozen=True)
class Stratum:
    """Results of one kind of one game, and what their mean counts in the mean of all."""

    results: Floats
    weight: float
    span: tuple[float, float] = (0.0, 1.0)
    """the lowest and the highest that a result can be"""


@dataclass(frozen=True)
class Estimate:
    """A mean and the ends of its 95% interval."""

    mean: float
    low: float
    high: float


def estimate(strata: Sequence[Stratum], seed: int = 0, resamples: int = RESAMPLES) -> Estimate:
    """The weighted sum of the means of the strata, with its stratified bootstrap interval."""
    if not strata or any(len(stratum.results) == 0 for stratum in strata):
        raise InvalidParameter("A mean needs at least one result per game.")
    from scipy.stats import bootstrap  # noqa: PLC0415 (only those who ask for an interval wait for it)

    weights = [stratum.weight for stratum in strata]

    def mean(*samples: Floats, axis: int = -1) -> Floats:
        means = [weight * np.mean(s, axis=axis) for weight, s in zip(weights, samples, strict=True)]
        total: Floats = np.sum(means, axis=0)
        return total

    data = [stratum.results for stratum in strata]
    found = float(mean(*data))
    below, above = _unseen(strata)
    if all(np.ptp(results) == 0 for results in data):
        return Estimate(found, found - below, found + above)
    longest = max(len(results) for results in data)
    interval = bootstrap(
        [_at_least_two(results) for results in data],
        mean,
        n_resamples=resamples,
        batch=max(1, BATCH_BYTES // (8 * longest)),
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    low, high = float(interval.low), float(interval.high)
    return Estimate(found, found - hypot(found - low, below), found + hypot(high - found, above))


def _unseen(strata: Sequence[Stratum]) -> tuple[float, float]:
    """How far below and above the mean of strata may be in which nothing varies: one result, or all alike.

    Drawn again they are always the same, as if they were certain; Wilson's interval says how sure this many
    results make one.
    """
    below = above = 0.0
    for stratum in strata:
        if np.ptp(stratum.results) > 0:
            continue
        least, most = stratum.span
        value = float(stratum.results[0])
        low, high = wilson((value - least) / (most - least), len(stratum.results))
        ends = [stratum.weight * (least + end * (most - least) - value) for end in (low, high)]
        below, above = hypot(below, min(ends)), hypot(above, max(ends))
    return below, above


def _at_least_two(results: Floats) -> Floats:
    """scipy refuses a sample of one; one result drawn again is itself, and so are two that are alike."""
    return np.repeat(results, 2) if len(results) == 1 else results
