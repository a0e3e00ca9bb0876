"""Players that search: a search, its limits, and the table that lives through a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from glaux.rules.game import State
from glaux.search.search import Search
from glaux.search.tree import Tree


class SearchLimits(TypedDict):
    """What a player may spend on a decision; None: no limit of this kind."""

    seconds: float | None
    iterations: int | None
    evaluations: int | None


class SearchPlayer:
    """Plays what its search decides."""

    def __init__(self, search: Search, limits: SearchLimits) -> None:
        self.search = search
        self.limits = limits
        self.allowance: float | None = None
        """seconds that a clock leaves for a decision: a limit besides those of the player"""
        self.tree: Tree | None = None

    def begin(self) -> None:
        """Forget the last match."""
        self.search.clear()

    def think(self, state: State) -> Tree:
        """Search within the limits, and keep the tree."""
        self.tree = self.search.run(state, **self._limits())
        return self.tree

    def choose(self, state: State, history: Sequence[int] = ()) -> int:
        """Search, and give the search's decision."""
        tree = self.think(state)
        if tree.statistics.full:
            # The table is full of what this match has left behind: begin anew at the next decision.
            self.search.clear()
        return tree.action

    def close(self) -> None:
        """Forget everything."""
        self.search.clear()

    def _limits(self) -> SearchLimits:
        if self.allowance is None:
            return self.limits
        own = self.limits["seconds"]
        seconds = self.allowance if own is None else min(own, self.allowance)
        return SearchLimits(
            seconds=seconds, iterations=self.limits["iterations"], evaluations=self.limits["evaluations"]
        )
