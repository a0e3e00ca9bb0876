"""Random matches, and the games that they are of."""

from __future__ import annotations

import random
from collections.abc import Iterator

import glaux
from glaux.protocols.uci import Dialect, variants
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


def boards(dialect: Dialect) -> list[str]:
    """The games of a dialect, each on all of its boards."""
    found = []
    for name, variant in variants(dialect):
        board = glaux.make(name).spec.board
        usual = (variant.rows, variant.columns) == (board.rows, board.columns)
        found.append(name if usual else f"{name}:rows={variant.rows},columns={variant.columns}")
    return found
