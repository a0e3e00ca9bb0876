"""An experiment at a scale, with all that the user has changed: every training, with its seed and settings.

Seeds follow from the plan's seed and from what they are for, never from how much else there is: more
repetitions or games leave those that are there as they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple
from zlib import crc32

from glaux.arena.pool import derived_seed
from glaux.errors import InvalidParameter
from glaux.experiments.reading import at_scale
from glaux.experiments.spec import Combination, Experiment, Play
from glaux.learn.config import Config
from glaux.learn.preset import DEFAULT, configure, find_preset
from glaux.learn.registry import change_config
from glaux.rules.game import Game
from glaux.rules.registry import make

MEASURED_ELSEWHERE = "strength.every=0"
"""of every training: the plays measure it"""


class TrainingKey(NamedTuple):
    """Which training."""

    game: str
    combination: str
    repetition: int
    """from 1"""


@dataclass(frozen=True)
class Plan:
    """What is trained and played."""

    name: str
    whole: Experiment
    """with all its scales"""
    scale_name: str
    games: tuple[str, ...]
    repetitions: int
    minutes: float
    matches: int
    stages: int
    seed: int = 0

    @cached_property
    def experiment(self) -> Experiment:
        """The experiment at this scale."""
        return at_scale(self.whole, self.scale_name)

    def trainings(self) -> list[TrainingKey]:
        """All training runs, by repetition: those that have ended make a complete, smaller experiment."""
        return [
            TrainingKey(game, one.name, repetition)
            for repetition in range(1, self.repetitions + 1)
            for game in self.games
            for one in self.combinations(game)
        ]

    def combinations(self, game: str) -> list[Combination]:
        """Those that are trained on a game."""
        return [one for one in self.experiment.combinations if one.is_for(made(game).name)]

    def plays(self, game: str) -> list[Play]:
        """Those that are played in a game: puzzles have their own."""
        alone = made(game).spec.players == 1
        return [play for play in self.experiment.plays if bool(play.twists) == alone]

    def config(self, key: TrainingKey) -> Config:
        """The settings of a training run."""
        scale, one = self.whole.scales[self.scale_name], self.experiment.combination(key.combination)
        own = {made(game).text: preset for game, preset in one.presets}
        name = own.get(key.game) or one.preset or scale.preset or self.experiment.preset
        config = configure(key.game, find_preset(key.game, name or DEFAULT))
        parts = self.seed, crc32(key.game.encode()), crc32(one.name.encode()), key.repetition
        seed = derived_seed(*parts) >> 33  # 31 bits: short enough to be typed again
        changes = (*self.experiment.set, *scale.set, *one.set, MEASURED_ELSEWHERE, f"seed={seed}")
        return change_config(config, changes)

    @property
    def seconds(self) -> float | None:
        """The seconds of a training run, if it is limited by time."""
        return self.minutes * 60 if self.minutes else None

    def check(self) -> None:
        """An error for what can't be trained, before anything is."""
        if self.repetitions < 1:
            raise InvalidParameter(f"There is at least 1 repetition, not {self.repetitions}.")
        for game in self.games:
            if not self.plays(game):
                raise InvalidParameter(f"The experiment {self.name} has no play for {game}.")
            if not self.combinations(game):
                raise InvalidParameter(f"The experiment {self.name} has no combination for {game}.")
        for key in self.trainings():
            if key.repetition == 1:
                self.config(key)

    def description(self) -> dict[str, Any]:
        """What makes it this experiment and no other, as JSON; games and repetitions may be more later."""
        experiment = self.experiment
        described = {
            "title": experiment.title,
            "scale": self.scale_name,
            "minutes": self.minutes,
            "matches": self.matches,
            "stages": self.stages,
            "seed": self.seed,
            "preset": self.whole.scales[self.scale_name].preset or experiment.preset,
            "set": [*experiment.set, *self.whole.scales[self.scale_name].set],
            "combinations": [asdict(one) for one in experiment.combinations],
            "plays": [asdict(play) for play in experiment.plays],
        }
        plain: dict[str, Any] = json.loads(json.dumps(described))
        return plain


def make_plan(
    name: str,
    experiment: Experiment,
    scale_name: str | None = None,
    *,
    games: Sequence[str] = (),
    repetitions: int | None = None,
    minutes: float | None = None,
    matches: int | None = None,
    seed: int = 0,
    check: bool = True,
) -> Plan:
    """The plan of an experiment at a scale, with some of it changed; ``check`` reads all settings."""
    scale_name, scale = experiment.scale(scale_name)
    if minutes is not None and minutes <= 0:
        raise InvalidParameter(f"The minutes of a training run must be more than 0, not {minutes:g}.")
    if matches is not None and matches < 1:
        raise InvalidParameter(f"The matches of a training run must be at least 1, not {matches}.")
    if minutes is None and matches is None:
        minutes, matches = scale.minutes, scale.matches
    texts = tuple(dict.fromkeys(make(game).text for game in games or scale.games))
    plan = Plan(
        name,
        experiment,
        scale_name,
        texts,
        scale.repetitions if repetitions is None else repetitions,
        minutes or 0.0,
        matches or 0,
        scale.stages,
        seed,
    )
    if check:
        plan.check()
    return plan


QUICK = {"repetitions": 2, "minutes": 0.05}
"""of a rough look, if nobody asks for something else"""


def make_quick(experiment: Experiment, scale_name: str | None) -> tuple[Experiment, list[str]]:
    """The experiment for a rough look of about a minute: one game of each pair of players, and which games.

    These are the first for two players and the first for one.
    """
    scale_name, scale = experiment.scale(scale_name)
    changes = dict(experiment.changes[scale_name])
    for play in experiment.plays:
        part = f"play {play.name}"
        changes[part] = {**changes.get(part, {}), "games": 1}
    first = {made(game).spec.players: game for game in reversed(scale.games)}
    games = [game for game in scale.games if game in first.values()]
    return replace(experiment, changes={**experiment.changes, scale_name: changes}), games


@cache
def made(game: str) -> Game:
    """The game of a text, made once."""
    return make(game)
