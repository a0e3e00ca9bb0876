"""The papers' statistics, by scipy wherever it has them.

- The exact one-sided binomial test: how likely this many wins are between equals. Draws are left out, as in
  Table 10.
- The exact one-sided Wilcoxon signed-rank test over repetitions (section 8.5): 40 of 40 differences above 0
  are 9.09e-13. Differences of 0 are left out. Equal sizes have the mean of their ranks; scipy has no exact
  distribution for these, so it is worked out here, rank by rank.
- Holm's correction for several tests: the smallest p-value times their number, the next times one less, and
  so on, never below one before. scipy has corrections of the false discovery rate, which are weaker.
- Kendall's tau: how alike two rankings are, from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glaux.arena.bootstrap import RESAMPLES, Estimate, Stratum, estimate

Floats = npt.NDArray[np.float64]
LEVEL = 0.05
"""a claim is decided if its p-value, corrected, is below this"""


def binomial_p(wins: int, losses: int) -> float:
    """The probability of this many wins, or more, if both are equal."""
    if wins + losses == 0:
        return 1.0
    from scipy.stats import binomtest  # noqa: PLC0415 (only those who judge wait for it)

    return float(binomtest(wins, wins + losses, alternative="greater").pvalue)


def wilcoxon_p(differences: Sequence[float] | Floats) -> float:
    """The probability of differences so far above 0, or farther, if they are as likely below."""
    found = np.asarray(differences, np.float64)
    # Two that are equal but for rounding are equal.
    found = np.round(found[np.abs(found) > 1e-12], 12)
    if len(found) == 0:
        return 1.0
    from scipy.stats import rankdata, wilcoxon  # noqa: PLC0415

    if len(np.unique(np.abs(found))) == len(found):
        return float(wilcoxon(found, alternative="greater", method="exact").pvalue)
    twice = np.rint(2 * rankdata(np.abs(found))).astype(int)  # whole numbers, ties or not
    chances = np.ones(1)
    """of every sum of the ranks above 0, of those that were looked at"""
    for rank in twice:
        chances = (np.pad(chances, (0, rank)) + np.pad(chances, (rank, 0))) / 2
    return float(min(1.0, chances[twice[found > 0].sum() :].sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for being several."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = highest
    return corrected


def kendall_tau(one: Sequence[float], other: Sequence[float]) -> float | None:
    """How alike two rankings are; None if one of them is not a ranking."""
    if len(one) < 2 or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    from scipy.stats import kendalltau  # noqa: PLC0415

    return float(kendalltau(one, other).statistic)


@dataclass(frozen=True)
class Difference:
    """How much better one row is than another: over games, each counting the same."""

    estimate: Estimate
    """with its stratified bootstrap interval"""
    p_better: float
    p_worse: float
    """Wilcoxon's, over the repetitions of all games"""
    pairs: int


def difference(by_game: Sequence[Floats], span: float = 1.0, resamples: int = RESAMPLES) -> Difference:
    """The difference of two rows, from those of the repetitions of each game.

    ``span`` is the largest that one can be.
    """
    strata = [Stratum(found, 1 / len(by_game), (-span, span)) for found in by_game]
    pooled = np.concatenate(by_game)
    return Difference(
        estimate(strata, resamples=resamples), wilcoxon_p(pooled), wilcoxon_p(-pooled), len(pooled)
    )


def moving_average(values: Sequence[float], width: int) -> list[float]:
    """The mean of each value and those before it, ``width`` in all, or as many as there are."""
    return [float(np.mean(values[max(0, i + 1 - width) : i + 1])) for i in range(len(values))]
