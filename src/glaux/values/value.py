"""What every value function that learns can do, whatever its family.

A value function maps states of one game to numbers from the first player's point of view, in the
unit of the values it was fitted to. It is evaluated in batches, learns from examples (``examples.py``),
is copied, and is saved as a directory (``saving.py``). Searches take it as it is: it is a value in the
sense of ``glaux.search.door``.

A family adds what is its own: how values are computed, one learning step, and the arrays that are
its memory.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter, InvalidState
from glaux.rules.game import Game, State, StateArray
from glaux.values.augmentation import augmented
from glaux.values.examples import STATES, VALUES, Examples, pairs
from glaux.values.saving import Saved, write
from glaux.values.settings import ValueSettings

Values = npt.NDArray[np.float32]
"""float32[n], the first player's"""
Progress = Callable[[int, int], None]
"""called with (pairs done, pairs in all)"""
FORGOTTEN = "forgotten"
"""the word of a history for what a packed one no longer has"""


@dataclass(frozen=True)
class Fit:
    """The result of :meth:`ValueFunction.fit`."""

    pairs: int
    """(state, value) pairs learned from, repetitions and symmetric copies included"""
    loss: float
    """mean squared error over the last epoch, of each pair just before it was learned from"""
    seconds: float

    @property
    def pairs_per_second(self) -> float:
        """How fast it was."""
        return self.pairs / self.seconds if self.seconds > 0 else 0.0


class Errors(NamedTuple):
    """What a learning step has found before it: sums over its examples."""

    square: float
    """of the squared errors of the values"""
    policy: float | None = None
    """of the cross-entropies of the policies; None: it has none"""


