"""Athénan: learning from self-play, end to end.

    repeat:  play a match (selfplay.py)
             D <- its pairs, with symmetric copies; put D into the replay memory
             learn from what the replay memory gives

With one worker this is the paper's sequential algorithm, and a training is determined by its seed
(if the searches are limited by iterations or evaluations; time is never the same twice). With more,
each worker plays its own matches, and learns from them while the others play on. Searches and
learning steps leave the interpreter alone, so that threads use all the cores. n-tuple networks are
shared: all workers read and change one set of tables without waiting for each other. Of a neural
network each match has a copy as it was when the match began, and one worker learns at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from glaux.learn.config import Config
from glaux.learn.making import make_replay, make_selection, make_value
from glaux.learn.replay import Pairs
from glaux.learn.selfplay import Played, SelfPlay
from glaux.learn.strength import check_strength
from glaux.rules.game import StateArray
from glaux.rules.registry import make
from glaux.search.heuristics import Heuristic, make_heuristic
from glaux.values.augmentation import augmented
from glaux.values.value import ValueFunction, Values


@dataclass(frozen=True)
class Progress:
    """What a match and the learning after it have brought."""

    match: int
    """matches so far"""
    elapsed: float
    """seconds of training so far, those before a resume included"""
    plies: int
    outcome: int
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
    """search; play, the rest of the match; fit, the learning steps; replay, the rest of the learning phase;
    wait, for the learning of other workers"""
    full: bool
    """the tree of the match has reached its memory budget"""


class Learned(NamedTuple):
    """What a learning phase has done."""

    pairs: int
    square: float
    """mean squared error of the pairs before their steps"""
    seconds: float
    """of the steps alone"""


Listener = Callable[[Progress, Played], None]
"""called after each match; what it raises ends the training"""


class Trainer:
    """A training: all that changes from match to match."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.heuristic: Heuristic = make_heuristic(make(config.game), config.heuristic)
        self.game = self.heuristic.game
        check_strength(self.game, config.strength)
        self.value: ValueFunction = make_value(config, self.heuristic)
        self.value.heuristic = self.heuristic.text
        self.replay = make_replay(config.replay)
        self.rng = np.random.default_rng([config.seed, 2**32])  # apart from those of the matches
        self.matches = 0
        self.elapsed = 0.0
        self.evaluations = 0
        selection = make_selection(config.selection)
        self.players = [SelfPlay(config, self.heuristic, selection) for _ in range(config.workers)]

    def warm_start(self, report: Callable[[int, int], None] | None = None) -> None:
        """Learn the values of the ends of random matches, before the first match."""
        count, chunk = self.config.warm_start, 20_000
        begun = time.perf_counter()
        for start in range(0, count, chunk):
            n = min(chunk, count - start)
            ends = self.game.playouts(self.game.initial(), n, seed=int(self.rng.integers(2**63)))
            values = self.heuristic.values(ends)
            self.steps(self._shuffled(ends, values))
            if report is not None:
                report(start + n, count)
        self.elapsed += time.perf_counter() - begun

    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken so many seconds, or has so many matches."""
        loop = _Loop(self, seconds, matches, listener)
        if len(self.players) == 1:
            loop.work(self.players[0])
        else:
            loop.work_in_threads()

    def experience(self, played: Played) -> Iterator[Pairs]:
        """What to learn after a match, in minibatches that are drawn by now."""
        states, values = augmented(self.game, played.states, played.values, self.config.symmetry, self.rng)
        if self.replay is None:
            return iter(list(self._shuffled(states, values)))
        self.replay.add(states, values)
        return self.replay.minibatches(self.batch_size, self.rng)

    def steps(self, batches: Iterable[Pairs]) -> Learned:
        """Learn from these minibatches, one after the other."""
        pairs, squares, seconds = 0, 0.0, 0.0
        for states, values in batches:
            begun = time.perf_counter()
            squares += self.value.learn(states, values)
            seconds += time.perf_counter() - begun
            pairs += len(values)
        return Learned(pairs, squares / max(pairs, 1), seconds)

    @property
    def batch_size(self) -> int:
        """Pairs that share a learning step."""
        return self.config.batch_size or self.value.batch_size

    def _shuffled(self, states: StateArray, values: Values) -> Iterator[Pairs]:
        """Minibatches of pairs that are not kept."""
        order = self.rng.permutation(len(values))
        for start in range(0, len(order), self.batch_size):
            rows = order[start : start + self.batch_size]
            yield states[rows], values[rows]


class _Clock:
    """Where the time goes: each lap counts for what it was spent on."""

    def __init__(self) -> None:
        self.laps = {"wait": 0.0, "replay": 0.0}
        self.last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] += now - self.last
        self.last = now


class _Loop:
    """One call of :meth:`Trainer.train`."""

    def __init__(
        self, trainer: Trainer, seconds: float | None, matches: int | None, listener: Listener | None
    ) -> None:
        self.trainer = trainer
        self.seconds, self.matches = seconds, matches
        self.listener = listener
        self.begun = time.perf_counter() - trainer.elapsed
        self.started = trainer.matches  # matches begun
        self.lock = threading.Lock()
        self.failure: BaseException | None = None
        self.stopping = False

    def elapsed(self) -> float:
        return time.perf_counter() - self.begun

    def done(self) -> float:
        """How much of the training is done, 0 to 1; 1 and more: it is over."""
        parts = [0.0]
        if self.seconds is not None:
            parts.append(self.elapsed() / max(self.seconds, 1e-9))
        if self.matches is not None:
            parts.append(self.started / max(self.matches, 1))
        return max(parts)

    def work(self, player: SelfPlay) -> None:
        """Play matches and learn from them until the training is over."""
        trainer = self.trainer
        shared = len(trainer.players) == 1 or trainer.value.concurrent
        while True:
            with self.lock:
                progress = self.done()
                if progress >= 1 or self.stopping:
                    return
                self.started += 1
                number = self.started
                value = trainer.value if shared else trainer.value.snapshot()
            played = player.match(value, number, progress)
            clock = _Clock()
            with self.lock:
                clock.lap("wait")
                if self.stopping:
                    return
                batches = trainer.experience(played)
                learned = None if shared else trainer.steps(batches)
                clock.lap("replay")
            if learned is None:
                learned = trainer.steps(batches)
            clock.lap("replay")
            with self.lock:
                clock.lap("wait")
                if self.stopping:
                    return
                self.absorb(played, learned, clock.laps)

    def absorb(self, played: Played, learned: Learned, laps: dict[str, float]) -> None:
        """Count a match that has been learned from, and tell the listener."""
        trainer = self.trainer
        trainer.matches += 1
        trainer.evaluations += played.evaluations
        trainer.elapsed = self.elapsed()
        if self.listener is None:
            return
        seconds = {
            "search": played.search_seconds,
            "play": played.seconds - played.search_seconds,
            "fit": learned.seconds,
            "replay": laps["replay"] - learned.seconds,
            "wait": laps["wait"],
        }
        progress = Progress(
            match=trainer.matches,
            elapsed=trainer.elapsed,
            plies=len(played.actions),
            outcome=played.outcome,
            evaluations=played.evaluations,
            expansions=played.expansions,
            states=len(played.values),
            learned=learned.pairs,
            loss=float(np.sqrt(learned.square)) / trainer.heuristic.scale,
            replay=len(trainer.replay) if trainer.replay is not None else 0,
            seconds=seconds,
            full=played.full,
        )
        self.listener(progress, played)

    def work_in_threads(self) -> None:
        threads = [
            threading.Thread(target=self._guarded, args=(player,), daemon=True)
            for player in self.trainer.players
        ]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():  # so that Ctrl-C is heard
                    thread.join(0.1)
        except BaseException:
            self.stopping = True
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
            raise
        if self.failure is not None:
            raise self.failure

    def _guarded(self, player: SelfPlay) -> None:
        try:
            self.work(player)
        except BaseException as failure:  # it comes out in the main thread
            self.failure = self.failure or failure
            self.stopping = True
