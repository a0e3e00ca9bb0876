"""How strong the value function is by now: some games against a fixed opponent.

The agent is UBFM with safe decision, as it will be played; openings of two random plies, each played
with both colours. In a game of one player there is no opponent: the score is the share of scrambles
that the agent solves, or the mean score of the game if that is its aim.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import fmean, stdev

from glaux import _core
from glaux.arena.contest import Tally
from glaux.arena.interval import wilson
from glaux.arena.match import play_match, random_opening
from glaux.errors import InvalidParameter
from glaux.fields import check_types, setting
from glaux.learn.stopping import Stopped, checked
from glaux.players.registry import make_player
from glaux.players.searching import SearchLimits, SearchPlayer
from glaux.rules.game import Game, State
from glaux.search.heuristics import Heuristic
from glaux.search.registry import AGENT, make_search
from glaux.search.search import Search
from glaux.values.value import ValueFunction

OPENING_PLIES = 2
MEMORY = 256 << 20


@dataclass(frozen=True)
class Strength:
    """The curve of strength: some games against a fixed opponent from time to time."""

    opponent: str = setting("mcts:iterations=1000", "a PLAYER; in a game of one player there is none")
    games: int = setting(20, "of each measurement")
    every: float = setting(60.0, "seconds of training between two measurements; 0: never")
    seconds: float = setting(0.02, "thinking time for a move of the agent")
    twists: int = setting(0, "of one player: solve states after so many twists; 0: the initial state")

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
    """InvalidParameter or UnknownName for an opponent or a number that can't be."""
    if strength.every < 0 or strength.games < 0 or strength.seconds <= 0:
        raise InvalidParameter("The numbers of [strength] can't be negative, and a move takes some seconds.")
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
) -> Measured:
    """Play the games; the same seed gives the same openings. Stopped if another thread sets ``stop``."""

    def check() -> None:
        if stop is not None and stop.is_set():
            raise Stopped

    with checked(check):  # the searches of the opponent as well
        return _measure(value, heuristic, strength, seed, check)


def _measure(
    value: ValueFunction, heuristic: Heuristic, strength: Strength, seed: int, check: Callable[[], None]
) -> Measured:
    tally, scores = Tally(), []
    for index in range(strength.games):
        options = {"memory": MEMORY, "seed": seed + index}
        search = make_search(AGENT, heuristic.game, value, options, heuristic)
        agent = _Agent(search, strength.seconds, check)
        if heuristic.game.spec.players == 2:
            tally.add(_play_match(heuristic.game, agent, strength, seed, index))
            continue
        end = _play_alone(heuristic.game, agent, strength, seed, index)
        if heuristic.game.spec.aim == _core.Aim.score:
            scores.append(heuristic.game.score(end))
        else:
            tally.add(1 if (heuristic.game.outcome(end) or 0) > 0 else -1)
    if scores:
        return _mean(scores)
    low, high = wilson(tally.score, tally.games)
    return Measured(tally.score, low, high, tally.games)


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
