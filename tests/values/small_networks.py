"""Small networks for the tests, and what they learn by heart."""

from __future__ import annotations

import numpy as np

import glaux
from glaux.values.networks.architecture import Architecture
from tests.values.positions import positions

TINY = Architecture(depth=2, filters=8, padding=True, dense=12)
CONNECT_FOUR = glaux.make("connect_four")
OTHELLO = glaux.make("othello", size=6)


def pairs(game: glaux.Game, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Positions with values that have nothing to do with them: only a memory can learn them."""
    values = np.random.default_rng(seed).uniform(-1, 1, count)
    return game.array(positions(game, count, seed)), values.astype(np.float32)
