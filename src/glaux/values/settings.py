"""The section ``[value]`` of a training run: which value function it begins with.

Each family has a frozen dataclass of its own beside its class; ``families.py`` has the table of them.
A setting that is None is left to the game, to the heuristic, or to the training.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glaux.fields import SEEDS, setting

if TYPE_CHECKING:
    from glaux.rules.game import Game
    from glaux.values.value import ValueFunction


def family_setting(name: str) -> Any:
    """The first setting of every family."""
    return setting(
        name, "the kind of value function: ntuple, patterns, network, or policy (a network with a policy)"
    )


@dataclass(frozen=True)
class ValueSettings(ABC):
    """What the settings of all families mean for a training run."""

    family: str = family_setting("")
    seed: int | None = setting(
        None,
        "the random seed of the initial weights; by default the run's",
        kind=int,
        least=0,
        most=SEEDS,
    )
    scale: float | None = setting(None, "scale of the values; by default the heuristic's", kind=float)
    output: str | None = setting(
        None, "output function that bounds the values; by default as the heuristic needs", kind=str
    )

    @abstractmethod
    def begin(self, game: Game, *, scale: float, bounded: bool, seed: int) -> ValueFunction:
        """The untrained value function.

        ``scale`` is the largest value that there is, ``bounded`` says whether none is beyond [-1, 1], and
        ``seed`` is that of the training: all unless the settings say something else.
        """

    @abstractmethod
    def go_on_with(self, value: ValueFunction) -> None:
        """Let a value function that has learned elsewhere learn with the rates of these settings."""
