"""A made-up game for one player, who picks numbers of which no two may touch, for their sum."""

from __future__ import annotations

from typing import Any

import numpy as np

import glaux

NUMBERS = np.array([[3, 4, 2, 5, 4, 1, 6, 3]])


class Picking(glaux.Rules):
    """Take a number that touches none you have, until there is none: its sum is the score."""

    state = ("i1", (1, 8))
    action_count = 8
    max_plies = 4
    players = 1
    aim = "score"
    symbols = ".X"

    def actions(self, s: Any) -> Any:
        near = np.pad(s, ((0, 0), (1, 1)))
        return np.flatnonzero((near[0, :-2] | near[0, 1:-1] | near[0, 2:]) == 0)

    def apply(self, s: Any, action: int) -> None:
        s[0, action] = 1

    def outcome(self, s: Any) -> int | None:
        return None if len(self.actions(s)) else 0

    def cells(self, s: Any) -> Any:
        return s

    def score(self, s: Any) -> float:
        return float((s * NUMBERS).sum())
