"""The section ``[value]`` of a training: which value function it begins with.

Each family has a frozen dataclass of its own beside its class; ``families.py`` has the table of them.
A setting that is None is left to the game, to the heuristic, or to the training.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glaux.fields import setting

if TYPE_CHECKING:
    from glaux.rules.game import Game
    from glaux.values.value import ValueFunction


def family_setting(name: str) -> Any:
    """The first setting of every family."""
    return setting(name, "which kind of value function it is: ntuple or network")


@dataclass(frozen=True)
class ValueSettings(ABC):
    """What the settings of all the families are for a training."""

    family: str = family_setting("")
    seed: int | None = setting(None, "of what is drawn at the start; that of the training", kind=int)
    scale: float | None = setting(None, "unit of the values; that of the heuristic", kind=float)
    output: str | None = setting(None, "what bounds the values, or nothing; as the heuristic needs", kind=str)

    @abstractmethod
    def begin(self, game: Game, *, scale: float, bounded: bool, seed: int) -> ValueFunction:
        """The untrained value function.

        ``scale`` is the largest value that there is, ``bounded`` says whether none is beyond [-1, 1], and
        ``seed`` is that of the training: all unless the settings say something else.
        """

    @abstractmethod
    def go_on_with(self, value: ValueFunction) -> None:
        """Let a value function that has learned elsewhere learn with the rates of these settings."""
