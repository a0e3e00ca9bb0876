"""How strong the value function is by now: some games against a fixed opponent.

The agent is UBFM with safe decision, as it will be played; openings of two random plies, each played
with both colours. In a game of one player there is no opponent: the score is the share that is won
alone, from random starts as far away as the game's own.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from glaux.arena.contest import Tally
from glaux.arena.interval import wilson
from glaux.arena.match import play_match, random_opening
from glaux.errors import InvalidParameter
from glaux.learn.config import Strength
from glaux.players.registry import make_player
from glaux.players.searching import SearchLimits, SearchPlayer
from glaux.rules.game import Game, State
from glaux.search.best_first import UBFM
from glaux.search.heuristics import Heuristic
from glaux.values.value import ValueFunction

OPENING_PLIES = 2
MEMORY = 256 << 20


@dataclass(frozen=True)
class Measured:
    """The score against the opponent and its 95% interval."""

    score: float
    low: float
    high: float
    games: int


def check_strength(game: Game, strength: Strength) -> None:
    """InvalidParameter or UnknownName for an opponent or a number that can't be."""
    if strength.every < 0 or strength.games < 0 or strength.seconds <= 0:
        raise InvalidParameter("The numbers of [strength] can't be negative, and a move takes some seconds.")
    make_player(strength.opponent, game, 0)


class Stopped(Exception):
    """The measurement was told to stop."""


class _Agent(SearchPlayer):
    """Plays until it is told to stop."""

    def __init__(self, search: UBFM, seconds: float, stop: threading.Event) -> None:
        super().__init__(search, SearchLimits(seconds=seconds, iterations=None, evaluations=None))
        self.stop = stop

    def choose(self, state: State) -> int:
        if self.stop.is_set():
            raise Stopped
        return super().choose(state)


def measure_strength(
    value: ValueFunction,
    heuristic: Heuristic,
    strength: Strength,
    seed: int,
    stop: threading.Event | None = None,
) -> Measured:
    """Play the games; the same seed gives the same openings. Stopped if another thread sets ``stop``."""
    game = heuristic.game
    tally = Tally()
    for index in range(strength.games):
        search = UBFM(
            game,
            value,
            decision="safest",
            terminal_value=heuristic.native,
            memory=MEMORY,
            seed=seed + index,
        )
        agent = _Agent(search, strength.seconds, stop or threading.Event())
        if game.spec.players == 1:
            start = game.scramble(game.parameters.get("twists", OPENING_PLIES), seed + index)
            tally.add(play_match(game, agent, agent, start=start).outcome)
            continue
        opponent = make_player(strength.opponent, game, seed + index)
        opening = random_opening(game, OPENING_PLIES, seed + index // 2)
        if index % 2 == 0:
            tally.add(play_match(game, agent, opponent, opening).outcome)
        else:
            tally.add(-play_match(game, opponent, agent, opening).outcome)
    low, high = wilson(tally.score, tally.games)
    return Measured(tally.score, low, high, tally.games)
