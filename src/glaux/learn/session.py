"""A training as a person starts it: a trainer, its run directory, and its strength from time to time.

After each match the figures are written; every minute or so a checkpoint; and a thread of its own
plays games against the fixed opponent, with a copy of the value function, while the training goes on.
"""

from __future__ import annotations

import resource
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from glaux.learn.run import EVENTS, Run
from glaux.learn.strength import Measured, Stopped, measure_strength
from glaux.learn.training import Progress, Record, Training

HISTORY_STEPS = 10
"""value functions that a training leaves in its history"""


@dataclass
class Status:
    """What there is to see of a training."""

    goal_seconds: float | None
    goal_matches: int | None
    latest: Progress | None = None
    learned: int = 0
    """pairs learned from since the start of this session"""
    evaluations: int = 0
    before: float = 0.0
    """seconds of training before this session"""
    begun: float = field(default_factory=time.perf_counter)
    ended: float | None = None
    strengths: list[tuple[float, Measured]] = field(default_factory=list)
    """(elapsed seconds, score) of each measurement"""
    checkpoints: int = 0
    warm: tuple[int, int] | None = None
    """(pairs done, pairs in all) of the warm start while it lasts"""

    @property
    def share(self) -> float:
        """How much of the training is done, 0 to 1."""
        parts = [0.0]
        if self.goal_seconds:
            parts.append(self.elapsed / self.goal_seconds)
        if self.latest and self.goal_matches:
            parts.append(self.latest.match / self.goal_matches)
        return min(1.0, max(parts))

    @property
    def elapsed(self) -> float:
        """Seconds of training until now, or until it ended."""
        return self.before + self.session_seconds

    @property
    def session_seconds(self) -> float:
        """Since this session began."""
        return (self.ended or time.perf_counter()) - self.begun

    @staticmethod
    def memory() -> int:
        """Bytes of memory that this process had at most."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


Observer = Callable[[Status], None]
"""called when there is something new to see"""


class Session:
    """Runs a training to its goal."""

    def __init__(
        self,
        run: Run,
        trainer: Training,
        *,
        seconds: float | None = None,
        matches: int | None = None,
        observer: Observer | None = None,
    ) -> None:
        from tensorboardX import SummaryWriter  # noqa: PLC0415 (imports torch, which takes seconds)

        self.run, self.trainer = run, trainer
        self.status = Status(seconds, matches, before=trainer.elapsed)
        for row in run.metrics():
            if row["kind"] == "strength" and row["match"] <= trainer.matches:
                measured = Measured(row["score"], row["low"], row["high"], row["games"])
                self.status.strengths.append((row["elapsed"], measured))
        self._observer = observer

        self._events = SummaryWriter(str(run.path / EVENTS), purge_step=trainer.matches)
        self._lock = threading.Lock()  # of what the measuring thread shares: strengths, metrics, events
        self._measuring: threading.Thread | None = None
        self._stop = threading.Event()
        self._saved = self._measured = trainer.elapsed
        self._kept = self.status.share

    def go(self) -> None:
        """Train; whatever ends it, what was learned is saved."""
        with self.run.locked():
            self.run.forget_after(self.trainer.matches)
            self._go()

    def _go(self) -> None:
        trainer, status = self.trainer, self.status
        try:
            if trainer.matches == 0 and trainer.elapsed == 0 and trainer.config.warm_start:
                trainer.warm_start(self._warm)
                status.warm = None
                self._save()
            if trainer.matches == 0:
                self.run.keep_value(trainer)
                self._measure()
            trainer.train(
                seconds=status.goal_seconds, matches=status.goal_matches, listener=self._after_match
            )
            status.ended = time.perf_counter()
            self._save()
            self._finish_measuring()
            self._measure()
            self._finish_measuring()
        finally:
            # No thread may outlive this: one that ends inside native code would take the process along.
            self._stop.set()
            self._finish_measuring()
            self._save()
            self.run.keep_value(trainer)
            self._events.close()

    def _warm(self, done: int, total: int) -> None:
        self.status.warm = (done, total)
        self._show()

    def _after_match(self, progress: Progress, record: Record) -> None:
        status = self.status
        status.latest = progress
        status.learned += progress.learned
        status.evaluations += progress.evaluations
        row = {"kind": "match", **asdict(progress), "memory": status.memory()}
        with self._lock:
            self.run.add_metrics(row)
            for name in ("loss", "plies", "states", "learned", "evaluations", "replay"):
                self._events.add_scalar(f"training/{name}", row[name], progress.match)
        self.run.add_match({name: fact for name, fact in asdict(record).items() if fact != ""})
        if progress.elapsed - self._saved >= self.trainer.config.checkpoint_every:
            self._save()
        if status.share - self._kept >= 1 / HISTORY_STEPS:
            self._kept = status.share
            self.run.keep_value(self.trainer)
        every = self.trainer.config.strength.every
        if every and progress.elapsed - self._measured >= every:
            self._measure()
        self._show()

    def _save(self) -> None:
        self.run.save(self.trainer)
        self._saved = self.trainer.elapsed
        self.status.checkpoints += 1

    def _show(self) -> None:
        if self._observer is not None:
            self._observer(self.status)

    # Strength

    def _measure(self) -> None:
        """Begin to measure what the value function is worth now, unless the last time isn't over."""
        strength = self.trainer.config.strength
        if not strength.every or not strength.games or (self._measuring and self._measuring.is_alive()):
            return
        self._measured = self.trainer.elapsed
        snapshot = self.trainer.value.snapshot()
        match, elapsed = self.trainer.matches, self.trainer.elapsed

        def measure() -> None:
            seed = self.trainer.config.seed
            try:
                found = measure_strength(snapshot, self.trainer.heuristic, strength, seed, self._stop)
            except Stopped:
                return
            with self._lock:
                self.status.strengths.append((elapsed, found))
                self.run.add_metrics(
                    {"kind": "strength", "match": match, "elapsed": elapsed, **asdict(found)}
                )
                self._events.add_scalar("strength/score", found.score, match)

        self._measuring = threading.Thread(target=measure, daemon=True)
        self._measuring.start()

    def _finish_measuring(self) -> None:
        while self._measuring and self._measuring.is_alive():
            self._measuring.join(0.2)
            self._show()
