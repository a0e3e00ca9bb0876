"""A network that is asked once for each state: its answers, what it is given, and how much is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.learn.alphazero import AlphaZero, AlphaZeroConfig
from glaux.learn.registry import read_config
from glaux.search.lockstep import LockStep
from glaux.values.calibration import random_positions
from glaux.values.networks.once import Once, once
from glaux.values.policies import in_rows

pytest.importorskip("torch")

TINY: dict[str, Any] = {"family": "policy", "architecture": "small-policy", "depth": 1, "filters": 4}


def network(text: str, **changes: Any) -> glaux.PolicyNetwork:
    game = glaux.make(text)
    value = glaux.values.networks.policy_network.PolicySettings(**TINY | changes)
    return value.begin(game, scale=1.0, bounded=True, seed=3)


def said(value: Any, game: glaux.Game, states: np.ndarray) -> list[tuple[float, list[float]]]:
    """The value and the priors of each state, as searches in lock-step get them; ends are left out."""
    lockstep: LockStep[int] = LockStep(value, background=False)
    answers: dict[int, tuple[float, list[float]]] = {}
    for i, state in enumerate(map(game.state, states)):
        if not game.terminal(state):
            lockstep.start(i, glaux.PUCT(game, value, memory=1 << 20), state, iterations=1)
    for i, tree in lockstep.finished():
        priors = tree.priors()
        assert priors is not None
        answers[i] = tree.value, priors.tolist()
    return [answers[i] for i in sorted(answers)]


@pytest.mark.parametrize("text", ["connect_four", "othello:size=6", "hex:size=4"])
@pytest.mark.parametrize("policy", ["pointwise", "convolutional"])
@pytest.mark.parametrize("entries", [5, 40, 10_000])
def test_the_answers_are_those_of_the_network(text: str, policy: str, entries: int, seed: int) -> None:
    value = network(text, policy=policy)
    rng = np.random.default_rng(seed)
    pool = random_positions(value.game, 60, seed=seed)
    asked = Once(value, memory=entries * 4 * (1 + value.width))
    assert asked.entries == entries
    for _ in range(6):
        states = np.ascontiguousarray(pool[rng.integers(0, len(pool), rng.integers(2, 30))])
        mine, theirs = said(asked, value.game, states), said(value, value.game, states)
        assert len(mine) == len(theirs)
        for (v, p), (w, q) in zip(mine, theirs, strict=True):
            assert v == pytest.approx(w, abs=1e-5)
            assert p == pytest.approx(q, abs=1e-4)
    if entries == 10_000:
        assert asked.evaluated <= len({row.tobytes() for row in pool}) < asked.asked


@pytest.mark.parametrize("text", ["connect_four", "othello:size=6", "hex:size=4"])
def test_weights_without_a_search_are_those_of_the_network(text: str, seed: int) -> None:
    value = network(text)
    states = random_positions(value.game, 40, seed=seed)
    states = np.concatenate([states, states[::2]])
    asked = Once(value)
    actions, offsets, weights = asked.weights(states)
    assert [array.tolist() for array in (actions, offsets)] == [
        array.tolist() for array in value.game.native.legal(states)
    ]
    rows = in_rows(weights, offsets, value.game.spec.max_actions)
    assert rows / rows.sum(1, keepdims=True) == pytest.approx(value.policies(states), abs=1e-5)
    assert asked.evaluated == len(np.unique(states, axis=0)) < asked.asked == len(states)


def test_a_search_that_asks_for_no_priors_gets_values() -> None:
    value = network("hex:size=4")
    states = random_positions(value.game, 5, seed=1)
    asked = Once(value)
    for state in map(value.game.state, states):
        mine = glaux.Descent(value.game, asked, seed=1).run(state, iterations=2)
        theirs = glaux.Descent(value.game, value, seed=1).run(state, iterations=2)
        assert [row.v for row in mine.children()] == pytest.approx([row.v for row in theirs.children()])


@pytest.mark.parametrize(
    "given",
    [
        np.zeros(3, np.float32),
        (np.zeros(1, np.float32), np.zeros((1, 3), np.float32)),
        (np.zeros(2, np.float32), np.zeros((2, 16), np.float32)),
        ("no", np.zeros((1, 16), np.float32)),
    ],
)
def test_outputs_of_another_shape_are_refused(given: Any) -> None:
    game = glaux.make("hex:size=4,swap=false")
    broken = _core.PolicyValue(lambda _planes: given, np.arange(16), 16, 100)
    with pytest.raises(glaux.errors.BrokenValue, match="1 values and as many rows of 16 logits"):
        glaux.PUCT(game, broken).run(game.initial(), iterations=1)


def test_an_error_of_the_network_leaves_nothing_behind() -> None:
    game = glaux.make("hex:size=4,swap=false")
    fails = [True]

    def outputs(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if fails.pop():
            raise RuntimeError("no")
        fails.append(False)
        return np.full(len(planes), 0.25, np.float32), np.zeros((len(planes), 16), np.float32)

    value = _core.PolicyValue(outputs, np.arange(16), 16, 100)
    search = glaux.PUCT(game, value)
    with pytest.raises(RuntimeError, match="no"):
        search.run(game.initial(), iterations=1)
    fails.append(False)
    assert search.run(game.initial(), iterations=1).value == 0.25
    assert (value.asked, value.evaluated) == (2, 1)


@pytest.mark.parametrize(("first", "then"), [(4, 5), (5, 11), (11, 5)])
def test_what_is_kept_is_of_one_game(first: int, then: int) -> None:
    """Initial states of Hex have the same bytes at sizes 4 and 5, and more of them at 11."""

    def outputs(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return planes[:, :2].sum(axis=(1, 2, 3)), np.zeros((len(planes), 1), np.float32)

    value = _core.PolicyValue(outputs, np.zeros(1, np.int64), 1, 100)
    for size in (first, then):
        game = glaux.make("hex", size=size)
        states = np.stack([np.frombuffer(game.play(text).data, np.uint8) for text in ("", "a1", "a1 b2")])
        # The edges of both players, and a stone a move.
        assert value.evaluate(game.native, states).tolist() == [4 * size, 4 * size + 1, 4 * size + 2]


def test_places_and_actions_must_fit() -> None:
    game = glaux.make("hex:size=4,swap=false")
    with pytest.raises(glaux.errors.InvalidParameter, match="below its width, 16, not 16"):
        _core.PolicyValue(len, np.arange(17), 16, 100)
    few = _core.PolicyValue(len, np.arange(9), 9, 100)
    with pytest.raises(glaux.errors.InvalidParameter, match="for 9 actions, but the game has 16"):
        glaux.PUCT(game, few).run(game.initial(), iterations=1)


def test_matches_of_a_round_ask_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states that a network is given in a round are different, and fewer than the searches have asked."""
    table = {
        "game": "connect_four",
        "learner": "alphazero",
        "value": TINY,
        "lockstep": 12,
        "search": {"iterations": 10, "memory": 8},
    }
    config = read_config(table)
    assert isinstance(config, AlphaZeroConfig)
    learner = AlphaZero(config)
    assert isinstance(learner.value, glaux.PolicyNetwork)
    given: list[bytes] = []
    outputs = learner.value.outputs

    def watched(planes: np.ndarray) -> Any:
        given.extend(row.tobytes() for row in planes)
        return outputs(planes)

    monkeypatch.setattr(learner.value, "outputs", watched)
    played = learner.team.workers[0].play(None, range(1, 13), 0.0)
    assert 0 < len(given) < 0.95 * sum(match.evaluations for match in played)
    counts = np.unique(np.array(given), return_counts=True)[1]
    assert (counts == 1).mean() > 0.9  # the last match that is left is served alone


def test_other_value_functions_stay_as_they_are() -> None:
    value = glaux.NTupleNetwork(glaux.make("hex:size=3"), count=3, length=3)
    assert once(value) is value
