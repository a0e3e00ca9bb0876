"""A training run as a person starts it: a learner, its run directory, and its strength from time to time.

After each match the figures are written; every minute or so a checkpoint; and a thread of its own
plays games against the fixed opponent, with a copy of the value function, while the training goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from glaux.errors import GlauxError
from glaux.learn.clock import WALL, Clock
from glaux.learn.events import Events
from glaux.learn.learner import Finished, Learner, Progress
from glaux.learn.run import EVENTS, Run
from glaux.learn.stopping import Stopped, signals_ask
from glaux.learn.strength import Measured, measure_strength
from glaux.machine import peak_memory

CURVES = ("loss", "policy_loss", "plies", "states", "learned", "evaluations", "replay")
"""figures of a match that TensorBoard shows"""
WARM_SHARE = 0.15
"""of the time of a training run, at most, for its warm start"""
FIRST_MEASURED = 10.0
"""seconds of training before the first measurement; then after twice as many, until [strength] says"""
LAST_SHARE, LAST_SECONDS = 0.05, 5.0
"""of the time of a training run, at most, for the last measurement of its strength; and this many seconds"""
LATE_SHARE = 0.5
"""of the time of a training run, at most, for all that comes before it"""
LAST_GRACE = 3.0
"""seconds past the time of the training, for the end of its matches, and then of its last measurement"""
HISTORY_STEPS = 10
"""value functions that a training run leaves in its history, at equal shares of the way"""


@dataclass
class Status:
    """The state of a training run, for those who watch it."""

    goal_seconds: float | None
    goal_matches: int | None
    latest: Progress | None = None
    learned: int = 0
    """pairs learned from since the start of this sitting"""
    evaluations: int = 0
    before: float = 0.0
    """seconds of training before this sitting"""
    clock: Clock = time.perf_counter
    begun: float = 0.0
    """by its clock"""
    ended: float | None = None
    strengths: list[tuple[float, Measured]] = field(default_factory=list)
    """(elapsed seconds, score) of each measurement"""
    checkpoints: int = 0
    failure: str = ""
    """why the strength is no longer measured, if measuring failed"""
    warm: tuple[int, int] | None = None
    """(pairs done, pairs in all) of the warm start while it lasts"""
    resumed: int = 0
    """matches before this sitting"""
    measuring: tuple[int, int] | None = None
    """(games done, games in all) of the measurement of strength that is going on"""
    last: bool = False
    """the training run is over, and its strength is measured for the last time"""

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
        return self.before + self.sitting_seconds

    @property
    def sitting_seconds(self) -> float:
        """Since this sitting began."""
        return (self.ended or self.clock()) - self.begun

    @staticmethod
    def memory() -> int:
        """The most memory that this process has used, in bytes."""
        return peak_memory()


Observer = Callable[[Status], None]
"""called when there is something new to see"""


class Training:
    """Carries a training run to its goal."""

    def __init__(
        self,
        run: Run,
        learner: Learner,
        *,
        seconds: float | None = None,
        matches: int | None = None,
        observer: Observer | None = None,
        begun: float | None = None,
        history: int = HISTORY_STEPS,
    ) -> None:
        """``begun`` is when it began by the clock on the wall, if making all this took time.

        ``history`` is how many value functions it leaves in its history, at equal shares of the way.
        """
        self.run, self.learner = run, learner
        clock = learner.clock
        on_the_wall = learner.config.clock == WALL
        self.status = Status(
            seconds,
            matches,
            before=learner.elapsed,
            clock=clock,
            begun=begun if begun is not None and on_the_wall else clock(),
            resumed=learner.matches,
        )
        self.status.strengths = [
            point
            for row in run.metrics()
            if row["match"] <= learner.matches
            for point in strength_points(row)
        ]
        self._observer = observer

        self._lock = threading.Lock()  # of what the measuring thread shares: strengths, metrics, events
        self._measuring: threading.Thread | None = None
        self._stop = threading.Event()  # of the measuring thread
        self._asked = False
        self._saved = self._measured = learner.elapsed
        self._standing: int | None = None  # matches of the checkpoint that this sitting wrote last
        self._history = history
        self._kept = self._history_step

    def go(self) -> None:
        """Train; whatever ends it, the last complete round is saved.

        In the main thread Ctrl-C, SIGTERM and SIGHUP :meth:`stop` it, and come out of this when all is
        saved: KeyboardInterrupt for Ctrl-C, SystemExit for the others. A program that handles these
        signals itself keeps its handlers.
        """
        with signals_ask(self.stop), self.run.locked():
            if self.run.check_newest(self.learner):
                self._standing = self.learner.matches
            self.run.forget_after(self.learner.matches)
            self._events = Events(self.run.path / EVENTS, self.learner.matches)
            self._go()

    def stop(self) -> None:
        """Ask :meth:`go` to end; can be called from any thread or signal handler."""
        self._asked = True
        self.learner.stop()

    def _go(self) -> None:
        learner, status = self.learner, self.status
        try:
            if learner.matches == 0 and learner.elapsed == 0 and learner.config.warm_start:
                self._warm(0, learner.config.warm_start)
                learner.warm_start(self._warm, seconds=self._warm_seconds)
                status.warm = None
                self._save()
            if learner.matches == 0:
                self.run.keep_value(learner)
                self._measure()
            with self._timed():
                learner.train(seconds=self._train_seconds, matches=status.goal_matches, listener=self._after)
            status.ended = status.clock()
            status.last = True
            self._show()
            self._save_rest()
            if not self._asked:
                self._measure_last()
        except Stopped:  # in the warm start: nothing is learned yet
            pass
        finally:
            self._end()

    def _end(self) -> None:
        """Leave nothing behind: no thread, and no whole round that is not saved."""
        try:
            if self.learner.whole:
                self._save_rest()
                self.run.keep_value(self.learner)
        finally:
            # No thread may outlive this: one that ends inside native code would take the process along.
            self._stop.set()
            self._finish_measuring()
            self._events.close()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Stop a learner that does not come to an end by itself when its time is over."""
        goal = self.status.goal_seconds
        if goal is None or self.learner.config.clock != WALL:
            yield
            return
        left = max(goal - self.status.elapsed, (self._train_seconds or 0.0) - self.learner.elapsed)
        alarm = threading.Timer(max(0.0, left) + LAST_GRACE, self.learner.stop)
        alarm.daemon = True
        alarm.start()
        try:
            yield
        finally:
            alarm.cancel()
            alarm.join()

    @property
    def _history_step(self) -> int:
        """How many of the equal parts of the way are done."""
        return int(self.status.share * self._history)

    @property
    def _warm_seconds(self) -> float | None:
        goal = self.status.goal_seconds
        return None if goal is None else WARM_SHARE * goal

    @property
    def _train_seconds(self) -> float | None:
        """When matches end: before the goal, so that the last measurement of strength is inside it."""
        goal, strength = self.status.goal_seconds, self.learner.config.strength
        if goal is None:
            return None
        late = self.status.elapsed - self.learner.elapsed  # the start of this sitting has taken time as well
        measured = strength.every and strength.games
        last = min(LAST_SHARE * goal, LAST_SECONDS) if measured else 0.0
        return goal - min(late, LATE_SHARE * goal) - last

    def _warm(self, done: int, total: int) -> None:
        self.status.warm = (done, total)
        self._show()

    def _after(self, finished: list[Finished]) -> None:
        """Write the figures of some matches, and save and measure if it is time."""
        for one in finished:
            self._write(one)
        progress = finished[-1].progress
        if progress.elapsed - self._saved >= self.learner.config.checkpoint_every:
            self._save()
        if self._history_step > self._kept:
            self._kept = self._history_step
            self.run.keep_value(self.learner)
        every = self.learner.config.strength.every
        if every and progress.elapsed - self._measured >= min(every, max(FIRST_MEASURED, self._measured)):
            self._measure()
        self._show()

    def _write(self, finished: Finished) -> None:
        progress, status = finished.progress, self.status
        status.latest = progress
        status.learned += progress.learned
        status.evaluations += progress.evaluations
        row = {"kind": "match", **asdict(progress), "memory": status.memory()}
        if progress.policy_loss is None:
            del row["policy_loss"]
        if not progress.calls:
            del row["calls"]
        with self._lock:
            self.run.add_metrics(row)
            for name in (curve for curve in CURVES if curve in row):
                self._events.add_scalar(f"training/{name}", row[name], progress.match)
            for name, figure in progress.value.items():
                self._events.add_scalar(f"value/{name}", figure, progress.match)
        match = {"match": progress.match, "outcome": finished.outcome, "actions": finished.actions}
        self.run.add_match(match | ({"start": finished.start} if finished.start else {}))

    def _save(self) -> None:
        with self._lock:
            self._events.flush()  # before the checkpoint: what that has is not played, and written, again
        self.run.save(self.learner)
        self._saved, self._standing = self.learner.elapsed, self.learner.matches
        self.status.checkpoints += 1

    def _save_rest(self) -> None:
        """Save what the last checkpoint does not have."""
        if self._standing != self.learner.matches:
            self._save()

    def _show(self) -> None:
        if self._observer is not None:
            self._observer(self.status)

    # Strength

    def _measure_last(self) -> None:
        """Measure the final strength, within some seconds, instead of any measurement still running."""
        self._stop.set()
        self._finish_measuring()
        self._stop.clear()
        status, limit = self.status, LAST_SECONDS
        if status.goal_seconds is not None:  # saving has taken time as well
            limit = status.goal_seconds - status.before - (status.clock() - status.begun)
        limit, own = limit + LAST_GRACE, self.learner.config.strength.limit
        if limit <= 0:
            return
        self._measure(min(limit, own) if own else limit)
        self._finish_measuring()

    def _measure(self, limit: float | None = None) -> None:
        """Begin to measure the strength of the value function, unless a measurement is still running."""
        strength = self.learner.config.strength
        if not strength.every or not strength.games or self.status.failure:
            return
        if self._measuring and self._measuring.is_alive():
            return
        self._measured = self.learner.elapsed
        snapshot = self.learner.value.snapshot()
        match, elapsed = self.learner.matches, self.learner.elapsed

        def measure() -> None:
            seed = self.learner.config.seed
            try:
                found = measure_strength(
                    snapshot,
                    self.learner.heuristic,
                    strength,
                    seed,
                    self._stop,
                    report=lambda games: setattr(self.status, "measuring", (games, strength.games)),
                    limit=limit,
                )
            except Stopped:
                return
            except (GlauxError, OSError) as error:  # of an opponent that is a program, mostly
                self.status.failure = " ".join(str(error).split())
                return
            finally:
                self.status.measuring = None
            if found is None:  # not one game was over in time
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
            if self._asked:
                self._stop.set()
            self._measuring.join(0.2)
            self._show()


def strength_points(row: dict[str, Any]) -> list[tuple[float, Measured]]:
    """The point of the curve that a line of metrics is, if it is one."""
    try:
        if row["kind"] != "strength":
            return []
        low, score, high = (float(row[name]) for name in ("low", "score", "high"))
        measured = Measured(score, low, high, int(row["games"]), bool(row.get("share", True)))
        return [(float(row["elapsed"]), measured)]
    except (KeyError, TypeError, ValueError):
        return []  # damaged
