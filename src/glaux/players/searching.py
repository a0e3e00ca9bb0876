"""Players that search: a search, its limits, and the table that lives through a match."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypedDict

from glaux.players.levels import Level
from glaux.rules.game import State
from glaux.search.search import Search
from glaux.search.tree import Tree


class SearchLimits(TypedDict):
    """What a player may spend on a decision; None: no limit of this kind."""

    seconds: float | None
    iterations: int | None
    evaluations: int | None


class SearchPlayer:
    """Plays what its search decides; at a level below the highest, what it draws among good actions."""

    def __init__(
        self,
        search: Search,
        limits: SearchLimits,
        scale: float = 1.0,
        level: Level | None = None,
        seed: int = 0,
    ) -> None:
        self.search = search
        self.limits = limits
        self.scale = scale
        """the largest value of an end"""
        self.level = level
        self._random = Random(seed)
        self.allowance: float | None = None
        """seconds that a clock leaves for a decision: a limit besides those of the player"""
        self.tree: Tree | None = None

    def begin(self) -> None:
        """Forget the last match."""
        self.search.clear()

    def think(self, state: State) -> Tree:
        """Search within the limits, and keep the tree.

        When memory is full, what can no longer come about is forgotten, and the search goes on. When all of
        it may come about, it ends with what it has.
        """
        limits = self._limits()
        if self.level is not None:
            self.search.clear()  # what was found for other decisions is not within the limits of this one
        tree = self.search.run(state, **limits)
        while tree.statistics.full and self.search.forget_others(state):
            limits = _without(limits, tree)
            if 0 in limits.values():
                break
            tree = self.search.run(state, **limits)
        self.tree = tree
        return tree

    def choose(self, state: State, history: Sequence[int] = ()) -> int:
        """Search, and give the search's decision."""
        return self.decide(self.think(state))

    def decide(self, tree: Tree) -> int:
        """The action to play after a search."""
        return tree.action if self.level is None else self.level.draw(tree, self.scale, self._random)

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


def _without(limits: SearchLimits, tree: Tree) -> SearchLimits:
    """What is left of limits after a run."""
    spent = tree.statistics
    seconds, iterations, evaluations = limits["seconds"], limits["iterations"], limits["evaluations"]
    return SearchLimits(
        seconds=None if seconds is None else max(0.0, seconds - spent.seconds),
        iterations=None if iterations is None else max(0, iterations - spent.iterations),
        evaluations=None if evaluations is None else max(0, evaluations - spent.evaluations),
    )
