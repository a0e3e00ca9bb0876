"""Symmetric copies of (state, value) pairs: a state and its mirror image are worth the same."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glaux.errors import InvalidParameter, suggest
from glaux.rules.game import Game, StateArray

SYMMETRIES = ("none", "random", "all")


def augmented(
    game: Game, states: StateArray, values: npt.NDArray[np.float32], symmetry: str, rng: np.random.Generator
) -> tuple[StateArray, npt.NDArray[np.float32]]:
    """The pairs with symmetric copies behind them.

    ``random`` adds one of each pair, seen through any symmetry but the identity (section 10.3 of the
    paper draws from all of them); ``all`` adds every one (section 9.3).
    """
    if symmetry not in SYMMETRIES:
        raise InvalidParameter(f"There is no symmetry '{symmetry}'{suggest(symmetry, SYMMETRIES)}")
    count = game.spec.symmetry_count
    if symmetry == "none" or count == 1:
        return states, values
    native = game.native
    if symmetry == "all":
        copies = [native.transform(states, i) for i in range(1, count)]
        return np.concatenate([states, *copies]), np.tile(values, count)
    chosen = rng.integers(1, count, len(states))
    seen = np.empty_like(states)
    for i in range(1, count):
        rows = chosen == i
        if rows.any():
            seen[rows] = native.transform(np.ascontiguousarray(states[rows]), i)
    return np.concatenate([states, seen]), np.tile(values, 2)
