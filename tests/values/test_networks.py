from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

import torch

import glaux
from glaux.errors import BrokenValue, InvalidParameter, InvalidState, MissingExtra, UnknownName
from glaux.learn.preset import configure
from glaux.learn.preset import presets as game_presets
from glaux.search.registry import SEARCHES, make_search
from glaux.values import saving
from glaux.values.examples import Examples
from glaux.values.networks import network as network_file
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import Architecture
from glaux.values.networks.network import NeuralNetwork
from glaux.values.networks.presets import preset
from tests.boards import GAMES
from tests.values.positions import positions, sign_accuracy, terminal_pairs

TINY = Architecture(depth=2, filters=8, padding=True, dense=12)
CONNECT_FOUR = glaux.make("connect_four")
OTHELLO = glaux.make("othello", size=6)


def pairs(game: glaux.Game, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Positions with values that have nothing to do with them: only a memory can learn them."""
    values = np.random.default_rng(seed).uniform(-1, 1, count)
    return game.array(positions(game, count, seed)), values.astype(np.float32)


def reloaded(value: NeuralNetwork, path: Path) -> NeuralNetwork:
    value.save(path)
    saved = saving.read(path)
    assert saved.family == "network"
    twin = NeuralNetwork.make(value.game, saved.settings)
    twin.restore(saved.weights, saved.optimizer)
    return twin


# Values


def test_values_are_those_of_the_module() -> None:
    value = NeuralNetwork(OTHELLO, preset("small", scale=36.0).architecture, seed=3)
    states = positions(OTHELLO, 600)
    with torch.inference_mode():
        expected = 36 * value.module(torch.from_numpy(OTHELLO.encode(states))).numpy()
    values = value.evaluate(states)
    assert values.dtype == np.float32 and np.ptp(values) > 0.1
    assert np.abs(values - expected).max() < 36e-4
    assert value.evaluate(states[5])[0] == pytest.approx(values[5], abs=1e-4)
    assert value.evaluate([]).shape == (0,)


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_take_a_network_as_it_is(name: str) -> None:
    value = NeuralNetwork(OTHELLO, TINY, seed=1)
    tree = make_search(name, OTHELLO, value, {"seed": 1}).run(OTHELLO.initial(), evaluations=500)
    assert tree.action in OTHELLO.actions(OTHELLO.initial())


def test_a_search_has_the_networks_values() -> None:
    value = NeuralNetwork(OTHELLO, TINY, seed=1)
    tree = glaux.UBFM(OTHELLO, value).run(OTHELLO.initial(), iterations=1)
    for row in tree.children():
        child = OTHELLO.apply(OTHELLO.initial(), row.action)
        assert row.v == pytest.approx(value.evaluate(child)[0], abs=1e-5)


def test_planes_of_another_size_are_refused() -> None:
    large = glaux.make("othello", size=8)
    with pytest.raises(
        InvalidParameter,
        match=r"^This network of othello:size=6 is for planes of the shape \[4, 6, 6\], not \[4, 8, 8\]\.$",
    ):
        NeuralNetwork(OTHELLO, TINY)(large.encode(large.initial()))


def test_games_in_python_have_networks_too() -> None:
    game = glaux.make("docs/examples/tic_tac_toe.py")
    value = NeuralNetwork(game, seed=1)
    states, outcomes = terminal_pairs(game, 300, seed=1)
    assert value.fit(states, outcomes, epochs=20).loss < 0.1
    assert glaux.UBFM(game, value).run(game.initial(), evaluations=50).value is not None


@pytest.mark.parametrize("name", ["small", "small-pooled", "R1"])
def test_every_game_has_a_network(name: str) -> None:
    for title in GAMES:
        game = glaux.make(title)
        value = NeuralNetwork(game, preset(name, filters=8).architecture)
        assert np.isfinite(value.evaluate(game.initial())).all()


# Learning


@pytest.mark.slow
def test_a_hundred_positions_are_learned_by_heart() -> None:
    states, values = pairs(CONNECT_FOUR, 100)
    value = NeuralNetwork(CONNECT_FOUR, adam=Adam(l2=0), seed=1)
    assert value.fit(states, values, epochs=1).loss > 0.2
    value.fit(states, values, epochs=300, batch_size=100)
    assert np.square(value.evaluate(states) - values).mean() < 1e-3
    assert value.learned == 301 * 100


@pytest.mark.slow
def test_values_beyond_one_are_learned_by_a_scale() -> None:
    states, values = pairs(CONNECT_FOUR, 100)
    scaled = preset("small", output="linear", scale=64.0).architecture
    value = NeuralNetwork(CONNECT_FOUR, scaled, adam=Adam(l2=0), seed=1)
    before = value.evaluate(states)
    fit = value.fit(states, 64 * values, batch_size=100)
    assert fit.loss == pytest.approx(np.square(before - 64 * values).mean(), rel=1e-4)
    value.fit(states, 64 * values, epochs=300, batch_size=100)
    assert np.abs(value.evaluate(states) - 64 * values).mean() < 2


def test_steps_are_those_of_adam_with_l2_in_the_loss() -> None:
    """Against Adam as Kingma and Ba write it, on the loss as ``adam.py`` writes it."""
    adam = Adam(rate=0.01, beta1=0.8, beta2=0.95, epsilon=1e-4, l2=0.05)
    scaled = TINY.with_changes(output="linear", scale=3.0)
    value, twin = (NeuralNetwork(CONNECT_FOUR, scaled, adam=adam, seed=2) for _ in range(2))
    states, values = pairs(CONNECT_FOUR, 20)
    planes, targets = torch.from_numpy(CONNECT_FOUR.encode(states)), torch.from_numpy(values)
    named = dict(twin.module.named_parameters())
    moments = {name: (torch.zeros_like(w), torch.zeros_like(w)) for name, w in named.items()}
    for t in range(1, 5):
        value.learn(Examples({"states": states, "values": values}))
        penalty = sum(w.square().sum() for name, w in named.items() if name.endswith("weight"))
        loss = ((3 * twin.module(planes) - targets).square().mean() + adam.l2 * penalty) / 3**2
        gradients = torch.autograd.grad(loss, list(named.values()))
        with torch.no_grad():
            for (name, weight), g in zip(named.items(), gradients, strict=True):
                m = adam.beta1 * moments[name][0] + (1 - adam.beta1) * g
                v = adam.beta2 * moments[name][1] + (1 - adam.beta2) * g * g
                moments[name] = (m, v)
                root = (v / (1 - adam.beta2**t)).sqrt()
                weight.sub_(adam.rate * (m / (1 - adam.beta1**t)) / (root + adam.epsilon))
    for name, array in value.weights().items():
        assert np.allclose(array, named[name].detach().numpy(), atol=2e-5), name


@pytest.mark.slow
def test_random_ends_of_othello_are_told_apart() -> None:
    """0.99 to 1.00 of the held-out winners over three seeds, where the more frequent one has 0.54."""
    states, outcomes = terminal_pairs(OTHELLO, 10_000, seed=1)
    value = NeuralNetwork(OTHELLO, seed=1)
    value.fit(states[2000:], outcomes[2000:], epochs=3, symmetry="random")
    assert sign_accuracy(value, states[:2000], outcomes[:2000]) > 0.9


def test_random_ends_of_hex_are_told_apart() -> None:
    """All of them; but who is to move says it, since the winner has always just moved."""
    game = glaux.make("hex", size=5)
    states, outcomes = terminal_pairs(game, 3000, seed=1)
    value = NeuralNetwork(game, seed=1)
    value.fit(states[1000:], outcomes[1000:], epochs=2)
    assert sign_accuracy(value, states[:1000], outcomes[:1000]) > 0.99


@pytest.mark.slow
def test_random_ends_of_hex_are_told_apart_by_the_stones() -> None:
    """0.97 of the held-out winners over two seeds, where the more frequent one has 0.58."""
    game = glaux.make("hex", size=5)
    states, outcomes = terminal_pairs(game, 10_000, seed=1)
    planes = game.encode(states)
    planes[:, 2:] = 0  # all but the stones
    value = NeuralNetwork(game, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(4):
        order = rng.permutation(np.arange(2000, len(states)))
        for start in range(0, len(order), 128):
            rows = order[start : start + 128]
            value._optimized.step(planes[rows], outcomes[rows])
    assert (np.sign(value(planes[:2000])) == outcomes[:2000]).mean() > 0.9


def test_a_rate_that_is_too_high_is_named() -> None:
    states, values = pairs(CONNECT_FOUR, 50)
    value = NeuralNetwork(CONNECT_FOUR, TINY.with_changes(output="linear"), adam=Adam(rate=1e30, l2=0))
    with pytest.raises(BrokenValue, match=r"no longer finite: a rate of 1e\+30 is too high for it"):
        value.fit(states, values, epochs=5)


def test_pytorchs_threads_and_generator_are_left_alone() -> None:
    before = torch.get_num_threads(), torch.random.get_rng_state()
    value = NeuralNetwork(CONNECT_FOUR, TINY, threads=2, seed=5)
    value.fit(*pairs(CONNECT_FOUR, 30))
    value.evaluate(CONNECT_FOUR.initial())
    assert torch.get_num_threads() == before[0]
    assert torch.equal(torch.random.get_rng_state(), before[1])


# Copies and files


def test_equal_seeds_give_equal_networks() -> None:
    states, values = pairs(OTHELLO, 200)
    first, second, other = (NeuralNetwork(OTHELLO, seed=seed) for seed in (7, 7, 8))
    assert not np.array_equal(first.evaluate(states), other.evaluate(states))
    for _ in range(2):
        assert first.evaluate(states).tobytes() == second.evaluate(states).tobytes()
        assert first.fit(states, values, seed=1).loss == second.fit(states, values, seed=1).loss


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


def test_weights_are_a_copy() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY)
    weights = value.weights()
    value.fit(*pairs(CONNECT_FOUR, 20))
    assert any(not np.array_equal(array, weights[name]) for name, array in value.weights().items())
    assert sum(array.size for array in weights.values()) == value.weight_count


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
    with pytest.raises(InvalidParameter, match="belong to one size of the board: use an architecture with"):
        NeuralNetwork(hex_5, TINY).resized(hex_7)
    with pytest.raises(InvalidParameter, match="A network of hex can't become one of othello"):
        NeuralNetwork(hex_5, "small-pooled").resized(OTHELLO)
    with pytest.raises(InvalidParameter, match="has 5 input planes and hex:size=5,swap=0 has 4: it can't"):
        NeuralNetwork(hex_5, "small-pooled").resized(glaux.make("hex", size=5, swap=False))


def test_another_rule_on_the_same_board_is_no_change_of_size() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY, seed=1)
    twin = value.resized(glaux.make("connect_four", length=3))
    assert twin.evaluate(twin.game.initial()) == value.evaluate(CONNECT_FOUR.initial())


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


def test_describe() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY)
    assert repr(value) == (
        f"<NeuralNetwork of {CONNECT_FOUR.text}: "
        f"2 convolutions of 8 filters, dense 12, tanh; {value.weight_count:,} weights>"
    )


# Bad input


def arguments(**arguments: Any) -> dict[str, Any]:
    return arguments


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        (arguments(architecture="smal"), UnknownName, "There is no network 'smal': did you mean 'small'?"),
        (
            arguments(architecture=preset("C", depth=4).architecture),
            InvalidParameter,
            "padding=True, or depth=2",
        ),
        (
            arguments(seed=-1),
            InvalidParameter,
            "The seed must be a whole number from 0 to 2\\^64 - 1, not -1",
        ),
        (
            arguments(seed="1"),
            InvalidParameter,
            "The seed must be a whole number from 0 to 2\\^64 - 1, not '1'",
        ),
        (arguments(threads=0), InvalidParameter, "The number of threads must be at least 1, not 0"),
        (arguments(device="gpu"), InvalidParameter, "There is no device 'gpu'"),
    ],
)
def test_bad_arguments(given: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        NeuralNetwork(OTHELLO, **given)


def test_every_seed_of_a_training_is_one_of_a_network() -> None:
    assert NeuralNetwork(CONNECT_FOUR, TINY, seed=2**64 - 1).seed == 2**64 - 1
    with pytest.raises(InvalidParameter, match="from 0 to 2"):
        NeuralNetwork(CONNECT_FOUR, TINY, seed=2**64)


def test_bad_pairs() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY)
    state = CONNECT_FOUR.initial()
    with pytest.raises(InvalidParameter, match="must be finite"):
        value.fit([state], [float("nan")])
    with pytest.raises(InvalidState, match="no states to learn from"):
        value.fit([], [])
    with pytest.raises(InvalidState, match="belongs to connect_four"):
        NeuralNetwork(OTHELLO, TINY).evaluate(state)


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
    with pytest.raises(InvalidParameter, match="The weights have 'more', which this network does not"):
        value.restore(weights | {"more": weights["output.bias"]}, {})
    with pytest.raises(InvalidParameter, match=r"'output\.bias' as float64\[1\], .* needs float32\[1\]"):
        value.restore(weights | {"output.bias": np.zeros(1)}, {})
    with pytest.raises(InvalidParameter, match=r"'output\.bias' as float32\[2\], .* needs float32\[1\]"):
        value.restore(weights | {"output.bias": np.zeros(2, np.float32)}, {})
    with pytest.raises(InvalidParameter, match="The moments of Adam lack 'first_moment"):
        value.restore(weights, {"first_moment.output.bias": np.zeros(1, np.float32)})
    other = NeuralNetwork(OTHELLO, TINY).weights()
    with pytest.raises(InvalidParameter, match=r"'hidden\.0\.weight' as float32"):
        value.restore(other, {})
    assert all(np.array_equal(array, weights[name]) for name, array in value.weights().items())


@pytest.mark.parametrize("package", ["torch", "onnx", "onnxruntime"])
def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setattr(network_file, "find_spec", lambda name: None if name == package else object())
    with pytest.raises(MissingExtra, match=rf"need the package {package}: pip install 'glaux\[deep\]'\."):
        NeuralNetwork(OTHELLO)


def test_pytorch_is_not_imported_before_a_network_is_made() -> None:
    code = (
        "import sys, glaux, glaux.values.networks.network, glaux.values.networks.presets; "
        "assert not {'torch', 'onnx', 'onnxruntime'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=800)


def test_one_l2_pulls_alike_in_every_unit() -> None:
    """Beside values ten times as large, the same pull is that of an l2 a hundred times as large."""
    states, values = pairs(CONNECT_FOUR, 20)
    learned = []
    for scale in (1.0, 10.0):
        linear = TINY.with_changes(output="linear", scale=scale)
        value = NeuralNetwork(CONNECT_FOUR, linear, adam=Adam(l2=0.3 * scale**2), seed=2)
        for _ in range(3):
            value.learn(Examples({"states": states, "values": values * np.float32(scale)}))
        learned.append(value.weights())
    for name, weight in learned[0].items():
        assert np.allclose(weight, learned[1][name], atol=1e-6), name


def test_a_snapshot_keeps_device_and_threads() -> None:
    value = NeuralNetwork(CONNECT_FOUR, TINY, device="cpu", threads=3)
    for twin in (value.snapshot(), value.copy()):
        assert (twin.device, twin.threads) == ("cpu", 3)
        assert np.array_equal(twin.evaluate(CONNECT_FOUR.initial()), value.evaluate(CONNECT_FOUR.initial()))


def test_one_learning_rate_for_all_games_of_minimax_strikes_back() -> None:
    found: dict[str, Any] = {
        name: configure(name, chosen["minimax-strikes-back"]).value
        for name in glaux.games()
        if "minimax-strikes-back" in (chosen := game_presets(name))
    }
    assert len(found) >= 4
    assert {preset(settings.architecture).adam for settings in found.values()} == {Adam(rate=0.0001)}
