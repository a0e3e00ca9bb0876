"""Reinforcement heuristics in a search: minimax over them in plain Python finds the same."""

from __future__ import annotations

import numpy as np
import pytest

import glaux
from glaux import Game, _core
from glaux.errors import InvalidParameter
from glaux.search.heuristics import make_heuristic


def plain_value(game: Game, name: str, state: bytes, result: int) -> float:
    """f_t once more, in plain Python."""
    m = game.native.measures(state)
    n1, n2 = m.pieces
    m1, m2 = m.mobility if name == "mobility" else (1, 1)
    win = {
        "classic": 1.0,
        "score": abs(m.score),
        "additive_depth": game.spec.max_plies + 1 - m.ply,
        "multiplicative_depth": 7 / m.ply,
        "mobility": m1 / m2 if result > 0 else m2 / m1,
        "presence": max(1, (n1 - n2) * result),
    }[name]
    return float(np.float32(result * win))


class Minimax:
    """Plain minimax over f_t to the ends of the match."""

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name
        self.values: dict[bytes, float] = {}

    def value(self, state: bytes) -> float:
        if state not in self.values:
            self.values[state] = self._value(state)
        return self.values[state]

    def _value(self, state: bytes) -> float:
        status = self.game.native.status(state)
        if status.terminal:
            return plain_value(self.game, self.name, state, status.result)
        _, children, *_ = self.game.native.expand(state)
        return (max if status.first_player else min)(self.value(child.tobytes()) for child in children)


SEARCHED = [
    ("connect_four:rows=3,columns=3,length=3", "", "classic"),
    ("connect_four:rows=3,columns=3,length=3", "", "additive_depth"),
    ("connect_four:rows=3,columns=3,length=3", "", "multiplicative_depth:average=7"),
    ("connect_four:rows=3,columns=3,length=3", "1 2", "mobility"),
    ("hex:size=3", "", "additive_depth"),
    ("othello:size=4", "b1 a1", "score"),
    ("othello:size=4", "b1 a1", "presence"),
    ("clobber:rows=2,columns=4", "", "mobility"),
    ("clobber:rows=2,columns=4", "", "presence"),
    ("breakthrough:rows=5,columns=2", "", "presence"),
    ("breakthrough:rows=5,columns=2", "", "additive_depth"),
]


@pytest.mark.parametrize(("name", "moves", "text"), SEARCHED)
def test_searches_agree_with_plain_minimax(name: str, moves: str, text: str) -> None:
    heuristic = make_heuristic(glaux.make(name), text)
    game = heuristic.game
    root = game.play(moves)
    minimax = Minimax(game, heuristic.name)
    expected = minimax.value(root.data)
    assert abs(expected) <= heuristic.scale * 4

    # Alpha-beta to the end of the match has no opinions: its value is f_t alone.
    options = _core.AlphaBetaOptions()
    options.depth, options.completion, options.memory = game.spec.max_plies, False, 1 << 28
    search = glaux.AlphaBeta(game, depth=game.spec.max_plies, completion=False)
    search.native = _core.AlphaBeta(game.native, heuristic.native, options)
    assert search.run(root).value == expected

    # Descent with a value function that knows the truth must find it confirmed by every end it sees.
    truth = glaux.OnStates(lambda states: np.array([minimax.value(s.tobytes()) for s in states], np.float32))
    descent = glaux.Descent(game, truth, completion=False, terminal_value=heuristic.native)
    tree = descent.run(root, iterations=60)
    assert tree.value == expected
    states, values = tree.learnable()
    assert {game.native.status(s.tobytes()).terminal for s in states} == {True, False}
    for state, found in zip(states, values, strict=True):
        assert found == minimax.value(state.tobytes())

    # With completion and no value at all it proves who wins, whatever the unit.
    proof = glaux.Descent(game, terminal_value=heuristic.native).run(root, seconds=600)
    assert proof.resolved
    assert np.sign(proof.value) == np.sign(expected)
    best = max if game.first_player(root) else min
    assert best(row.c for row in proof.children()) == np.sign(expected)


@pytest.mark.parametrize(
    ("kind", "what"), [("Scoring", "a score"), ("CumulativeMobility", "mobility"), ("Presence", "pieces")]
)
def test_a_search_of_a_game_without_the_measure(kind: str, what: str) -> None:
    """The native heuristics refuse, rather than take 0 for a measure."""
    tiny = glaux.make("connect_four:rows=3,columns=3,length=3")
    search = glaux.Descent(tiny, terminal_value=getattr(_core, kind)())
    with pytest.raises(InvalidParameter, match=f"needs {what}, which Connect Four does not have here"):
        search.run(tiny.initial(), iterations=50)
