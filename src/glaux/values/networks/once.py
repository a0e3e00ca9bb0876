"""A network with a policy that is asked once for each state, as long as it does not learn.

Matches that are played together begin alike, so that in self-play their searches ask for the same states
again and again: of the first plies for almost nothing else. What the network has said is kept by state,
within a budget of memory, and the network is given the others. It is for one round of matches: whoever plays
the next one, with what was learned meanwhile, makes a new one.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from glaux.rules.batch import Answer, Batch
from glaux.rules.game import StateArray
from glaux.values.networks.policy_network import PolicyNetwork
from glaux.values.value import ValueFunction

MEMORY = 32 << 20
MOST = 1 << 17
"""states that are kept at the most: about 100 bytes of each are the dictionary's"""


class Once:
    """What a lock-step of searches asks instead of the network; one thread at a time."""

    planes: ClassVar[bool] = True

    def __init__(self, network: PolicyNetwork, memory: int = MEMORY) -> None:
        self.network = network
        self.game, self.heuristic = network.game, network.heuristic
        self.entries = max(1, min(MOST, memory // (4 * (1 + network.width))))
        self.asked = self.evaluated = 0
        """states that were wanted, and those that the network was given"""
        self._rows: dict[bytes, int] = {}
        self._values = np.empty(0, np.float32)
        self._logits = np.empty((0, network.width), np.float32)

    def answer(self, batch: Batch) -> Answer:
        """As the network's."""
        assert batch.planes is not None
        if len(batch.actions) == 0 or len(batch) > self.entries:
            return self.network.answer(batch)
        keys = _keys(batch.states)
        new = {key: i for i, key in enumerate(keys) if key not in self._rows}
        if len(self._rows) + len(new) > self.entries:
            self._rows, new = {}, {key: i for i, key in enumerate(keys)}
        self.asked += len(keys)
        self.evaluated += len(new)
        if len(new) == len(keys):
            values, logits = self.network.outputs(batch.planes)
            self._keep(new, values, logits)
        else:
            if new:
                self._keep(new, *self.network.outputs(batch.planes[list(new.values())]))
            rows = [self._rows[key] for key in keys]
            values, logits = self._values[rows], self._logits[rows]
        return self.network.answer_of(batch, values, logits)

    def _keep(
        self, new: dict[bytes, int], values: npt.NDArray[np.float32], logits: npt.NDArray[np.float32]
    ) -> None:
        first, end = len(self._rows), len(self._rows) + len(new)
        if end > len(self._values):
            room = min(self.entries, max(2 * end, 1024)) - len(self._values)
            self._values = np.concatenate([self._values, np.empty(room, np.float32)])
            self._logits = np.concatenate([self._logits, np.empty((room, logits.shape[1]), np.float32)])
        self._values[first:end], self._logits[first:end] = values, logits
        self._rows.update(zip(new, range(first, end), strict=True))


def _keys(states: StateArray) -> list[bytes]:
    """The bytes of each state."""
    rows = np.ascontiguousarray(states)
    whole, size = rows.tobytes(), rows.shape[1]
    return [whole[i : i + size] for i in range(0, len(whole), size)]


def once(value: ValueFunction) -> ValueFunction | Once:
    """The value function, or a policy network that is asked once for each state."""
    return Once(value) if isinstance(value, PolicyNetwork) else value
