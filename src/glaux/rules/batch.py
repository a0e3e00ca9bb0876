"""States that wait for a value, and what a value function says of them: the typed form of the door.

Searches (``glaux.search.door``) and value functions (``glaux.values``) know nothing of each other but this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from glaux.rules.game import StateArray


@dataclass(frozen=True)
class Batch:
    """n states that wait for a value, and perhaps for priors."""

    states: StateArray
    """uint8[n, state_size]"""
    planes: npt.NDArray[np.float32] | None
    """float32[n, planes, rows, columns], if they are wanted"""
    actions: npt.NDArray[np.int32]
    """int32[m]: the legal actions of all the states, one state after the other. A state whose search asks
    for no priors has none here."""
    offsets: npt.NDArray[np.int64]
    """int64[n + 1]: those of state i are ``actions[offsets[i]:offsets[i + 1]]``; one 0 if no search asks"""

    def __len__(self) -> int:
        """The number of states."""
        return len(self.states)

    def gather(self, dense: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The numbers of the legal actions, float32[m], from those of all actions, float[n, action_count]."""
        if len(self.actions) == 0:
            return np.empty(0, np.float32)
        rows = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        return dense[rows, self.actions].astype(np.float32, copy=False)


@dataclass(frozen=True)
class Answer:
    """What a value function says of a batch."""

    values: npt.ArrayLike
    """n numbers"""
    priors: npt.ArrayLike | None = None
    """a number for each of the batch's ``actions``, not negative, larger where an action is more promising;
    the search makes those of a state sum to 1. None: all the actions are equally promising"""


@runtime_checkable
class Answers(Protocol):
    """A value function with the typed form of the door.

    If it has an attribute ``planes`` that is true, its batches have planes.
    """

    def answer(self, batch: Batch) -> Answer:
        """Give values, and priors if the batch has actions and there are any."""
        ...
