"""Runs a network on batches: ONNX Runtime on a CPU, PyTorch on CUDA, behind the same call.

Importing this file needs the extra ``deep``.

What the choices below were made from: thousands of states a second on one core (Xeon with AVX-512),
best of seven, by batch size. Boards: Othello 8, with 4 planes of 8 x 8, and Hex 11, with 5 of
13 x 13. R is R2 with 4 blocks and one dense layer; C and small are the presets.

    ================  ====  ====  ====  ====  ====  ====  ====  ====  ====  =====
    batch                1     4     8     9    16    17    64   128   256   1024
    ================  ====  ====  ====  ====  ====  ====  ====  ====  ====  =====
    Othello 8, small  26.8  43.6  46.8  47.4  48.1  48.6  49.2  49.3  48.5   46.5
    Othello 8, C      36.6  64.1  69.4  72.2  73.8  75.4  77.8  74.5  75.5   71.6
    Othello 8, R       2.7   3.8   4.1   4.1   4.2   4.3   4.3   4.3   4.3    4.2
    Hex 11, small     10.4  14.8  15.3  15.3  15.9  15.8  16.0  15.9  16.0   14.7
    Hex 11, C          8.2  11.9  12.4  12.4  13.0  13.2  13.2  13.5  13.3   12.8
    Hex 11, R          1.1   1.4   1.5   1.5   1.5   1.5   1.5   1.5   1.5    1.4
    ================  ====  ====  ====  ====  ====  ====  ====  ====  ====  =====

- No padding of batches: a state costs the same in batches of 8 and 9, 16 and 17, and sizes that
  change from call to call cost nothing. Filling up to a multiple of 8 lost 25% in Othello.
- A cap of 256: larger batches gain nothing, lose up to 8%, and take memory.
- One thread, which does not spin while it waits: the other cores belong to other matches.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import onnxruntime
import torch

from glaux.errors import InvalidParameter, suggest
from glaux.values.networks.module import Network, PolicyModule
from glaux.values.networks.onnx_graph import INPUT

onnxruntime.disable_telemetry_events()  # builds for some systems have them

BATCH_CAP = 256
CUDA_BATCH_CAP = 4096  # of memory only: nothing was measured on CUDA
DEVICES = ("auto", "cpu", "cuda")

Planes = npt.NDArray[np.float32]
Values = npt.NDArray[np.float32]
Logits = npt.NDArray[np.float32]


class Inference(Protocol):
    """A network that is ready to run on batches of any size, float32[n, planes, rows, columns]."""

    def __call__(self, planes: Planes) -> Values:
        """The values, float32[n]."""
        ...

    def both(self, planes: Planes) -> tuple[Values, Logits]:
        """The values, and of a network with a policy its logits, float32[n, width]."""
        ...


def choose_device(device: str) -> str:
    """``cpu`` or ``cuda``: for ``auto`` whichever is available."""
    if device not in DEVICES:
        raise InvalidParameter(f"There is no device '{device}'{suggest(device, DEVICES)}")
    there = torch.cuda.is_available()
    if device == "cuda" and not there:
        raise InvalidParameter("PyTorch finds no CUDA device on this machine: use device='cpu' or 'auto'.")
    return ("cuda" if there else "cpu") if device == "auto" else device


class OnnxInference:
    """A session of ONNX Runtime."""

    def __init__(self, model: bytes, threads: int = 1, cap: int = BATCH_CAP) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3  # errors
        self._session: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._cap = cap

    def __call__(self, planes: Planes) -> Values:
        """The values of a batch of any size."""
        return self._run(planes)[0].reshape(-1)

    def both(self, planes: Planes) -> tuple[Values, Logits]:
        """The values and the logits of a batch of any size."""
        values, logits = self._run(planes)
        return values.reshape(-1), logits

    def _run(self, planes: Planes) -> list[npt.NDArray[np.float32]]:
        if len(planes) <= self._cap:
            outputs: list[npt.NDArray[np.float32]] = self._session.run(None, {INPUT: planes})
            return outputs
        parts = [self._run(planes[i : i + self._cap]) for i in range(0, len(planes), self._cap)]
        return [np.concatenate(output) for output in zip(*parts, strict=True)]


class TorchInference:
    """The module itself: what runs on CUDA."""

    def __init__(self, network: Network, cap: int = CUDA_BATCH_CAP) -> None:
        self._network = network
        self._scale = network.architecture.scale
        self._device = network.output.weight.device
        self._cap = cap

    def __call__(self, planes: Planes) -> Values:
        """The values of a batch of any size."""
        with torch.inference_mode():
            parts = [
                self._network(torch.from_numpy(planes[i : i + self._cap]).to(self._device)).cpu()
                for i in range(0, len(planes), self._cap)
            ]
            values: Values = (self._scale * torch.cat(parts)).numpy()
        return values

    def both(self, planes: Planes) -> tuple[Values, Logits]:
        """The values and the logits of a batch of any size."""
        assert isinstance(self._network, PolicyModule)
        with torch.inference_mode():
            parts = [
                self._network.both(torch.from_numpy(planes[i : i + self._cap]).to(self._device))
                for i in range(0, len(planes), self._cap)
            ]
            values, logits = (torch.cat(output).cpu() for output in zip(*parts, strict=True))
            return (self._scale * values).numpy(), logits.numpy()
