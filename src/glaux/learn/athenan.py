"""Athénan: learning from self-play, end to end.

    repeat:  play a match, or some in lock-step, by search (worker.py)
             D <- the examples of the match, with symmetric copies; put D into the replay memory
             learn from what the replay memory gives

With one worker and one match at a time this is the paper's sequential algorithm, and a training is
determined by its seed (if the searches are limited by iterations or evaluations; time is never the same
twice). Matches in lock-step are a round: they begin with one value function, and when the last of them
has ended each is learned from in the order of their numbers, so that rounds are determined by the seed,
too. With more workers each plays rounds of its own, and they are learned from as they come. All workers
change one set of tables of an n-tuple network without waiting for each other; of a neural network one
round is learned at a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from glaux.errors import GlauxError
from glaux.fields import setting
from glaux.learn.config import Config
from glaux.learn.learner import Finished, Goal, Learned, Learner, Listener, Progress
from glaux.learn.replay import Arrays, ReplaySettings
from glaux.learn.stopping import Stopped
from glaux.learn.worker import Played, Player, SelfPlayConfig, Team
from glaux.search.search import Search
from glaux.values.augmentation import SYMMETRIES, augmented
from glaux.values.examples import Examples


@dataclass(frozen=True)
class AthenanConfig(SelfPlayConfig):
    """The settings of Athénan."""

    learner: str = setting("athenan", "athenan: search, and learning from its trees")
    symmetry: str = setting("none", "symmetric copies of what is learned: none, random or all")
    replay: ReplaySettings = setting(ReplaySettings(), "what is learned after a match")

    choices: ClassVar[dict[str, tuple[str, ...]]] = SelfPlayConfig.choices | {"symmetry": SYMMETRIES}


class Athenan(Learner):
    """Self-play by search, and learning from what the searches have found."""

    name = "athenan"
    config_type = AthenanConfig
    config: AthenanConfig

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        super().__init__(config, saved)
        self.replay = self.config.replay.make()
        self.team = Team(self.config, self.value)

    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken so many seconds, or has so many matches."""
        goal = Goal(self, seconds, matches)
        begun = self.matches  # matches, those that are being played included
        with self.team as team:
            idle: list[Player] = team.players
            playing: dict[Future[list[Played]], Player] = {}
            learning: dict[Future[list[Learned]], _Round] = {}
            while True:
                while idle and not self.stopping and (progress := goal.share(begun)) < 1:
                    count = min(self.config.lockstep, goal.left(begun))
                    player, numbers = idle.pop(), range(begun + 1, begun + count + 1)
                    begun += count
                    playing[team.submit(player, numbers, progress)] = player
                if not playing and not learning:
                    return
                tasks: set[Future[Any]] = {*playing, *learning}
                over, _ = wait(tasks, return_when=FIRST_COMPLETED)
                for future in over & playing.keys():
                    player = playing.pop(future)
                    try:
                        played = future.result()
                    except Stopped:
                        continue  # abandoned, as if it had not begun
                    except BrokenExecutor:
                        if self.stopping:  # the signal was for the workers, too
                            continue
                        raise GlauxError("A worker process of the training has died.") from None
                    # What is learned is drawn here, one round after the other; only the steps may overlap.
                    around = _Round(player, played, time.perf_counter())
                    self.whole = not team.alone  # others are learning all the time
                    drawn = [self.experience(match.examples) for match in around.matches]
                    around.drawn = time.perf_counter()
                    learning[team.learners.submit(self._steps, drawn)] = around
                for future in over & learning.keys():
                    around, learned = learning.pop(future), future.result()
                    self.whole = True
                    self._absorb(around, learned, goal.elapsed, listener)
                    idle.append(around.player)

    def stop(self) -> None:
        """Matches that are being played are abandoned, those that are being learned from are finished."""
        super().stop()
        self.team.stop()

    def experience(self, examples: Examples) -> list[Examples]:
        """What to learn after a match, in minibatches."""
        copies = augmented(self.game, examples, self.config.symmetry, self.rng)
        if self.replay is None:
            return list(self.shuffled(copies))
        self.replay.add(copies)
        return list(self.replay.minibatches(self.batch_size, self.rng))

    def _steps(self, drawn: Iterable[Iterable[Examples]]) -> list[Learned]:
        return [self.steps(batches) for batches in drawn]

    def _absorb(
        self, around: _Round, learned: list[Learned], elapsed: float, listener: Listener | None
    ) -> None:
        """Count the matches of a round that have been learned from, and tell the listener."""
        self.elapsed = elapsed
        finished = []
        for played, steps in zip(around.matches, learned, strict=True):
            self.matches += 1
            self.evaluations += played.evaluations
            finished.append(self._finished(played, steps, around))
        if listener is not None:
            listener(finished)

    def _finished(self, played: Played, learned: Learned, around: _Round) -> Finished:
        rest = time.perf_counter() - around.ended
        drawing = (around.drawn - around.ended) / len(around.matches)
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
            replay=len(self.replay) if self.replay is not None else 0,
            seconds={
                "search": played.search_seconds,
                "play": played.seconds - played.search_seconds,
                "fit": learned.seconds,
                "replay": drawing,
                "wait": max(0.0, rest / len(around.matches) - drawing - learned.seconds),
            },
            full=played.full,
        )
        return Finished(progress, played.actions, played.outcome)

    def describe(self) -> str:
        """How it learns, in a few words."""
        return f"{self.config.search.algorithm}, {self.config.targets} learning, {self.heuristic.text}"

    # For checkpoints

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """With the replay memory and, of a single worker, the proven states."""
        plain, arrays = super().state()
        if self.replay is not None:
            kept, plain["replay"] = self.replay.state()
            arrays |= {f"replay.{name}": array for name, array in kept.items()}
        for prefix, search in self._proving():
            proven = search.proven(self.config.keep_resolved)
            arrays |= {prefix + name: array for name, array in proven.items()}
        return plain, arrays

    def restore(self, plain: Mapping[str, Any], arrays: Arrays) -> None:
        """Go on where :meth:`state` was taken."""
        super().restore(plain, arrays)
        if self.replay is not None:
            kept = {k.removeprefix("replay."): v for k, v in arrays.items() if k.startswith("replay.")}
            self.replay.restore(kept, plain["replay"])
        for prefix, search in self._proving():
            search.add_proven({k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)})

    def _proving(self) -> Iterator[tuple[str, Search]]:
        """The searches whose proven states are saved: those of several workers are busy then."""
        if self.team.alone and self.config.keep_resolved:
            for i, search in enumerate(self.team.workers[0].searches):
                yield f"proven.{i}." if i else "proven.", search


@dataclass
class _Round:
    """Matches that were played together, on their way through the training."""

    player: Player
    matches: list[Played]
    ended: float
    """when they were over"""
    drawn: float = 0.0
    """when it was drawn what is learned after them"""
