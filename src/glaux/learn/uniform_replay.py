"""Uniform experience replay (Algorithm 6): a queue of the last mu states or the last mu matches.

Each learning phase has a uniform sample of it, split into minibatches as in Algorithm 7.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter, suggest
from glaux.learn.replay_memory import DEFAULT_MEMORY, Replay, gathered, whole_numbers
from glaux.values.examples import Column, Examples, joined

OF = ("states", "matches")
BLOCK = 8192
"""examples in a block: large enough to sample many at once, small enough to copy"""


class UniformReplay(Replay):
    """Algorithm 6: the last ``mu`` states or matches, and a uniform sample of the rate ``sigma``.

    Of states, a phase has sigma * mu of them (rounded, at least one), or all while there are not more.
    Of matches (the paper's footnotes 8 and 9), it has sigma * mu times the mean length of those kept,
    which is sigma of everything once there are mu matches, or all up to sigma * mu matches.
    The sample is without replacement and in random order, and only the last minibatch may be smaller.
    """

    kind = "uniform"
    _fixed_bytes = 1088  # the first and the last block, which may hold few examples
    _match_bytes = 64
    _extra_bytes = 1  # a share of its block's bookkeeping

    def __init__(self, mu: int, sigma: float, *, of: str = "states", memory: int = DEFAULT_MEMORY) -> None:
        super().__init__(mu, memory)
        if of not in OF:
            raise InvalidParameter(f"A replay memory holds states or matches, not '{of}'{suggest(of, OF)}")
        if not (isinstance(sigma, int | float) and 0 < sigma <= 1):
            raise InvalidParameter(f"The sampling rate sigma must be above 0 and at most 1, not {sigma!r}.")
        self.sigma, self.of = float(sigma), of
        self._blocks: deque[Examples] = deque()  # oldest first; all but the first and last have BLOCK pairs
        self._lengths: deque[int] = deque()  # the pairs that are kept of each match

    @property
    def matches(self) -> int:
        """The number of matches that something is kept of."""
        return len(self._lengths)

    @property
    def sample_size(self) -> int:
        """The number of pairs in the next learning phase."""
        size = self.sigma * self.mu
        if self.of == "matches":
            size *= self._pairs / max(1, self.matches)
        return min(self._pairs, max(1, round(size)))

    def _most(self) -> int:
        return min(super()._most(), self.mu) if self.of == "states" else super()._most()

    def _make_room(self, pairs: int, matches: int) -> None:
        while self._lengths:
            more = self._bytes(self._pairs + pairs, self.matches + matches) - self.memory
            if self.of == "matches":
                if more <= 0 and self.matches + matches <= self.mu:
                    return
                self._forget(self._lengths[0])
            else:
                excess = max(-(-more // self._pair_bytes), self._pairs + pairs - self.mu)
                if excess <= 0:
                    return
                self._forget(min(excess, self._lengths[0]))

    def _forget(self, pairs: int) -> None:
        """Remove that many of the oldest match's oldest pairs."""
        self._pairs -= pairs
        self._lengths[0] -= pairs
        if self._lengths[0] == 0:
            self._lengths.popleft()
        while pairs:
            block = self._blocks.popleft()
            if len(block) > pairs:  # a copy, so that the forgotten part is freed
                self._blocks.appendleft(block.part(pairs, len(block)).copy())
            pairs -= min(pairs, len(block))

    def _append(self, examples: Examples) -> None:
        self._pairs += len(examples)
        self._lengths.append(len(examples))
        if self._blocks and len(self._blocks[-1]) < BLOCK:
            examples = joined([self._blocks.pop(), examples])
        for i in range(0, len(examples), BLOCK):
            self._blocks.append(examples.part(i, i + BLOCK).copy())

    def _phase(self, batch_size: int, rng: np.random.Generator) -> tuple[Examples, list[int]]:
        n = self.sample_size
        chosen = rng.choice(self._pairs, n, replace=False)
        # Block by block, then in the order of the draws.
        order = np.argsort(chosen)
        places = np.empty_like(order)
        places[order] = np.arange(n)
        chosen = chosen[order]
        begins = np.cumsum([0, *(len(block) for block in self._blocks)])
        cuts = np.searchsorted(chosen, begins).tolist()
        rows = [chosen[a:b] - begin for (a, b), begin in zip(pairwise(cuts), begins[:-1], strict=True)]
        sample = gathered(self._blocks, rows).take(places)
        return sample, [*range(batch_size, n, batch_size), n]

    def _arrays(self) -> tuple[Arrays, list[Examples]]:
        return {"lengths": np.array(self._lengths, np.int64)}, list(self._blocks)

    def _take_over(self, arrays: Mapping[str, Column], parts: list[Examples]) -> None:
        self._blocks = deque(parts)
        self._lengths = deque(whole_numbers(arrays["lengths"], np.int64).tolist())
        if min(self._lengths, default=1) < 1 or sum(self._lengths) != self._pairs:
            raise ValueError
