"""Experience replay: what is kept of earlier matches, and what of it is learned after each match.

Uniform (Algorithm 6): a queue of the last mu states or the last mu matches, and a uniform sample of it
for each learning phase, split into minibatches as in Algorithm 7.

Stratified (Algorithm 8): the last mu matches, and of each the same share delta / mu in every learning
phase, drawn without replacement until all of the match has been drawn; then a new round begins. While
a match is kept, each of its pairs is so learned about delta times. The minibatches get about the same
share of every match as well.

Both keep their pairs as bytes and numbers in arrays that are never changed, only replaced, and stay
within a budget in bytes: what does not fit is forgotten, oldest first (Remark 5). A match that is too
large for the budget on its own is kept as a uniform sample of its pairs.

Random choices come from the generator that is passed in, so a phase can be repeated; only the sample
of a match that is too large comes from the number of the match.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from glaux.errors import InvalidFile, InvalidParameter, suggest
from glaux.rules.game import StateArray

Values = npt.NDArray[np.float32]
"""float32[n], the first player's"""
Pairs = tuple[StateArray, Values]
"""uint8[n, state_size] and float32[n]"""
Arrays = dict[str, npt.NDArray[Any]]

DEFAULT_MEMORY = 1 << 30
OF = ("states", "matches")
BLOCK = 8192
"""pairs in a block of a uniform replay: large enough to sample many at once, small enough to copy"""


class Replay(ABC):
    """What both kinds of replay are for a trainer."""

    kind: ClassVar[str]
    _fixed_bytes: ClassVar[int]
    _match_bytes: ClassVar[int]
    _extra_bytes: ClassVar[int]  # of a pair, besides its state

    def __init__(self, mu: int, memory: int) -> None:
        self.mu = _whole("memory size mu", mu)
        self.memory = _whole("memory budget in bytes", memory)
        self._added = 0  # matches, in all
        self._pairs = 0
        self._state_size = 0  # until the first match

    def add(self, states: StateArray, values: Values) -> None:
        """Take the pairs of a match, and forget what is too old or too much."""
        states, values = self._checked(states, values)
        most = self._most()
        if most < 1:
            raise InvalidParameter(
                f"A memory budget of {self.memory} bytes is too small for a pair of "
                f"{self._bytes(1, 1)} bytes with its bookkeeping."
            )
        if len(values) > most:
            rows = np.random.default_rng(self._added).choice(len(values), most, replace=False)
            rows.sort()
            states, values = states[rows], values[rows]
        self._added += 1
        self._make_room(len(values), 1)
        self._append(states, values)

    def minibatches(self, batch_size: int, rng: np.random.Generator) -> Iterator[Pairs]:
        """The pairs of one learning phase, drawn now and given in minibatches."""
        _whole("batch size", batch_size)
        if len(self) == 0:
            return iter(())
        states, values, ends = self._phase(batch_size, rng)
        return iter([(states[a:b], values[a:b]) for a, b in pairwise([0, *ends])])

    def __len__(self) -> int:
        return self._pairs

    @property
    @abstractmethod
    def matches(self) -> int:
        """The number of matches that something is kept of."""

    @property
    def bytes_used(self) -> int:
        """The memory of all that is kept, bookkeeping included; never above the budget."""
        return self._bytes(len(self), self.matches) if len(self) else 0

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """What is kept, as arrays and plain JSON. The arrays are not copied, and never change."""
        arrays, parts = self._arrays()
        for i, (states, values) in enumerate(parts):
            arrays |= {f"states.{i}": states, f"values.{i}": values}
        return arrays, {"kind": self.kind, "added": self._added, "parts": len(parts)}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]], plain: Mapping[str, Any]) -> None:
        """Go on where a replay stopped when its :meth:`state` was taken; InvalidFile if it is none."""
        if plain.get("kind") != self.kind:
            raise InvalidFile(f"This is not the state of a {self.kind} replay.")
        try:
            self._added, self._state_size = int(plain["added"]), 0
            parts = [
                self._checked(arrays[f"states.{i}"], arrays[f"values.{i}"]) for i in range(plain["parts"])
            ]
            self._pairs = sum(len(values) for _, values in parts)
            self._take_over(arrays, parts)
        except (KeyError, IndexError, TypeError, ValueError, InvalidParameter):
            raise InvalidFile(f"The state of the {self.kind} replay is damaged.") from None
        self._make_room(0, 0)  # if mu or the memory is less than it was

    @abstractmethod
    def _arrays(self) -> tuple[Arrays, list[Pairs]]:
        """The bookkeeping, and the pairs in parts."""

    @abstractmethod
    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], parts: list[Pairs]) -> None:
        """Keep exactly this; ValueError if it does not fit together."""

    @abstractmethod
    def _append(self, states: StateArray, values: Values) -> None: ...

    @abstractmethod
    def _make_room(self, pairs: int, matches: int) -> None:
        """Forget as little as possible so that this fits in besides."""

    @abstractmethod
    def _phase(self, batch_size: int, rng: np.random.Generator) -> tuple[StateArray, Values, list[int]]:
        """The pairs of a phase in their order, and where each minibatch ends."""

    def _bytes(self, pairs: int, matches: int) -> int:
        pair = self._state_size + self._extra_bytes
        return self._fixed_bytes + matches * self._match_bytes + pairs * pair

    def _most(self) -> int:
        """The number of pairs of a match that has all the memory for itself."""
        return (self.memory - self._bytes(0, 1)) // (self._state_size + self._extra_bytes)

    def _checked(self, states: StateArray, values: Values) -> Pairs:
        if states.dtype != np.uint8 or states.ndim != 2 or states.shape[1] == 0:
            raise InvalidParameter(
                f"The states of a replay are uint8[n, state_size], not {states.dtype}{list(states.shape)}."
            )
        if values.shape != states.shape[:1] or len(values) == 0:
            raise InvalidParameter(
                f"A match has one or more states and as many values, not {len(states)} and {values.size}."
            )
        if self._state_size not in (0, states.shape[1]):
            raise InvalidParameter(
                f"This replay has states of {self._state_size} bytes, not of {states.shape[1]}."
            )
        if not np.isfinite(values).all():
            raise InvalidParameter("The values to learn must be finite numbers.")
        self._state_size = states.shape[1]
        return states, values.astype(np.float32, copy=False)


