"""How strong the value function is by now: some games against a fixed opponent.

The agent is UBFM with safe decision, as it will be played; openings of two random plies, each played
with both colours.
"""

from __future__ import annotations

from dataclasses import dataclass

from glaux.arena.contest import Tally
from glaux.arena.interval import wilson
from glaux.arena.match import play_match, random_opening
from glaux.learn.config import Strength
from glaux.players.registry import make_player
from glaux.players.searching import SearchLimits, SearchPlayer
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


def measure_strength(value: ValueFunction, heuristic: Heuristic, strength: Strength, seed: int) -> Measured:
    """Play the games; the same seed gives the same openings."""
    game = heuristic.game
    limits = SearchLimits(seconds=strength.seconds, iterations=None, evaluations=None)
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
        agent = SearchPlayer(search, limits)
        opponent = make_player(strength.opponent, game, seed + index)
        opening = random_opening(game, OPENING_PLIES, seed + index // 2)
        if index % 2 == 0:
            tally.add(play_match(game, agent, opponent, opening).outcome)
        else:
            tally.add(-play_match(game, opponent, agent, opening).outcome)
    low, high = wilson(tally.score, tally.games)
    return Measured(tally.score, low, high, tally.games)
