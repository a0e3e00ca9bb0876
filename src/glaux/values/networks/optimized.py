"""A network while it learns: the module, Adam, and their numbers as arrays by name.

Importing this file needs the extra ``deep``.

PyTorch's number of threads belongs to the whole process. It is set for a learning step and put back
afterwards, so that importing or using this file changes nothing for others.

With ``averaging`` there are two networks of one kind: the one that learns, and the average of its weights,
which evaluates. Its weights are those of the network for everybody else; the ones that learn are what Adam
remembers besides, as its moments are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy

import numpy as np
import numpy.typing as npt
import torch

from glaux.arrays import Arrays, check_array
from glaux.errors import InvalidParameter
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import NO_ACTIONS, ActionShape, Architecture
from glaux.values.networks.inference import Inference, OnnxInference, TorchInference, choose_device
from glaux.values.networks.losses import LOSSES, PolicyTargets, cross_entropy
from glaux.values.networks.module import Network, PolicyModule, build
from glaux.values.networks.onnx_graph import onnx_model

Array = npt.NDArray[np.float32]

STEP, POLICY_STEP, FIRST, SECOND = "step", "policy_step", "first_moment.", "second_moment."
"""the numbers of steps: those of a policy are fewer, if the value was learned without"""
LEARNING, SEEN = "learning.", "averaged"
"""of weights that are averaged: those that learn, and the number of examples so far"""
MOMENTS = {FIRST: "exp_avg", SECOND: "exp_avg_sq"}
"""Adam's two moments of each weight: our prefix, PyTorch's name"""
LAST_STEP = 1 << 53
"""up to here a float, as which PyTorch counts the steps, tells neighbouring numbers apart"""


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
        actions: ActionShape = NO_ACTIONS,
        loss: str = "squares",
    ) -> None:
        if threads < 1:
            raise InvalidParameter(f"The number of threads must be at least 1, not {threads}.")
        self.device = choose_device(device)
        self.threads = threads
        self.shape = shape
        self.network = build(architecture, *shape, seed, actions).to(self.device)
        self.played = deepcopy(self.network) if adam.averaging else self.network
        """the network that evaluates"""
        self.seen = 0
        """examples, for the average"""
        self._settings = adam
        self._loss = LOSSES[loss]
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
            return TorchInference(self.played)
        weights = {name: weight.numpy() for name, weight in self.played.state_dict().items()}
        return OnnxInference(onnx_model(self.played.architecture, weights, *self.shape), self.threads)

    def go_on_to(self, progress: float) -> None:
        """Set the rate for the steps after this share of a training run, 0 to 1."""
        for group in self._adam.param_groups:
            group["lr"] = self._settings.rate_at(progress)

    def step(self, planes: Array, targets: Array) -> Array:
        """One step of Adam towards targets in units of the scale; the outputs before it.

        Outputs that are not finite are given back without a step.
        """
        with _threads(self.threads):
            outputs: torch.Tensor = self.network(self._inputs(planes))
            given: Array = outputs.detach().cpu().numpy()
            if np.isfinite(given).all():
                self._descend(torch.square(outputs - torch.from_numpy(targets).to(self.device)).mean())
                self._average(len(planes))
        return given

    def policy_step(self, planes: Array, targets: Array, policy: PolicyTargets) -> tuple[Array, Array]:
        """As :meth:`step`, with a policy; the outputs and the cross-entropies before it."""
        assert isinstance(self.network, PolicyModule)
        with _threads(self.threads):
            outputs, logits = self.network.both(self._inputs(planes))
            places, legal, policies = (
                torch.from_numpy(array).to(self.device)
                for array in (policy.places, policy.legal, policy.policies)
            )
            entropies = cross_entropy(logits, places, legal, policies)
            given = outputs.detach().cpu().numpy(), entropies.detach().cpu().numpy()
            if all(np.isfinite(array).all() for array in given):
                terms = self._loss(outputs, torch.from_numpy(targets).to(self.device), entropies)
                self._descend(terms.value.mean() + terms.policy.mean())
                self._average(len(planes))
        return given

    def _inputs(self, planes: Array) -> torch.Tensor:
        # A step in this memory format is up to 20% faster.
        return torch.from_numpy(planes).to(self.device, memory_format=torch.channels_last)

    def _descend(self, loss: torch.Tensor) -> None:
        self._adam.zero_grad()
        torch.autograd.backward(loss)
        self._adam.step()

    def _average(self, examples: int) -> None:
        """Let the average follow the weights after a step."""
        if self.played is self.network:
            return
        self.seen += examples
        share = self._settings.averaged(examples, self.seen)
        with torch.no_grad():
            for average, weight in zip(self.played.parameters(), self.network.parameters(), strict=True):
                average.lerp_(weight, share)

    def weights(self) -> Arrays:
        """A copy of the weights that evaluate, named as in the network."""
        return _arrays(self.played)

    def moments(self) -> Arrays:
        """A copy of what the steps remember besides; empty before the first."""
        arrays: Arrays = {}
        if self.seen:
            arrays = {LEARNING + name: array for name, array in _arrays(self.network).items()}
            arrays[SEEN] = np.array([self.seen], np.int64)
        for name, weight in self.network.named_parameters():
            state = self._adam.state.get(weight)
            if state:
                arrays[_step_of(name)] = np.array([int(state["step"].item())], np.int64)
                arrays |= {
                    ours + name: state[theirs].cpu().numpy().copy() for ours, theirs in MOMENTS.items()
                }
        return arrays

    def restore(self, weights: Arrays, moments: Arrays) -> None:
        """Take over arrays of the same network: all of them, or none and InvalidParameter."""
        named = dict(self.network.named_parameters())
        shapes = {name: tuple(weight.shape) for name, weight in named.items()}
        _check_arrays(weights, shapes, "weights")
        learning, seen, moments = _split(moments)
        if learning:
            _check_arrays(learning, shapes, "trained weights")
        if not self._settings.averaging:  # any more: what evaluates goes on
            learning, seen = {}, 0
        stepped = {name for name in shapes if moments and _step_of(name) in {STEP, *moments}}
        if moments:
            wanted = {ours + name: shapes[name] for ours in MOMENTS for name in stepped}
            wanted |= {_step_of(name): (1,) for name in stepped}
            _check_arrays(moments, wanted, "moments of Adam")
            if any(moments[SECOND + name].min() < 0 for name in stepped):
                raise InvalidParameter("Adam's second moments can't be negative.")
        self._adam.state.clear()
        self.seen = seen
        with torch.no_grad():
            for name, weight in self.played.named_parameters():
                weight.copy_(torch.from_numpy(weights[name]))
            for name, weight in named.items():
                weight.copy_(torch.from_numpy((learning or weights)[name]))
                if name in stepped:
                    step = float(moments[_step_of(name)][0])
                    state = {"step": torch.tensor(step, device=weight.device)}
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


def _arrays(network: Network) -> Arrays:
    """A copy of the weights by name."""
    return {name: weight.detach().cpu().numpy().copy() for name, weight in network.named_parameters()}


def _split(moments: Arrays) -> tuple[Arrays, int, Arrays]:
    """The weights that learn, the examples that were averaged, and the moments themselves."""
    learning = {
        name.removeprefix(LEARNING): array for name, array in moments.items() if name.startswith(LEARNING)
    }
    rest = {name: array for name, array in moments.items() if name != SEEN and not name.startswith(LEARNING)}
    if not learning and SEEN not in moments:
        return {}, 0, rest
    seen = moments.get(SEEN)
    if seen is None:
        raise InvalidParameter(f"The moments of Adam lack '{SEEN}'.")
    check_array(seen, np.int64, (1,), f"moments of Adam have '{SEEN}' as")
    if not 0 < seen[0] < LAST_STEP:
        raise InvalidParameter(f"The weights can't be averaged over {seen[0]} examples.")
    return learning, int(seen[0]), rest


def _step_of(weight: str) -> str:
    """Which number of steps is that of a weight."""
    return POLICY_STEP if weight.startswith("policy_") else STEP


def _check_arrays(arrays: Arrays, shapes: Mapping[str, tuple[int, ...]], what: str) -> None:
    for name in shapes:
        if name not in arrays:
            raise InvalidParameter(f"The {what} lack '{name}'.")
    for name, array in arrays.items():
        if name not in shapes:
            raise InvalidParameter(f"The {what} have '{name}', which this network lacks.")
        count = name in (STEP, POLICY_STEP)
        check_array(array, np.int64 if count else np.float32, shapes[name], f"{what} have '{name}' as")
        if count and not 0 <= array[0] < LAST_STEP:
            raise InvalidParameter(f"The {what} have the impossible step {array[0]}.")
