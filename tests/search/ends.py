"""The ends of random matches."""

from __future__ import annotations

from glaux import Game, State


def ends_of(game: Game, n: int, seed: int) -> list[State]:
    return game.states(game.playouts(game.initial(), n, seed))
