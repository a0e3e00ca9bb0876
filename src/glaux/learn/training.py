"""What every kind of training has: a value function that changes from match to match.

A learner adds how matches are played and learned from (``trainer.py``: Athénan; ``td.py``: temporal
differences without search). Runs, sessions and the display only know this class.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from glaux.learn.config import Config
from glaux.learn.making import make_value
from glaux.learn.replay import Arrays
from glaux.learn.strength import check_strength
from glaux.rules.registry import make
from glaux.search.heuristics import Heuristic, make_heuristic
from glaux.values.examples import Examples, pairs
from glaux.values.loading import load


@dataclass(frozen=True)
class Progress:
    """What a match, or a block of matches, and the learning after it have brought."""

    match: int
    """matches so far"""
    elapsed: float
    """seconds of training so far, those before a resume included"""
    plies: float
    """actions of the match; of a block the mean"""
    outcome: float
    """+1, 0 or -1 for the first player; of a block the mean"""
    evaluations: int
    expansions: int
    states: int
    """pairs that the match has given"""
    learned: int
    """pairs that were learned from after it"""
    loss: float
    """root of the mean squared error of these pairs before their step, in units of the scale"""
    replay: int
    """pairs in the replay memory"""
    seconds: dict[str, float]
    """where the time went; what there is depends on the learner"""
    full: bool
    """the tree of the match has reached its memory budget"""


@dataclass(frozen=True)
class Record:
    """A match that was played, to be replayed."""

    match: int
    outcome: int
    actions: list[int] = field(default_factory=list)
    start: str = ""
    """the text of the state it began with, unless that is the initial one"""


Listener = Callable[[Progress, Record], None]
"""called after each match or block of matches; what it raises ends the training"""


class Learned(NamedTuple):
    """What a learning phase has done."""

    pairs: int
    square: float
    """mean squared error of the pairs before their steps"""
    seconds: float
    """of the steps alone"""


class Training(ABC):
    """A training: all that changes from match to match."""

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        """With the directory of a ``saved`` value function it goes on with that one."""
        self.config = config
        self.heuristic: Heuristic = make_heuristic(make(config.game), config.heuristic)
        self.game = self.heuristic.game
        check_strength(self.game, config.strength)
        self.value = load(saved, self.game) if saved else make_value(config, self.heuristic)
        self.value.heuristic = self.heuristic.text
        self.rng = np.random.default_rng([config.seed, 2**32])  # apart from those of the matches
        self.matches = 0
        self.elapsed = 0.0
        self.evaluations = 0

    @abstractmethod
    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken so many seconds, or has so many matches."""

    @abstractmethod
    def describe(self) -> str:
        """How it learns, in a few words."""

    def warm_start(self, report: Callable[[int, int], None] | None = None) -> None:
        """Learn the values of the ends of random matches, before the first match."""
        count, chunk = self.config.warm_start, 20_000
        begun = time.perf_counter()
        for start in range(0, count, chunk):
            n = min(chunk, count - start)
            ends = self.game.playouts(self.game.initial(), n, seed=int(self.rng.integers(2**63)))
            self.steps(self.shuffled(pairs(ends, self.heuristic.values(ends))))
            if report is not None:
                report(start + n, count)
        self.elapsed += time.perf_counter() - begun

    @property
    def batch_size(self) -> int:
        """Pairs that share a learning step."""
        return self.config.batch_size or self.value.batch_size

    def shuffled(self, examples: Examples) -> Iterator[Examples]:
        """Minibatches of examples that are not kept."""
        order = self.rng.permutation(len(examples))
        for start in range(0, len(order), self.batch_size):
            yield examples.take(order[start : start + self.batch_size])

    def steps(self, batches: Iterable[Examples]) -> Learned:
        """Learn from these minibatches, one after the other."""
        learned, squares, seconds = 0, 0.0, 0.0
        for batch in batches:
            begun = time.perf_counter()
            squares += self.value.learn(batch)
            seconds += time.perf_counter() - begun
            learned += len(batch)
        return Learned(learned, squares / max(learned, 1), seconds)

    # For checkpoints; the value function is saved apart.

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """What the training needs to go on, as plain JSON and arrays."""
        plain = {
            "matches": self.matches,
            "elapsed": self.elapsed,
            "evaluations": self.evaluations,
            "rng": self.rng.bit_generator.state,
        }
        return plain, {}

    def restore(self, plain: Mapping[str, Any], arrays: Arrays) -> None:
        """Go on where :meth:`state` was taken; KeyError, TypeError or ValueError if it is none."""
        self.matches = int(plain["matches"])
        self.elapsed = float(plain["elapsed"])
        self.evaluations = int(plain["evaluations"])
        self.rng.bit_generator.state = plain["rng"]
