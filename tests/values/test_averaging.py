"""A rate that falls over a training, and weights that are averaged, against plain numpy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

import onnxruntime

import glaux
from glaux.errors import InvalidFile, InvalidParameter
from glaux.values.examples import Examples
from glaux.values.examples import pairs as as_examples
from glaux.values.families import read_settings
from glaux.values.loading import load
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import Architecture
from glaux.values.networks.network import NeuralNetwork
from glaux.values.networks.policy_network import PolicyNetwork
from tests.values.positions import positions

TINY = Architecture(depth=1, filters=4, padding=True, dense=6)
GAME = glaux.make("connect_four:rows=4,columns=4,length=3")
STATES = GAME.array(positions(GAME, 96))
BATCH = 16


def batches() -> list[Examples]:
    values = np.random.default_rng(1).uniform(-1, 1, len(STATES)).astype(np.float32)
    return [as_examples(STATES[i : i + BATCH], values[i : i + BATCH]) for i in range(0, len(STATES), BATCH)]


def network(**adam: Any) -> NeuralNetwork:
    return NeuralNetwork(GAME, TINY, adam=Adam(**adam), seed=2)


def equal(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


# The rate


def test_the_rate_falls_along_a_cosine() -> None:
    adam = Adam(rate=0.01, schedule="cosine", rate_end=0.2)
    shares = (0.0, 0.25, 1 / 3, 0.5, 1.0, 1.5)
    left = (1.0, (1 + math.sqrt(0.5)) / 2, 0.75, 0.5, 0.0, 0.0)
    expected = [0.01 * (0.2 + 0.8 * share) for share in left]
    assert [adam.rate_at(share) for share in shares] == pytest.approx(expected, rel=1e-12)
    assert [Adam(rate=0.01).rate_at(share) for share in shares] == [0.01] * len(shares)


def test_steps_are_taken_at_the_rate_of_the_progress() -> None:
    """Adam's steps are in proportion to its rate."""
    steps = {}
    for progress in (0.0, 0.5, 1.0):
        value = network(rate=1e-3, schedule="cosine", rate_end=0.1, l2=0.0)
        before = value.weights()
        value.progress = progress
        value.learn(batches()[0])
        steps[progress] = np.concatenate([(value.weights()[k] - before[k]).ravel() for k in before])
    largest = [float(np.abs(steps[progress]).max()) for progress in (0.0, 0.5, 1.0)]
    assert largest == pytest.approx([1e-3, 5.5e-4, 1e-4], rel=0.01)


def test_a_constant_rate_does_not_see_the_progress() -> None:
    one, other = network(rate_end=0.0), network()
    one.progress = 1.0
    for batch in batches():
        one.learn(batch)
        other.learn(batch)
    assert equal(one.weights(), other.weights())
    assert other.figures() == {}


def test_the_rate_is_reported_if_it_falls() -> None:
    value = network(rate=0.002, schedule="cosine", rate_end=0.5)
    assert value.figures() == {"rate": 0.002}
    value.progress = 1.0
    assert value.figures() == {"rate": 0.001}
    assert value.copy().figures() == {"rate": 0.001}


# The average


def test_the_average_is_that_of_numpy() -> None:
    """First the mean of all the weights that there were, then a moving one; those that learn are the same."""
    over = 3 * BATCH
    plain, averaged = network(rate=0.01), network(rate=0.01, averaging=over)
    assert equal(plain.weights(), averaged.weights())
    expected: dict[str, np.ndarray] = {}
    for step, batch in enumerate(batches(), 1):
        plain.learn(batch)
        averaged.learn(batch)
        share = 1 / min(step, 3)
        for name, weight in plain.weights().items():
            before = expected.get(name, np.zeros(weight.shape))
            expected[name] = (1 - share) * before + share * weight.astype(np.float64)
        for name, average in averaged.weights().items():
            assert average == pytest.approx(expected[name], abs=1e-6), (step, name)
        assert all(
            np.array_equal(averaged.optimizer()[f"learning.{name}"], weight)
            for name, weight in plain.weights().items()
        )
    assert averaged.optimizer()["averaged"].tolist() == [len(STATES)]


