"""Random matches of every game on a small board."""

from __future__ import annotations

import random
from collections.abc import Iterator

import glaux
from glaux.rules.game import Game, State

SMALL = {
    "othello": {"size": 6},
    "hex": {"size": 4},
    "breakthrough": {"rows": 5, "columns": 4},
    "clobber": {"rows": 4, "columns": 5},
    "amazons": {"size": 6},
    "lines_of_action": {"size": 5},
    "santorini": {"size": 4},
    "surakarta": {"size": 6},
    "outer_open_gomoku": {"size": 6},
    "connect_four": {"rows": 4, "columns": 5},
}


def small_game(name: str) -> Game:
    return glaux.make(name, **SMALL[name])


def random_match(game: Game, seed: int, most: int = 10_000) -> Iterator[tuple[State, int]]:
    """The states of a random match with the action in each."""
    rng = random.Random(seed)
    state = game.initial()
    for _ in range(most):
        if game.terminal(state):
            return
        action = rng.choice(game.actions(state))
        yield state, action
        state = game.apply(state, action)
