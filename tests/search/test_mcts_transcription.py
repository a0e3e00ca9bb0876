"""The native MCTS against the transcription, after every iteration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game
from tests.search import mcts_transcription as paper
from tests.search.mcts_games import Climb, on_states, policy_on_states, scripted
from tests.search.mcts_transcription import Tables

GAMES = [
    "othello:size=4",
    "connect_four:rows=4,columns=4,length=3",
    "amazons:size=6",
    "santorini:size=3",
    "climb",
]


def make(text: str) -> Game:
    return glaux.make(Climb if text == "climb" else text)


def compare(t: Tables, search: glaux.MCTS | glaux.MCTSWrapper) -> None:
    for s, priors in t.P.items():
        rows = glaux.Tree(search, s).children()
        if not rows:  # edges come with the second visit
            assert all(t.N[s, a] == 0 for a in priors)
            continue
        assert [row.action for row in rows] == t.game.actions(s)
        assert search.priors(s) == pytest.approx(list(priors.values()), rel=1e-6)
        for row in rows:
            child = t.game.apply(s, row.action)
            n = t.N[s, row.action]
            assert row.n == n
            if t.game.terminal(child):
                assert (row.v, row.c, row.r) == (t.f_t(child), t.game.outcome(child), 1)
            else:
                assert (row.v, row.c, row.r) == (np.float32(t.W[s, row.action] / n if n else 0), 0, 0)


def compare_learnable(t: Tables, tree: glaux.Tree) -> None:
    """States from which an action was taken with the mean of all that was seen, and the ends met."""
    wrapper = isinstance(tree.search, glaux.MCTSWrapper)
    expected = {}
    for s, priors in t.P.items():
        children = {a: t.game.apply(s, a) for a in priors}
        n = sum(t.N[s, a] for a in priors)
        if n > 0 or wrapper:
            expected[s.data] = (t.f(s)[0] + sum(t.W[s, a] for a in priors)) / (1 + n)
        for a, child in children.items():
            if t.game.terminal(child) and (t.N[s, a] > 0 or wrapper):
                expected[child.data] = t.f_t(child)
    states, values = tree.learnable()
    found = {state.tobytes(): v for state, v in zip(states, values, strict=True)}
    assert len(found) == len(states)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("kind", ["uct", "puct", "wrapper"])
def test_every_iteration_is_as_in_the_transcription(text: str, kind: str) -> None:
    """Along a match; the constants are such that different statistics are never equally good."""
    game = make(text)
    value = scripted(game)
    f_t = lambda s: float(game.outcome(s) or 0)  # noqa: E731
    options: dict[str, Any] = {"c": 0.8315, "random_ties": False}
    weights = [1 + a * 0.37 % 1 for a in range(game.spec.action_count)]
    search: glaux.MCTS | glaux.MCTSWrapper
    if kind == "uct":
        f, select = paper.of_state(game, value), paper.uct
        search = glaux.MCTS(game, on_states(game, value), **options)
    elif kind == "puct":
        f, select = paper.of_policy(game, value, weights.__getitem__), paper.puct
        search = glaux.MCTS(game, policy=policy_on_states(game, value, weights), **options)
    else:
        f, select = paper.of_children(game, value, f_t, 0.7), paper.puct
        search = glaux.MCTSWrapper(game, on_states(game, value), temperature=0.7, **options)
    t = Tables(game, f, f_t, select, 0.8315)
    state = game.initial()
    for _ in range(14 if text.startswith("othello") else 5):
        if game.terminal(state):
            break
        for number in range(30):
            paper.mcts_iteration(state, t)
            tree = search.run(state, iterations=1)
            assert [row.n for row in tree.children()] == [t.N[state, a] for a in game.actions(state)]
            if number % 15 == 0:
                compare(t, search)
        compare(t, search)
        compare_learnable(t, tree)
        assert tree.action == paper.decision(t, state)
        state = game.apply(state, tree.action)
    if text.startswith("othello"):
        assert any(a == 16 and n > 0 for (_, a), n in t.N.items()), "a pass was searched"
