"""Rules in Python for many states at once: the same answers as for each of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import BrokenRules
from glaux.rules.python import Rules
from tests.contract import check_match

FILE = Path("docs/examples/domineering.py")
METHODS = ("actions", "apply", "outcome", "first_player", "cells", "encode")


def rules() -> Any:
    return type(glaux.make(str(FILE)).adapter.rules)  # type: ignore[union-attr]


def without(*methods: str) -> glaux.Game:
    """Domineering that is asked state by state for these."""
    names = [f"batch_{method}" for method in methods]
    kind = type("Plain", (rules(),), {name: getattr(Rules, name) for name in names})
    return glaux.make(kind)


def positions(game: glaux.Game) -> list[glaux.State]:
    rng, found = np.random.default_rng(1), []
    for _ in range(5):
        state = game.initial()
        while not game.terminal(state):
            found.append(state)
            state = game.apply(state, int(rng.choice(game.actions(state))))
        found.append(state)
    return found


@pytest.mark.parametrize("left_out", [("apply",), ("outcome",), ("first_player",), METHODS[1:]])
def test_answers_do_not_depend_on_what_is_offered(left_out: tuple[str, ...]) -> None:
    game, plain = glaux.make(str(FILE)), without(*left_out)
    for state in positions(game):
        same = plain.state(state.data)
        ours, theirs = game.expand(state), plain.expand(same)
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(mine, other)
        assert [game.apply(state, a).data for a in game.actions(state)] == [
            c.tobytes() for c in ours.children
        ]
        np.testing.assert_array_equal(game.cells(state), plain.cells(same))
    states = positions(game)
    np.testing.assert_array_equal(game.encode(states), plain.encode([plain.state(s.data) for s in states]))


def test_random_matches_that_are_played_together() -> None:
    game = glaux.make(str(FILE))
    ends = game.states(game.playouts(game.initial(), 200, seed=3))
    assert all(game.terminal(end) for end in ends)
    assert {game.outcome(end) for end in ends} == {1, -1}
    stones = [(game.cells(end) != 0).sum() for end in ends]
    assert stones == [2 * game.ply(end) for end in ends], "a domino an action"
    assert (game.playouts(game.initial(), 200, seed=3) == game.array(ends)).all(), "the same seed"
    plain = without("apply")
    lengths = [np.mean([g.ply(s) for s in g.states(g.playouts(g.initial(), 400))]) for g in (game, plain)]
    assert lengths[0] == pytest.approx(lengths[1], rel=0.05), "uniform over the legal actions, both"


def test_the_contract() -> None:
    check_match(glaux.make(str(FILE)), seed=1)


@pytest.mark.parametrize(
    ("method", "answer", "said"),
    [
        ("batch_outcome", lambda self, s: np.full(len(s), 7), "batch_outcome gave a number that is not"),
        ("batch_outcome", lambda self, s: [1], "batch_outcome gave an array of shape"),
        ("batch_apply", lambda self, s, a: s, "batch_apply gave a value"),
        ("batch_first_player", lambda self, s: ["x"] * len(s), "batch_first_player gave something"),
    ],
)
def test_wrong_answers_are_named(method: str, answer: Any, said: str) -> None:
    game = glaux.make(type("Wrong", (rules(),), {method: answer}))
    with pytest.raises(BrokenRules, match=said):
        game.expand(game.initial())


def test_a_game_of_open_spiel_is_cut_off() -> None:
    game = glaux.make("open_spiel:game=tic_tac_toe,longest=4")
    [end] = game.states(game.playouts(game.initial(), 1))
    assert game.ply(end) == 4 and game.terminal(end) and game.outcome(end) == 0
    assert glaux.make("open_spiel:game=chess").spec.state_size < 1100
    with pytest.raises(glaux.errors.InvalidParameter, match="longest"):
        glaux.make("open_spiel:game=tic_tac_toe,longest=many")
