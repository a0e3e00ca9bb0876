"""Plain minimax in Python, without pruning: the witness for searches that are cleverer.

A memo keeps it affordable and changes nothing: equal states have equal values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import glaux
from glaux import ONGOING, Game, State, _core

Hashes = npt.NDArray[np.uint64]
Key = tuple[int, float]
"""(c, v): what states are compared by."""
MOST_PLIES = 700
"""of a line: each is a level of Python's stack"""


def scripted(hashes: Hashes) -> npt.NDArray[np.float64]:
    """A value for each state from its hash: a few values only, so that ties are frequent."""
    return (hashes >> np.uint64(33)) % 7 / 4 - 0.75


def scripted_value(game: Game) -> glaux.OnStates:
    """The same as a value function for a search."""
    return glaux.OnStates(
        lambda states: scripted(np.array([game.native.hash(row.tobytes()) for row in states], np.uint64))
    )


class Answer(NamedTuple):
    """What plain minimax says of a state at a depth."""

    key: Key
    proven: tuple[int, int]
    """the lowest and the highest result that unseen play may lead to"""
    best: frozenset[int]
    """all the actions with the best key"""


@dataclass
class Minimax:
    """Minimax to a depth; with completion over (c, v), otherwise over (0, v)."""

    game: Game
    completion: bool
    leaf: Callable[[Hashes], npt.NDArray[np.float64]] = scripted
    evaluations: int = 0
    memo: dict[tuple[bytes, int], Answer] = field(default_factory=dict)

    def answer(self, s: State, depth: int) -> Answer:
        return self._answer(s.data, self.game.first_player(s), depth)

    def _answer(self, data: bytes, first_player: bool, depth: int) -> Answer:
        if (data, depth) in self.memo:
            return self.memo[data, depth]
        actions, children, results, movers, hashes = self.game.native.expand(data)
        values = self.leaf(hashes) if depth == 1 else None
        keys: list[Key] = []
        proven: list[tuple[int, int]] = []
        for i, result in enumerate(results.tolist()):
            if result != ONGOING:
                value = worth(self.game, self.game.state(children[i].tobytes()))
                keys.append((result if self.completion else 0, float(value)))
                proven.append((result, result))
            elif values is not None:
                self.evaluations += 1
                keys.append((0, float(values[i])))
                proven.append((-1, 1))
            else:
                child = self._answer(children[i].tobytes(), bool(movers[i]), depth - 1)
                keys.append(child.key)
                proven.append(child.proven)
        choice = max if first_player else min
        key = choice(keys)
        low, high = (choice(ends) for ends in zip(*proven, strict=True))
        best = frozenset(a for a, k in zip(actions.tolist(), keys, strict=True) if k == key)
        answer = Answer(key, (low, high), best)
        self.memo[data, depth] = answer
        return answer


class TooLarge(Exception):
    """The tree has more states than the caller wants to wait for."""


def worth(game: Game, end: State) -> float:
    """What an end is worth to the first player: its score where that is what the game is played for."""
    if game.spec.aim == _core.Aim.score:
        return game.score(end)
    result = game.outcome(end)
    assert result is not None
    return result


def outcome(game: Game, s: State, memo: dict[bytes, float], states: int = 10**7) -> float:
    """What a state is worth under perfect play, from all of its tree: +1, 0 or -1, or a score.

    A state is left early only when its mover has found a win. ``memo`` may serve many states of one
    game; it may grow by ``states``.
    """
    most = len(memo) + states
    for_score = game.spec.aim == _core.Aim.score

    def solve(data: bytes, first_player: bool, left: int) -> float:
        if data in memo:
            return memo[data]
        if len(memo) >= most or left == 0:
            raise TooLarge
        _, children, results, movers, _ = game.native.expand(data)
        better, win = (max, 1) if first_player else (min, -1)
        best: float | None = None
        for i, result in enumerate(results.tolist()):
            if result == ONGOING:
                v = solve(children[i].tobytes(), bool(movers[i]), left - 1)
            else:
                v = worth(game, game.state(children[i].tobytes())) if for_score else result
            best = v if best is None else better(best, v)
            if best == win and not for_score:
                break
        assert best is not None
        memo[data] = best
        return best

    return solve(s.data, game.first_player(s), MOST_PLIES)
