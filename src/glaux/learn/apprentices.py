"""Rounds of ExIt on a cluster: the matches of a round are dealt out, and all are awaited.

A round has the same parts as with as many threads of one machine, whoever plays them, so that its matches do
not depend on which nodes are there. The apprentice changes with the phase, and is sent to each node once per
phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

from glaux.arrays import Arrays
from glaux.cluster.connecting import connect
from glaux.cluster.crew import Crew, Shared
from glaux.learn.apprentice import Apprentice, ExpertSettings
from glaux.learn.cluster_team import made, own
from glaux.learn.stopping import Stopped
from glaux.learn.worker import Local, Played
from glaux.rules.game import Game
from glaux.search.heuristics import make_heuristic
from glaux.values.settings import ValueSettings
from glaux.values.value import ValueFunction


class ApprenticeSeat:
    """An apprentice on a node."""

    def __init__(
        self,
        game: Game,
        heuristic: str,
        search: ExpertSettings,
        chance: tuple[int, float],
        value: ValueSettings,
    ) -> None:
        """``chance`` is the seed and the temperature; ``value`` says where networks compute."""
        self.game, self.placing, self.phase = game, value, -1
        self.apprentice = Apprentice(make_heuristic(game, heuristic), search, *chance, Local())
        self.value: ValueFunction | None = None

    def play(
        self,
        phase: int,
        weights: Arrays,
        family: type[ValueFunction],
        settings: Mapping[str, Any],
        numbers: Sequence[int],
    ) -> list[Played]:
        """A part of a round with the apprentice of this phase; phase 0 is the warm start."""
        if phase == 0:
            return self.apprentice.warm_start(numbers)
        if self.value is None or phase != self.phase:
            self.value, self.phase = made(self.game, self.placing, family, settings), phase
            self.value.restore(own(weights), {})
        return self.apprentice.play(self.value, numbers)


class Apprentices:
    """Those of a cluster, while a training run lasts: a context."""

    def __init__(self, apprentice: Apprentice, value: ValueSettings, on: str, workers: int) -> None:
        """They play as ``apprentice`` would here, and stop when it would."""
        connect(on)
        self.on, self.size, self.stop = on, workers, apprentice.stop
        chance = apprentice.seed, apprentice.temperature
        self._make = partial(
            ApprenticeSeat, apprentice.game, apprentice.heuristic.text, apprentice.search, chance, value
        )

    def __enter__(self) -> Self:
        self._crew = Crew(self.on, self.size, self._make)
        self._phase, self._weights = -1, Shared(None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.close()

    def play(self, value: ValueFunction, phase: int, parts: Sequence[range]) -> list[Played]:
        """The matches of these parts; Stopped if that is wanted meanwhile."""
        if phase != self._phase:
            self._phase, self._weights = phase, self._crew.share(value.weights())
        about = phase, self._weights, type(value), value.settings()
        played = self._crew.each("play", [(*about, part) for part in parts], self._check)
        return [match for part in played for match in part]

    def _check(self) -> None:
        if self.stop.value:
            raise Stopped
