"""A network while it learns: the module, Adam, and their numbers as arrays by name.

Importing this file needs the extra ``deep``.

PyTorch's number of threads belongs to the whole process. It is set for a learning step and put back
afterwards, so that importing or using this file changes nothing for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import torch

from glaux.errors import InvalidParameter
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import Architecture
from glaux.values.networks.inference import Inference, OnnxInference, TorchInference, choose_device
from glaux.values.networks.module import build
from glaux.values.networks.onnx_graph import onnx_model
from glaux.values.saving import Arrays

Array = npt.NDArray[np.float32]

STEP, FIRST, SECOND = "step", "first_moment.", "second_moment."
MOMENTS = {FIRST: "exp_avg", SECOND: "exp_avg_sq"}
"""Adam's two moments of each weight: our prefix, PyTorch's name"""


class Optimized:
    """A network with its optimizer."""

    def __init__(
        self,
        architecture: Architecture,
        adam: Adam,
        shape: tuple[int, int, int],
        seed: int,
        device: str,
        threads: int,
    ) -> None:
        if threads < 1:
            raise InvalidParameter(f"The number of threads must be at least 1, not {threads}.")
        self.device = choose_device(device)
        self.threads = threads
        self.shape = shape
        self.network = build(architecture, *shape, seed).to(self.device)
        named = list(self.network.named_parameters())
        # PyTorch adds weight_decay * w to the gradient of each weight w: that of l2 * w^2 is 2 * l2 * w, and
        # the loss here is in units of the scale.
        decay = 2 * adam.l2 / architecture.scale**2
        groups = [
            {"params": [w for name, w in named if name.endswith("weight")], "weight_decay": decay},
            {"params": [w for name, w in named if name.endswith("bias")], "weight_decay": 0.0},
        ]
        betas = (adam.beta1, adam.beta2)
        self._adam = torch.optim.Adam(groups, lr=adam.rate, betas=betas, eps=adam.epsilon, fused=True)

    def inference(self) -> Inference:
        """The network with its present weights, ready to run."""
        if self.device == "cuda":
            return TorchInference(self.network)
        weights = {name: weight.numpy() for name, weight in self.network.state_dict().items()}
        return OnnxInference(onnx_model(self.network.architecture, weights, *self.shape), self.threads)

    def step(self, planes: Array, targets: Array) -> Array:
        """One step of Adam towards targets in units of the scale; the outputs before it.

        Outputs that are not finite are given back without a step.
        """
        with _threads(self.threads):
            # A step in this memory format is up to 20% faster.
            inputs = torch.from_numpy(planes).to(self.device, memory_format=torch.channels_last)
            outputs: torch.Tensor = self.network(inputs)
            given: Array = outputs.detach().cpu().numpy()
            if np.isfinite(given).all():
                loss = torch.square(outputs - torch.from_numpy(targets).to(self.device)).mean()
                self._adam.zero_grad()
                torch.autograd.backward(loss)
                self._adam.step()
        return given

    def weights(self) -> Arrays:
        """A copy of the weights, named as in the network."""
        return {
            name: weight.detach().cpu().numpy().copy() for name, weight in self.network.named_parameters()
        }

    def moments(self) -> Arrays:
        """A copy of what Adam remembers; empty before the first step."""
        arrays: Arrays = {}
        for name, weight in self.network.named_parameters():
            state = self._adam.state.get(weight)
            if state:
                arrays[STEP] = np.array([int(state["step"].item())], np.int64)
                arrays |= {
                    ours + name: state[theirs].cpu().numpy().copy() for ours, theirs in MOMENTS.items()
                }
        return arrays

    def restore(self, weights: Arrays, moments: Arrays) -> None:
        """Take over arrays of the same network: all of them, or none and InvalidParameter."""
        named = dict(self.network.named_parameters())
        shapes = {name: tuple(weight.shape) for name, weight in named.items()}
        _check_arrays(weights, shapes, "weights")
        if moments:
            wanted = {ours + name: shape for ours in MOMENTS for name, shape in shapes.items()}
            _check_arrays(moments, {STEP: (1,)} | wanted, "moments of Adam")
        self._adam.state.clear()
        with torch.no_grad():
            for name, weight in named.items():
                weight.copy_(torch.from_numpy(weights[name]))
                if moments:
                    state = {"step": torch.tensor(float(moments[STEP][0]), device=weight.device)}
                    for ours, theirs in MOMENTS.items():
                        state[theirs] = torch.empty_like(weight).copy_(torch.from_numpy(moments[ours + name]))
                    self._adam.state[weight] = state


@contextmanager
def _threads(threads: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _check_arrays(arrays: Arrays, shapes: Mapping[str, tuple[int, ...]], what: str) -> None:
    for name in shapes:
        if name not in arrays:
            raise InvalidParameter(f"The {what} lack '{name}'.")
    for name, array in arrays.items():
        if name not in shapes:
            raise InvalidParameter(f"The {what} have '{name}', which this network does not.")
        kind = np.int64 if name == STEP else np.float32
        if array.shape != shapes[name] or array.dtype != kind:
            raise InvalidParameter(
                f"The {what} have '{name}' as {array.dtype}{list(array.shape)}, and this network "
                f"needs {np.dtype(kind)}{list(shapes[name])}."
            )
