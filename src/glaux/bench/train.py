"""How fast a training is on one core, and where its time goes.

The laptop preset of the game with one worker, for either family of value functions, after the first
matches have filled the replay memory a little. Encoding is what the states that a network was given
would take to encode once more; an n-tuple network has none.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from glaux.bench.measuring import check_seconds, label
from glaux.errors import UnknownName, suggest
from glaux.learn.preset import configure, find_preset
from glaux.learn.trainer import Trainer
from glaux.learn.training import Progress, Record
from glaux.rules.game import Game
from glaux.rules.registry import make
from glaux.values.calibration import random_positions
from glaux.values.ntuple import NTupleNetwork

FAMILIES: dict[str, list[str]] = {
    "ntuple": [],
    "network": ["value.family=network", "value.architecture=small"],
}
GAMES = ("othello", "hex")


@dataclass(frozen=True)
class TrainSpeed:
    """The figures of one training."""

    game: str
    family: str
    matches: int
    evaluations_per_second: float
    learned_states_per_second: float
    """pairs learned from, repetitions included"""
    search: float
    """shares of the time: the search without encoding"""
    encoding: float
    """encoding states into planes, for search and learning"""
    fitting: float
    """learning steps without encoding"""
    everything_else: float
    """playing the actions, targets, replay, symmetric copies"""


def measure(game: str, family: str, seconds: float) -> TrainSpeed:
    """Train for so many seconds."""
    check_seconds(seconds)
    if family not in FAMILIES:
        raise UnknownName(f"There is no family '{family}'{suggest(family, list(FAMILIES))}")
    settings = ["workers=1", "strength.every=0", "warm_start=0", *FAMILIES[family]]
    trainer = Trainer(configure(game, find_preset(game)).with_settings(settings))
    totals: dict[str, float] = {}
    counts = {"evaluations": 0, "learned": 0}

    def add(progress: Progress, _: Record) -> None:
        for name, spent in progress.seconds.items():
            totals[name] = totals.get(name, 0.0) + spent
        counts["evaluations"] += progress.evaluations
        counts["learned"] += progress.learned

    trainer.train(seconds=seconds, listener=add)
    whole = sum(totals.values())
    encode = 0.0 if isinstance(trainer.value, NTupleNetwork) else _encoding_seconds(trainer.game)
    in_search, in_fit = counts["evaluations"] * encode, counts["learned"] * encode
    return TrainSpeed(
        game=label(make(trainer.config.game)),
        family=family,
        matches=trainer.matches,
        evaluations_per_second=counts["evaluations"] / whole,
        learned_states_per_second=counts["learned"] / whole,
        search=(totals["search"] - in_search) / whole,
        encoding=(in_search + in_fit) / whole,
        fitting=(totals["fit"] - in_fit) / whole,
        everything_else=(totals["play"] + totals["replay"] + totals["wait"]) / whole,
    )


def _encoding_seconds(game: Game) -> float:
    """Of one state."""
    states = random_positions(game, 1000, seed=0)
    best = float("inf")
    for _ in range(5):
        begun = time.perf_counter()
        game.native.encode(states)
        best = min(best, time.perf_counter() - begun)
    return best / len(states)
