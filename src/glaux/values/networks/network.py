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
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from glaux.errors import BrokenValue, InvalidParameter, MissingExtra
from glaux.fields import check_keys, check_types, setting
from glaux.rules.game import Game, StateArray
from glaux.values.examples import Examples
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import Architecture
from glaux.values.networks.presets import preset
from glaux.values.saving import Arrays
from glaux.values.settings import ValueSettings, family_setting
from glaux.values.value import ValueFunction, Values

if TYPE_CHECKING:
    from glaux.values.networks.inference import Inference
    from glaux.values.networks.module import Network
    from glaux.values.networks.optimized import Optimized

ENCODED = 512
"""states that are encoded at a time, so that many states need little memory"""


@dataclass(frozen=True)
class NetworkSettings(ValueSettings):
    """The section [value] of a training with a neural network: one by name, and what differs from it."""

    family: str = family_setting("network")
    architecture: str = setting("small", "the network by its name in docs/algorithms/networks.md")
    rate: float | None = setting(None, "Adam's learning rate", kind=float)
    l2: float | None = setting(None, "of the L2 regularization, for values in their own unit", kind=float)
    device: str = setting("auto", "cpu, cuda, or auto for what there is")
    threads: int = setting(1, "of a CPU")
    residual: bool | None = setting(None, "residual blocks instead of plain convolutions", kind=bool)
    depth: int | None = setting(None, "convolutions, or residual blocks", kind=int)
    filters: int | None = setting(None, "of each convolution", kind=int)
    padding: bool | None = setting(None, "zeros around the board", kind=bool)
    squeeze: bool | None = setting(None, "squeeze-and-excitation in each residual block", kind=bool)
    pointwise: int | None = setting(None, "filters of a 1x1 convolution; 0: none", kind=int)
    pooling: bool | None = setting(None, "global sum pooling", kind=bool)
    dense: int | None = setting(None, "neurons of each dense layer", kind=int)
    dense_layers: int | None = setting(None, "dense hidden layers", kind=int)

    def __post_init__(self) -> None:
        check_types(self, "A network")

    def begin(self, game: Game, *, scale: float, bounded: bool, seed: int) -> NeuralNetwork:
        """The untrained network."""
        named = preset(self.architecture)
        layers = {f.name: getattr(self, f.name) for f in fields(Architecture)}
        given = {name: value for name, value in layers.items() if value is not None}
        fitting = {"scale": scale, "output": "tanh" if bounded else "linear"}
        return NeuralNetwork(
            game,
            named.architecture.with_changes(**fitting | given),
            adam=replace(named.adam, **self._rates()),
            device=self.device,
            threads=self.threads,
            seed=seed if self.seed is None else self.seed,
        )

    def go_on_with(self, value: ValueFunction) -> None:
        """Let a network that has learned elsewhere learn with these rates, on this device."""
        if isinstance(value, NeuralNetwork):
            value.adam = replace(value.adam, **self._rates())
            value.place(self.device, self.threads)

    def _rates(self) -> dict[str, float]:
        given = {"rate": self.rate, "l2": self.l2}
        return {name: value for name, value in given.items() if value is not None}


