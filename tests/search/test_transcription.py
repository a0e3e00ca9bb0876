"""The native searches against the literal transcription of the paper's algorithms.

After every iteration: the same set S, the same v, c, r of every state and v, c, r, n of every edge.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State
from glaux.search.heuristics import available, make_heuristic
from tests.boards import SMALL
from tests.search import transcription as paper
from tests.search.transcription import Tables

GAMES = list(SMALL.values())


def worth(s: State) -> float:
    """f_t: the gain, or the score of a puzzle that is played for it."""
    game = s.game
    if game.spec.players == 1 and game.spec.has_score:
        return game.score(s)
    return float(game.outcome(s) or 0)


def scripted(game: Game) -> Callable[[State], float]:
    """A few values only, so that ties are frequent; draws and both signs occur."""
    return lambda s: (game.hash(s) >> 33) % 7 / 4 - 0.75


def scripted_batch(game: Game) -> glaux.OnStates:
    f = scripted(game)
    return glaux.OnStates(lambda states: np.array([f(State(game, row.tobytes())) for row in states]))


@dataclass
class Algorithm:
    iteration: Callable[[State, Tables], Any]
    make: type[glaux.UBFM] | type[glaux.Descent]
    completion: bool


ALGORITHMS = {
    "ubfm": Algorithm(paper.ubfm_iteration, glaux.UBFM, False),
    "descent": Algorithm(paper.descent_iteration, glaux.Descent, False),
    "completed_ubfm": Algorithm(paper.ubfms_iteration, glaux.UBFM, True),
    "completed_descent": Algorithm(paper.completed_descent_iteration, glaux.Descent, True),
}


def compare(tables: Tables, search: glaux.UBFM | glaux.Descent, completion: bool) -> None:
    game = tables.game
    states, v, c, r, edge_node, (action, ev, ec, er, en) = search.native.dump()
    expanded = {s for s in tables.S if not game.terminal(s)}
    ours = [State(game, row.tobytes()) for row in states]
    assert set(ours) == expanded
    for i, s in enumerate(ours):
        assert v[i] == tables.v[s]
        if completion:
            assert (c[i], r[i]) == (tables.c[s], tables.r[s])
    assert len(action) == len(tables.v_edge)
    for i in range(len(action)):
        key = ours[edge_node[i]], int(action[i])
        assert ev[i] == tables.v_edge[key]
        assert en[i] == tables.n_edge.get(key, 0)
        if completion:
            assert (ec[i], er[i]) == (tables.c_edge[key], tables.r_edge[key])


def compare_learnable(tables: Tables, tree: glaux.Tree) -> None:
    """S of the paper is what tree learning is given, with its values."""
    states, values = tree.learnable()
    ours = {State(tables.game, row.tobytes()): value for row, value in zip(states, values, strict=True)}
    assert len(ours) == len(states), "each state once"
    assert ours == {s: tables.v[s] for s in tables.S}


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("text", GAMES)
def test_every_iteration_is_as_in_the_paper(text: str, name: str) -> None:
    game, algorithm = glaux.make(text), ALGORITHMS[name]
    tables = Tables(game, scripted(game), worth)
    search = algorithm.make(game, scripted_batch(game), completion=algorithm.completion, random_ties=False)
    root = game.initial()
    count = 300 if algorithm.make is glaux.UBFM else 60
    for _ in range(count):
        if algorithm.completion and tables.r.get(root, 0) == 1:
            break
        algorithm.iteration(root, tables)
        tree = search.run(root, iterations=1)
        assert tree.value == tables.v[root]
    compare(tables, search, algorithm.completion)
    if name != "ubfm":  # Algorithm 1 does not put terminal states into S
        compare_learnable(tables, tree)


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize(
    "text", ["othello:size=4", "connect_four:rows=4,columns=4,length=3", "clobber:rows=3,columns=4"]
)
def test_another_worth_of_ends_than_the_gain(text: str, name: str) -> None:
    """f_t is what ends are worth; what is proven goes by b_t all the same."""
    for heuristic_text in available(glaux.make(text)):
        heuristic = make_heuristic(glaux.make(text), heuristic_text)
        game, algorithm = heuristic.game, ALGORITHMS[name]
        tables = Tables(game, scripted(game), heuristic.value)
        search = algorithm.make(
            game,
            scripted_batch(game),
            completion=algorithm.completion,
            random_ties=False,
            terminal_value=heuristic.native,
        )
        state, rng = game.initial(), random.Random(1)
        for _ in range(game.spec.max_plies):
            for _ in range(12):
                if not (algorithm.completion and tables.r.get(state, 0) == 1):
                    algorithm.iteration(state, tables)
            tree = search.run(state, iterations=12)
            assert tree.value == tables.v[state]
            state = game.apply(state, rng.choice(game.actions(state)))
            if game.terminal(state) or len(tables.S) > 1000:
                break
        compare(tables, search, algorithm.completion)


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("text", GAMES)
def test_many_iterations_in_one_run(text: str, name: str) -> None:
    """What the native search puts off within a run must not change anything."""
    game, algorithm = glaux.make(text), ALGORITHMS[name]
    tables = Tables(game, scripted(game), worth)
    search = algorithm.make(game, scripted_batch(game), completion=algorithm.completion, random_ties=False)
    state = game.initial()
    per_run = (2, 7, 40, 150) if algorithm.make is glaux.UBFM else (2, 7, 25)
    for count in per_run:
        for _ in range(count):
            if not (algorithm.completion and tables.r.get(state, 0) == 1):
                algorithm.iteration(state, tables)
        tree = search.run(state, iterations=count)
        compare(tables, search, algorithm.completion)
        state = game.apply(state, tree.action)
        if game.terminal(state):
            break


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_step_of_a_match_is_as_in_the_paper(name: str) -> None:
    """The table lives through the match; compared after every single iteration."""
    game, algorithm = glaux.make("othello:size=4"), ALGORITHMS[name]
    tables = Tables(game, scripted(game), worth)
    search = algorithm.make(game, scripted_batch(game), completion=algorithm.completion, random_ties=False)
    state = game.initial()
    while not game.terminal(state):
        for _ in range(12):
            if algorithm.completion and tables.r.get(state, 0) == 1:
                break
            algorithm.iteration(state, tables)
            search.run(state, iterations=1)
            compare(tables, search, algorithm.completion)
        tree = search.run(state, iterations=0)
        if algorithm.completion:
            expected = paper.completed_best_action(state, game.actions(state), tables)
        else:
            expected = paper.best_action(state, tables)
        assert tree.action == expected
        state = game.apply(state, tree.action)


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize(
    "decision, function",
    [
        ("safest", paper.safest_action),
        ("safest_or_draw", paper.safest_action_preferring_draws),
    ],
)
def test_the_safe_decision(text: str, decision: str, function: Callable[[State, Tables], int]) -> None:
    """Algorithm 13 and Remark 16, along a match."""
    game = glaux.make(text)
    tables = Tables(game, scripted(game), worth)
    search = glaux.UBFM(game, scripted_batch(game), decision=decision, random_ties=False)
    state = game.initial()
    for _ in range(10):
        if game.terminal(state):
            break
        for _ in range(30):
            if tables.r.get(state, 0) == 0:
                paper.ubfms_iteration(state, tables)
        tree = search.run(state, iterations=30)
        assert tree.action == function(state, tables)
        state = game.apply(state, tree.action)
