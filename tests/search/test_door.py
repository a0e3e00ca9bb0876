"""The typed form of the door: batches with legal actions, answers with sparse priors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glaux
from glaux import State, _core
from glaux.errors import BrokenValue, InvalidParameter
from glaux.search.door import Answer, Answers, Batch
from glaux.search.mcts import TreeSearch
from glaux.search.puct import PolicySearch
from glaux.search.registry import SEARCHES, make_search
from tests.search.mcts_games import on_states, policy_on_states, scripted

GAME = glaux.make("connect_four:rows=4,columns=4,length=3")
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
WITHOUT_PRIORS = [name for name in SEARCHES if not isinstance(make_search(name, GAME), PolicySearch)]


class Scripted:
    """The scripted values and weights of actions, noting its batches."""

    def __init__(self, *, planes: bool = False, priors: bool = True) -> None:
        self.planes = planes
        self.priors = priors
        self.batches: list[Batch] = []

    def answer(self, batch: Batch) -> Answer:
        self.batches.append(
            Batch(batch.states.copy(), batch.planes, batch.actions.copy(), batch.offsets.copy())
        )
        assert (batch.planes is not None) == self.planes
        if batch.planes is not None:
            np.testing.assert_array_equal(batch.planes, GAME.encode(batch.states))
        f = scripted(GAME)
        values = [f(State(GAME, row.tobytes())) for row in batch.states]
        return Answer(values, WEIGHTS[batch.actions] if self.priors else None)


def test_priors_are_over_the_legal_actions() -> None:
    value = Scripted()
    assert isinstance(value, Answers)
    state = GAME.play("1 1 1 1 3")  # the first column is full
    tree = glaux.MCTS(GAME, policy=value, seed=1).run(state, iterations=100)
    dense = policy_on_states(GAME, scripted(GAME), WEIGHTS.tolist())
    assert tree.children() == glaux.MCTS(GAME, policy=dense, seed=1).run(state, iterations=100).children()
    for batch in value.batches:
        assert len(batch) == len(batch.offsets) - 1 == 1
        legal = GAME.actions(State(GAME, batch.states[0].tobytes()))
        assert batch.actions.tolist() == legal
    assert isinstance(tree.search, TreeSearch)
    assert tree.search.priors(state).tolist() == pytest.approx([2 / 9, 3 / 9, 4 / 9])


def test_a_batch_of_many_searches() -> None:
    """Those that want no priors have no actions in it."""
    value, states = Scripted(), [GAME.initial(), GAME.play("1 1 1 1 3"), GAME.play("2"), GAME.play("3 3")]
    kinds = [
        lambda f: glaux.MCTS(GAME, policy=f, seed=1),
        lambda f: glaux.MCTS(GAME, policy=f, seed=2),
        lambda f: glaux.MCTS(GAME, f, seed=3),
        lambda f: glaux.Descent(GAME, f, seed=4),
    ]
    trees = glaux.run_many([kind(value) for kind in kinds], states, iterations=20)
    assert value.batches[0].actions.tolist() == [0, 1, 2, 3, 1, 2, 3]
    assert value.batches[0].offsets.tolist() == [0, 4, 7, 7] + [7] * (len(value.batches[0]) - 3)
    assert max(len(batch) for batch in value.batches) > 4
    for kind, state, tree in zip(kinds, states, trees, strict=True):
        assert tree.children() == kind(Scripted()).run(state, iterations=20).children()


def test_without_priors_all_actions_are_equally_likely() -> None:
    value = Scripted(planes=True, priors=False)
    search = glaux.MCTS(GAME, policy=value, seed=1)
    search.run(GAME.initial(), iterations=30)
    assert search.priors(GAME.initial()).tolist() == [0.25] * 4


@pytest.mark.parametrize("name", WITHOUT_PRIORS)
def test_searches_without_priors_take_answers(name: str, seed: int) -> None:
    value = Scripted(planes=True)
    tree = make_search(name, GAME, value, {"seed": seed}).run(GAME.initial(), iterations=3)
    plain = make_search(name, GAME, on_states(GAME, scripted(GAME)), {"seed": seed})
    assert tree.children() == plain.run(GAME.initial(), iterations=3).children()
    assert all(len(batch.actions) == 0 and batch.offsets.tolist() == [0] for batch in value.batches)


def test_gathering_from_all_actions() -> None:
    states = GAME.array([GAME.initial(), GAME.play("1 1 1 1 3")])
    batch = Batch(states, None, np.array([0, 1, 2, 3, 1, 2, 3], np.int32), np.array([0, 4, 7]))
    dense = np.arange(8, dtype=np.float32).reshape(2, 4)
    assert batch.gather(dense).tolist() == [0, 1, 2, 3, 5, 6, 7]
    assert len(Batch(states, None, np.empty(0, np.int32), np.zeros(1, np.int64)).gather(dense)) == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Answer([0.0], [1.0]), "a prior for each of the 4 legal actions"),
        (Answer([0.0], "many"), "must be arrays of numbers"),
        (Answer([0.0, 1.0]), "2 values for 1 states"),
        (Answer([np.nan]), "not a finite number"),
        ([0.0], "must return an Answer, not list"),
    ],
)
def test_wrong_answers(given: Any, message: str) -> None:
    class Wrong:
        def answer(self, batch: Batch) -> Answer:
            return given

    search = glaux.MCTS(GAME, policy=Wrong())
    with pytest.raises(BrokenValue, match=message):
        search.run(GAME.initial(), iterations=3)
    search.value = Scripted()
    assert search.run(GAME.initial(), iterations=3).action in range(4)


def test_what_is_no_value_function() -> None:
    with pytest.raises(InvalidParameter, match="A value function must be"):
        glaux.Descent(GAME, 7)  # type: ignore[arg-type]
    assert isinstance(_core.ZeroValue(), _core.Evaluator)
