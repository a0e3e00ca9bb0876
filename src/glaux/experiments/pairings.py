"""Who meets whom: the protocol of section 3.3 and its relatives, as a list of games.

A contestant is a PLAYER with the value function of one training at one stage. In the common protocol every
stage of a combination meets the final values of all combinations of its repetition (``stages = "all"``,
``repetitions = "same"``), and at the end the final values of all repetitions meet each other, themselves
included. Each pair has both colours. A game between two who are measured and are opponents as well is played
once and counts for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from glaux.experiments.plan import Plan
from glaux.experiments.spec import Play

OVERHEAD = 1.0
"""seconds that a training run takes besides its own time: a process, files"""


class Contestant(NamedTuple):
    """A player with what was learned; or one that is the same for all, whose combination is empty."""

    combination: str
    repetition: int
    """from 1; 0 of one that is the same for all"""
    stage: int
    """from 1; the last is what the training has come to"""
    player: str

    def __str__(self) -> str:
        """As the lines of games write it."""
        if not self.combination:
            return self.player
        return f"{self.combination}/{self.repetition}/{self.stage}/{self.player}"


class GameKey(NamedTuple):
    """Which game."""

    game: str
    first: Contestant
    """who moves first, or solves the puzzle"""
    second: Contestant | None
    """None: it is a puzzle"""
    number: int
    """of the games of these two with these colours"""
    twists: int = 0


def measured(plan: Plan, play: Play, game: str) -> list[Contestant]:
    """Those who are measured."""
    stages = range(1, plan.stages + 1) if play.stages == "all" else [plan.stages]
    return [
        Contestant(combination, repetition, stage, player)
        for combination in _combinations(plan, play, game)
        for repetition in range(1, plan.repetitions + 1)
        for stage in stages
        for player, _ in play.players
    ]


def opponents(plan: Plan, play: Play, game: str) -> list[Contestant]:
    """Those whom they meet."""
    if play.opponents:
        return [Contestant("", 0, 0, name) for name, _ in play.opponents]
    chosen = [one.name for one in plan.combinations(game)] if play.against else None
    return [
        Contestant(combination, repetition, plan.stages, player)
        for combination in chosen or _combinations(plan, play, game)
        for repetition in range(1, plan.repetitions + 1)
        for player, _ in play.against or play.players
    ]


def _combinations(plan: Plan, play: Play, game: str) -> list[str]:
    names = [one.name for one in plan.combinations(game)]
    return [name for name in names if not play.combinations or name in play.combinations]


def games_of(plan: Plan, play: Play, game: str) -> list[GameKey]:
    """All games of a play in a game, each once, those with the same players together."""
    return list(dict.fromkeys(_games(plan, play, game)))


def _games(plan: Plan, play: Play, game: str) -> Iterator[GameKey]:
    others = opponents(plan, play, game)
    for one in measured(plan, play, game):
        if play.twists:
            for twists in play.twists:
                for number in range(play.games):
                    yield GameKey(game, one, None, number, twists)
            continue
        for other in others:
            if play.repetitions == "same" and other.combination and other.repetition != one.repetition:
                continue
            for number in range(play.games):
                yield GameKey(game, one, other, number)
                yield GameKey(game, other, one, number)


def estimated_seconds(plan: Plan, workers: int) -> float | None:
    """About how long everything takes; None if the training runs are limited by matches."""
    if plan.seconds is None:
        return None
    trainings = len(plan.trainings()) * (plan.seconds + OVERHEAD)
    played = sum(play.cost * _about(plan, play, game) for game in plan.games for play in plan.plays(game))
    return (trainings + played) / workers


def _about(plan: Plan, play: Play, game: str) -> int:
    """How many games a play has in a game; a few too many where final values meet final values."""
    those = len(measured(plan, play, game))
    if play.twists:
        return those * len(play.twists) * play.games
    others = len(opponents(plan, play, game))
    if play.repetitions == "same" and not play.opponents:
        others //= plan.repetitions
    return those * others * play.games * (1 if play.against_all else 2)