class NeuralNetwork(ValueFunction):
    """A network of one of the papers' architectures for one game.

    ``architecture`` is an :class:`Architecture` or the name of a preset, which then also sets
    ``adam`` unless it is given. ``device`` is ``cpu``, ``cuda``, or ``auto`` for what there is.
    ``threads`` are those of a CPU: two processes of one thread use two cores better than one of two.
    """

    family: ClassVar[str] = "network"
    title: ClassVar[str] = "A network"
    settings_type: ClassVar[type[ValueSettings]] = NetworkSettings
    batch_size: ClassVar[int] = 128

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
        if type(seed) is not int or not 0 <= seed < 2**63:
            raise InvalidParameter(f"The seed must be a whole number from 0 up, not {seed!r}.")
        spec = game.spec
        self.architecture = architecture
        self.adam = adam or Adam()
        self.seed = seed
        self.shape = (len(spec.planes), spec.plane_rows, spec.plane_columns)
        """of one state's input: planes, rows, columns"""
        self._optimized = self._start(device, threads)
        self._inference: Inference | None = None
        self.batches = 0
        """of states that it has been asked for"""

    def _start(self, device: str, threads: int) -> Optimized:
        for package in ("torch", "onnx", "onnxruntime"):
            if find_spec(package) is None:
                raise MissingExtra(f"Neural networks need the package {package}: pip install 'glaux[deep]'.")
        from glaux.values.networks.optimized import Optimized  # noqa: PLC0415 (torch is optional)

        return Optimized(self.architecture, self.adam, self.shape, self.seed, device, threads)

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
        """Compute there from now on."""
        moved = self._start(device, threads)
        moved.restore(self.weights(), self.optimizer())
        self._optimized = moved
        self._inference = None

    @property
    def module(self) -> Network:
        """The PyTorch module with the weights. To change them, use :meth:`restore`."""
        return self._optimized.network

    # Values

    def __call__(self, planes: npt.NDArray[np.float32]) -> Values:
        """The values of states given as planes: what a search calls."""
        if planes.shape[1:] != self.shape:
            raise InvalidParameter(
                f"This network of {self.game.text} is for planes of the shape {list(self.shape)}, "
                f"not {list(planes.shape[1:])}."
            )
        self.batches += 1
        if self._inference is None:
            self._inference = self._optimized.inference()
        return self._inference(planes)

    def _evaluate(self, states: StateArray) -> Values:
        encode = self.game.native.encode
        parts = range(0, len(states), ENCODED)
        return np.concatenate([self(encode(states[i : i + ENCODED])) for i in parts])

    # Learning

    def _learn(self, examples: Examples) -> float:
        states, values = (examples[name] for name in self.columns)
        self._inference = None
        planes = self.game.native.encode(np.ascontiguousarray(states))
        outputs = self._optimized.step(planes, (values / self.architecture.scale).astype(np.float32))
        error = float(np.square(self.architecture.scale * outputs.astype(np.float64) - values).sum())
        if not np.isfinite(error):
            raise BrokenValue(
                f"The network's values are no longer finite: a rate of {self.adam.rate:g} is too high for it."
            )
        return error

    # Copies and files

    def settings(self) -> dict[str, Any]:
        """Architecture, Adam and seed; not where it computes, which belongs to a machine."""
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
        return self.architecture.weight_count(*self.shape)

    def optimizer(self) -> Arrays:
        """Adam's two moments of each weight, and the number of steps."""
        return self._optimized.moments()

    @classmethod
    def make(cls, game: Game, settings: Mapping[str, Any]) -> Self:
        """The network of these settings, with its initial weights."""
        known = ["architecture", "adam", "seed"]
        check_keys(settings, known, "A network's file")
        for key in known:
            if key not in settings:
                raise InvalidParameter(f"A network's file lacks the setting '{key}'.")
        architecture = Architecture.from_json(settings["architecture"])
        return cls(game, architecture, adam=Adam.from_json(settings["adam"]), seed=settings["seed"])

    def restore(self, weights: Arrays, optimizer: Arrays) -> None:
        """Take over arrays of the same architecture and size; InvalidParameter if they don't fit."""
        self._optimized.restore(weights, optimizer)
        self._inference = None

    def copy(self) -> Self:
        """A network that is equal now, on the same device, and goes its own way."""
        return self._beside(super().copy())

    def snapshot(self) -> Self:
        """A copy that is only evaluated, on the same device with as many threads."""
        return self._beside(super().snapshot())

    def _beside(self, twin: Self) -> Self:
        if (twin.device, twin.threads) != (self.device, self.threads):
            twin.place(self.device, self.threads)
        return twin

    def resized(self, game: Game) -> NeuralNetwork:
        """A network with these weights for the same game at another size, with fresh moments."""
        if game.name != self.game.name:
            raise InvalidParameter(f"A network of {self.game.name} can't become one of {game.name}.")
        twin = NeuralNetwork(
            game,
            self.architecture,
            adam=self.adam,
            device=self.device,
            threads=self.threads,
            seed=self.seed,
        )
        if twin.shape[0] != self.shape[0]:
            raise InvalidParameter(
                f"This network of {self.game.text} has {self.shape[0]} input planes and {game.text} has "
                f"{twin.shape[0]}: it can't be resized."
            )
        if twin.shape != self.shape and not self.architecture.pooling:
            raise InvalidParameter(
                "The weights of this network belong to one size of the board: use an architecture with "
                "pooling=True, such as 'small-pooled', to change it."
            )
        twin.restore(self.weights(), {})
        twin.learned = self.learned
        twin.history = [*self.history, {"resized": {"from": self.game.text, "to": game.text}}]
        return twin

    # For people

    def describe(self) -> str:
        """The layers and the number of weights."""
        return f"{self.architecture.describe()}; {self.weight_count:,} weights"
