"""Experience replay: what is kept of earlier matches, and what of it is learned after each match.

Uniform (Algorithm 6): a queue of the last mu states or the last mu matches, and a uniform sample of it
for each learning phase, split into minibatches as in Algorithm 7.

Stratified (Algorithm 8): the last mu matches, and of each the same share delta / mu in every learning
phase, drawn without replacement until all of the match has been drawn; then a new round begins. While
a match is kept, each of its pairs is so learned about delta times. The minibatches get about the same
share of every match as well.

What is kept are examples: named columns (``glaux.values.examples``), whatever their names. Their arrays
are never changed, only replaced, and stay within a budget in bytes: what does not fit is forgotten,
oldest first (Remark 5). A match that is too large for the budget on its own is kept as a uniform sample
of its examples.

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

from glaux.arrays import Arrays, all_finite
from glaux.errors import InvalidFile, InvalidParameter, suggest
from glaux.fields import check_types, setting
from glaux.values.examples import STATES, VALUES, Column, Examples, joined

Layout = dict[str, tuple[str, tuple[int, ...]]]

DEFAULT_MEMORY = 1 << 30
OF = ("states", "matches")
REPLAYS = ("stratified", "uniform", "none")
EARLIER = (STATES, VALUES)
"""the columns of a state that does not name them"""
BLOCK = 8192
"""examples in a block of a uniform replay: large enough to sample many at once, small enough to copy"""


@dataclass(frozen=True)
class ReplaySettings:
    """What is learned after a match (sections 3.1 and 3.2)."""

    kind: str = setting("stratified", "stratified (Algorithm 8), uniform (Algorithm 6), or none")
    mu: int = setting(100, "memory: matches, or states for uniform replay of states")
    delta: float = setting(3.0, "how often a datum is learned, for stratified replay", most=1e6)
    sigma: float = setting(0.05, "share of the memory learned after a match, for uniform replay")
    of: str = setting("matches", "what mu counts for uniform replay: matches or states")
    memory: int = setting(1024, "megabytes", most=2**28)

    def __post_init__(self) -> None:
        check_types(self, "[replay]")
        for name, known in (("kind", REPLAYS), ("of", OF)):
            value = getattr(self, name)
            if value not in known:
                raise InvalidParameter(f"There is no replay.{name} '{value}'{suggest(value, known)}")
        if self.memory < 1:
            raise InvalidParameter("The memory of [replay] is at least one megabyte.")

    def make(self) -> Replay | None:
        """The replay memory; None: only the last match is learned from."""
        memory = self.memory << 20
        if self.kind == "stratified":
            return StratifiedReplay(self.mu, self.delta, memory=memory)
        if self.kind == "uniform":
            return UniformReplay(self.mu, self.sigma, of=self.of, memory=memory)
        return None


class Replay(ABC):
    """What both kinds of replay are for a trainer."""

    kind: ClassVar[str]
    _fixed_bytes: ClassVar[int]
    _match_bytes: ClassVar[int]
    _extra_bytes: ClassVar[int]  # of an example, besides its columns

    def __init__(self, mu: int, memory: int) -> None:
        self.mu = _whole("memory size mu", mu)
        self.memory = _whole("memory budget in bytes", memory)
        self._added = 0  # matches, in all
        self._pairs = 0
        self._layout: Layout = {}  # of the examples, until the first match none
        self._row_bytes = 0

    def add(self, examples: Examples) -> None:
        """Take the examples of a match, and forget what is too old or too much."""
        self._check(examples)
        most = self._most()
        if most < 1:
            raise InvalidParameter(
                f"A memory budget of {self.memory} bytes is too small for an example of "
                f"{self._bytes(1, 1)} bytes with its bookkeeping."
            )
        if len(examples) > most:
            rows = np.random.default_rng(self._added).choice(len(examples), most, replace=False)
            rows.sort()
            examples = examples.take(rows)
        self._added += 1
        self._make_room(len(examples), 1)
        self._append(examples)

    def minibatches(self, batch_size: int, rng: np.random.Generator) -> Iterator[Examples]:
        """The examples of one learning phase, drawn now and given in minibatches."""
        _whole("batch size", batch_size)
        if len(self) == 0:
            return iter(())
        examples, ends = self._phase(batch_size, rng)
        return iter([examples.part(a, b) for a, b in pairwise([0, *ends])])

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
        for i, part in enumerate(parts):
            arrays |= {f"{name}.{i}": column for name, column in part.columns.items()}
        plain = {"kind": self.kind, "added": self._added, "parts": len(parts), "columns": list(self._layout)}
        return arrays, plain

    def restore(
        self, arrays: Mapping[str, Column], plain: Mapping[str, Any], layout: Layout | None = None
    ) -> Iterator[Examples]:
        """Go on where a replay stopped when its :meth:`state` was taken; InvalidFile if it is none.

        ``layout`` is what examples must look like. Gives the examples, of which the states are still to be
        checked by the rules.
        """
        if not isinstance(plain, Mapping) or plain.get("kind") != self.kind:
            raise InvalidFile(f"This is not the state of a {self.kind} replay.")
        try:
            self._added, self._layout = int(plain["added"]), (plain["parts"] and layout) or {}
            names = plain.get("columns", EARLIER)
            parts = [Examples({name: arrays[f"{name}.{i}"] for name in names}) for i in range(plain["parts"])]
            for part in parts:
                self._check(part)
            self._pairs = sum(len(part) for part in parts)
            self._take_over(arrays, parts)
        except (KeyError, IndexError, TypeError, ValueError, OverflowError, InvalidParameter):
            raise InvalidFile(f"The state of the {self.kind} replay is damaged.") from None
        self._make_room(0, 0)  # if mu or the memory is less than it was
        return iter(parts)

    @abstractmethod
    def _arrays(self) -> tuple[Arrays, list[Examples]]:
        """The bookkeeping, and the examples in parts."""

    @abstractmethod
    def _take_over(self, arrays: Mapping[str, Column], parts: list[Examples]) -> None:
        """Keep exactly this; ValueError if it does not fit together."""

    @abstractmethod
    def _append(self, examples: Examples) -> None: ...

    @abstractmethod
    def _make_room(self, pairs: int, matches: int) -> None:
        """Forget as little as possible so that this fits in besides."""

    @abstractmethod
    def _phase(self, batch_size: int, rng: np.random.Generator) -> tuple[Examples, list[int]]:
        """The examples of a phase in their order, and where each minibatch ends."""

    def _bytes(self, pairs: int, matches: int) -> int:
        return self._fixed_bytes + matches * self._match_bytes + pairs * self._pair_bytes

    @property
    def _pair_bytes(self) -> int:
        return self._row_bytes + self._extra_bytes

    def _most(self) -> int:
        """The number of examples of a match that has all the memory for itself."""
        return (self.memory - self._bytes(0, 1)) // self._pair_bytes

    def _check(self, examples: Examples) -> None:
        """InvalidParameter unless these are examples like those that are kept already."""
        if len(examples) == 0:
            raise InvalidParameter("A match has one or more examples to learn from.")
        for name, column in examples.columns.items():
            if not all_finite(column):
                raise InvalidParameter(f"The {name} to learn must be finite numbers.")
        if self._layout not in ({}, examples.layout):
            here, given = _described(self._layout), _described(examples.layout)
            raise InvalidParameter(f"This replay has examples of {here}, not of {given}.")
        self._layout, self._row_bytes = examples.layout, examples.row_bytes


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
            raise InvalidParameter(f"A replay is of states or of matches, not of '{of}'{suggest(of, OF)}")
        if not (isinstance(sigma, int | float) and 0 < sigma <= 1):
            raise InvalidParameter(
                f"The sampling rate sigma must be a number above 0 and at most 1, not {sigma!r}."
            )
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
        sample = _gathered(self._blocks, rows).take(places)
        return sample, [*range(batch_size, n, batch_size), n]

    def _arrays(self) -> tuple[Arrays, list[Examples]]:
        return {"lengths": np.array(self._lengths, np.int64)}, list(self._blocks)

    def _take_over(self, arrays: Mapping[str, Column], parts: list[Examples]) -> None:
        self._blocks = deque(parts)
        self._lengths = deque(_whole_numbers(arrays["lengths"], np.int64).tolist())
        if min(self._lengths, default=1) < 1 or sum(self._lengths) != self._pairs:
            raise ValueError


@dataclass(slots=True)
class Match:
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
            self._pairs -= len(self._matches.popleft().examples)

    def _append(self, examples: Examples) -> None:
        self._pairs += len(examples)
        self._matches.append(Match(examples.copy(), np.empty(0, np.uint32)))

    def _phase(self, batch_size: int, rng: np.random.Generator) -> tuple[Examples, list[int]]:
        rows = [match.draw(self._stratum(len(match.examples)), rng) for match in self._matches]
        groups = self._groups(sum(len(part) for part in rows), batch_size, rng)
        # Sorted by group, in an order within each that does not tell the matches.
        order = rng.permutation(len(groups))
        order = order[np.argsort(groups[order], kind="stable")]
        sample = _gathered((match.examples for match in self._matches), rows).take(order)
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
        counts = _whole_numbers(arrays["used"], np.int64)
        for i, examples in enumerate(parts):
            n, used = len(examples), int(counts[i])
            order = _whole_numbers(arrays[f"order.{i}"], np.uint32) if used else np.empty(0, np.uint32)
            if not 0 <= used < n or (used and not np.array_equal(np.sort(order), np.arange(n))):
                raise ValueError
            self._matches.append(Match(examples, order, used))


def _gathered(parts: Iterable[Examples], rows: list[npt.NDArray[Any]]) -> Examples:
    """These rows of each part, one after the other."""
    return joined(part.take(r) for part, r in zip(parts, rows, strict=True) if len(r))


def _whole_numbers(array: Column, kind: type[np.integer[Any]]) -> Column:
    """The array; ValueError unless it is a list of such numbers."""
    if array.dtype != kind or array.ndim != 1:
        raise ValueError
    return array


def _described(layout: Layout) -> str:
    return " and ".join(f"{name} ({np.dtype(kind)}{list(shape)})" for name, (kind, shape) in layout.items())


def _whole(what: str, number: int) -> int:
    """A whole number of at least 1."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise InvalidParameter(f"The {what} must be a whole number of at least 1, not {number!r}.")
    return number
