"""A literal transcription of the paper's Algorithms 1, 9, 10, 11, 12 and 13 in plain Python.

It is the witness of the native searches: slow, with dictionaries for the tables v, c, r, n and the
functions in the paper's order and with its names. `s` is a State, `a(s)` is `game.apply(s, a)`.
Ties are broken by the lowest action, the deterministic mode of the native searches.

Where the extracted pseudo-code is blurred, it follows the settled points: Algorithm 10 descends in
the iteration that expands a state, if the state is not resolved by it; Algorithm 12 does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from glaux import Game, State

Value = Callable[[State], float]


@dataclass
class Tables:
    """S and T: the learned set, and the labels of states and edges."""

    game: Game
    f_theta: Value
    f_t: Value
    S: dict[State, None] = field(default_factory=dict)  # in the order of insertion
    v: dict[State, float] = field(default_factory=dict)
    c: dict[State, int] = field(default_factory=dict)
    r: dict[State, int] = field(default_factory=dict)
    v_edge: dict[tuple[State, int], float] = field(default_factory=dict)
    c_edge: dict[tuple[State, int], int] = field(default_factory=dict)
    r_edge: dict[tuple[State, int], int] = field(default_factory=dict)
    n_edge: dict[tuple[State, int], int] = field(default_factory=dict)

    def b_t(self, s: State) -> int:
        outcome = self.game.outcome(s)
        assert outcome is not None
        return outcome

    def n(self, s: State, a: int) -> int:
        return self.n_edge.get((s, a), 0)


def arg_best(t: Tables, s: State, actions: list[int], key: Callable[[int], tuple]) -> int:
    """arg max for the first player and arg min for the second, the lowest action among equals."""
    return max(actions, key=lambda a: (key(a), -a)) if t.game.first_player(s) else min(actions, key=key)


# Algorithm 1


def ubfm_iteration(s: State, t: Tables) -> float:
    game = t.game
    if game.terminal(s):
        return t.f_t(s)
    if s not in t.S:
        t.S[s] = None
        for a in game.actions(s):
            child = game.apply(s, a)
            t.v_edge[s, a] = t.f_t(child) if game.terminal(child) else t.f_theta(child)
    else:
        a_b = best_action(s, t)
        t.n_edge[s, a_b] = t.n(s, a_b) + 1  # not in Algorithm 1: the safe decision counts selections
        t.v_edge[s, a_b] = ubfm_iteration(game.apply(s, a_b), t)
    a_b = best_action(s, t)
    t.v[s] = t.v_edge[s, a_b]
    return t.v_edge[s, a_b]


def best_action(s: State, t: Tables) -> int:
    return arg_best(t, s, t.game.actions(s), lambda a: (t.v_edge[s, a],))


# Algorithm 9


def descent_iteration(s: State, t: Tables) -> float:
    game = t.game
    if game.terminal(s):
        t.S[s] = None
        t.v[s] = t.f_t(s)
    else:
        if s not in t.S:
            t.S[s] = None
            for a in game.actions(s):
                child = game.apply(s, a)
                if game.terminal(child):
                    t.v_edge[s, a] = descent_iteration(child, t)
                else:
                    t.v_edge[s, a] = t.f_theta(child)
        a = best_action(s, t)
        t.n_edge[s, a] = t.n(s, a) + 1  # not in Algorithm 9, as above
        t.v_edge[s, a] = descent_iteration(game.apply(s, a), t)
        a = best_action(s, t)
        t.v[s] = t.v_edge[s, a]
    return t.v[s]


# Algorithm 11


def completed_best_action(s: State, actions: list[int], t: Tables) -> int:
    if t.game.first_player(s):
        return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], t.v_edge[s, a], t.n(s, a)))
    return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], t.v_edge[s, a], -t.n(s, a)))


def completed_best_action_dual(s: State, actions: list[int], t: Tables) -> int:
    if t.game.first_player(s):
        return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], t.v_edge[s, a], -t.n(s, a)))
    return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], t.v_edge[s, a], t.n(s, a)))


def backup_resolution(s: State, t: Tables) -> int:
    if abs(t.c[s]) == 1:
        return 1
    return min(t.r_edge[s, a] for a in t.game.actions(s))


def backup(s: State, t: Tables) -> None:
    a = completed_best_action(s, t.game.actions(s), t)
    t.c[s], t.v[s] = t.c_edge[s, a], t.v_edge[s, a]
    t.r[s] = backup_resolution(s, t)


# Algorithm 10


def completed_descent_iteration(s: State, t: Tables) -> tuple[int, int, float]:
    game = t.game
    if game.terminal(s):
        t.S[s] = None
        t.r[s], t.c[s], t.v[s] = 1, t.b_t(s), t.f_t(s)
    else:
        if s not in t.S:
            t.S[s] = None
            for a in game.actions(s):
                child = game.apply(s, a)
                if game.terminal(child):
                    t.r_edge[s, a], t.c_edge[s, a], t.v_edge[s, a] = completed_descent_iteration(child, t)
                else:
                    t.r_edge[s, a], t.c_edge[s, a], t.v_edge[s, a] = 0, 0, t.f_theta(child)
            backup(s, t)
        if t.r[s] == 0:
            unresolved = [a for a in game.actions(s) if t.r_edge[s, a] == 0]
            a = completed_best_action_dual(s, unresolved, t)
            t.n_edge[s, a] = t.n(s, a) + 1
            child = game.apply(s, a)
            t.r_edge[s, a], t.c_edge[s, a], t.v_edge[s, a] = completed_descent_iteration(child, t)
            backup(s, t)
    return t.r[s], t.c[s], t.v[s]


# Algorithm 12


def ubfms_iteration(s: State, t: Tables) -> tuple[int, int, float]:
    game = t.game
    if game.terminal(s):
        t.S[s] = None
        t.r[s], t.c[s], t.v[s] = 1, t.b_t(s), t.f_t(s)
    elif t.r.get(s, 0) == 0:
        if s not in t.S:
            t.S[s] = None
            for a in game.actions(s):
                child = game.apply(s, a)
                if game.terminal(child):
                    t.r_edge[s, a], t.c_edge[s, a], t.v_edge[s, a] = ubfms_iteration(child, t)
                else:
                    t.r_edge[s, a], t.c_edge[s, a], t.v_edge[s, a] = 0, 0, t.f_theta(child)
        else:
            unresolved = [a for a in game.actions(s) if t.r_edge[s, a] == 0]
            a = completed_best_action_dual(s, unresolved, t)
            t.n_edge[s, a] = t.n(s, a) + 1
            t.r_edge[s, a], t.c_edge[s, a], t.v_edge[s, a] = ubfms_iteration(game.apply(s, a), t)
        backup(s, t)
    return t.r[s], t.c[s], t.v[s]


# Algorithm 13, and its variant of Remark 16


def safest_action(s: State, t: Tables) -> int:
    actions = t.game.actions(s)
    if t.game.first_player(s):
        return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], t.n(s, a), t.v_edge[s, a]))
    return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], -t.n(s, a), t.v_edge[s, a]))


def safest_action_preferring_draws(s: State, t: Tables) -> int:
    actions = t.game.actions(s)
    if t.game.first_player(s):
        return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], t.r_edge[s, a], t.n(s, a), t.v_edge[s, a]))
    return arg_best(t, s, actions, lambda a: (t.c_edge[s, a], -t.r_edge[s, a], -t.n(s, a), t.v_edge[s, a]))
