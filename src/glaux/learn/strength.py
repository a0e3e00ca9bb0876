"""How strong the value function is by now: some games against a fixed opponent.

The agent is UBFM with safe decision, or PUCT for a policy, as it will be played; openings of two random
plies, each played with both colours. In a game of one player there is no opponent: the score is the share of
scrambles that the agent solves, or the mean score of the game if that is its aim.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from statistics import fmean, stdev

from glaux import _core
from glaux.arena.contest import Tally
from glaux.arena.interval import wilson
from glaux.arena.match import play_match, random_opening
from glaux.fields import INT32, LONGEST, SEEDS, check_types, setting
from glaux.learn.stopping import Stopped, checked
from glaux.players.registry import make_player
from glaux.players.searching import SearchLimits, SearchPlayer
from glaux.rules.game import Game, State
from glaux.search.heuristics import Heuristic
from glaux.search.registry import agent_of, make_search
from glaux.search.search import Search
from glaux.values.value import ValueFunction

OPENING_PLIES = 2
MEMORY = 256 << 20


@dataclass(frozen=True)
class Strength:
    """The curve of strength: some games against a fixed opponent from time to time."""

    opponent: str = setting("mcts:iterations=1000", "the opponent, a PLAYER; unused in games for one player")
    games: int = setting(20, "games per measurement", least=0, most=10**6)
    every: float = setting(
        60.0,
        "longest interval between measurements in seconds, after 10, 20, 40, ...; 0: never measure",
        least=0,
        most=LONGEST,
    )
    limit: float = setting(
        0.0,
        "longest time per measurement in seconds, if need be with fewer games; 0: no limit",
        least=0,
        most=LONGEST,
    )
    seconds: float = setting(0.02, "the agent's seconds per move", most=LONGEST, positive=True)
    twists: int = setting(
        0, "games for one player: twists of the states to solve; 0: the initial state", least=0, most=INT32
    )

    def __post_init__(self) -> None:
        check_types(self, "[strength]")


@dataclass(frozen=True)
class Measured:
    """The score against the opponent and its 95% interval."""

    score: float
    low: float
    high: float
    games: int
    share: bool = True
    """whether the score is a share of the games; otherwise it is the mean score of a game played for that"""

    def text(self, number: float) -> str:
        """A number of this unit for people."""
        return f"{number:.0%}" if self.share else f"{number:.3g}"


def check_strength(game: Game, strength: Strength) -> None:
    """InvalidParameter or UnknownName for an opponent or a number of twists that the game can't have."""
    if game.spec.players == 2:
        make_player(strength.opponent, game, 0).close()
    elif strength.twists:
        game.scramble(strength.twists, 0)


def rival(game: Game, strength: Strength) -> str:
    """What the score is measured against, for people."""
    if game.spec.players == 2:
        return strength.opponent
    return f"{strength.twists} random twists" if strength.twists else "the initial state"


class _Agent(SearchPlayer):
    """Plays until it is told to stop."""

    def __init__(self, search: Search, seconds: float, check: Callable[[], None]) -> None:
        super().__init__(search, SearchLimits(seconds=seconds, iterations=None, evaluations=None))
        self.check = check

    def choose(self, state: State, history: Sequence[int] = ()) -> int:
        self.check()
        return super().choose(state, history)


def measure_strength(
    value: ValueFunction,
    heuristic: Heuristic,
    strength: Strength,
    seed: int,
    stop: threading.Event | None = None,
    *,
    report: Callable[[int], None] | None = None,
    limit: float | None = None,
) -> Measured | None:
    """Play the games; the same seed gives the same openings. Stopped if another thread sets ``stop``.

    After ``limit`` seconds (by default those of the settings) it is what the games until then say: None if
    there was none. ``report`` is called with the number of games so far.
    """
    seed = min(seed, SEEDS - strength.games)  # each game has one of its own
    seconds = strength.limit if limit is None else limit
    deadline = time.perf_counter() + seconds if seconds else math.inf

    def check() -> None:
        if stop is not None and stop.is_set():
            raise Stopped
        if time.perf_counter() > deadline:
            raise _Late

    found: list[float] = []
    with checked(check), suppress(_Late):  # the searches of the opponent as well
        for index in range(strength.games):
            if report is not None:
                report(index)
            options = {"memory": MEMORY, "seed": seed + index}
            search = make_search(agent_of(value), heuristic.game, value, options, heuristic)
            agent = _Agent(search, strength.seconds, check)
            found.append(_play(heuristic.game, agent, strength, seed, index))
    if not found:
        return None
    if heuristic.game.spec.aim == _core.Aim.score:
        return _mean(found)
    tally = Tally()
    for outcome in found:
        tally.add(int(outcome))
    low, high = wilson(tally.score, tally.games)
    return Measured(tally.score, low, high, tally.games)


class _Late(Exception):
    """The time of a measurement is over."""


def _play(game: Game, agent: _Agent, strength: Strength, seed: int, index: int) -> float:
    """The agent's outcome of game number ``index``, or its score in a game that is played for it."""
    if game.spec.players == 2:
        return _play_match(game, agent, strength, seed, index)
    end = _play_alone(game, agent, strength, seed, index)
    if game.spec.aim == _core.Aim.score:
        return game.score(end)
    return 1 if (game.outcome(end) or 0) > 0 else -1


def _play_match(game: Game, agent: _Agent, strength: Strength, seed: int, index: int) -> int:
    """The agent's outcome of game number ``index``."""
    opening = random_opening(game, OPENING_PLIES, seed + index // 2)
    with closing(make_player(strength.opponent, game, seed + index)) as opponent:
        if index % 2 == 0:
            return play_match(game, agent, opponent, opening).outcome
        return -play_match(game, opponent, agent, opening).outcome


def _mean(scores: list[float]) -> Measured:
    """The mean with its 95% interval, of as many games as there are scores."""
    mean = fmean(scores)
    error = 1.96 * stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else 0.0
    return Measured(mean, mean - error, mean + error, len(scores), share=False)


def _play_alone(game: Game, agent: _Agent, strength: Strength, seed: int, index: int) -> State:
    """Where the agent comes to from scramble number ``index``."""
    state = game.scramble(strength.twists, seed + index) if strength.twists else game.initial()
    while not game.terminal(state):
        state = game.apply(state, agent.choose(state))
    return state
