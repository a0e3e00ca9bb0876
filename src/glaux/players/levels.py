"""Levels 1 to 8, for people: how much a player may look at, and how often it passes over the best action.

A level has a number of evaluations for a decision, and a temperature: an action is drawn with a probability
that grows as exp(share / temperature), where a share is what the action is worth to the player to move, -1
to 1, proven results being 1, 0 or -1. The highest level has neither: it plays as well as it can in its time.
The numbers are measured, so that each level scores about 75% against the one below (docs/zoo.md); the page,
the command line and engines all take them from here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from glaux.players.shares import share_of
from glaux.search.tree import Tree


@dataclass(frozen=True)
class Level:
    """What a level below the highest may do."""

    evaluations: int
    temperature: float

    def draw(self, tree: Tree, scale: float, random: Random) -> int:
        """An action of the root, drawn by what the search has found; ``scale`` is the largest value."""
        rows = tree.choices()
        if not len(rows.action):
            return tree.action
        sign = 1 if tree.search.game.first_player(tree.root) else -1
        proven = zip(rows.v.tolist(), rows.c.tolist(), rows.r.tolist(), strict=True)
        shares = [sign * (float(c) if r else share_of(v, scale)) for v, c, r in proven]
        best = max(shares)
        weights = [math.exp((share - best) / self.temperature) for share in shares]
        drawn: int = random.choices(rows.action.tolist(), weights)[0]
        return drawn


_BELOW = (
    Level(20, 0.5),
    Level(40, 0.25),
    Level(100, 0.12),
    Level(300, 0.06),
    Level(1_200, 0.03),
    Level(6_000, 0.015),
    Level(40_000, 0.006),
)
FULL = len(_BELOW) + 1
"""the highest level"""


def level_of(number: int | None) -> Level | None:
    """The level of this number; None for the highest, and where nobody has chosen one."""
    return None if number is None or number == FULL else _BELOW[number - 1]
