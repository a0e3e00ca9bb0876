"""What the ends of random matches tell of a game: how long its matches are, and what its scores say."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from glaux.rules.game import Game, StateArray

RANDOM_MATCHES = 1000
SLOW_RANDOM_MATCHES = 100
"""of rules written in Python, which are slow"""
KEPT_FACTS = 8


class _Facts(NamedTuple):
    """The ends of random matches, and what the rules say of them."""

    ends: StateArray
    plies: list[int]
    scores: list[float]
    results: npt.NDArray[np.int8]


_kept_facts: dict[tuple[str, bool, type | None], _Facts] = {}
"""those that were asked for last: a training run makes the same heuristic several times, and 1,000 random
matches of Xiangqi with a count of choices take seconds"""


class RandomMatches:
    """The ends of some random matches of a game, always the same, played when first asked for."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def facts(self) -> _Facts:
        """What the rules say of them."""
        slow = self.game.adapter
        key = (self.game.text, self.game.spec.has_mobility, type(slow.rules) if slow else None)
        found = _kept_facts.get(key)
        if found is None:
            found = self._play(SLOW_RANDOM_MATCHES if slow else RANDOM_MATCHES)
            while len(_kept_facts) >= KEPT_FACTS:
                _kept_facts.pop(next(iter(_kept_facts)), None)
            _kept_facts[key] = found
        return found

    def _play(self, n: int) -> _Facts:
        ends = self.game.playouts(self.game.initial(), n, seed=0)
        states = self.game.states(ends)
        measures = [self.game.native.measures(end) for end in states]
        results = np.array([self.game.outcome(end) for end in states], np.int8)
        return _Facts(ends, [m.ply for m in measures], [m.score for m in measures], results)

    @property
    def ends(self) -> StateArray:
        """The last states."""
        return self.facts.ends

    @property
    def results(self) -> npt.NDArray[np.int8]:
        """+1, 0 or -1 for the first player."""
        return self.facts.results

    @property
    def longest(self) -> int:
        """The actions of the longest match."""
        return max(self.facts.plies)

    @property
    def average(self) -> float:
        """The actions of a match on average, at least 1."""
        return max(1.0, round(float(np.mean(self.facts.plies)), 2))

    @property
    def scores_tell_more(self) -> bool:
        """Whether any score is another number than the result."""
        return any(
            score != result for score, result in zip(self.facts.scores, self.results.tolist(), strict=True)
        )
