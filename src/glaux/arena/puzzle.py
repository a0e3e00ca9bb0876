"""How often, how soon and how fast a player solves a puzzle: a game of one player, from random starts.

In a game that is played for its score there is nothing to solve, and the score is what counts.

The starts are scrambles of given numbers of twists. A job is a few scrambles of one number, solved one
after the other by one player, so that a value function is loaded once for them; each job has its own
seeds, drawn from the trial's, and the results do not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from glaux.arena.interval import wilson
from glaux.arena.match import play_match
from glaux.arena.pool import derived_seed, play_jobs
from glaux.errors import InvalidParameter
from glaux.players.registry import make_player
from glaux.rules.game import Game

JOB_SIZE = 10
"""scrambles of a job"""


@dataclass(frozen=True)
class Attempt:
    """What came of one scramble."""

    solved: bool
    length: int
    """actions played"""
    seconds: float
    """thinking time"""
    score: float | None = None
    """of the end, if the game is played for that"""


@dataclass(frozen=True)
class Trial:
    """Who solves what, how often, and from where."""

    game: Game
    player: str
    """a PLAYER text"""
    twists: tuple[int, ...]
    games: int
    """scrambles of each number of twists"""
    seed: int = 0

    def check(self) -> None:
        """Raise an error for what can't be played, before anything is."""
        if self.games < 1:
            raise InvalidParameter(f"The number of scrambles must be at least 1, not {self.games}.")
        if self.game.spec.players != 1:
            raise InvalidParameter(f"{self.game.spec.title} is not a game for one player: use glaux match.")
        derived_seed(self.seed)
        for n in self.twists:
            self.game.scramble(n)
        make_player(self.player, self.game, self.seed).close()

    def played(self, workers: int | None = None) -> Generator[tuple[int, list[Attempt]], None, None]:
        """Play, on all cores unless told otherwise; give attempts with their twists, as they end."""
        self.check()
        starts = range(0, self.games, JOB_SIZE)
        jobs = ((n, _Job(self, n, first)) for n in self.twists for first in starts)
        return play_jobs(jobs, workers)


@dataclass(frozen=True)
class _Job:
    trial: Trial
    twists: int
    first: int
    """the number of its first scramble"""

    def play(self) -> list[Attempt]:
        trial, game = self.trial, self.trial.game
        seed = derived_seed(trial.seed, self.twists, self.first, 1)
        attempts = []
        with closing(make_player(trial.player, game, seed)) as player:
            for number in range(self.first, min(self.first + JOB_SIZE, trial.games)):
                start = game.scramble(self.twists, derived_seed(trial.seed, self.twists, number))
                record = play_match(game, player, player, start=start)
                attempts.append(
                    Attempt(record.outcome > 0, len(record.actions), record.seconds[0], record.score)
                )
        return attempts


@dataclass
class Attempts:
    """The attempts at one number of twists, or at all."""

    attempts: list[Attempt] = field(default_factory=list)

    @property
    def solved(self) -> list[Attempt]:
        """Those that succeeded."""
        return [attempt for attempt in self.attempts if attempt.solved]

    @property
    def share(self) -> float:
        """Solved of all."""
        return len(self.solved) / max(1, len(self.attempts))

    @property
    def mean_length(self) -> float | None:
        """Actions of a solution; None without one."""
        return fmean(attempt.length for attempt in self.solved) if self.solved else None

    @property
    def scores(self) -> list[float]:
        """Of the ends, in a game that is played for the score."""
        return [attempt.score for attempt in self.attempts if attempt.score is not None]

    @property
    def seconds_per_game(self) -> float:
        """Thinking time for a scramble, solved or not."""
        return fmean(attempt.seconds for attempt in self.attempts) if self.attempts else 0.0

    def summary(self) -> dict[str, Any]:
        """The figures that ``glaux puzzle --json`` prints."""
        if self.scores:
            return {
                "games": len(self.attempts),
                "mean_score": fmean(self.scores),
                "best_score": max(self.scores),
                "mean_length": fmean(attempt.length for attempt in self.attempts),
                "seconds_per_game": self.seconds_per_game,
            }
        low, high = wilson(self.share, len(self.attempts))
        return {
            "games": len(self.attempts),
            "solved": len(self.solved),
            "share": self.share,
            "low": low,
            "high": high,
            "mean_length": self.mean_length,
            "seconds_per_game": self.seconds_per_game,
        }
