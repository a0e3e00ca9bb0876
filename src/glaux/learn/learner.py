"""A learner: a value function that changes from match to match, and how it is changed.

``athenan.py``, ``alphazero.py``, ``exit.py`` and ``td.py`` add how matches are played and learned from, each
as one story. Runs, training runs and the display know this class alone, and ``registry.py`` has the table of
the learners.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter
from glaux.learn.clock import CLOCKS, WALL
from glaux.learn.config import Config
from glaux.learn.stopping import Stopped
from glaux.learn.strength import check_strength
from glaux.learn.value import make_value
from glaux.learn.worker import Played
from glaux.rules.registry import make
from glaux.search.heuristics import Heuristic, make_heuristic
from glaux.values.examples import Examples, pairs
from glaux.values.loading import load

LARGEST_CHUNK, FIRST_CHUNK = 20_000, 1
"""ends of random matches that are learned together in a warm start; the first, where time is short"""
GRACE = 2.0
"""seconds that the first matches may go on after the time is over"""
REPORT_SECONDS = 0.5
"""of warm start between two reports"""
MOST = 1 << 53
"""matches and evaluations that a training run can count"""


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
    """where the time went; which entries there are depends on the learner"""
    full: bool
    """the tree of the match has reached its memory budget"""
    policy_loss: float | None = None
    """mean cross-entropy of the policies of these pairs before their step; None: there are none"""
    calls: float = 0.0
    """batches that a neural network was given for it in self-play; 0 for other value functions"""
    value: dict[str, float] = field(default_factory=dict)
    """what the value function reports about its learning; it depends on the family"""


@dataclass(frozen=True)
class Finished:
    """A match that was played and learned from, or the last of a block of matches."""

    progress: Progress
    actions: list[int]
    outcome: int
    start: str = ""
    """the text of the state it began with, unless that is the initial one"""


Listener = Callable[[list[Finished]], None]
"""called between rounds or blocks of matches, when all is consistent; what it raises ends the training"""


class Learned(NamedTuple):
    """What a learning phase has done."""

    examples: int
    square: float
    """mean squared error of the examples before their steps"""
    seconds: float
    """of the steps alone"""
    policy: float | None = None
    """mean cross-entropy of the policies before the steps; None: there are none"""


class Learner(ABC):
    """A learner with all that changes from match to match."""

    name: ClassVar[str]
    """what the setting ``learner`` calls it"""
    config_type: ClassVar[type[Config]]
    """its settings"""

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        """With the directory of a ``saved`` value function it goes on with that one."""
        if not isinstance(config, self.config_type):
            raise InvalidParameter(f"These are settings of the learner {config.learner}, not of {self.name}.")
        self.config = config
        self.clock = CLOCKS[config.clock]
        self.heuristic: Heuristic = make_heuristic(make(config.game), config.heuristic)
        self.game = self.heuristic.game
        check_strength(self.game, config.strength)
        if saved:
            self.value = load(saved, self.game)
            config.value.go_on_with(self.value)  # where it computes is not saved with it
        else:
            self.value = make_value(config, self.heuristic)
        self.value.heuristic = self.heuristic.text
        self.rng = np.random.default_rng([config.seed, 2**32])  # apart from those of the matches
        self.matches = 0
        self.elapsed = 0.0
        self.evaluations = 0
        self.stopping = False
        self.whole = True
        """whether it stands where it can be saved: not in the middle of a learning step"""

    def stop(self) -> None:
        """Ask :meth:`train` to end, soon and for good, and to stand after its last whole round then.

        Any thread may call this, and a signal handler; it only sets flags.
        """
        self.stopping = True

    def play_on(self, address: str, workers: int | None = None) -> None:
        """Let the matches be played on a cluster, by this many workers; by default as the settings say."""
        raise InvalidParameter(
            f"The learner {self.name} plays in threads of one machine, not on a cluster: leave out --on."
        )

    @abstractmethod
    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken this many seconds, or has this many matches."""

    @abstractmethod
    def describe(self) -> str:
        """How it learns, in a few words."""

    def warm_start(
        self, report: Callable[[int, int], None] | None = None, *, seconds: float | None = None
    ) -> None:
        """Learn the values of the ends of random matches, before the first match.

        With a number of ``seconds`` it has as many as fit in them, at most those of the settings: the first
        few tell how fast the rules are. Stopped if it is asked to stop: what is learned by half is not to be
        saved.
        """
        count, chunk = self.config.warm_start, LARGEST_CHUNK if seconds is None else FIRST_CHUNK
        begun, done = self.clock(), 0
        self.whole = False
        while done < count:
            n = min(chunk, count - done)
            ends = self.game.playouts(self.game.initial(), n, seed=int(self.rng.integers(2**63)))
            self.steps(self._unless_stopped(self.shuffled(pairs(ends, self.heuristic.values(ends)))))
            done += n
            if report is not None:
                report(done, count)
            if seconds is not None:
                passed = self.clock() - begun
                affordable = int(done / passed * (seconds - passed))
                if affordable < 1:
                    break
                second = max(1, int(done / passed * REPORT_SECONDS))
                chunk = max(1, min(2 * n, affordable, second))
        self.elapsed += self.clock() - begun
        self.whole = True

    def _unless_stopped(self, batches: Iterable[Examples]) -> Iterator[Examples]:
        for batch in batches:
            if self.stopping:
                raise Stopped
            yield batch

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
        policy: float | None = None
        for batch in batches:
            begun = time.perf_counter()
            errors = self.value.learn(batch)
            seconds += time.perf_counter() - begun
            squares += errors.square
            if errors.policy is not None:
                policy = (policy or 0.0) + errors.policy
            learned += len(batch)
        return Learned(learned, squares / max(learned, 1), seconds, policy and policy / learned)

    def count(
        self,
        played: Played,
        learned: Learned,
        replay: int,
        seconds: dict[str, float],
        figures: dict[str, float] | None = None,
    ) -> Finished:
        """Count a match by search after what was learned then; ``replay`` pairs are kept now.

        ``figures`` are the value function's if it has been asked already: it tells them once.
        """
        self.matches += 1
        self.evaluations += played.evaluations
        progress = Progress(
            match=self.matches,
            elapsed=self.elapsed,
            plies=len(played.actions),
            outcome=played.outcome,
            evaluations=played.evaluations,
            expansions=played.expansions,
            states=len(played.examples),
            learned=learned.examples,
            loss=float(np.sqrt(learned.square)) / self.heuristic.scale,
            policy_loss=learned.policy,
            replay=replay,
            seconds=seconds,
            full=played.full,
            calls=played.calls,
            value=self.value.figures() if figures is None else figures,
        )
        return Finished(progress, played.actions, played.outcome)

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
        """Continue where :meth:`state` was taken; GlauxError, KeyError, TypeError or ValueError if not valid.

        The state may be a stranger's: numbers are looked at here, and states and arrays by each learner.
        """
        self.matches = int(plain["matches"])
        self.elapsed = float(plain["elapsed"])
        self.evaluations = int(plain["evaluations"])
        if not (0 <= self.matches < MOST and 0 <= self.elapsed < MOST and 0 <= self.evaluations < MOST):
            raise InvalidParameter("The numbers of matches, seconds and evaluations are impossible.")
        self.rng.bit_generator.state = plain["rng"]


