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
    priors: list[float] | None = None
    """the prior probability of each row's action, of a player with a policy"""


def evaluate(player: Player, state: State) -> Evaluation | None:
    """Let a player think about a state that is not terminal; None if it does not search."""
    if not isinstance(player, SearchPlayer):
        return None
    tree = player.think(state)
    priors = tree.priors()
    return Evaluation(
        tree.value,
        tree.resolved,
        tree.action,
        tree.principal_variation(),
        tree.children(),
        None if priors is None else priors.tolist(),
    )


def rank_of(row: Row, first: bool, chosen: int) -> tuple[bool, int, int, float]:
    """The move that would be played, then proven results, visits and values for the player to move."""
    sign = 1 if first else -1
    return (row.action == chosen, sign * row.c if row.r else 0, row.n, sign * row.v)
