from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

import onnx
import torch

from glaux.errors import InvalidParameter
from glaux.values.networks.architecture import ActionShape, Architecture
from glaux.values.networks.inference import BATCH_CAP, OnnxInference, TorchInference, choose_device
from glaux.values.networks.module import Network, PolicyModule, build
from glaux.values.networks.onnx_graph import onnx_model
from glaux.values.networks.presets import PRESETS, preset

SHAPE = (5, 7, 9)
R = preset("R2", depth=2, filters=16, dense=10).architecture

FAMILIES: dict[str, Architecture] = {
    "C": preset("C").architecture,
    "C-surakarta": preset("C-surakarta").architecture,
    "R1": preset("R1").architecture,
    "R2": R,
    "small": preset("small").architecture,
    "small-pooled": preset("small-pooled").architecture,
    "padded": preset("C", padding=True).architecture,
    "pooled without padding": preset("C", pooling=True).architecture,
    "1x1 without pooling": preset("small", pointwise=8).architecture,
    "squeeze-and-excitation": R.with_changes(squeeze=True, filters=33),
    "like 10.3": R.with_changes(squeeze=True, pointwise=50, pooling=True, dense=50, dense_layers=1),
    "like 11.4": R.with_changes(pointwise=50, pooling=True, dense=50, dense_layers=1),
    "linear": preset("small", output="linear").architecture,
    "scaled": preset("small", output="linear", scale=64.0).architecture,
    "scaled tanh": preset("small", scale=121.0).architecture,
    "no dense layer": preset("small", dense_layers=0).architecture,
    "pooled, no dense layer": preset("small-pooled", dense_layers=0).architecture,
    "three dense layers": preset("small", dense_layers=3).architecture,
}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Two threads of PyTorch on a busy machine wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def lively(architecture: Architecture, seed: int = 3) -> Network:
    """A network whose biases are not zero and whose values differ from state to state."""
    network = build(architecture, *SHAPE, seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if name.endswith("bias"):
                weight.uniform_(-0.3, 0.3, generator=generator)
    return network


def model(network: Network) -> bytes:
    weights = {name: weight.detach().numpy() for name, weight in network.named_parameters()}
    return onnx_model(network.architecture, weights, *SHAPE)


def planes(count: int) -> np.ndarray:
    return np.random.default_rng(count).integers(0, 2, (count, *SHAPE)).astype(np.float32)


@pytest.mark.parametrize("name", FAMILIES)
def test_onnx_runtime_agrees_with_pytorch(name: str) -> None:
    architecture = FAMILIES[name]
    network = lively(architecture)
    batch = planes(50)
    theirs = OnnxInference(model(network))(batch)
    with torch.inference_mode():
        ours = network(torch.from_numpy(batch)).numpy() * architecture.scale
    assert theirs.shape == (50,) and theirs.dtype == np.float32
    assert np.abs(theirs - ours).max() <= 1e-4 * architecture.scale
    assert np.ptp(ours) > 0.01 * architecture.scale  # or the agreement would say nothing
    if architecture.output == "tanh":
        assert np.abs(theirs).max() <= architecture.scale
    onnx.checker.check_model(model(network), full_check=True)


@pytest.mark.parametrize("name", PRESETS)
def test_modules_have_as_many_weights_as_the_formula_says(name: str) -> None:
    architecture = preset(name).architecture
    for shape, actions in (((4, 8, 8), ActionShape(129, 2, 1)), ((5, 16, 15), ActionShape(240, 1, 0))):
        with torch.device("meta"):
            network = (
                Network(architecture, *shape)
                if architecture.policy == "none"
                else PolicyModule(architecture, *shape, actions)
            )
        assert sum(w.numel() for w in network.parameters()) == architecture.weight_count(*shape, actions)


@pytest.mark.parametrize(
    ("name", "shape", "count"),
    [
        ("othello", (4, 8, 8), 41_695_147),
        ("arimaa", (10, 8, 8), 10_511_017),
        ("morpion", (5, 16, 16), 9_989_285),
    ],
)
def test_published_networks_in_full(name: str, shape: tuple[int, int, int], count: int) -> None:
    network = build(preset(name).architecture, *shape, seed=1)
    assert sum(w.numel() for w in network.parameters()) == count
    assert all(bool(torch.isfinite(w).all()) for w in network.parameters())


def test_a_residual_block_is_that_of_table_8() -> None:
    """ReLU, convolution, ReLU, convolution, added to the block's input, ReLU; by hand for two blocks."""
    network = lively(R)
    with torch.inference_mode():
        x = network.convolutions[0](torch.from_numpy(planes(4)))
        for block in network.blocks:
            inner = block.second(torch.relu(block.first(torch.relu(x))))  # type: ignore[operator]
            x = torch.relu(x + inner)
        for layer in network.hidden:
            x = torch.relu(layer(x.flatten(1)))
        by_hand = torch.tanh(network.output(x))[:, 0]
        assert torch.allclose(network(torch.from_numpy(planes(4))), by_hand, atol=1e-6)


@pytest.mark.parametrize("count", [1, 2, 3, 7, BATCH_CAP - 1, BATCH_CAP, BATCH_CAP + 1, 2 * BATCH_CAP + 5])
def test_batches_of_every_size(count: int) -> None:
    network = lively(preset("small", scale=2.0).architecture)
    batch = planes(count)
    values = OnnxInference(model(network))(batch)
    alone = OnnxInference(model(network), cap=1)(batch)
    eager = TorchInference(network, cap=5)(batch)
    assert values.shape == alone.shape == eager.shape == (count,)
    assert np.allclose(values, alone, atol=1e-5)
    assert np.allclose(values, eager, atol=1e-5)


def test_two_threads_give_the_same() -> None:
    network = lively(preset("C").architecture)
    one, two = (OnnxInference(model(network), threads=threads)(planes(20)) for threads in (1, 2))
    assert np.allclose(one, two, atol=1e-6)


def test_a_pooled_network_begins_within_the_range_of_tanh() -> None:
    """With sums of many cells a fresh network would answer nothing but 1 and -1."""
    network = build(
        preset("othello", filters=64, pointwise=64, dense=64, output="tanh").architecture, 5, 16, 16, 0
    )
    batch = torch.rand(16, 5, 16, 16, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        assert network(batch).abs().max() < 0.9


def test_a_device_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device("auto") == choose_device("cpu") == "cpu"
    with pytest.raises(
        InvalidParameter, match=r"^PyTorch finds no CUDA device .*: use device='cpu' or 'auto'\.$"
    ):
        choose_device("cuda")
    with pytest.raises(InvalidParameter, match="There is no device 'cud': did you mean 'cuda'"):
        choose_device("cud")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device("auto") == choose_device("cuda") == "cuda"
    assert choose_device("cpu") == "cpu"
