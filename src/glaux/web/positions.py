"""A position as the page sees it: what stands where, whose turn it is, and what may be played.

The page holds the record of its match (a game, a start, actions) and the server nothing: a position
is worked out from the record each time it is asked for, so that a reload, a lost connection or a
shared link costs nobody a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from glaux.rules.cells import changed_cells
from glaux.rules.game import Game, State
from glaux.web.winning import winning_cells


@dataclass(frozen=True)
class Line:
    """A match up to some action: every state on the way."""

    states: list[State]
    actions: list[int]

    @property
    def state(self) -> State:
        """The last state."""
        return self.states[-1]

    def last_turn(self) -> int:
        """The index of the first of the last actions in a row by one player; alone, each action is a turn."""
        first = len(self.actions)
        if self.state.game.spec.players == 1:
            return max(0, first - 1)
        players = [state.game.first_player(state) for state in self.states[:-1]]
        while first > 0 and players[first - 1] == players[-1]:
            first -= 1
        return first


def follow(game: Game, start: str | None, actions: list[int]) -> Line:
    """Play the actions; InvalidState or InvalidAction if they can't be."""
    states = [game.initial() if start is None else game.parse_state(start)]
    for action in actions:
        states.append(game.apply(states[-1], action))
    return Line(states, actions)


def move(game: Game, state: State, action: int) -> dict[str, Any]:
    """An action for the page: its number, text, cells, and whether the first player takes it."""
    return {
        "action": action,
        "text": game.action_text(state, action),
        "path": game.action_cells(state, action),
        "first": game.first_player(state),
    }


def describe(line: Line) -> dict[str, Any]:
    """What the page needs to draw a position and to let somebody play on from it."""
    game, state = line.state.game, line.state
    outcome = game.outcome(state)
    last = line.last_turn()
    moves = zip(line.states, line.actions, strict=False)
    return {
        "game": game.text,
        "cells": game.cells(state).ravel().tolist(),
        "first": game.first_player(state),
        "ply": game.ply(state),
        "outcome": outcome,
        "score": game.score(state) if outcome is not None and game.spec.has_score else None,
        "pieces": list(game.pieces(state)) if game.spec.has_pieces else None,
        "actions": [move(game, state, action) for action in game.actions(state)],
        "last": [move(game, before, action) for before, action in list(moves)[last:]],
        "changed": changed_cells(line.states[last], state) if line.actions else [],
        "winning": winning_cells(line.states[last], state) if line.actions else [],
        "state": game.state_text(state),
    }
