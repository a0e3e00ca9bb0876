"""Turns of several actions by one piece, as in draughts: where it went, and what it has taken.

A move of people and of other programs may be several actions of ours: each jump of a capture is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from glaux.looks.finding import codes_of
from glaux.rules.game import State


@dataclass(frozen=True)
class Turn:
    """The actions of a player from the beginning of a turn, and what they have done."""

    start: State
    now: State
    actions: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    """the cells of the piece"""
    taken: tuple[int, ...] = ()

    @classmethod
    def begin(cls, state: State) -> Turn:
        """Before its first action."""
        return cls(state, state)

    def played(self, action: int) -> Turn:
        """After another action."""
        game = self.now.game
        start, *_, end = game.action_cells(self.now, action)
        after = game.apply(self.now, action)
        path, taken = (*self.path, start, end), (*self.taken, *_taken(self.now, after))
        return Turn(self.start, after, (*self.actions, action), path, taken)

    @property
    def over(self) -> bool:
        """Whether the other player is next, or nobody."""
        game = self.now.game
        if not self.actions:
            return False
        return game.terminal(self.now) or game.first_player(self.now) != game.first_player(self.start)


def all_turns(state: State) -> Iterator[Turn]:
    """The turns that can be played: each way of each piece."""
    waiting = [Turn.begin(state)]
    while waiting:
        turn = waiting.pop()
        if turn.over:
            yield turn
        else:
            waiting += [turn.played(action) for action in turn.now.game.actions(turn.now)]


def _taken(before: State, after: State) -> list[int]:
    """The cells of the pieces that the mover has taken: a piece of the other is not there any more."""
    game = before.game
    codes = codes_of(game, "second" if game.first_player(before) else "first")
    old, new = (np.isin(game.cells(state).reshape(-1), codes) for state in (before, after))
    return [int(cell) for cell in np.flatnonzero(old & ~new)]
