"""What a player thinks of a state: for those who search."""

from __future__ import annotations

from dataclasses import dataclass

from glaux.players.player import Player
from glaux.players.searching import SearchPlayer
from glaux.rules.game import State
from glaux.search.tree import Row


@dataclass(frozen=True)
class Evaluation:
    """The result of a search, from the first player's point of view."""

    value: float
    resolved: bool
    """whether the result is proven"""
    action: int
    """what the player would play"""
    line: list[int]
    """the best actions of both sides, as far as they are known"""
    rows: list[Row]
    """what is known of each action"""


def evaluate(player: Player, state: State) -> Evaluation | None:
    """Let a player think about a state that is not terminal; None if it does not search."""
    if not isinstance(player, SearchPlayer):
        return None
    tree = player.think(state)
    if tree.statistics.full:
        # The table is full of what earlier states have left behind: think again with an empty one.
        player.search.clear()
        tree = player.think(state)
    return Evaluation(tree.value, tree.resolved, tree.action, tree.principal_variation(), tree.children())