class UniformReplay(Replay):
    """Algorithm 6: the last ``mu`` states or matches, and a uniform sample of the rate ``sigma``.

    Of states, a phase has sigma * mu of them (rounded, at least one), or all while there are not more.
    Of matches (the paper's footnotes 8 and 9), it has sigma * mu times the mean length of those kept,
    which is sigma of everything once there are mu matches, or all up to sigma * mu matches.
    The sample is without replacement and in random order, and only the last minibatch may be smaller.
    """

    kind = "uniform"
    _fixed_bytes = 1024  # the first and the last block, which may hold few pairs
    _match_bytes = 64
    _extra_bytes = 4 + 1  # the value, and a share of its block's bookkeeping

    def __init__(self, mu: int, sigma: float, *, of: str = "states", memory: int = DEFAULT_MEMORY) -> None:
        super().__init__(mu, memory)
        if of not in OF:
            raise InvalidParameter(f"A replay is of states or of matches, not of '{of}'{suggest(of, OF)}")
        if not (isinstance(sigma, int | float) and 0 < sigma <= 1):
            raise InvalidParameter(
                f"The sampling rate sigma must be a number above 0 and at most 1, not {sigma!r}."
            )
        self.sigma, self.of = float(sigma), of
        self._blocks: deque[Pairs] = deque()  # oldest first; all but the first and last have BLOCK pairs
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
        pair = self._state_size + self._extra_bytes
        while self._lengths:
            more = self._bytes(self._pairs + pairs, self.matches + matches) - self.memory
            if self.of == "matches":
                if more <= 0 and self.matches + matches <= self.mu:
                    return
                self._forget(self._lengths[0])
            else:
                excess = max(-(-more // pair), self._pairs + pairs - self.mu)
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
            states, values = self._blocks.popleft()
            if len(values) > pairs:  # a copy, so that the forgotten part is freed
                self._blocks.appendleft((states[pairs:].copy(), values[pairs:].copy()))
            pairs -= min(pairs, len(values))

    def _append(self, states: StateArray, values: Values) -> None:
        self._pairs += len(values)
        self._lengths.append(len(values))
        if self._blocks and len(self._blocks[-1][1]) < BLOCK:
            last_states, last_values = self._blocks.pop()
            states, values = np.concatenate([last_states, states]), np.concatenate([last_values, values])
        for i in range(0, len(values), BLOCK):
            self._blocks.append((states[i : i + BLOCK].copy(), values[i : i + BLOCK].copy()))

    def _phase(self, batch_size: int, rng: np.random.Generator) -> tuple[StateArray, Values, list[int]]:
        n = self.sample_size
        chosen = rng.choice(self._pairs, n, replace=False)
        # Block by block, then in the order of the draws.
        order = np.argsort(chosen)
        places = np.empty_like(order)
        places[order] = np.arange(n)
        chosen = chosen[order]
        begins = np.cumsum([0, *(len(block[1]) for block in self._blocks)])
        cuts = np.searchsorted(chosen, begins).tolist()
        rows = [chosen[a:b] - begin for (a, b), begin in zip(pairwise(cuts), begins[:-1], strict=True)]
        states, values = _gathered(self._blocks, rows)
        return states.take(places, axis=0), values.take(places), [*range(batch_size, n, batch_size), n]

    def _arrays(self) -> tuple[Arrays, list[Pairs]]:
        return {"lengths": np.array(self._lengths, np.int64)}, list(self._blocks)

    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], parts: list[Pairs]) -> None:
        self._blocks = deque(parts)
        self._lengths = deque(arrays["lengths"].tolist())
        if min(self._lengths, default=1) < 1 or sum(self._lengths) != self._pairs:
            raise ValueError