class ValueFunction(ABC):
    """A value function of one game that can learn. Use one of the families."""

    family: ClassVar[str]
    """the name of the family in value.json"""
    title: ClassVar[str]
    """what it is called at the start of a sentence"""
    settings_type: ClassVar[type[ValueSettings]]
    """the settings of its section [value] of a training run"""
    batch_size: ClassVar[int]
    """pairs that share a learning step unless fit() is told otherwise"""
    concurrent: ClassVar[bool] = False
    """whether threads may learn and evaluate at the same time"""
    memory: ClassVar[str] = ""
    """what its learning steps remember, in words: what a packed one forgets; empty: it can't be packed"""
    columns: ClassVar[tuple[str, ...]] = (STATES, VALUES)
    """the columns of the examples that it learns from; others are ignored"""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.history: list[dict[str, Any]] = []
        """what has been done with it, oldest first, as plain JSON; saved with it"""
        self.learned = 0
        """pairs learned from so far"""
        self.heuristic = "classic"
        """what the ends of matches were worth in what it has learned; see glaux.search.heuristics"""
        self.progress = 0.0
        """how much of its training is done, 0 to 1, as the training says: for rates that fall"""
        self._counting = threading.Lock()

    # Values

    def evaluate(self, states: State | StateArray | Iterable[State]) -> Values:
        """The values of these states, float32[n]."""
        array = self.game.array(states)
        return self._evaluate(array) if len(array) else np.zeros(0, np.float32)

    @abstractmethod
    def _evaluate(self, states: StateArray) -> Values:
        """The values of one or more states that have been checked."""

    # Learning

    def fit(
        self,
        states: State | StateArray | Iterable[State],
        values: npt.ArrayLike,
        *,
        epochs: int = 1,
        batch_size: int | None = None,
        symmetry: str = "none",
        shuffle: bool = True,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Fit:
        """Move the values of these states towards the given ones.

        ``epochs`` passes over the pairs, each in a new order if ``shuffle``. ``batch_size`` is how
        many pairs share a step; the family has a default. ``symmetry`` adds symmetric copies of the
        pairs: ``none``, ``random`` (one of each pair) or ``all``.
        """
        rng = np.random.default_rng(seed)
        examples = augmented(self.game, check_pairs(self.game, states, values), symmetry, rng)
        if epochs < 1:
            raise InvalidParameter(f"The number of epochs must be at least 1, not {epochs}.")
        size = self.batch_size if batch_size is None else batch_size
        if size < 1:
            raise InvalidParameter(f"The batch size must be at least 1, not {size}.")
        begin = time.perf_counter()
        n, squares = len(examples), 0.0
        for epoch in range(epochs):
            order = rng.permutation(n) if shuffle else np.arange(n)
            squares = 0.0
            for start in range(0, n, size):
                rows = order[start : start + size]
                squares += self.learn(examples.take(rows)).square
                if progress is not None:
                    progress(epoch * n + start + len(rows), epochs * n)
        return Fit(epochs * n, squares / n, time.perf_counter() - begin)

    def learn(self, examples: Examples) -> Errors:
        """One learning step from examples that have been checked; the errors before it."""
        with self._counting:
            self.learned += len(examples)
        return self._learn(examples)

    @abstractmethod
    def _learn(self, examples: Examples) -> Errors:
        """As :meth:`learn`, of the family."""

    def figures(self) -> dict[str, float]:
        """What a family reports about its learning since the last call, by name, for the metrics of a run."""
        return {}

    # Copies and files

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """What makes an equal value function before it has learned, as plain JSON."""

    @abstractmethod
    def weights(self) -> Arrays:
        """The learned numbers by name."""

    @abstractmethod
    def optimizer(self) -> Arrays:
        """The optimizer state by name; empty before the first step."""

    @classmethod
    @abstractmethod
    def size(cls, game: Game, settings: Mapping[str, Any]) -> int:
        """The number of weights with these settings, worked out without making them."""

    @classmethod
    @abstractmethod
    def make(cls, game: Game, settings: Mapping[str, Any]) -> Self:
        """The value function with these settings; InvalidParameter if there is none."""

    @abstractmethod
    def restore(self, weights: Arrays, optimizer: Arrays) -> None:
        """Take over arrays of the same settings; InvalidParameter if they don't fit."""

    def copy(self) -> Self:
        """An independent copy."""
        twin = type(self).make(self.game, self.settings())
        twin.restore(self.weights(), self.optimizer())
        twin.learned, twin.heuristic, twin.progress = self.learned, self.heuristic, self.progress
        twin.history = [dict(entry) for entry in self.history]
        return twin

    def snapshot(self) -> Self:
        """A copy for evaluation only, without optimizer state."""
        twin = type(self).make(self.game, self.settings())
        twin.restore(self.weights(), {})
        twin.heuristic = self.heuristic
        return twin

    def save(self, path: str | Path, *, optimizer: bool = True) -> None:
        """Write it as a directory; an earlier one is replaced only when everything is written.

        Without ``optimizer`` the file is smaller, and later learning starts with a fresh optimizer state.
        """
        write(Path(path), self._saved(self.weights(), self.optimizer() if optimizer else {}, self.history))

    def save_packed(self, path: str | Path, bits: int) -> None:
        """Write it as a small directory for play: weights of ``bits`` bits, compressed (``packing.py``).

        Learning can start from it, but without optimizer state: its history says what is missing.
        """
        if not self.memory:
            raise InvalidParameter(f"{self.title} can't be packed: only n-tuple and pattern networks can.")
        note = {"packed": f"{bits}-bit weights, for play", FORGOTTEN: self.memory}
        write(Path(path), self._saved(self.learned_weights(), {}, [*self.history, note]), bits)

    def learned_weights(self) -> Arrays:
        """The weights, with 0 for those that nothing was learned for: what is packed."""
        return self.weights()

    def _saved(self, weights: Arrays, optimizer: Arrays, history: list[dict[str, Any]]) -> Saved:
        return Saved(
            family=self.family,
            game=self.game.rules_text,
            settings=self.settings(),
            heuristic=self.heuristic,
            learned=self.learned,
            history=history,
            weights=weights,
            optimizer=optimizer,
        )

    @property
    def forgotten(self) -> str:
        """What its learning steps remembered before it was packed, if it has been."""
        return next((str(entry[FORGOTTEN]) for entry in self.history if FORGOTTEN in entry), "")

    # For people

    @abstractmethod
    def describe(self) -> str:
        """What it is in one line, such as '100 tuples of 7 cells, ...'."""

    @property
    def weight_count(self) -> int:
        """The number of weights."""
        return sum(array.size for array in self.weights().values())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.text}: {self.describe()}>"


def check_pairs(game: Game, states: State | StateArray | Iterable[State], values: npt.ArrayLike) -> Examples:
    """States and their values as examples: of equal length, at least one, all finite."""
    array = game.array(states)
    targets = np.asarray(values, dtype=np.float32)
    if targets.ndim != 1 or len(targets) != len(array):
        raise InvalidParameter(
            f"Expected one value per state ({len(array):,}), not an array of shape {list(targets.shape)}."
        )
    if len(array) == 0:
        raise InvalidState("There are no states to learn from.")
    if not np.isfinite(targets).all():
        raise InvalidParameter("The values to learn must be finite numbers.")
    return pairs(array, targets)
