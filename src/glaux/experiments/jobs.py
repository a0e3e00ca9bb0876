"""What is done in parallel: training runs, and games in bundles. Jobs are plain data, and so are results."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glaux.arena.match import PlayedMatch, play_match
from glaux.arena.pool import GameJob
from glaux.errors import InvalidFile
from glaux.learn.registry import make_learner, read_config
from glaux.learn.run import CONFIG, HISTORY, Run
from glaux.learn.training import Training
from glaux.players.registry import make_player
from glaux.rules.game import Game

LINES = ("learned", "evaluations", "states", "calls")
"""figures of matches that are summed up"""


@dataclass(frozen=True)
class TrainingJob:
    """One training, begun or continued."""

    path: str
    config: Mapping[str, Any]
    """as ``Config.write`` gives it"""
    seconds: float | None
    matches: int | None
    stages: int

    def play(self) -> dict[str, Any]:
        """Train to the goal; what it has come to, with the number of matches at each stage."""
        run, config = Run(Path(self.path), trust=True), read_config(self.config)
        if (run.path / CONFIG).exists():
            if run.config != config:
                raise InvalidFile(f"The run '{self.path}' has different settings from this experiment.")
        else:
            run = Run.create(run.path, config)
        with run.locked():
            learner = run.resume() if run.latest() else make_learner(config)
            Training(run, learner, seconds=self.seconds, matches=self.matches, history=self.stages).go()
        return {
            "matches": learner.matches,
            "seconds": learner.elapsed,
            **_sums(run),
            "stages": _stages(run, self),
        }


def _sums(run: Run) -> dict[str, int]:
    """Over all matches. Not every row has every figure: no network is called in ExIt's warm start."""
    rows = [row for row in run.metrics() if row.get("kind") == "match"]
    return {name: int(sum(row.get(name, 0) for row in rows)) for name in LINES}


def _stages(run: Run, job: TrainingJob) -> list[int]:
    """Which value of the history is that of each stage: the first at its share of the way, or the last."""
    kept = sorted(int(place.name) for place in (run.path / HISTORY).iterdir() if place.name.isdecimal())
    shares = dict.fromkeys(kept, 0.0)
    for row in run.metrics():
        if row["match"] in shares:
            parts = [row["elapsed"] / job.seconds if job.seconds else 0.0]
            parts.append(row["match"] / job.matches if job.matches else 0.0)
            shares[row["match"]] = max(parts)
    stages = []
    for stage in range(1, job.stages + 1):
        reached = [match for match in kept if shares[match] >= stage / job.stages]
        stages.append(reached[0] if reached and stage < job.stages else kept[-1])
    return stages


@dataclass(frozen=True)
class PuzzleJob:
    """One player alone, from a scramble."""

    game: Game
    player: str
    twists: int
    seed: int
    """of the player"""
    scramble: int
    """the seed of the scramble"""

    def play(self) -> PlayedMatch:
        """Try to solve it."""
        start = self.game.scramble(self.twists, self.scramble)
        with closing(make_player(self.player, self.game, self.seed)) as player:
            return play_match(self.game, player, player, start=start)


@dataclass(frozen=True)
class Bundle:
    """Games that one worker plays one after the other: it reads a value function once for all of them."""

    games: tuple[GameJob | PuzzleJob, ...]

    def play(self) -> list[PlayedMatch]:
        """Play them; each has its own seeds, so that it does not matter with which others it is."""
        return [game.play() for game in self.games]
