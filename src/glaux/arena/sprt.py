"""Sequential testing: a comparison that stops when it is decided.

Two hypotheses about A's Elo advantage over B: at most ``elo0`` (H0), at least ``elo1`` (H1). After each
pair of games (one opening, both colours) the log likelihood ratio of the two is compared with Wald's
bounds, log(beta / (1 - alpha)) and log((1 - beta) / alpha): below the lower H0 is accepted, above the
upper H1, between them the games go on. H1 is accepted with a probability of about alpha at the most if
H0 is true, H0 with about beta at the most if H1 is true.

The model is pentanomial: the unit is the pair, with 0, 1/2, 1, 3/2 or 2 points for A, because the two
games of an opening are not independent. The probabilities of the five results are unknown, so the ratio
is the generalized one (GSPRT): for each hypothesis, the most likely probabilities with the mean that the
hypothesis says. Those maximize sum f log p under sum p = 1 and sum p a = s, so p = f / (1 + t (a - s))
with the one t for which the mean is right. An Elo advantage is one in the score of a game:
s = 1 / (1 + 10^(-elo / 400)).

Each of the five results has ``PRIOR`` of a pair from the start, so that the ratio is finite while some
of them have not been seen; simulations in tests/arena/test_sprt.py check the errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isfinite, log
from typing import Any

import numpy as np
import numpy.typing as npt

from glaux.arena.elo import expected_score
from glaux.errors import InvalidParameter

RESULTS = np.arange(5) / 4
"""A's share of the points of a pair, float64[5]"""
PRIOR = 0.01


@dataclass(frozen=True)
class Hypotheses:
    """What is tested, and how often the verdict may be wrong."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """accepted risk of H1 when H0 is true"""
    beta: float = 0.05
    """accepted risk of H0 when H1 is true"""

    def check(self) -> None:
        """InvalidParameter for what can't be tested."""
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise InvalidParameter(
                f"The Elo of H0 must be below that of H1, not {self.elo0:g} and {self.elo1:g}."
            )
        if max(abs(self.elo0), abs(self.elo1)) > 1000:
            raise InvalidParameter("The Elo of a hypothesis must be between -1000 and 1000.")
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < 0.5:
                raise InvalidParameter(f"The risk {name} must be above 0 and below 0.5, not {risk:g}.")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log likelihood ratio."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The generalized log likelihood ratio of the two advantages, after pairs with these results."""
    weights = np.asarray(counts, dtype=float) + PRIOR
    p0, p1 = (_most_likely(weights, expected_score(elo)) for elo in (elo0, elo1))
    return float(weights @ np.log(p1 / p0))


def _most_likely(weights: npt.NDArray[np.float64], score: float) -> npt.NDArray[np.float64]:
    """The probabilities of the five results that fit best among those with this mean."""
    from scipy.optimize import brentq  # noqa: PLC0415 (only those who test wait for it)

    distance = RESULTS - score
    shares = weights / weights.sum()
    # All probabilities are positive between these two, and the mean is right at one point between.
    low, high = -1 / distance[-1], -1 / distance[0]
    margin = 1e-9 * (high - low)
    t = brentq(lambda t: float(shares @ (distance / (1 + t * distance))), low + margin, high - margin)
    found: npt.NDArray[np.float64] = shares / (1 + t * distance)
    return found


class SequentialTest:
    """A test in progress."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        hypotheses.check()
        self.hypotheses = hypotheses
        self.counts = [0] * 5
        """pairs with 0, 1/2, 1, 3/2 and 2 points for A"""
        self.llr = 0.0

    def add(self, outcomes: tuple[int, int]) -> None:
        """Count a pair by A's outcomes, +1, 0 or -1, in its two games."""
        self.counts[2 + sum(outcomes)] += 1
        self.llr = log_likelihood_ratio(self.counts, self.hypotheses.elo0, self.hypotheses.elo1)

    @property
    def verdict(self) -> str:
        """``H0``, ``H1``, or ``undecided``."""
        lower, upper = self.hypotheses.bounds
        if self.llr >= upper:
            return "H1"
        return "H0" if self.llr <= lower else "undecided"

    def summary(self) -> dict[str, Any]:
        """The figures that ``glaux match --json`` prints."""
        lower, upper = self.hypotheses.bounds
        return {
            **asdict(self.hypotheses),
            "llr": self.llr,
            "lower": lower,
            "upper": upper,
            "verdict": self.verdict,
            "pairs": sum(self.counts),
            "pentanomial": list(self.counts),
        }
