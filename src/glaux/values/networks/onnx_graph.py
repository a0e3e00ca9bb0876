"""The network as an ONNX model, for ONNX Runtime. Importing this file needs the extra ``deep``.

Built layer by layer from the architecture and the weights, which takes a few milliseconds for the
networks that a CPU can use; PyTorch's own export traces the module and takes seconds, too long
after every match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper

from glaux.values.networks.architecture import KERNEL, Architecture

OPSET, IR_VERSION = 17, 8  # of 2022: every ONNX Runtime that is supported reads them
INPUT = "planes"

Array = npt.NDArray[np.float32]


def onnx_model(
    architecture: Architecture, weights: Mapping[str, Array], planes: int, rows: int, columns: int
) -> bytes:
    """A model float32[n, planes, rows, columns] -> float32[n, 1]: the values, times the scale.

    ``weights`` are named as in ``module.Network``.
    """
    graph = _Graph(weights)
    x = _trunk(graph, architecture)
    if architecture.pointwise:
        x = graph.relu(graph.convolution(x, "pointwise", 0))
    if architecture.pooling:
        # The mean has a fast kernel in the trunk's blocked layout, the sum has none.
        after_rows, after_columns = architecture.board(rows, columns)
        x = graph.times(graph.node("GlobalAveragePool", x), after_rows * after_columns)
    x = graph.node("Flatten", x)
    for i in range(architecture.dense_layers):
        x = graph.relu(graph.dense(x, f"hidden.{i}"))
    x = graph.dense(x, "output")
    if architecture.output == "tanh":
        x = graph.node("Tanh", x)
    return graph.model(graph.times(x, architecture.scale), [planes, rows, columns])


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

    def model(self, output: str, shape: list[int]) -> bytes:
        single = TensorProto.FLOAT
        graph = helper.make_graph(
            self.nodes,
            "value",
            [helper.make_tensor_value_info(INPUT, single, ["n", *shape])],
            [helper.make_tensor_value_info(output, single, ["n", 1])],
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
