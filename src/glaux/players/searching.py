"""Players that search: a search, its limits, and the table that lives through a match."""

from __future__ import annotations

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
        self.tree: Tree | None = None

    def begin(self) -> None:
        """Forget the last match."""
        self.search.clear()

    def choose(self, state: State) -> int:
        """Search, and give the search's decision."""
        self.tree = self.search.run(state, **self.limits)
        if self.tree.statistics.full:
            # The table is full of what this match has left behind: begin anew at the next decision.
            action = self.tree.action
            self.search.clear()
            return action
        return self.tree.action
