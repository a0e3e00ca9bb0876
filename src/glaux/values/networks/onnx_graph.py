"""The network as an ONNX model, for ONNX Runtime. Importing this file needs the extra ``deep``.

Built layer by layer from the architecture and the weights, which takes a few milliseconds for the
networks that a CPU can use; PyTorch's own export traces the module and takes seconds, too long
after every match.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper

from glaux.values.networks.architecture import KERNEL, NO_POLICY, Architecture

OPSET, IR_VERSION = 17, 8  # of 2022: every ONNX Runtime that is supported reads them
INPUT = "planes"

Array = npt.NDArray[np.float32]


def onnx_model(
    architecture: Architecture, weights: Mapping[str, Array], planes: int, rows: int, columns: int
) -> bytes:
    """A model float32[n, planes, rows, columns] -> float32[n, 1]: the values, times the scale.

    Of a policy there is a second output, float32[n, width]: its logits. ``weights`` are named as in
    ``module.Network`` and ``module.PolicyModule``.
    """
    graph = _Graph(weights)
    trunk = x = _trunk(graph, architecture)
    if architecture.pointwise:
        x = graph.relu(graph.convolution(x, "pointwise", 0))
    if architecture.pooling:
        # The mean has a fast kernel in the trunk's blocked layout, the sum has none.
        cells = 1 if architecture.average else math.prod(architecture.board(rows, columns))
        x = graph.times(graph.node("GlobalAveragePool", x), cells)
    x = graph.node("Flatten", x)
    for i in range(architecture.dense_layers):
        x = graph.relu(graph.dense(x, f"hidden.{i}"))
    x = graph.dense(x, "output")
    if architecture.output == "tanh":
        x = graph.node("Tanh", x)
    outputs = [graph.times(x, architecture.scale)]
    if architecture.policy != NO_POLICY:
        outputs.append(_policy(graph, architecture, trunk))
    return graph.model(outputs, [planes, rows, columns])


def _policy(graph: _Graph, architecture: Architecture, x: str) -> str:
    if architecture.policy == "convolutional":
        parts = []
        if "policy_planes.weight" in graph.weights:
            parts.append(graph.node("Flatten", graph.convolution(x, "policy_planes", KERNEL // 2)))
        if "policy_rest.weight" in graph.weights:
            mean = graph.node("Flatten", graph.node("GlobalAveragePool", x))
            parts.append(graph.dense(mean, "policy_rest"))
        return graph.node("Concat", *parts, axis=1)
    if architecture.policy == "pointwise":
        x = graph.relu(graph.convolution(x, "policy_pointwise", 0))
    x = graph.node("Flatten", x)
    for i in range(architecture.dense_layers if architecture.policy == "dense" else 0):
        x = graph.relu(graph.dense(x, f"policy_hidden.{i}"))
    return graph.dense(x, "policy_output")


def _trunk(graph: _Graph, architecture: Architecture) -> str:
    pad = KERNEL // 2 if architecture.padding else 0
    if not architecture.residual:
        x = INPUT
        for i in range(architecture.depth):
            x = graph.relu(graph.convolution(x, f"convolutions.{i}", pad))
        return x
    x = graph.convolution(INPUT, "convolutions.0", pad)
    positive = graph.relu(x)  # as in module.Network
    for i in range(architecture.depth):
        y = graph.relu(graph.convolution(positive, f"blocks.{i}.first", pad))
        y = graph.convolution(y, f"blocks.{i}.second", pad)
        if architecture.squeeze:
            y = _squeeze_and_excitation(graph, y, f"blocks.{i}")
        x = positive = graph.relu(graph.node("Add", y, x))
    return x


def _squeeze_and_excitation(graph: _Graph, x: str, name: str) -> str:
    # The dense layers as 1x1 convolutions: the four-dimensional layout need not be left.
    mean = graph.node("GlobalAveragePool", x)
    hidden = graph.relu(graph.convolution(mean, f"{name}.squeeze", 0))
    gate = graph.node("Sigmoid", graph.convolution(hidden, f"{name}.excitation", 0))
    return graph.node("Mul", x, gate)


class _Graph:
    """Nodes and weights, collected in order; each method gives the name of what it computes."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        name = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def relu(self, x: str) -> str:
        return self.node("Relu", x)

    def convolution(self, x: str, layer: str, pad: int) -> str:
        weight = self.weights[f"{layer}.weight"]
        kernel = weight.reshape(*weight.shape[:2], *(weight.shape[2:] or (1, 1)))
        return self.node("Conv", x, *self._constants(layer, kernel), pads=[pad] * 4)

    def dense(self, x: str, layer: str) -> str:
        return self.node("Gemm", x, *self._constants(layer, self.weights[f"{layer}.weight"]), transB=1)

    def times(self, x: str, factor: float) -> str:
        if factor == 1:
            return x
        name = f"factor_{len(self.nodes)}"
        self._constant(name, np.array([factor], np.float32))
        return self.node("Mul", x, name)

    def model(self, outputs: list[str], shape: list[int]) -> bytes:
        single = TensorProto.FLOAT
        graph = helper.make_graph(
            self.nodes,
            "value",
            [helper.make_tensor_value_info(INPUT, single, ["n", *shape])],
            [helper.make_tensor_value_info(name, single, ["n", None]) for name in outputs],
            self.initializers,
        )
        opset = helper.make_opsetid("", OPSET)
        content: bytes = helper.make_model(
            graph, opset_imports=[opset], ir_version=IR_VERSION
        ).SerializeToString()
        return content

    def _constants(self, layer: str, weight: Array) -> list[str]:
        names = [f"{layer}.weight"]
        self._constant(names[0], weight)
        if f"{layer}.bias" in self.weights:
            names.append(f"{layer}.bias")
            self._constant(names[1], self.weights[names[1]])
        return names

    def _constant(self, name: str, array: Array) -> None:
        content = np.ascontiguousarray(array, np.float32).tobytes()
        self.initializers.append(helper.make_tensor(name, TensorProto.FLOAT, array.shape, content, raw=True))
