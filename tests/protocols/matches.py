"""Random matches."""

from __future__ import annotations

import random
from collections.abc import Iterator

from glaux.rules.game import Game, State


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
