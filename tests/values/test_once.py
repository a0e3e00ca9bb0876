"""A network that is asked once for each state: its answers, what it is given, and how much is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.learn.alphazero import AlphaZero, AlphaZeroConfig
from glaux.learn.registry import read_config
from glaux.rules.batch import Batch
from glaux.values.calibration import random_positions
from glaux.values.networks.once import Once, once

pytest.importorskip("torch")

TINY: dict[str, Any] = {"family": "policy", "architecture": "small-policy", "depth": 1, "filters": 4}


def network(text: str, **changes: Any) -> glaux.PolicyNetwork:
    game = glaux.make(text)
    value = glaux.values.networks.policy_network.PolicySettings(**TINY | changes)
    return value.begin(game, scale=1.0, bounded=True, seed=3)


def batch_of(game: glaux.Game, states: np.ndarray, ask: bool = True) -> Batch:
    actions, offsets = game.native.legal(states, 0, _core.trusted)
    if not ask:
        actions, offsets = actions[:0], offsets[:1]
    return Batch(states, game.native.encode(states, _core.trusted), actions, offsets)


@pytest.mark.parametrize("text", ["connect_four", "othello:size=6", "hex:size=4"])
@pytest.mark.parametrize("policy", ["pointwise", "convolutional"])
@pytest.mark.parametrize("entries", [5, 40, 10_000])
def test_the_answers_are_those_of_the_network(text: str, policy: str, entries: int, seed: int) -> None:
    value = network(text, policy=policy)
    rng = np.random.default_rng(seed)
    pool = random_positions(value.game, 60, seed=seed)
    asked = Once(value, memory=entries * 4 * (1 + value.width))
    assert asked.entries == entries
    for _ in range(12):
        states = np.ascontiguousarray(pool[rng.integers(0, len(pool), rng.integers(1, 30))])
        for ask in (True, False):
            batch = batch_of(value.game, states, ask)
            mine, theirs = asked.answer(batch), value.answer(batch)
            assert np.asarray(mine.values) == pytest.approx(np.asarray(theirs.values), abs=1e-5)
            if ask:
                assert np.asarray(mine.priors) == pytest.approx(np.asarray(theirs.priors), abs=1e-4)
            else:
                assert mine.priors is None
    if entries == 10_000:
        assert asked.evaluated <= len({row.tobytes() for row in pool}) < asked.asked


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
