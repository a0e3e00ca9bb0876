"""What the tests of MCTS share: two small games in Python, and scripted value functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import glaux
from glaux import Game, State

Scripted = Callable[[State], float]


class TwoPlies(glaux.Rules):
    """Each player chooses 0 or 1 once; the outcomes of 00, 01, 10, 11 are +1, -1, 0, +1."""

    state = [("path", np.int8, (1, 2)), ("ply", np.int8)]
    action_count = 3  # 2 is never legal
    max_plies = 2

    def first_player(self, s: Any) -> bool:
        return s["ply"] == 0

    def actions(self, s: Any) -> list[int]:
        return [0, 1]

    def apply(self, s: Any, action: int) -> None:
        s["path"][0, s["ply"]] = action
        s["ply"] += 1

    def outcome(self, s: Any) -> int | None:
        a, b = s["path"][0]
        return [[1, -1], [0, 1]][a][b] if s["ply"] == 2 else None

    def cells(self, s: Any) -> Any:
        return s["path"]


class Climb(glaux.Rules):
    """One player climbs by 1, 2 or 3 steps, as often as wanted, and must arrive at exactly 9."""

    state = [("height", np.int8, (1, 1)), ("ply", np.int8)]
    action_count = 3
    max_plies = 9
    players = 1
    symbols = "0123456789ab"

    def first_player(self, s: Any) -> bool:
        return True

    def actions(self, s: Any) -> list[int]:
        return [0, 1, 2]

    def apply(self, s: Any, action: int) -> None:
        s["height"] += action + 1
        s["ply"] += 1

    def outcome(self, s: Any) -> int | None:
        height = s["height"].item()
        return None if height < 9 else 1 if height == 9 else -1

    def cells(self, s: Any) -> Any:
        return s["height"]


def scripted(game: Game) -> Scripted:
    """A few values only, so that ties are frequent."""
    return lambda s: (game.hash(s) >> 33) % 7 / 4 - 0.75


def on_states(game: Game, f: Scripted) -> glaux.OnStates:
    return glaux.OnStates(lambda states: np.array([f(State(game, row.tobytes())) for row in states]))


def policy_on_states(game: Game, f: Scripted, weights: list[float]) -> glaux.OnStates:
    values = on_states(game, f).function

    def policy(states: Any) -> Any:
        return values(states), np.array([weights] * len(states))

    return glaux.OnStates(policy)


def statistics(tree: glaux.Tree, state: State | None = None) -> list[tuple[float, int]]:
    return [(row.v, row.n) for row in tree.children(state)]
