"""A search in slices, and what it thinks after each: the live view of the page.

A slice is a short run of a search that is kept, so that the search continues where it stopped. Slices
of all the clients wait in one queue: whoever thinks for a minute gives way every SLICE seconds, and
nobody waits for more than one slice of each of the others.

A number called a share is a value for the eye: -1 to +1 for the first player, whatever the unit.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from random import Random
from typing import Any

from glaux.players.evaluation import rank_of
from glaux.players.levels import Level, level_of
from glaux.players.shares import share_of
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


@dataclass
class Task:
    """One question: a state and how long to think about it."""

    state: State
    purpose: str
    seconds: float
    iterations: int | None
    begun: float
    level: Level | None
    """None: as well as it can"""
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
        level = None if analyse else level_of(think.level)
        if self._search is not None and level is not None:
            self._search.clear()  # what an analysis has found is above its level
        state = line.state
        if not analyse and len(state.game.actions(state)) == 1:
            seconds = min(seconds, SLICE)
        return Task(state, think.purpose, seconds, think.iterations, time.monotonic(), level)

    def step(self, task: Task) -> dict[str, Any]:
        """Think for a slice, and tell."""
        if self._search is None:
            return self._any(task)
        left = task.begun + task.seconds - time.monotonic()
        iterations = None if task.iterations is None else task.iterations - task.done_iterations
        evaluations = None if task.level is None else task.level.evaluations - task.done_evaluations
        tree = self._search.run(
            task.state,
            seconds=max(0.001, min(SLICE, left)),
            iterations=iterations,
            evaluations=None if evaluations is None else max(1, evaluations),
        )
        statistics, self.bytes = tree.statistics, tree.bytes_used
        task.done_iterations += statistics.iterations
        task.done_evaluations += statistics.evaluations
        task.depth = max(task.depth, statistics.depth)
        spent = task.iterations is not None and task.done_iterations >= task.iterations
        late = time.monotonic() >= task.begun + task.seconds
        spent = spent or (evaluations is not None and statistics.evaluations >= evaluations)
        task.over = spent or late or tree.resolved or statistics.full
        action = tree.action
        if task.level is not None and task.over:
            action = task.level.draw(tree, self._scale, self._random)
        return self._tell(task, tree, action)

    def _any(self, task: Task) -> dict[str, Any]:
        task.over = True
        action = self._random.choice(task.state.game.actions(task.state))
        return {"move": move(task.state.game, task.state, action), "rows": [], "value": None, "seconds": 0.0}

    def _tell(self, task: Task, tree: Tree, action: int) -> dict[str, Any]:
        game, state = task.state.game, task.state
        first = game.first_player(state)
        rows = sorted(tree.children(), key=lambda row: rank_of(row, first, action), reverse=True)
        priors = tree.priors()
        prior = (
            {} if priors is None else dict(zip(tree.columns().action.tolist(), priors.tolist(), strict=True))
        )
        outcome = (max if first else min)((row.c for row in rows), default=0) if tree.resolved else None
        return {
            "move": move(game, state, action),
            "value": tree.value,
            "share": float(outcome) if outcome is not None else share_of(tree.value, self._scale),
            "outcome": outcome,
            "iterations": task.done_iterations,
            "evaluations": task.done_evaluations,
            "depth": task.depth,
            "memory": tree.bytes_used,
            "full": tree.statistics.full,
            "seconds": time.monotonic() - task.begun,
            "actions": len(rows),
            "rows": [self._row(tree, row, prior.get(row.action)) for row in rows[:ROWS]],
        }

    def _row(self, tree: Tree, row: Row, prior: float | None) -> dict[str, Any]:
        game, state = tree.root.game, tree.root
        child = game.apply(state, row.action)
        variation = [move(game, state, row.action)]
        following = [] if game.terminal(child) else tree.principal_variation(child)
        for action in following[: VARIATION - 1]:
            variation.append(move(game, child, action))
            child = game.apply(child, action)
        return {
            "value": row.v,
            "share": float(row.c) if row.r else share_of(row.v, self._scale),
            "visits": row.n,
            "prior": prior,
            "outcome": row.c if row.r else None,
            "variation": variation,
        }
