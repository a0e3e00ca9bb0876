"""Many matches between two players, on all cores, with what they say.

Game 2k and game 2k + 1 have the same opening with the colours exchanged, so that an uneven opening
or an advantage of the first move favours nobody. To see how somebody plays one colour, only the even
or only the odd ones are played. Every game has its own seeds, drawn from the contest's: the result
does not depend on the number of workers.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from glaux.arena.interval import wilson
from glaux.arena.match import PlayedMatch
from glaux.arena.openings import Openings
from glaux.arena.pool import GameJob, Played, derived_seed, play_jobs
from glaux.arena.sprt import SequentialTest
from glaux.errors import InvalidParameter
from glaux.players.registry import make_player
from glaux.rules.game import Game


class Side(StrEnum):
    """Which colour the first PLAYER of a contest has."""

    both = "both"
    first = "first"
    second = "second"


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
    book: int | None = None
    """plies of the openings of a book, instead of random ones"""
    side: Side = Side.both
    """play only the games in which the first PLAYER has this colour"""

    def check(self) -> None:
        """Raise an error for what can't be played, before anything is."""
        if self.games < 1:
            raise InvalidParameter(f"The number of games must be at least 1, not {self.games}.")
        if self.book is not None and self.games % 2 and self.side is Side.both:
            raise InvalidParameter(
                "With a book, both players play each opening: the number of games must be even."
            )
        check_players(self.game, self.players, self.seed)
        self.openings.check()

    @cached_property
    def openings(self) -> Openings:
        """What the pairs of games begin with."""
        pairs = (self.games + 1) // 2 if self.side is Side.both else self.games
        return Openings(self.game, self.opening, self.book, self.seed, pairs)

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        if self.side is Side.both:
            return range(self.games)
        return range(self.side is Side.second, 2 * self.games, 2)

    def job(self, index: int) -> GameJob:
        """Game number ``index``."""
        return pair_job(self.game, self.players, index, self.seed, self.openings)


def pair_job(game: Game, players: tuple[str, str], index: int, seed: int, openings: Openings) -> GameJob:
    """Game number ``index`` between two players: in odd ones the second PLAYER moves first."""
    seeds = derived_seed(seed, index, 1), derived_seed(seed, index, 2)
    opening = openings.of_pair(index // 2)
    if index % 2:
        return GameJob(game, (players[1], players[0]), (seeds[1], seeds[0]), opening)
    return GameJob(game, players, seeds, opening)


def check_players(game: Game, players: tuple[str, ...], seed: int) -> None:
    """Raise an error for players who can't play matches of this game against each other."""
    if game.spec.players != 2:
        raise InvalidParameter(f"{game.spec.title} is not a game for two players: use glaux puzzle.")
    for text in players:
        make_player(text, game, seed).close()


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
    forfeits: list[list[str]] = field(default_factory=lambda: [[], []])
    """why each PLAYER lost games by other means than the rules"""
    begun: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0

    def add(self, index: int, record: PlayedMatch) -> None:
        """Count a game; in odd ones the first PLAYER was the second player."""
        swapped = index % 2
        outcome = -record.outcome if swapped else record.outcome
        self.total.add(outcome)
        (self.as_second if swapped else self.as_first).add(outcome)
        self.plies += len(record.actions)
        if record.forfeit:
            self.forfeits[0 if outcome < 0 else 1].append(record.forfeit)
        for side in (0, 1):
            self.thinking[side ^ swapped] += record.seconds[side]
            self.choices[side ^ swapped] += record.choices[side]
        self.seconds = time.perf_counter() - self.begun

    def seconds_per_move(self, player: int) -> float:
        """Mean thinking time of a PLAYER."""
        return self.thinking[player] / max(1, self.choices[player])

    def __str__(self) -> str:
        low, high = wilson(self.total.score, self.total.games)
        won = f"{self.total.wins} won, {self.total.draws} drawn, {self.total.losses} lost"
        return f"{won}: {self.total.score:.1%} (95% interval {low:.1%} to {high:.1%})"

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
            "forfeits": [len(reasons) for reasons in self.forfeits],
            "mean_plies": self.plies / max(1, self.total.games),
            "seconds_per_move": [self.seconds_per_move(0), self.seconds_per_move(1)],
            "games_per_second": self.total.games / max(self.seconds, 1e-9),
        }


def play_contest(contest: Contest, workers: int | None = None, *, on: str | None = None) -> Played[int]:
    """Play all the games, and give each with its number, in the order in which they end."""
    contest.check()
    jobs = ((index, contest.job(index)) for index in contest.numbers)
    return play_jobs(jobs, workers, on=on, most=contest.games)


def play_until_decided(
    contest: Contest, test: SequentialTest, workers: int | None = None, *, on: str | None = None
) -> Played[int]:
    """Play pairs of games until the test is decided or no games are left.

    The pairs are counted in the order of their numbers, in which they are given too, so that the
    verdict does not depend on which of them end first.
    """
    if contest.games % 2 or contest.side is not Side.both:
        raise InvalidParameter(
            "A sequential test plays pairs of games: it needs an even number and both colours."
        )
    ended: dict[int, PlayedMatch] = {}
    counted = 0
    with closing(play_contest(contest, workers, on=on)) as played:
        for index, record in played:
            ended[index] = record
            while counted in ended and counted + 1 in ended:
                first, second = ended.pop(counted), ended.pop(counted + 1)
                test.add((first.outcome, -second.outcome))
                yield counted, first
                yield counted + 1, second
                if test.verdict != "undecided":
                    return
                counted += 2
