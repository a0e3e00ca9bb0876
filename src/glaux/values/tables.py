"""What n-tuple and pattern networks share: tables that play and learn in the native core.

A family has three classes: how its weights follow their errors, its section [value] of a training run, which
may change that, and the network, whose constructor takes what its file says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, Self, TypeVar

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_keys, check_types, from_mapping
from glaux.rules.game import Game, StateArray
from glaux.values.examples import Examples
from glaux.values.settings import ValueSettings
from glaux.values.value import Errors, ValueFunction, Values

OUTPUTS = ("tanh", "identity")
LEAST, MOST = 1e-37, 1e38
"""positive numbers that the native core's single precision can tell from 0 and from infinity"""


@dataclass(frozen=True)
class TableLearning(ABC):
    """How the weights follow their errors: plain numbers and words, saved with the network."""

    @property
    @abstractmethod
    def native(self) -> Any:
        """The same for the native core."""

    def _check_above_0(self, *names: str) -> None:
        for name in names:
            number = getattr(self, name)
            if not (isinstance(number, int | float) and LEAST <= number <= MOST):
                raise InvalidParameter(f"The {name} of learning must be a positive number, not {number!r}.")


L = TypeVar("L", bound=TableLearning)


@dataclass(frozen=True)
class TableSettings(ValueSettings):
    """The section [value] with such a network: a setting for each of its learning, None for its default."""

    title: ClassVar[str]
    learning_type: ClassVar[type[TableLearning]]

    def __post_init__(self) -> None:
        check_types(self, self.title)
        self._learning(self.learning_type())

    def go_on_with(self, value: ValueFunction) -> None:
        """Let a network that has learned elsewhere learn with these rates."""
        if isinstance(value, TableNetwork) and isinstance(value.learning, self.learning_type):
            value.learning = self._learning(value.learning)

    def _learning(self, before: L) -> L:
        """With what is given here, and the rest as it is there."""
        given = {f.name: getattr(self, f.name) for f in fields(before)}
        return replace(before, **{name: value for name, value in given.items() if value is not None})

    def _common(self, scale: float, bounded: bool, seed: int) -> dict[str, Any]:
        """What the networks of all families are made with, by name."""
        return {
            "output": self.output or ("tanh" if bounded else "identity"),
            "scale": scale if self.scale is None else self.scale,
            "learning": self._learning(self.learning_type()),
            "seed": seed if self.seed is None else self.seed,
        }


class TableNetwork(ValueFunction):
    """A network of tables. ``output`` is ``tanh`` or ``identity``, ``scale`` the unit of the values."""

    settings_type: ClassVar[type[TableSettings]]
    keys: ClassVar[tuple[str, ...]]
    """the settings of a network in its file, besides its ``learning``"""
    # Only how many pairs go to the native core at once: how many share a step is the learning's.
    batch_size: ClassVar[int] = 16384
    native: _core.NTuple | _core.Patterns
    learning: TableLearning

    def __init__(self, game: Game, *, output: str, scale: float, learning: TableLearning | None) -> None:
        super().__init__(game)
        if output not in OUTPUTS:
            raise InvalidParameter(f"There is no output '{output}'{suggest(output, OUTPUTS)}")
        self.output, self.scale = output, float(scale)
        self.learning = learning or self.settings_type.learning_type()

    def _evaluate(self, states: StateArray) -> Values:
        return self.native.evaluate(self.game.native, states, _core.trusted)

    def _learn(self, examples: Examples) -> Errors:
        states, values = (examples[name] for name in self.columns)
        return Errors(
            self.native.learn(self.game.native, states, values, self.learning.native, _core.trusted)
        )

    def settings(self) -> dict[str, Any]:
        """What makes an equal network before it has learned."""
        return {name: getattr(self, name) for name in self.keys} | {"learning": asdict(self.learning)}

    @classmethod
    def make(cls, game: Game, settings: Mapping[str, Any]) -> Self:
        """The network of these settings."""
        cls._check_keys(settings)
        known = dict(settings)
        learning = from_mapping(cls.settings_type.learning_type, known.pop("learning", {}), "Learning")
        return cls(game, **known, learning=learning)

    @classmethod
    def _check_keys(cls, settings: Mapping[str, Any]) -> None:
        check_keys(settings, [*cls.keys, "learning"], cls.title)
