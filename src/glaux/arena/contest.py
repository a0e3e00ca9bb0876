"""Many matches between two players, on all cores, with what they say.

Game 2k and game 2k + 1 have the same opening with the colours exchanged, so that an uneven opening
or an advantage of the first move favours nobody. Every game has its own seeds, drawn from the
contest's: the result does not depend on the number of workers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from glaux.arena.interval import wilson
from glaux.arena.match import Record, play_match, random_opening
from glaux.arena.workers import derived_seed, play_jobs
from glaux.errors import InvalidParameter
from glaux.players.registry import make_player
from glaux.rules.game import Game


@dataclass(frozen=True)
class Contest:
    """Who plays whom, how often, and from what."""

    game: Game
    players: tuple[str, str]
    """PLAYER texts; results are those of the first"""
    games: int
    opening: int = 0
    """random plies before the players take over"""
    seed: int = 0

    def check(self) -> None:
        """Raise an error for what can't be played, before anything is."""
        if self.games < 1:
            raise InvalidParameter(f"The number of games must be at least 1, not {self.games}.")
        if self.opening < 0:
            raise InvalidParameter(f"The plies of an opening can't be {self.opening}.")
        if self.game.spec.players != 2:
            raise InvalidParameter(
                f"{self.game.spec.title} is not a game of two players: glaux puzzle has one play it."
            )
        random_opening(self.game, self.opening, self.seed)
        for text in self.players:
            make_player(text, self.game, self.seed)


@dataclass
class Tally:
    """Wins, draws and losses of the first PLAYER."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, outcome: int) -> None:
        """Count a game by its outcome for the first PLAYER."""
        if outcome > 0:
            self.wins += 1
        elif outcome < 0:
            self.losses += 1
        else:
            self.draws += 1

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins and half the draws, as a share of the games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


@dataclass
class Standing:
    """The result so far: in all, and by the colour of the first PLAYER."""

    total: Tally = field(default_factory=Tally)
    as_first: Tally = field(default_factory=Tally)
    as_second: Tally = field(default_factory=Tally)
    plies: int = 0
    thinking: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """seconds of each PLAYER"""
    choices: list[int] = field(default_factory=lambda: [0, 0])
    begun: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0

    def add(self, index: int, record: Record) -> None:
        """Count a game; in odd ones the first PLAYER was the second player."""
        swapped = index % 2
        outcome = -record.outcome if swapped else record.outcome
        self.total.add(outcome)
        (self.as_second if swapped else self.as_first).add(outcome)
        self.plies += len(record.actions)
        for side in (0, 1):
            self.thinking[side ^ swapped] += record.seconds[side]
            self.choices[side ^ swapped] += record.choices[side]
        self.seconds = time.perf_counter() - self.begun

    def seconds_per_move(self, player: int) -> float:
        """Mean thinking time of a PLAYER."""
        return self.thinking[player] / max(1, self.choices[player])

    def summary(self) -> dict[str, Any]:
        """The figures that ``glaux match --json`` prints."""
        low, high = wilson(self.total.score, self.total.games)
        return {
            "games": self.total.games,
            **asdict(self.total),
            "score": self.total.score,
            "low": low,
            "high": high,
            "by_colour": {"first": asdict(self.as_first), "second": asdict(self.as_second)},
            "mean_plies": self.plies / max(1, self.total.games),
            "seconds_per_move": [self.seconds_per_move(0), self.seconds_per_move(1)],
            "games_per_second": self.total.games / max(self.seconds, 1e-9),
        }


def play_game(contest: Contest, index: int) -> Record:
    """Game number ``index`` of a contest."""
    opening_seed = derived_seed(contest.seed, index // 2, 0)
    opening = random_opening(contest.game, contest.opening, opening_seed)
    made = [
        make_player(text, contest.game, derived_seed(contest.seed, index, 1 + i))
        for i, text in enumerate(contest.players)
    ]
    if index % 2:
        made.reverse()
    return play_match(contest.game, made[0], made[1], opening)


@dataclass(frozen=True)
class _Job:
    contest: Contest
    index: int

    def play(self) -> Record:
        return play_game(self.contest, self.index)


def play_contest(contest: Contest, workers: int | None = None) -> Iterator[tuple[int, Record]]:
    """Play all the games and give each with its number, in the order in which they end."""
    contest.check()
    return play_jobs(((index, _Job(contest, index)) for index in range(contest.games)), workers)