def test_the_average_evaluates_and_is_exported(tmp_path: Path) -> None:
    value = network(rate=0.05, averaging=1000)
    for batch in batches():
        value.learn(batch)
    plain = network()
    plain.restore(value.weights(), {})
    values = value.evaluate(STATES)
    assert np.array_equal(values, plain.evaluate(STATES))
    plain.restore({name: value.optimizer()[f"learning.{name}"] for name in value.weights()}, {})
    assert np.abs(values - plain.evaluate(STATES)).max() > 0.01
    session = onnxruntime.InferenceSession(
        value.export_onnx(tmp_path / "value.onnx").read_bytes(), providers=["CPUExecutionProvider"]
    )
    [found] = session.run(None, {"planes": GAME.encode(STATES)})
    assert found.ravel() == pytest.approx(values, abs=1e-5)
    with_module = value.module(value.module.output.weight.new_tensor(GAME.encode(STATES)))
    assert with_module.detach().numpy() == pytest.approx(values, abs=1e-5)


@pytest.mark.parametrize("settings", [{"averaging": 40.0}, {"averaging": 40.0, "schedule": "cosine"}])
def test_saved_and_loaded_it_goes_on_to_the_last_bit(settings: dict[str, Any], tmp_path: Path) -> None:
    value = PolicyNetwork(
        GAME, TINY.with_changes(policy="pointwise"), adam=Adam(rate=0.01, **settings), seed=2
    )
    value.learn(batches()[0])
    value.save(tmp_path / "value")
    twins = [load(tmp_path / "value", GAME), value.copy()]
    for one in (value, *twins):
        one.progress = 0.7
        for batch in batches()[1:]:
            one.learn(batch)
    for twin in twins:
        assert equal(twin.weights(), value.weights()) and equal(twin.optimizer(), value.optimizer())
        assert np.array_equal(twin.evaluate(STATES), value.evaluate(STATES))
    to_play = value.snapshot()
    assert equal(to_play.weights(), value.weights()) and to_play.optimizer() == {}


def test_averaging_can_begin_and_end_with_another_training() -> None:
    """What evaluates stays as it is, whatever learns on."""
    value = network(rate=0.01)
    value.learn(batches()[0])
    before = value.weights()
    read_settings({"family": "network", "averaging": 50}, "network").go_on_with(value)
    assert value.adam.averaging == 50 and equal(value.weights(), before)
    value.learn(batches()[1])
    value.learn(batches()[2])
    before = value.weights()
    assert not equal({k: value.optimizer()[f"learning.{k}"] for k in before}, before)
    read_settings({"family": "network", "averaging": 0}, "network").go_on_with(value)
    assert equal(value.weights(), before)
    assert not any(name.startswith(("learning.", "averaged")) for name in value.optimizer())
    value.learn(batches()[3])


def test_mistakes(tmp_path: Path) -> None:
    for wrong, sentence in (
        ({"schedule": "cosin"}, "There is no schedule 'cosin': did you mean 'cosine'"),
        ({"rate_end": 2.0}, "rate_end must be a share of its rate"),
        ({"averaging": -1.0}, "averaging can't be negative"),
    ):
        with pytest.raises(InvalidParameter, match=sentence):
            Adam(**wrong)
    with pytest.raises(InvalidParameter, match="averaging"):
        read_settings({"family": "network", "averaging": -1}, "network")
    value = network(averaging=50)
    value.learn(batches()[0])
    weights, memory = value.weights(), value.optimizer()
    for changes, sentence in (
        ({"averaged": np.array([0], np.int64)}, "averaged over 0 examples"),
        ({"averaged": np.array([1.0])}, "'averaged' as float64"),
        ({"learning.output.bias": np.zeros(2, np.float32)}, r"trained weights have 'output\.bias' as"),
    ):
        with pytest.raises(InvalidParameter, match=sentence):
            value.restore(weights, memory | changes)
    for name in ("averaged", "learning.output.bias"):
        with pytest.raises(InvalidParameter, match="lack"):
            value.restore(weights, {key: array for key, array in memory.items() if key != name})
    assert equal(value.optimizer(), memory)
    broken = value.copy()
    broken._optimized.seen = -5
    broken.save(tmp_path / "value")
    with pytest.raises(InvalidFile, match="averaged over -5"):
        load(tmp_path / "value", GAME)
