"""Athénan: learning from self-play, end to end.

    repeat:  play a match (selfplay.py)
             D <- its pairs, with symmetric copies; put D into the replay memory
             learn from what the replay memory gives

With one worker this is the paper's sequential algorithm, and a training is determined by its seed
(if the searches are limited by iterations or evaluations; time is never the same twice). With more,
each worker plays its own matches, and learns from them while the others play on. Searches and
learning steps leave the interpreter alone, so that threads use all the cores. Each match has a copy
of the value function as it was when the match began: a tree whose values were given by many value
functions teaches much less (experiments/LOG.md). All workers change one set of tables of an n-tuple
network without waiting for each other; of a neural network one worker learns at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from glaux.learn.config import Config
from glaux.learn.making import make_replay, make_selection
from glaux.learn.replay import Arrays
from glaux.learn.selfplay import Played, SelfPlay
from glaux.learn.training import Learned, Listener, Progress, Record, Training
from glaux.search.best_first import BestFirst
from glaux.values.augmentation import augmented
from glaux.values.examples import Examples


class Trainer(Training):
    """Athénan: self-play by search, and learning from what the searches have found."""

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        super().__init__(config, saved)
        self.replay = make_replay(config.replay)
        selection = make_selection(config.selection)
        self.players = [SelfPlay(config, self.heuristic, selection) for _ in range(config.workers)]

    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken so many seconds, or has so many matches."""
        loop = _Loop(self, seconds, matches, listener)
        if len(self.players) == 1:
            loop.work(self.players[0])
        else:
            loop.work_in_threads()

    def describe(self) -> str:
        """How it learns, in a few words."""
        return f"{self.config.search.algorithm}, {self.config.targets} learning, {self.heuristic.text}"

    def experience(self, played: Played) -> Iterator[Examples]:
        """What to learn after a match, in minibatches that are drawn by now."""
        examples = augmented(self.game, played.examples, self.config.symmetry, self.rng)
        if self.replay is None:
            return iter(list(self.shuffled(examples)))
        self.replay.add(examples)
        return self.replay.minibatches(self.batch_size, self.rng)

    # For checkpoints

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """With the replay memory and, of a single worker, the proven states."""
        plain, arrays = super().state()
        if self.replay is not None:
            kept, plain["replay"] = self.replay.state()
            arrays |= {f"replay.{name}": array for name, array in kept.items()}
        search = self._search_with_proven()
        if search is not None:
            # What the next match would keep, and no more.
            search.clear_but_resolved(self.config.keep_resolved)
            states, v, c = search.native.proven()
            arrays |= {"proven.states": states, "proven.v": v, "proven.c": c}
        return plain, arrays

    def restore(self, plain: Mapping[str, Any], arrays: Arrays) -> None:
        """Go on where :meth:`state` was taken."""
        super().restore(plain, arrays)
        if self.replay is not None:
            kept = {k.removeprefix("replay."): v for k, v in arrays.items() if k.startswith("replay.")}
            self.replay.restore(kept, plain["replay"])
        search = self._search_with_proven()
        if search is not None:
            search.native.add_proven(*(arrays[f"proven.{name}"] for name in ("states", "v", "c")))

    def _search_with_proven(self) -> BestFirst | None:
        """The search whose proven states are saved: the searches of several workers are busy then."""
        search = self.players[0].search
        alone = len(self.players) == 1 and self.config.keep_resolved > 0
        return search if alone and isinstance(search, BestFirst) else None


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
        alone = len(trainer.players) == 1
        at_once = alone or trainer.value.concurrent
        while True:
            with self.lock:
                progress = self.done()
                if progress >= 1 or self.stopping:
                    return
                self.started += 1
                number = self.started
                value = trainer.value if alone else trainer.value.snapshot()
            played = player.match(value, number, progress)
            clock = _Clock()
            with self.lock:
                clock.lap("wait")
                if self.stopping:
                    return
                batches = trainer.experience(played)
                learned = None if at_once else trainer.steps(batches)
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
            states=len(played.examples),
            learned=learned.pairs,
            loss=float(np.sqrt(learned.square)) / trainer.heuristic.scale,
            replay=len(trainer.replay) if trainer.replay is not None else 0,
            seconds=seconds,
            full=played.full,
        )
        actions = [int(action) for action in played.actions]
        self.listener(progress, Record(trainer.matches, played.outcome, actions))

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
