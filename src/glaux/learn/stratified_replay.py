"""Stratified experience replay (Algorithm 8): the last mu matches, and of each the same share in every phase.

The share is delta / mu, drawn without replacement until all of the match has been drawn; then a new
round begins. While a match is kept, each of its pairs is so learned about delta times. The minibatches
get about the same share of every match as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter
from glaux.learn.replay_memory import DEFAULT_MEMORY, Replay, gathered, whole_numbers
from glaux.values.examples import Column, Examples


@dataclass(slots=True)
class KeptMatch:
    """The examples of a match: D is order[used:], still to be drawn in this round, and D' order[:used].

    ``order`` is drawn when a round begins; before, while ``used`` is 0, it means nothing.
    """

    examples: Examples
    order: npt.NDArray[np.uint32]
    used: int = 0

    def draw(self, size: int, rng: np.random.Generator) -> npt.NDArray[np.uint32]:
        """The rows of the next examples: none again before all have been drawn."""
        n = len(self.examples)
        parts = []
        while size > 0:
            if self.used == 0:
                self.order = rng.permutation(np.arange(n, dtype=np.uint32))
            part = self.order[self.used : self.used + size]
            parts.append(part)
            size -= len(part)
            self.used = (self.used + len(part)) % n
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


class StratifiedReplay(Replay):
    """Algorithm 8: the last ``mu`` matches, and of each a share ``delta`` / ``mu`` in every phase.

    Of a match of n pairs, a phase has l = ceil(delta / mu * n). After p phases each of its pairs has
    been learned floor(p * l / n) or ceil(p * l / n) times, which makes delta times after mu phases, or
    ceil(mu * l / n) <= ceil(delta + mu / n) where rounding l up adds to it. mu is the parameter, not
    the number of matches that are there: the first phases are small, and a match that memory drops
    early is learned less often.

    The number of minibatches makes their size the nearest to the batch size, above or below, and no
    two differ by more than one pair. Of the l pairs of a match, each of g minibatches gets l / g, up to
    a difference of less than 2. Inside a minibatch the order is random.
    """

    kind = "stratified"
    _fixed_bytes = 0
    _match_bytes = 1024
    _extra_bytes = 4  # the place in the order

    def __init__(self, mu: int, delta: float, *, memory: int = DEFAULT_MEMORY) -> None:
        super().__init__(mu, memory)
        if not (isinstance(delta, int | float) and 0 < delta < float("inf")):
            raise InvalidParameter(f"The duplication factor delta must be a positive number, not {delta!r}.")
        self.delta = delta
        # Exact, so that 7 / 100 of 100 pairs are 7 and not 8.
        self._share = Fraction(str(delta)) / self.mu
        self._matches: deque[KeptMatch] = deque()  # oldest first

    @property
    def matches(self) -> int:
        """The number of matches that something is kept of."""
        return len(self._matches)

    def _make_room(self, pairs: int, matches: int) -> None:
        while self._matches and (
            self.matches + matches > self.mu
            or self._bytes(self._pairs + pairs, self.matches + matches) > self.memory
        ):
            self._pairs -= len(self._matches.popleft().examples)

    def _append(self, examples: Examples) -> None:
        self._pairs += len(examples)
        self._matches.append(KeptMatch(examples.copy(), np.empty(0, np.uint32)))

    def _phase(self, batch_size: int, rng: np.random.Generator) -> tuple[Examples, list[int]]:
        rows = [match.draw(self._stratum(len(match.examples)), rng) for match in self._matches]
        groups = self._groups(sum(len(part) for part in rows), batch_size, rng)
        # Sorted by group, in an order within each that does not tell the matches.
        order = rng.permutation(len(groups))
        order = order[np.argsort(groups[order], kind="stable")]
        sample = gathered((match.examples for match in self._matches), rows).take(order)
        return sample, np.cumsum(np.bincount(groups)).tolist()

    def _stratum(self, pairs: int) -> int:
        """The size of a match's share."""
        return -(-pairs * self._share.numerator // self._share.denominator)

    @staticmethod
    def _groups(n: int, batch_size: int, rng: np.random.Generator) -> npt.NDArray[np.unsignedinteger]:
        """The minibatch of each of n pairs: every g in succession go to all g of them."""
        g = max(1, n // batch_size)
        if abs(n // g - batch_size) > abs(n // (g + 1) - batch_size):
            g += 1
        kind = np.uint16 if g < 1 << 16 else np.uint32  # 16 bits are sorted much faster
        rounds = np.tile(np.arange(g, dtype=kind), (-(-n // g), 1))
        return rng.permuted(rounds, axis=1).ravel()[:n]

    def _arrays(self) -> tuple[Arrays, list[Examples]]:
        arrays: Arrays = {f"order.{i}": match.order for i, match in enumerate(self._matches) if match.used}
        arrays["used"] = np.array([match.used for match in self._matches], np.int64)
        return arrays, [match.examples for match in self._matches]

    def _take_over(self, arrays: Mapping[str, Column], parts: list[Examples]) -> None:
        self._matches = deque()
        counts = whole_numbers(arrays["used"], np.int64)
        for i, examples in enumerate(parts):
            n, used = len(examples), int(counts[i])
            order = whole_numbers(arrays[f"order.{i}"], np.uint32) if used else np.empty(0, np.uint32)
            if not 0 <= used < n or (used and not np.array_equal(np.sort(order), np.arange(n))):
                raise ValueError
            self._matches.append(KeptMatch(examples, order, used))
