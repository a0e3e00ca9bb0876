"""Many matches between two players, on all cores, with what they say.

Game 2k and game 2k + 1 have the same opening with the colours exchanged, so that an uneven opening
or an advantage of the first move favours nobody. Every game has its own seeds, drawn from the
contest's: the result does not depend on the number of workers.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from glaux.arena.interval import wilson
from glaux.arena.match import Record, play_match, random_opening
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
            raise InvalidParameter(f"{self.game.spec.title} is not a game of two players.")
        random_opening(self.game, self.opening, self.seed)
        for text in self.players:
            make_player(text, self.game, self.seed).close()


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

    def add(self, index: int, record: Record) -> None:
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


def play_game(contest: Contest, index: int) -> Record:
    """Game number ``index`` of a contest."""
    opening_seed = _seed(contest.seed, index // 2, 0)
    opening = random_opening(contest.game, contest.opening, opening_seed)
    with ExitStack() as stack:
        made = [
            stack.enter_context(closing(make_player(text, contest.game, _seed(contest.seed, index, 1 + i))))
            for i, text in enumerate(contest.players)
        ]
        if index % 2:
            made.reverse()
        return play_match(contest.game, made[0], made[1], opening)


def play_contest(contest: Contest, workers: int | None = None) -> Iterator[tuple[int, Record]]:
    """Play all the games and give each with its number, in the order in which they end."""
    contest.check()
    count = min(workers or os.cpu_count() or 1, contest.games)
    if count == 1:
        for index in range(contest.games):
            yield index, play_game(contest, index)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_prepare_worker)
    try:
        futures = {pool.submit(play_game, contest, index): index for index in range(contest.games)}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        workers_left = list((pool._processes or {}).values())  # a shutdown forgets them
        pool.shutdown(wait=False, cancel_futures=True)
        for process in workers_left:
            process.terminate()


def _seed(*parts: int) -> int:
    return int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0])


def _prepare_worker() -> None:
    """Ctrl-C is the main process's: it ends the workers. They also end if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
