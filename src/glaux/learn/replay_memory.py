"""What every replay is: examples of the last matches in a bounded memory, and phases drawn from it.

What is kept are examples: named columns (``glaux.values.examples``), whatever their names. Their arrays
are never changed, only replaced, and stay within a budget in bytes: what does not fit is forgotten,
oldest first (Remark 5). A match that is too large for the budget on its own is kept as a uniform sample
of its examples.

Random choices come from the generator that is passed in, so a phase can be repeated; only the sample
of a match that is too large comes from the number of the match.

A kind of replay says what it forgets and what a phase draws (``uniform_replay.py``,
``stratified_replay.py``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from glaux.arrays import Arrays, all_finite
from glaux.errors import InvalidFile, InvalidParameter
from glaux.values.examples import STATES, VALUES, Column, Examples, Layout, joined

DEFAULT_MEMORY = 1 << 30
EARLIER = (STATES, VALUES)
"""the columns of a state that does not name them"""


class Replay(ABC):
    """What all kinds of replay are for a trainer."""

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
                f"A memory budget of {self.memory} bytes is too small for one example, which takes "
                f"{self._bytes(1, 1)} bytes."
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
        """Continue where a replay was when its :meth:`state` was taken; InvalidFile if it is not valid.

        ``layout`` is what examples must look like. Gives the examples, of which the states are still to be
        checked by the rules.
        """
        if not isinstance(plain, Mapping) or plain.get("kind") != self.kind:
            raise InvalidFile(f"This is not the state of a {self.kind} replay.")
        try:
            self._added, self._layout = int(plain["added"]), (plain["parts"] and layout) or {}
            if self._added < 0:
                raise ValueError
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
            raise InvalidParameter("A match must have at least one example.")
        for name, column in examples.columns.items():
            if not all_finite(column):
                raise InvalidParameter(f"The {name} to learn must be finite numbers.")
        if self._layout not in ({}, examples.layout):
            here, given = _described(self._layout), _described(examples.layout)
            raise InvalidParameter(f"This replay has examples of {here}, not of {given}.")
        self._layout, self._row_bytes = examples.layout, examples.row_bytes


def gathered(parts: Iterable[Examples], rows: list[npt.NDArray[Any]]) -> Examples:
    """These rows of each part, one after the other."""
    return joined(part.take(r) for part, r in zip(parts, rows, strict=True) if len(r))


def whole_numbers(array: Column, kind: type[np.integer[Any]]) -> Column:
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
