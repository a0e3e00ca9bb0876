"""The network as a PyTorch module. Importing this file needs the extra ``deep``.

The module gives the output in units of the architecture's scale: what is compared with
``value / scale`` in the loss, and what ``inference.py`` multiplies.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from glaux.values.networks.architecture import (
    KERNEL,
    NO_ACTIONS,
    NO_POLICY,
    SQUEEZE_RATIO,
    ActionShape,
    Architecture,
)


class Network(nn.Module):
    """float32[n, planes, rows, columns] -> float32[n]. See ``architecture.py`` for the layers."""

    def __init__(self, architecture: Architecture, planes: int, rows: int, columns: int) -> None:
        super().__init__()
        self.architecture = architecture
        filters, padding = architecture.filters, KERNEL // 2 if architecture.padding else 0
        self.cells = math.prod(architecture.board(rows, columns))
        plain = 1 if architecture.residual else architecture.depth
        self.convolutions = nn.ModuleList(
            nn.Conv2d(filters if i else planes, filters, KERNEL, padding=padding) for i in range(plain)
        )
        self.blocks = nn.ModuleList(
            Branch(filters, architecture.squeeze)
            for _ in range(architecture.depth if architecture.residual else 0)
        )
        self.pointwise = nn.Conv2d(filters, architecture.pointwise, 1) if architecture.pointwise else None
        *hidden, last = architecture.dense_inputs(rows, columns)
        self.hidden = nn.ModuleList(nn.Linear(inputs, architecture.dense) for inputs in hidden)
        self.output = nn.Linear(last, 1)

    def forward(self, planes: Tensor) -> Tensor:
        """The outputs for a batch."""
        return self._value(self._trunk(planes))

    def _value(self, x: Tensor) -> Tensor:
        if self.pointwise is not None:
            x = relu(self.pointwise(x))
        if self.architecture.pooling:
            x = x.mean((2, 3)) if self.architecture.average else x.sum((2, 3))
        x = x.flatten(1)
        for layer in self.hidden:
            x = relu(layer(x))
        x = self.output(x).squeeze(1)
        return torch.tanh(x) if self.architecture.output == "tanh" else x

    def _trunk(self, x: Tensor) -> Tensor:
        if not self.architecture.residual:
            for convolution in self.convolutions:
                x = relu(convolution(x))
            return x
        x = self.convolutions[0](x)
        # A block begins with a ReLU, but all except the first are given what a ReLU has given.
        positive = relu(x)
        for branch in self.blocks:
            x = positive = relu(x + branch(positive))
        return x


class PolicyModule(Network):
    """A network with a policy: :meth:`both` has the values and the policy's numbers, float32[n, width].

    The width is the number of actions or, of a convolutional policy, that of the places of ``places.py``.
    """

    def __init__(
        self, architecture: Architecture, planes: int, rows: int, columns: int, actions: ActionShape
    ) -> None:
        super().__init__(architecture, planes, rows, columns)
        filters = architecture.filters
        if architecture.policy == "convolutional":
            self.policy_planes = (
                nn.Conv2d(filters, actions.channels, KERNEL, padding=KERNEL // 2)
                if actions.channels
                else None
            )
            self.policy_rest = nn.Linear(filters, actions.rest) if actions.rest else None
            return
        if architecture.policy == "pointwise":
            self.policy_pointwise = nn.Conv2d(filters, architecture.policy_filters, 1)
        *hidden, last = architecture.policy_inputs(rows, columns)
        self.policy_hidden = nn.ModuleList(nn.Linear(inputs, architecture.dense) for inputs in hidden)
        self.policy_output = nn.Linear(last, actions.count)

    def both(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """The outputs for a batch, and the logits of the policy."""
        x = self._trunk(planes)
        return self._value(x), self._policy(x)

    def _policy(self, x: Tensor) -> Tensor:
        if self.architecture.policy == "convolutional":
            parts = []
            if self.policy_planes is not None:
                parts.append(self.policy_planes(x).flatten(1))
            if self.policy_rest is not None:
                parts.append(self.policy_rest(x.mean((2, 3))))
            return torch.cat(parts, 1)
        if self.architecture.policy == "pointwise":
            x = relu(self.policy_pointwise(x))
        x = x.flatten(1)
        for layer in self.policy_hidden:
            x = relu(layer(x))
        logits: Tensor = self.policy_output(x)
        return logits


class Branch(nn.Module):
    """What a residual block adds to its input, of which it is given the positive part."""

    def __init__(self, filters: int, squeeze: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(filters, filters, KERNEL, padding=KERNEL // 2)
        self.second = nn.Conv2d(filters, filters, KERNEL, padding=KERNEL // 2)
        hidden = filters // SQUEEZE_RATIO
        self.squeeze = nn.Linear(filters, hidden, bias=False) if squeeze else None
        self.excitation = nn.Linear(hidden, filters, bias=False) if squeeze else None

    def forward(self, positive: Tensor) -> Tensor:
        """The sum's other half."""
        x: Tensor = self.second(relu(self.first(positive)))
        if self.squeeze is None or self.excitation is None:
            return x
        gate = torch.sigmoid(self.excitation(relu(self.squeeze(x.mean((2, 3))))))
        return x * gate[:, :, None, None]


def build(
    architecture: Architecture,
    planes: int,
    rows: int,
    columns: int,
    seed: int,
    actions: ActionShape = NO_ACTIONS,
) -> Network:
    """A network with initial weights that depend on the seed alone.

    They are drawn as TensorFlow does by default, which the papers used: uniformly as Glorot and
    Bengio say, with biases of zero. The layer behind a global sum pooling has its weights divided
    by the number of cells, so that it starts as if a mean came in: otherwise a tanh output would
    start saturated.
    """
    with torch.device("meta"):  # no weights yet: the layers would draw them from the global generator
        network = (
            Network(architecture, planes, rows, columns)
            if architecture.policy == NO_POLICY
            else PolicyModule(architecture, planes, rows, columns, actions)
        )
    network.to_empty(device="cpu")
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if name.endswith("bias"):
                weight.zero_()
            else:
                nn.init.xavier_uniform_(weight, generator=generator)
        if architecture.pooling and not architecture.average:
            behind = "hidden.0" if architecture.dense_layers else "output"
            network.get_parameter(f"{behind}.weight").div_(network.cells)
    return network
