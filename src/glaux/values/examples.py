"""What is learned from: named columns of one length, a row for each example.

A learner makes the columns, a value function says by name which of them it learns
(:attr:`ValueFunction.columns`), and all that stands between carries them without looking: replay,
symmetric copies, minibatches, checkpoints. ``states`` and ``values`` are the columns of all learners;
``policies`` is that of learners with a policy (``policies.py``), and others may add theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from glaux.errors import InvalidParameter

Column = npt.NDArray[Any]
"""any[n, ...]: the first axis is that of the examples"""
Layout = dict[str, tuple[str, tuple[int, ...]]]
"""the type and shape of a row in each column"""

STATES, VALUES, POLICIES = "states", "values", "policies"
"""uint8[n, state_size]; float32[n], the first player's; float32[n, max_actions], see ``policies.py``"""


class Examples:
    """Columns by name. The arrays are not copied, and whoever holds examples does not change them."""

    __slots__ = ("columns",)

    def __init__(self, columns: Mapping[str, Column]) -> None:
        """InvalidParameter unless there are columns, and all have as many rows."""
        self.columns = dict(columns)
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) != 1:
            found = ", ".join(f"{length} {name}" for name, length in lengths.items()) or "none"
            raise InvalidParameter(
                f"All columns of examples must have the same number of rows: there are {found}."
            )

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(self.columns)

    @property
    def layout(self) -> Layout:
        """The type and shape of a row in each column: only examples of one layout can be joined."""
        return {name: (column.dtype.str, column.shape[1:]) for name, column in self.columns.items()}

    @property
    def row_bytes(self) -> int:
        """The memory of one example."""
        return sum(column.dtype.itemsize * int(np.prod(column.shape[1:])) for column in self.columns.values())

    def take(self, rows: npt.NDArray[Any]) -> Examples:
        """A copy of these rows, in this order."""
        # ndarray.take copies rows several times as fast as indexing with an array.
        return Examples({name: column.take(rows, axis=0) for name, column in self.columns.items()})

    def part(self, begin: int, end: int) -> Examples:
        """The rows from ``begin`` to ``end``: a view, not a copy."""
        return Examples({name: column[begin:end] for name, column in self.columns.items()})

    def copy(self) -> Examples:
        """Arrays of their own, one after the other in memory."""
        return Examples({name: column.copy() for name, column in self.columns.items()})


def joined(parts: Iterable[Examples]) -> Examples:
    """The examples of all the parts, one part after the other; there must be one."""
    listed = list(parts)
    return Examples(
        {name: np.concatenate([part[name] for part in listed]) for name in listed[0].names}
        if len(listed) > 1
        else listed[0].columns
    )


def pairs(states: npt.NDArray[np.uint8], values: npt.NDArray[np.float32]) -> Examples:
    """Examples of states and their values."""
    return Examples({STATES: states, VALUES: values})