class Goal:
    """How far a training run has come, and how far it has to go."""

    def __init__(self, learner: Learner, seconds: float | None, matches: int | None) -> None:
        self.seconds, self.matches = seconds, matches
        self.learning = 0.0
        """seconds that learning from matches takes, as far as is known: they have to be over before"""
        self._clock, self._waits = learner.clock, learner.config.clock == WALL
        self._begun = self._clock() - learner.elapsed

    @property
    def elapsed(self) -> float:
        """Seconds of training, those before a resume included."""
        return self._clock() - self._begun

    def share(self, matches: int) -> float:
        """How much of the training is done after this many matches, 0 to 1; 1 and more: it is over."""
        parts = [0.0]
        if self.seconds is not None:
            parts.append(self.elapsed / max(self.seconds, 1e-9))
        if self.matches is not None:
            parts.append(matches / max(self.matches, 1))
        return max(parts)

    def over(self, matches: int) -> bool:
        """Whether no match is to begin after this many: it could not be learned from in time."""
        late = self.seconds is not None and self.elapsed + self.learning >= self.seconds
        return late or self.share(matches) >= 1

    @property
    def play_seconds(self) -> float | None:
        """Seconds until matches still being played are abandoned; None: by the processor's time none is."""
        if self.seconds is None or not self._waits:
            return None
        left = max(0.0, self.seconds - self.elapsed - self.learning)
        return left if self.learning else left + GRACE

    def left(self, matches: int) -> int:
        """How many more matches there may be after this many."""
        return self.matches - matches if self.matches is not None else 2**31
