"""Policies: over the legal actions alone, in columns of examples and through symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import glaux
from glaux.errors import InvalidParameter
from glaux.values.augmentation import augmented
from glaux.values.calibration import random_positions
from glaux.values.examples import Examples
from glaux.values.policies import drawn, drawn_each, in_rows, is_legal, weights_of
from tests.boards import GAMES


def test_numbers_of_legal_actions_as_rows() -> None:
    offsets = np.array([0, 2, 2, 5])
    flat = np.arange(1, 6, dtype=np.float32)
    assert is_legal(offsets, 4).sum(1).tolist() == [2, 0, 3]
    assert in_rows(flat, offsets, 4).tolist() == [[1, 2, 0, 0], [0, 0, 0, 0], [3, 4, 5, 0]]


def test_weights_are_a_softmax_of_each_state_but_for_the_sum() -> None:
    rng = np.random.default_rng(1)
    logits, offsets = rng.normal(0, 30, 9).astype(np.float32), np.array([0, 0, 4, 4, 5, 9, 9])
    weights = weights_of(logits, offsets)
    for a, b in ((0, 4), (4, 5), (5, 9)):
        exact = np.exp(logits[a:b].astype(np.float64) - logits[a:b].max())
        assert weights[a:b] == pytest.approx(exact, rel=1e-5)
        assert weights[a:b].max() == 1
    assert weights_of(np.full(2, 3e38, np.float32), np.array([0, 2])).tolist() == [1, 1]


@given(
    st.lists(st.floats(0, 1e6, width=32), min_size=1, max_size=9).filter(any),
    st.integers(0, 3),
    st.floats(0, 1, exclude_max=True),
)
def test_a_place_is_drawn_where_the_sum_passes_the_chance(
    weights: list[float], behind: int, chance: float
) -> None:
    rows = np.zeros((2, len(weights) + behind), np.float32)
    rows[0, : len(weights)], rows[1, 0] = weights, 1
    place, first = drawn_each(rows, np.array([chance, chance])).tolist()
    assert first == 0
    assert rows[0, place] > 0
    wanted, up_to = chance * sum(weights), sum(weights[: place + 1])
    slack = 1e-9 * sum(weights)
    assert up_to - weights[place] - slack <= wanted <= up_to + slack


def test_drawing_one_by_one_and_together_is_the_same() -> None:
    rows = np.random.default_rng(1).random((50, 7)).astype(np.float32)
    chances = np.array([np.random.default_rng(seed).random() for seed in range(50)])
    alone = [drawn(row, np.random.default_rng(seed)) for seed, row in enumerate(rows)]
    assert drawn_each(rows, chances).tolist() == alone


@pytest.mark.parametrize("name", GAMES)
def test_legal_actions_of_many_states(name: str) -> None:
    game = glaux.make(name)
    states = np.concatenate([random_positions(game, 6, seed=1), game.playouts(game.initial(), 1, seed=1)])
    for symmetry in range(game.spec.symmetry_count):
        actions, offsets = game.native.legal(states, symmetry)
        for i, state in enumerate(game.states(states)):
            expected = [game.transform_action(state, a, symmetry) for a in game.actions(state)]
            assert actions[offsets[i] : offsets[i + 1]].tolist() == expected
    with pytest.raises(InvalidParameter, match="has the symmetries 0 to"):
        game.native.legal(states, game.spec.symmetry_count)


@pytest.mark.parametrize("name", GAMES)
def test_symmetric_copies_have_the_policy_of_their_actions(name: str) -> None:
    game, n = glaux.make(name), 6
    rng = np.random.default_rng(3)
    states = random_positions(game, n, seed=2)
    actions, offsets = game.native.legal(states)
    policies = in_rows(rng.random(len(actions), np.float32), offsets, game.spec.max_actions)
    given = Examples({"states": states, "values": np.zeros(n, np.float32), "policies": policies})
    copies = augmented(game, given, "all", rng)
    before = [
        dict(zip(game.actions(s), policies[i], strict=False)) for i, s in enumerate(game.states(states))
    ]
    for symmetry in range(game.spec.symmetry_count):
        part = copies.part(symmetry * n, (symmetry + 1) * n)
        for i, (seen, state) in enumerate(zip(game.states(part["states"]), game.states(states), strict=True)):
            after = dict(zip(game.actions(seen), part["policies"][i], strict=False))
            assert len(after) == len(before[i])
            for action, p in before[i].items():
                assert after[game.transform_action(state, action, symmetry)] == p
            assert not part["policies"][i, len(after) :].any()
