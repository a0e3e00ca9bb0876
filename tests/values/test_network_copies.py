"""Networks that are saved, copied, moved to another device or another size of the board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

import glaux
from glaux.errors import InvalidParameter
from glaux.values import saving
from glaux.values.networks.adam import Adam
from glaux.values.networks.network import NeuralNetwork
from glaux.values.networks.presets import preset
from tests.values.positions import sign_accuracy, terminal_pairs
from tests.values.small_networks import CONNECT_FOUR, OTHELLO, TINY, pairs


def reloaded(value: NeuralNetwork, path: Path) -> NeuralNetwork:
    value.save(path)
    saved = saving.read(path)
    assert saved.family == "network"
    twin = NeuralNetwork.make(value.game, saved.settings)
    twin.restore(saved.weights, saved.optimizer)
    return twin


def test_what_is_restored_is_what_was_saved(tmp_path: Path) -> None:
    states, values = pairs(OTHELLO, 200)
    architecture = preset("small-pooled", squeeze=True, scale=3.5).architecture
    value = NeuralNetwork(OTHELLO, architecture, adam=Adam(rate=0.002), seed=4)
    value.fit(states, values)
    twin = reloaded(value, tmp_path)
    assert twin.settings() == value.settings()
    assert twin.evaluate(states).tobytes() == value.evaluate(states).tobytes()
    # Learning goes on as if nothing had happened.
    for network in (value, twin):
        network.fit(states, values, epochs=2, seed=3)
    assert twin.evaluate(states).tobytes() == value.evaluate(states).tobytes()
    for name, array in value.optimizer().items():
        assert np.array_equal(array, twin.optimizer()[name])


def test_without_the_optimizer_only_the_values_are_kept(tmp_path: Path) -> None:
    states, values = pairs(CONNECT_FOUR, 100)
    value = NeuralNetwork(CONNECT_FOUR, TINY)
    assert value.optimizer() == {}
    value.fit(states, values)
    assert value.optimizer()["step"] == 1
    value.save(tmp_path, optimizer=False)
    twin = NeuralNetwork(CONNECT_FOUR, TINY)
    twin.restore(saving.read(tmp_path).weights, {})
    assert twin.optimizer() == {}
    assert twin.evaluate(states).tobytes() == value.evaluate(states).tobytes()
    value.restore(value.weights(), {})
    assert value.optimizer() == {}


def test_bad_settings_and_weights() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY)
    settings, weights = value.settings(), value.weights()
    with pytest.raises(InvalidParameter, match="A network's file has no setting 'sed': did you mean 'seed'"):
        NeuralNetwork.make(CONNECT_FOUR, settings | {"sed": 1})
    with pytest.raises(InvalidParameter, match="A network's file lacks the setting 'adam'"):
        NeuralNetwork.make(CONNECT_FOUR, {"architecture": settings["architecture"], "seed": 1})
    with pytest.raises(InvalidParameter, match="A network has no setting 'layers'"):
        NeuralNetwork.make(CONNECT_FOUR, settings | {"architecture": {"layers": 3}})
    with pytest.raises(InvalidParameter, match=r"The weights lack 'output\.bias'"):
        value.restore({k: v for k, v in weights.items() if k != "output.bias"}, {})
    with pytest.raises(InvalidParameter, match="The weights have 'more', which this network lacks"):
        value.restore(weights | {"more": weights["output.bias"]}, {})
    with pytest.raises(InvalidParameter, match=r"'output\.bias' as float64\[1\], .* needs float32\[1\]"):
        value.restore(weights | {"output.bias": np.zeros(1)}, {})
    with pytest.raises(InvalidParameter, match=r"'output\.bias' as float32\[2\], .* needs float32\[1\]"):
        value.restore(weights | {"output.bias": np.zeros(2, np.float32)}, {})
    with pytest.raises(InvalidParameter, match="The moments of Adam lack 'first_moment"):
        value.restore(weights, {"first_moment.output.bias": np.zeros(1, np.float32)})
    learned = NeuralNetwork(CONNECT_FOUR, TINY)
    learned.fit(*pairs(CONNECT_FOUR, 10))
    moments = learned.optimizer()
    value.restore(weights, moments)
    with pytest.raises(InvalidParameter, match="second moments can't be negative"):
        value.restore(weights, moments | {"second_moment.output.bias": -np.ones(1, np.float32)})
    other = NeuralNetwork(OTHELLO, TINY).weights()
    with pytest.raises(InvalidParameter, match=r"'hidden\.0\.weight' as float32"):
        value.restore(other, {})
    assert all(np.array_equal(array, weights[name]) for name, array in value.weights().items())


def test_a_copy_goes_its_own_way() -> None:
    states, values = pairs(CONNECT_FOUR, 100)
    value = NeuralNetwork(CONNECT_FOUR, TINY, threads=2)
    value.fit(states, values)
    before = value.evaluate(states)
    twin = value.copy()
    assert twin.threads == 2 and twin.learned == value.learned
    twin.fit(states, values)
    assert value.evaluate(states).tobytes() == before.tobytes()
    assert twin.evaluate(states).tobytes() != before.tobytes()
    value.fit(states, values)
    assert value.evaluate(states).tobytes() == twin.evaluate(states).tobytes()


def test_a_snapshot_keeps_device_and_threads() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY, device="cpu", threads=3)
    for twin in (value.snapshot(), value.copy()):
        assert (twin.device, twin.threads) == ("cpu", 3)
        assert np.array_equal(twin.evaluate(CONNECT_FOUR.initial()), value.evaluate(CONNECT_FOUR.initial()))


def test_weights_are_a_copy() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY)
    weights = value.weights()
    value.fit(*pairs(CONNECT_FOUR, 20))
    assert any(not np.array_equal(array, weights[name]) for name, array in value.weights().items())
    assert sum(array.size for array in weights.values()) == value.weight_count


def test_place_keeps_what_was_learned() -> None:
    states, values = pairs(CONNECT_FOUR, 50)
    value, twin = (NeuralNetwork(CONNECT_FOUR, TINY, seed=1) for _ in range(2))
    for network in (value, twin):
        network.fit(states, values)
    value.place("cpu", threads=2)
    assert (value.device, value.threads) == ("cpu", 2)
    value.place("cpu")
    for network in (value, twin):
        network.fit(states, values)
    assert value.evaluate(states).tobytes() == twin.evaluate(states).tobytes()


@pytest.mark.slow
def test_a_network_of_hex_5_starts_hex_7() -> None:
    small, large = glaux.make("hex", size=5), glaux.make("hex", size=7)
    value = NeuralNetwork(small, "small-pooled", seed=1)
    value.fit(*terminal_pairs(small, 4000, seed=1))
    twin = value.resized(large)
    assert twin.game == large and twin.learned == value.learned
    assert twin.history == [{"resized": {"from": small.text, "to": large.text}}]
    for name, array in value.weights().items():
        assert np.array_equal(array, twin.weights()[name])
    states, outcomes = terminal_pairs(large, 1000, seed=2)
    assert sign_accuracy(value.resized(large), states, outcomes) > 0.9
    twin.fit(states, outcomes)
    assert value.learned < twin.learned


def test_networks_that_can_not_be_resized() -> None:
    hex_5, hex_7 = glaux.make("hex", size=5), glaux.make("hex", size=7)
    with pytest.raises(
        InvalidParameter, match="fit one board size only: to resize, use an architecture with"
    ):
        NeuralNetwork(hex_5, TINY).resized(hex_7)
    with pytest.raises(InvalidParameter, match="A network of hex can't be resized to othello"):
        NeuralNetwork(hex_5, "small-pooled").resized(OTHELLO)
    with pytest.raises(InvalidParameter, match="has 5 input planes, and hex:size=5,swap=0 has 4"):
        NeuralNetwork(hex_5, "small-pooled").resized(glaux.make("hex", size=5, swap=False))


def test_another_rule_on_the_same_board_is_no_change_of_size() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY, seed=1)
    twin = value.resized(glaux.make("connect_four", length=3))
    assert twin.evaluate(twin.game.initial()) == value.evaluate(CONNECT_FOUR.initial())
