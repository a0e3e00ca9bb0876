"""A search in slices, and what it thinks after each: the live view of the page.

A slice is a short run of a search that is kept, so that the search goes on where it stopped. Slices
of all the clients wait in one queue: whoever thinks for a minute gives way every SLICE seconds, and
nobody waits for more than one slice of each of the others.

A number called a share is a value for the eye: -1 to +1 for the first player, whatever the unit.
"""

from __future__ import annotations

import math
import secrets
import time
from dataclasses import dataclass
from random import Random
from typing import Any

from glaux.rules.game import Game, State
from glaux.search.search import Search
from glaux.search.tree import Row, Tree
from glaux.web.catalogue import Catalogue
from glaux.web.models import MAX_ANALYSIS, MAX_SECONDS, Think
from glaux.web.positions import Line, move

SLICE = 0.05
ROWS = 12
"""candidate moves that are told"""
VARIATION = 10
"""actions of a principal variation that are told"""
STEEPNESS = 2.5
"""of the curve from a value that is not a gain to a share"""


@dataclass
class Task:
    """One question: a state and how long to think about it."""

    state: State
    purpose: str
    seconds: float
    iterations: int | None
    begun: float
    done_iterations: int = 0
    done_evaluations: int = 0
    depth: int = 0
    over: bool = False


class Thinker:
    """The search of one client, kept as long as it plays the same game with the same player."""

    def __init__(self, catalogue: Catalogue, memory: int) -> None:
        self.catalogue = catalogue
        self.memory = memory
        self._key: tuple[str, str] | None = None
        self._search: Search | None = None
        self._scale = 1.0
        self.bytes = 0
        """of the search when it last thought"""
        self._random = Random(secrets.randbits(64))

    def prepare(self, game: Game, player: str) -> None:
        """Make the search of this player; may load a value function, and so take a while."""
        key = (game.text, player)
        if key == self._key:
            return
        self.forget()
        if player != "random":
            made = self.catalogue.search(game, player, self.memory, secrets.randbits(63))
            self._search, self._scale = made.search, made.scale
        self._key = key

    def forget(self) -> None:
        """Give all memory back."""
        self._key, self._search, self.bytes = None, None, 0

    def begin(self, think: Think, line: Line) -> Task:
        """A task within the limits of the server."""
        analyse = think.purpose == "analyse"
        most = MAX_ANALYSIS if analyse else MAX_SECONDS
        seconds = min(think.seconds or (most if think.iterations else 1.0), most)
        if self._search is not None and self._search.native.bytes > self.memory // 2:
            self._search.clear()  # of what this match has left behind: a task has half of the memory at least
        state = line.state
        if not analyse and len(state.game.actions(state)) == 1:
            seconds = min(seconds, SLICE)
        return Task(state, think.purpose, seconds, think.iterations, time.monotonic())

    def step(self, task: Task) -> dict[str, Any]:
        """Think for a slice, and tell."""
        if self._search is None:
            return self._any(task)
        left = task.begun + task.seconds - time.monotonic()
        iterations = None if task.iterations is None else task.iterations - task.done_iterations
        tree = self._search.run(task.state, seconds=max(0.001, min(SLICE, left)), iterations=iterations)
        statistics, self.bytes = tree.statistics, tree.bytes_used
        task.done_iterations += statistics.iterations
        task.done_evaluations += statistics.evaluations
        task.depth = max(task.depth, statistics.depth)
        spent = task.iterations is not None and task.done_iterations >= task.iterations
        late = time.monotonic() >= task.begun + task.seconds
        task.over = spent or late or tree.resolved or statistics.full
        return self._tell(task, tree)

    def _any(self, task: Task) -> dict[str, Any]:
        task.over = True
        action = self._random.choice(task.state.game.actions(task.state))
        return {"move": move(task.state.game, task.state, action), "rows": [], "value": None, "seconds": 0.0}

    def _tell(self, task: Task, tree: Tree) -> dict[str, Any]:
        game, state = task.state.game, task.state
        first = game.first_player(state)
        rows = sorted(tree.children(), key=lambda row: _rank(row, first, tree.action), reverse=True)
        outcome = (max if first else min)((row.c for row in rows), default=0) if tree.resolved else None
        return {
            "move": move(game, state, tree.action),
            "value": tree.value,
            "share": float(outcome) if outcome is not None else self._share(tree.value),
            "outcome": outcome,
            "iterations": task.done_iterations,
            "evaluations": task.done_evaluations,
            "depth": task.depth,
            "memory": tree.bytes_used,
            "full": tree.statistics.full,
            "seconds": time.monotonic() - task.begun,
            "actions": len(rows),
            "rows": [self._row(tree, row) for row in rows[:ROWS]],
        }

    def _row(self, tree: Tree, row: Row) -> dict[str, Any]:
        game, state = tree.root.game, tree.root
        child = game.apply(state, row.action)
        variation = [move(game, state, row.action)]
        following = [] if game.terminal(child) else tree.principal_variation(child)
        for action in following[: VARIATION - 1]:
            variation.append(move(game, child, action))
            child = game.apply(child, action)
        return {
            "value": row.v,
            "share": float(row.c) if row.r else self._share(row.v),
            "visits": row.n,
            "outcome": row.c if row.r else None,
            "variation": variation,
        }

    def _share(self, value: float) -> float:
        if not math.isfinite(value):
            return 0.0
        if self._scale <= 1:
            return max(-1.0, min(1.0, value))
        return math.tanh(STEEPNESS * value / self._scale)


def _rank(row: Row, first: bool, chosen: int) -> tuple[bool, int, int, float]:
    """The move that would be played, then proven results, visits and values for who is to move."""
    sign = 1 if first else -1
    return (row.action == chosen, sign * row.c if row.r else 0, row.n, sign * row.v)
