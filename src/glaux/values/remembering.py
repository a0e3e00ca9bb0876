"""A slow value function that is asked once for what looks alike to it.

Searches send a state to the value function whenever they come to it by another way, and in games whose
states keep their history (Surakarta, Lines of Action) two orders of the same moves lead to two states.
A network sees neither: its planes are equal. So the values are kept by what it was given. That is sound,
unlike one node for both states in a search: what may follow, a draw by repetition for one, depends on
the way, but the value that the network gives does not.

Looking up a state takes about two microseconds: worth while for networks that take more than twenty,
least with Descent and unbounded minimax, which seldom come to a position twice, most with alpha-beta and
the MCTS wrapper (docs/decisions/0050-positions-and-history.md has the figures).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from glaux.errors import BrokenValue, InvalidParameter

Values = npt.NDArray[np.float32]


class Remembering:
    """A function over batches, of planes or of states, with the last values that it gave.

    At least ``entries`` values are kept, and at most twice as many, about 150 bytes each. What has
    learned something since is asked anew.
    """

    def __init__(self, value: Any, entries: int) -> None:
        if not callable(value) or hasattr(value, "native"):
            raise InvalidParameter(
                "Only networks and functions can be cached: other value functions are faster than a cache."
            )
        if hasattr(value, "answer"):
            raise InvalidParameter("A value function with a policy can't be cached: only values can.")
        if entries < 1:
            raise InvalidParameter(f"A cache must hold at least 1 value, not {entries}.")
        self.value = value
        self.entries = entries
        for name in ("game", "heuristic"):  # what searches ask of a value function
            if hasattr(value, name):
                setattr(self, name, getattr(value, name))
        self.asked = self.evaluated = 0
        """states that values were wanted of, and those that the function was given"""
        self._young: dict[bytes, float] = {}
        self._old: dict[bytes, float] = {}
        self._learned = self._version()

    def __call__(self, batch: npt.NDArray[Any]) -> Values:
        """The values of a batch, as the function gives them."""
        if self._version() != self._learned:
            self._young, self._old, self._learned = {}, {}, self._version()
        keys = [blake2b(row.data, digest_size=16).digest() for row in batch.reshape(len(batch), -1)]
        found = {key: self._recall(key) for key in keys}
        new = {key: i for i, key in enumerate(keys) if found[key] is None}
        self.asked += len(keys)
        self.evaluated += len(new)
        if new:
            rows = list(new.values())
            values = np.asarray(self.value(batch if len(rows) == len(batch) else batch[rows]))
            if values.shape != (len(rows),):
                raise BrokenValue("Only a function that gives one value per state can be cached.")
            found.update(zip(new, values.tolist(), strict=True))
            self._young.update((key, float(found[key])) for key in new)
            if len(self._young) > self.entries:
                self._young, self._old = {}, self._young
        return np.array([found[key] for key in keys], np.float32)

    def _recall(self, key: bytes) -> Any:
        value = self._young.get(key)
        return self._old.get(key) if value is None else value

    def _version(self) -> int:
        return int(getattr(self.value, "learned", 0))
