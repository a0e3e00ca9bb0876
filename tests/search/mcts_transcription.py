"""MCTS in plain Python: the witness of the native search.

Scheiermann and Konen's Algorithm 1 with values of the first player instead of negations, statistics
on (state, action), and dictionaries for the tables. Ties are broken by the lowest action, the
deterministic mode of the native search.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from glaux import Game, State

Priors = dict[int, float]
Approximator = Callable[[State], tuple[float, Priors]]
"""f of Algorithm 1: the value of a state, and the prior of each of its actions."""


@dataclass
class Tables:
    """W, N and P of the actions, and which states are expanded."""

    game: Game
    f: Approximator
    f_t: Callable[[State], float]
    select: Callable[[Tables, State], int]
    c: float
    P: dict[State, Priors] = field(default_factory=dict)
    W: defaultdict[tuple[State, int], float] = field(default_factory=lambda: defaultdict(float))
    N: defaultdict[tuple[State, int], int] = field(default_factory=lambda: defaultdict(int))

    def q(self, s: State, a: int) -> float:
        """The mean value for the player to move; 0 for an action not yet taken."""
        sign = 1 if self.game.first_player(s) else -1
        return sign * self.W[s, a] / self.N[s, a] if self.N[s, a] else 0.0


def mcts_iteration(s: State, t: Tables) -> float:
    if t.game.terminal(s):
        return t.f_t(s)
    if s not in t.P:
        value, t.P[s] = t.f(s)
        return value
    a = t.select(t, s)
    value = mcts_iteration(t.game.apply(s, a), t)
    t.W[s, a] += value
    t.N[s, a] += 1
    return value


def uct(t: Tables, s: State) -> int:
    actions = t.game.actions(s)
    for a in actions:
        if t.N[s, a] == 0:
            return a
    total = sum(t.N[s, a] for a in actions)
    return max(actions, key=lambda a: t.q(s, a) + t.c * math.sqrt(math.log(total) / t.N[s, a]))


def puct(t: Tables, s: State) -> int:
    actions = t.game.actions(s)
    total = sum(t.N[s, a] for a in actions)
    return max(actions, key=lambda a: t.q(s, a) + t.c * t.P[s][a] * math.sqrt(total + 1e-8) / (1 + t.N[s, a]))


def decision(t: Tables, s: State) -> int:
    return max(t.game.actions(s), key=lambda a: (t.N[s, a], t.q(s, a), t.P[s][a]))


# The three approximators


def of_state(game: Game, value: Callable[[State], float]) -> Approximator:
    """A value, and uniform priors."""

    def f(s: State) -> tuple[float, Priors]:
        actions = game.actions(s)
        return value(s), {a: 1 / len(actions) for a in actions}

    return f


def of_policy(game: Game, value: Callable[[State], float], weight: Callable[[int], float]) -> Approximator:
    """A value, and the priors of the legal actions, normalised."""

    def f(s: State) -> tuple[float, Priors]:
        weights = {a: weight(a) for a in game.actions(s)}
        return value(s), {a: w / sum(weights.values()) for a, w in weights.items()}

    return f


def of_children(
    game: Game, value: Callable[[State], float], f_t: Callable[[State], float], temperature: float
) -> Approximator:
    """The wrapper: the best value of a child, and the softmax of all of them."""

    def f(s: State) -> tuple[float, Priors]:
        sign = 1 if game.first_player(s) else -1
        children = {a: game.apply(s, a) for a in game.actions(s)}
        values = {a: sign * (f_t(x) if game.terminal(x) else value(x)) for a, x in children.items()}
        weights = {a: math.exp(v / temperature) for a, v in values.items()}
        return sign * max(values.values()), {a: w / sum(weights.values()) for a, w in weights.items()}

    return f
