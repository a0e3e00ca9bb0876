"""Neural networks: their values, how they learn, and what is refused."""

from __future__ import annotations

import subprocess
import sys
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
from glaux.values.examples import Examples
from glaux.values.networks import network as network_file
from glaux.values.networks.adam import Adam
from glaux.values.networks.network import NeuralNetwork
from glaux.values.networks.presets import preset
from tests.boards import GAMES
from tests.values.positions import positions, sign_accuracy, terminal_pairs
from tests.values.small_networks import CONNECT_FOUR, OTHELLO, TINY, pairs

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
        match=r"^This network of othello:size=6 needs planes of shape \[4, 6, 6\], not \[4, 8, 8\]\.$",
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
    with pytest.raises(BrokenValue, match=r"no longer finite: the learning rate 1e\+30 is too high"):
        value.fit(states, values, epochs=5)


def test_pytorchs_threads_and_generator_are_left_alone() -> None:
    before = torch.get_num_threads(), torch.random.get_rng_state()
    value = NeuralNetwork(CONNECT_FOUR, TINY, threads=2, seed=5)
    value.fit(*pairs(CONNECT_FOUR, 30))
    value.evaluate(CONNECT_FOUR.initial())
    assert torch.get_num_threads() == before[0]
    assert torch.equal(torch.random.get_rng_state(), before[1])


def test_equal_seeds_give_equal_networks() -> None:
    states, values = pairs(OTHELLO, 200)
    first, second, other = (NeuralNetwork(OTHELLO, seed=seed) for seed in (7, 7, 8))
    assert not np.array_equal(first.evaluate(states), other.evaluate(states))
    for _ in range(2):
        assert first.evaluate(states).tobytes() == second.evaluate(states).tobytes()
        assert first.fit(states, values, seed=1).loss == second.fit(states, values, seed=1).loss


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


def test_one_learning_rate_for_all_games_of_minimax_strikes_back() -> None:
    found: dict[str, Any] = {
        name: configure(name, chosen["minimax-strikes-back"]).value
        for name in glaux.games()
        if "minimax-strikes-back" in (chosen := game_presets(name))
    }
    assert len(found) >= 4
    assert {preset(settings.architecture).adam for settings in found.values()} == {Adam(rate=0.0001)}


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
