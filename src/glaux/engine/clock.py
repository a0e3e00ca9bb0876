"""The time that a controller gives, and how much of it a move may take.

GTP's clocks: a main time, then periods of some seconds for some moves. The controller may say what
is left before each move; if it does not, we count ourselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from glaux.rules.game import Game, State

MOST_MOVES_LEFT, FEWEST_MOVES_LEFT = 40, 8
"""Moves that the main time has to last for are at least and at most this many."""
SHARE = 0.9
"""Of the time for a move; the rest is for what else happens between two moves."""
LEAST = 0.005
"""Seconds for a move of somebody whose time is used up."""


@dataclass
class Clock:
    """The time of one player."""

    main: float
    period: float = 0.0
    moves: int = 0
    """moves in a period; none: there are no periods"""
    left: float = 0.0
    """seconds left of the main time or of the period"""
    moves_left: int = 0
    """moves left in the period, 0 in the main time"""

    @classmethod
    def set(cls, main: float, period: float, moves: int) -> Clock | None:
        """The clock of ``time_settings``; None if time does not count."""
        if (period > 0 and moves == 0) or main == period == 0:  # GTP's way to say so, and another
            return None
        clock = cls(main, period, moves, main)
        if main <= 0:
            clock._begin_period()
        return clock

    def tell(self, left: float, moves_left: int) -> None:
        """Take what the controller says in ``time_left``."""
        self.left, self.moves_left = left, moves_left

    def allowance(self, game: Game, state: State) -> float:
        """Seconds for the next move."""
        if self.moves_left:
            return max(LEAST, self.left / self.moves_left * SHARE)
        rest = (game.spec.max_plies - game.ply(state)) // 2
        moves = min(MOST_MOVES_LEFT, max(FEWEST_MOVES_LEFT, rest))
        later = self.period / self.moves if self.moves else 0.0
        return max(LEAST, min(self.left + later, self.left / moves + later) * SHARE)

    def spend(self, seconds: float) -> None:
        """Count the time of a move, and begin another period when one is over."""
        self.left -= seconds
        if self.moves_left:
            self.moves_left -= 1
            if self.moves_left == 0:
                self._begin_period()
        elif self.left <= 0 and self.moves:
            self._begin_period()

    def _begin_period(self) -> None:
        self.left, self.moves_left = self.period, self.moves


def time_for_move(state: State, left: float, added: float, moves: int) -> float:
    """Seconds for a move of a player who has ``left`` for that many moves and gets ``added`` for each.

    0 moves: for all that are to come.
    """
    clock = Clock(left, left=left, moves_left=moves)
    return max(LEAST, min(SHARE * left, clock.allowance(state.game, state) + SHARE * added))


PLAYOUTS = 16
"""random matches that tell how many actions a match may still have"""
FEWEST_ACTIONS, MOST_ACTIONS = 20, 200
RESERVE = 10.0
"""seconds of a match that are never planned for"""


def thinking_time(state: State, left: float, latency: float) -> float:
    """Seconds for an action of a player who has ``left`` for the rest of the match.

    Each action costs ``latency`` besides. How many there will be is what random matches from here have:
    more than are played as a rule, and this is asked again before each action.
    """
    game = state.game
    ends = game.states(game.playouts(state, PLAYOUTS))
    own = sum(game.ply(end) - game.ply(state) for end in ends) / (2 * PLAYOUTS)
    actions = min(MOST_ACTIONS, max(FEWEST_ACTIONS, own))
    return max(LEAST, (left - RESERVE) / actions - latency)
