"""A neural network as a value function: trained by PyTorch, evaluated by ONNX Runtime on a CPU.

PyTorch holds the weights and makes the learning steps. On a CPU the values come from ONNX Runtime,
through a session that is made anew, in milliseconds, when it is first needed after a learning step.
On CUDA PyTorch does both.

Equal seeds give equal networks, and equal learning steps keep them equal, to the last bit on the
same machine with the same number of threads. No global random generator is used.

The extra ``deep`` is imported when the first network is made, not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.arrays import Arrays
from glaux.errors import BrokenValue, InvalidParameter, MissingExtra
from glaux.fields import check_keys, check_types, setting
from glaux.rules.game import Game, StateArray
from glaux.values.examples import STATES, VALUES, Examples
from glaux.values.networks.adam import CONSTANT, Adam
from glaux.values.networks.architecture import NO_ACTIONS, NO_POLICY, ActionShape, Architecture
from glaux.values.networks.presets import preset
from glaux.values.settings import ValueSettings, family_setting
from glaux.values.value import Errors, ValueFunction, Values
from glaux.words import plural

if TYPE_CHECKING:
    from glaux.values.networks.inference import Inference
    from glaux.values.networks.module import Network
    from glaux.values.networks.optimized import Optimized

ENCODED = 512
"""states that are encoded at a time, so that many states need little memory"""
RATES = ("rate", "l2", "schedule", "rate_end", "averaging")
"""what [value] can say of Adam"""


@dataclass(frozen=True)
class NetworkSettings(ValueSettings):
    """The section [value] of a training run with a neural network: one by name, and what differs from it."""

    family: str = family_setting("network")
    architecture: str = setting("small", "the network's name in docs/algorithms/networks.md")
    rate: float | None = setting(None, "Adam's learning rate", kind=float)
    l2: float | None = setting(
        None, "weight of the L2 regularization, for values in their own unit", kind=float
    )
    schedule: str | None = setting(
        None, "learning-rate schedule: constant or cosine; by default constant", kind=str
    )
    rate_end: float | None = setting(
        None,
        f"share of the rate left at the end of schedule=cosine; by default {Adam.rate_end:g}",
        kind=float,
        least=0,
        most=1,
    )
    averaging: float | None = setting(
        None,
        "examples over which the playing weights are averaged; 0 (the default): none",
        kind=float,
        least=0,
    )
    device: str = setting("auto", "cpu, cuda, or auto: cuda if available")
    threads: int = setting(1, "CPU threads", least=1, most=1024)
    residual: bool | None = setting(None, "use residual blocks instead of plain convolutions", kind=bool)
    depth: int | None = setting(None, "number of convolutions or residual blocks", kind=int, most=1000)
    filters: int | None = setting(None, "filters of each convolution", kind=int, most=65536)
    padding: bool | None = setting(None, "pad the board with zeros", kind=bool)
    squeeze: bool | None = setting(None, "squeeze-and-excitation in each residual block", kind=bool)
    pointwise: int | None = setting(None, "filters of a 1x1 convolution; 0: none", kind=int, most=65536)
    pooling: bool | None = setting(None, "global sum pooling", kind=bool)
    average: bool | None = setting(None, "global average pooling instead of sum pooling", kind=bool)
    dense: int | None = setting(None, "neurons per dense layer", kind=int, most=65536)
    dense_layers: int | None = setting(None, "number of hidden dense layers", kind=int, most=1000)

    def __post_init__(self) -> None:
        check_types(self, "A network")

    def begin(self, game: Game, *, scale: float, bounded: bool, seed: int) -> NeuralNetwork:
        """The untrained network."""
        return NeuralNetwork(game, **self._beginning(scale, bounded, seed))

    def _beginning(self, scale: float, bounded: bool, seed: int) -> dict[str, Any]:
        """What the untrained network is made with."""
        named = preset(self.architecture)
        layers = {f.name: getattr(self, f.name, None) for f in fields(Architecture)}
        given = {name: value for name, value in layers.items() if value is not None}
        fitting = {"scale": scale, "output": "tanh" if bounded else "linear"}
        return {
            "architecture": named.architecture.with_changes(**fitting | given),
            "adam": replace(named.adam, **self._rates()),
            "device": self.device,
            "threads": self.threads,
            "seed": seed if self.seed is None else self.seed,
        }

    def go_on_with(self, value: ValueFunction) -> None:
        """Let a network that has learned elsewhere learn with these rates, on this device."""
        if isinstance(value, NeuralNetwork):
            value.adam = replace(value.adam, **self._rates())
            value.place(self.device, self.threads)

    def _rates(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in RATES}
        return {name: value for name, value in given.items() if value is not None}


class NeuralNetwork(ValueFunction):
    """A network of one of the papers' architectures for one game.

    ``architecture`` is an :class:`Architecture` or the name of a preset, which then also sets
    ``adam`` unless it is given. ``device`` is ``cpu``, ``cuda``, or ``auto``: cuda if available.
    ``threads`` are those of a CPU: two processes with one thread use two cores better than one with two.
    """

    family: ClassVar[str] = "network"
    title: ClassVar[str] = "A network"
    settings_type: ClassVar[type[ValueSettings]] = NetworkSettings
    batch_size: ClassVar[int] = 128
    loss = "squares"
    """one of ``losses.py``"""

    def __init__(
        self,
        game: Game,
        architecture: str | Architecture = "small",
        *,
        adam: Adam | None = None,
        device: str = "auto",
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        super().__init__(game)
        if isinstance(architecture, str):
            named = preset(architecture)
            architecture, adam = named.architecture, adam or named.adam
        if type(seed) is not int or not 0 <= seed < 2**64:
            raise InvalidParameter(f"The seed must be a whole number from 0 to 2^64 - 1, not {seed!r}.")
        spec = game.spec
        self.architecture = architecture
        self.adam = adam or Adam()
        self.seed = seed
        self.shape = (len(spec.planes), spec.plane_rows, spec.plane_columns)
        """of one state's input: planes, rows, columns"""
        self.actions = self.action_shape(game, architecture)
        """what its policy is over, if it has one"""
        self._optimized = self._start(device, threads)
        self._inference: Inference | None = None
        self.batches = 0
        """of states that it has been asked for"""

    @classmethod
    def action_shape(cls, game: Game, architecture: Architecture) -> ActionShape:  # noqa: ARG003
        """The shape of the policy of this architecture; InvalidParameter if the family can't have it."""
        if architecture.policy != NO_POLICY:
            raise InvalidParameter("A network with a policy belongs to the family policy, not network.")
        return NO_ACTIONS

    def _start(self, device: str, threads: int) -> Optimized:
        for package in ("torch", "onnx", "onnxruntime"):
            if find_spec(package) is None:
                raise MissingExtra(f"Neural networks need the package {package}: pip install 'glaux[deep]'.")
        from glaux.values.networks.optimized import Optimized  # noqa: PLC0415 (torch is optional)

        return Optimized(
            self.architecture, self.adam, self.shape, self.seed, device, threads, self.actions, self.loss
        )

    # Where it computes

    @property
    def device(self) -> str:
        """``cpu`` or ``cuda``."""
        return self._optimized.device

    @property
    def threads(self) -> int:
        """How many threads a CPU uses, for values and for learning."""
        return self._optimized.threads

    def place(self, device: str = "auto", threads: int = 1) -> None:
        """Compute on this device from now on."""
        moved = self._start(device, threads)
        moved.restore(self.weights(), self.optimizer())
        self._optimized = moved
        self._inference = None

    @property
    def module(self) -> Network:
        """The PyTorch module that evaluates. To change its weights, use :meth:`restore`."""
        return self._optimized.played

    # Values

    def __call__(self, planes: npt.NDArray[np.float32]) -> Values:
        """The values of states given as planes: what a search calls."""
        return self._asked(planes)(planes)

    def _asked(self, planes: npt.NDArray[np.float32]) -> Inference:
        """What runs on these planes, which have been looked at."""
        if planes.shape[1:] != self.shape:
            raise InvalidParameter(
                f"This network of {self.game.text} needs planes of shape {list(self.shape)}, not "
                f"{list(planes.shape[1:])}."
            )
        self.batches += 1
        inference = self._inference  # another thread may learn, and leave none
        if inference is None:
            inference = self._inference = self._optimized.inference()
        return inference

    def _evaluate(self, states: StateArray) -> Values:
        encode = self.game.native.encode
        parts = range(0, len(states), ENCODED)
        return np.concatenate([self(encode(states[i : i + ENCODED], _core.trusted)) for i in parts])

    # Learning

    def _learn(self, examples: Examples) -> Errors:
        states, values = examples[STATES], examples[VALUES]
        self._begin_step()
        planes = self.game.native.encode(np.ascontiguousarray(states), _core.trusted)
        outputs = self._optimized.step(planes, (values / self.architecture.scale).astype(np.float32))
        return Errors(self._square(outputs, values))

    def _begin_step(self) -> None:
        """What comes out of the next step is another network, by the rate of now."""
        self._inference = None
        self._optimized.go_on_to(self.progress)

    def figures(self) -> dict[str, float]:
        """The rate, if it falls."""
        falls = self.adam.schedule != CONSTANT
        return {"rate": self.adam.rate_at(self.progress)} if falls else {}

    def _square(self, outputs: Values, values: Values) -> float:
        """The sum of squared errors of outputs in units of the scale; BrokenValue if it is not finite."""
        error = float(np.square(self.architecture.scale * outputs.astype(np.float64) - values).sum())
        if not np.isfinite(error):
            raise BrokenValue(
                f"The network's values are no longer finite: the learning rate {self.adam.rate:g} is too "
                "high."
            )
        return error

    # Copies and files

    def settings(self) -> dict[str, Any]:
        """Architecture, Adam and seed; not the device, which belongs to a machine."""
        return {
            "architecture": self.architecture.to_json(),
            "adam": self.adam.to_json(),
            "seed": self.seed,
        }

    def weights(self) -> Arrays:
        """The weights, named as in the module."""
        return self._optimized.weights()

    @property
    def weight_count(self) -> int:
        """How many weights and biases it has."""
        return self.architecture.weight_count(*self.shape, self.actions)

    def optimizer(self) -> Arrays:
        """Adam's two moments of each weight, the number of steps, and the weights that are averaged."""
        return self._optimized.moments()

    @classmethod
    def size(cls, game: Game, settings: Mapping[str, Any]) -> int:
        """The number of weights and biases."""
        architecture = Architecture.from_json(settings.get("architecture"))
        spec, actions = game.spec, cls.action_shape(game, architecture)
        return architecture.weight_count(len(spec.planes), spec.plane_rows, spec.plane_columns, actions)

    @classmethod
    def make(cls, game: Game, settings: Mapping[str, Any]) -> Self:
        """The network of these settings, with its initial weights."""
        return cls(game, **cls._checked(settings, ["architecture", "adam", "seed"]))

    @staticmethod
    def _checked(settings: Mapping[str, Any], known: list[str]) -> dict[str, Any]:
        """What a file says, as the arguments that make the network."""
        check_keys(settings, known, "A network's file")
        for key in known:
            if key not in settings:
                raise InvalidParameter(f"A network's file lacks the setting '{key}'.")
        made = {
            "architecture": Architecture.from_json(settings["architecture"]),
            "adam": Adam.from_json(settings["adam"]),
        }
        return {**settings, **made}

    def restore(self, weights: Arrays, optimizer: Arrays) -> None:
        """Take over arrays of the same architecture and size; InvalidParameter if they don't fit."""
        self._optimized.restore(weights, optimizer)
        self._inference = None

    def copy(self) -> Self:
        """An independent copy on the same device."""
        return self._beside(super().copy())

    def snapshot(self) -> Self:
        """A copy for evaluation only, on the same device with as many threads."""
        return self._beside(super().snapshot())

    def _beside(self, twin: Self) -> Self:
        if (twin.device, twin.threads) != (self.device, self.threads):
            twin.place(self.device, self.threads)
        return twin

    def resized(self, game: Game) -> Self:
        """A network with these weights for the same game at another size, with fresh moments."""
        if game.name != self.game.name:
            raise InvalidParameter(f"A network of {self.game.name} can't be resized to {game.name}.")
        twin = type(self)(
            game,
            self.architecture,
            adam=self.adam,
            device=self.device,
            threads=self.threads,
            seed=self.seed,
        )
        if twin.shape[0] != self.shape[0]:
            raise InvalidParameter(
                f"This network of {self.game.text} can't be resized: it has {self.shape[0]} input planes, "
                f"and {game.text} has {twin.shape[0]}."
            )
        here, there = (self.architecture.weight_count(*net.shape, net.actions) for net in (self, twin))
        if twin.shape != self.shape and (not self.architecture.pooling or here != there):
            raise InvalidParameter(
                "This network's weights fit one board size only: to resize, use an architecture with "
                "pooling=True, such as 'small-pooled', and for a policy policy='convolutional'."
            )
        twin.restore(self.weights(), {})
        twin.learned = self.learned
        twin.history = [*self.history, {"resized": {"from": self.game.text, "to": game.text}}]
        return twin

    def export_onnx(self, path: str | Path) -> Path:
        """Write the network as an ONNX model, for other programs and languages.

        Its input ``planes`` is float32[n, planes, rows, columns] as ``game.encode(states)`` gives it, its
        output float32[n, 1] the values for the first player, in the unit of the heuristic. With a policy its
        second output is the logits.
        """
        from glaux.values.networks.onnx_graph import onnx_model  # noqa: PLC0415 (which needs onnx)

        place = Path(path)
        place.write_bytes(onnx_model(self.architecture, self.weights(), *self.shape))
        return place

    # For people

    def describe(self) -> str:
        """The layers and the number of weights."""
        return f"{self.architecture.describe()}; {plural(self.weight_count, 'weight')}"