@dataclass(slots=True)
class Match:
    """The pairs of a match: D is order[used:], still to be drawn in this round, and D' order[:used].

    ``order`` is drawn when a round begins; before, while ``used`` is 0, it means nothing.
    """

    states: StateArray
    values: Values
    order: npt.NDArray[np.uint32]
    used: int = 0

    def draw(self, size: int, rng: np.random.Generator) -> npt.NDArray[np.uint32]:
        """The rows of the next pairs: none again before all have been drawn."""
        n = len(self.values)
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
    _match_bytes = 640
    _extra_bytes = 4 + 4  # the value, and the place in the order

    def __init__(self, mu: int, delta: float, *, memory: int = DEFAULT_MEMORY) -> None:
        super().__init__(mu, memory)
        if not (isinstance(delta, int | float) and 0 < delta < float("inf")):
            raise InvalidParameter(f"The duplication factor delta must be a number above 0, not {delta!r}.")
        self.delta = delta
        # Exact, so that 7 / 100 of 100 pairs are 7 and not 8.
        self._share = Fraction(str(delta)) / self.mu
        self._matches: deque[Match] = deque()  # oldest first

    @property
    def matches(self) -> int:
        """The number of matches that something is kept of."""
        return len(self._matches)

    def _make_room(self, pairs: int, matches: int) -> None:
        while self._matches and (
            self.matches + matches > self.mu
            or self._bytes(self._pairs + pairs, self.matches + matches) > self.memory
        ):
            self._pairs -= len(self._matches.popleft().values)

    def _append(self, states: StateArray, values: Values) -> None:
        self._pairs += len(values)
        self._matches.append(Match(states.copy(), values.copy(), np.empty(0, np.uint32)))

    def _phase(self, batch_size: int, rng: np.random.Generator) -> tuple[StateArray, Values, list[int]]:
        rows = [match.draw(self._stratum(len(match.values)), rng) for match in self._matches]
        groups = self._groups(sum(len(part) for part in rows), batch_size, rng)
        # Sorted by group, in an order within each that does not tell the matches.
        order = rng.permutation(len(groups))
        order = order[np.argsort(groups[order], kind="stable")]
        parts = ((match.states, match.values) for match in self._matches)
        states, values = _gathered(parts, rows)
        return states.take(order, axis=0), values.take(order), np.cumsum(np.bincount(groups)).tolist()

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

    def _arrays(self) -> tuple[Arrays, list[Pairs]]:
        arrays: Arrays = {f"order.{i}": match.order for i, match in enumerate(self._matches) if match.used}
        arrays["used"] = np.array([match.used for match in self._matches], np.int64)
        return arrays, [(match.states, match.values) for match in self._matches]

    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], parts: list[Pairs]) -> None:
        self._matches = deque()
        for i, (states, values) in enumerate(parts):
            n, used = len(values), int(arrays["used"][i])
            order = arrays[f"order.{i}"] if used else np.empty(0, np.uint32)
            if not 0 <= used < n or (used and not np.array_equal(np.sort(order), np.arange(n))):
                raise ValueError
            self._matches.append(Match(states, values, order, used))


def _gathered(parts: Iterable[Pairs], rows: list[npt.NDArray[Any]]) -> Pairs:
    """These rows of each part, one after the other."""
    # ndarray.take copies rows several times as fast as indexing with an array.
    taken = [(s.take(r, axis=0), v.take(r)) for (s, v), r in zip(parts, rows, strict=True) if len(r)]
    return np.concatenate([s for s, _ in taken]), np.concatenate([v for _, v in taken])


def _whole(what: str, number: int) -> int:
    """A whole number of at least 1."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise InvalidParameter(f"The {what} must be a whole number of at least 1, not {number!r}.")
    return number
