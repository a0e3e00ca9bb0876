"""Which of the paper's findings hold here, and how sure that is.

A claim that one is better than others is **confirmed** if it is better than each of them by Wilcoxon's test
over the repetitions of all its games (against an opponent that is the same for all: by the binomial test).
It is **not confirmed** if one of them is better than it, and otherwise **undecided** at this scale. A claim
that two are alike is confirmed if the 95% interval of their difference is within the margin, and not
confirmed if it is outside. All p-values of an experiment are corrected together, by Holm's method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from glaux.arena.bootstrap import Estimate
from glaux.arena.comparison import MEASURES
from glaux.arena.interval import wilson
from glaux.experiments.plan import made
from glaux.experiments.results import Results
from glaux.experiments.spec import Claim
from glaux.experiments.statistics import LEVEL, binomial_p, difference, holm

CONFIRMED, NOT_CONFIRMED, UNDECIDED, NOT_PLAYED = "confirmed", "not confirmed", "undecided", "not played"
LEAST_PAIRS = 8
"""below which a bootstrap interval says little"""


@dataclass(frozen=True)
class Comparison:
    """One row beside another."""

    better: str
    than: str
    estimate: Estimate
    """of the difference, as a share; its interval is not corrected"""
    p_better: float
    p_worse: float
    pairs: int
    """repetitions of games, or games against a fixed opponent"""
    test: str


@dataclass(frozen=True)
class Verdict:
    """What the games say of a claim."""

    claim: Claim
    comparisons: list[Comparison]
    p: float | None
    """the largest of the comparisons, in the direction of the claim, corrected"""
    verdict: str


def compare(results: Results, better: str, than: str, games: list[str]) -> Comparison | None:
    """Two rows, or a row and an opponent; None if there are no games."""
    if than in dict(results.play.opponents):
        counts = sum(
            (results.direct.get((game, better, than), np.zeros(3, np.int64)) for game in games),
            np.zeros(3, np.int64),
        )
        wins, draws, losses = (int(one) for one in counts)
        played = wins + draws + losses
        if not played:
            return None
        score = (wins + draws / 2) / played
        low, high = wilson(score, played)
        found = Estimate(2 * score - 1, 2 * low - 1, 2 * high - 1)
        return Comparison(
            better, than, found, binomial_p(wins, losses), binomial_p(losses, wins), played, "binomial"
        )
    differences = results.differences(better, than, games)
    if not differences:
        return None
    weights = MEASURES[results.play.measure]
    one = difference(differences, max(weights) - min(weights))
    return Comparison(better, than, one.estimate, one.p_better, one.p_worse, one.pairs, "Wilcoxon")


def judge(claims: tuple[Claim, ...], results: Mapping[str, Results]) -> list[Verdict]:
    """The verdicts on all claims, with their p-values corrected together."""
    compared: list[list[Comparison]] = []
    for claim in claims:
        found = results[claim.play]
        games = [game for game in found.played if not claim.games or made(game).name in claim.games]
        pairs = [claim.alike] if claim.alike else [(claim.better, other) for other in claim.than]
        compared.append([one for a, b in pairs if (one := compare(found, a, b, games)) is not None])
    tests = [(i, one) for i, ones in enumerate(compared) for one in ones if not claims[i].alike]
    better = holm([one.p_better for _, one in tests])
    worse = holm([one.p_worse for _, one in tests])
    verdicts = []
    for i, (claim, ones) in enumerate(zip(claims, compared, strict=True)):
        mine = [place for place, (number, _) in enumerate(tests) if number == i]
        if not ones:
            verdicts.append(Verdict(claim, ones, None, NOT_PLAYED))
        elif claim.alike:
            verdicts.append(Verdict(claim, ones, None, _alike(ones[0], claim.within / 100)))
        else:
            p = max(better[place] for place in mine)
            complete = len(ones) == len(claim.than)
            if any(worse[place] < LEVEL for place in mine):
                word = NOT_CONFIRMED
            else:
                word = CONFIRMED if p < LEVEL and complete else UNDECIDED
            verdicts.append(Verdict(claim, ones, p, word))
    return verdicts


def _alike(one: Comparison, margin: float) -> str:
    low, high = one.estimate.low, one.estimate.high
    if one.pairs < LEAST_PAIRS:
        return UNDECIDED
    if -margin < low and high < margin:
        return CONFIRMED
    return NOT_CONFIRMED if low > margin or high < -margin else UNDECIDED
