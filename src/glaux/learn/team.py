"""The workers of a training run: in the run itself, in threads, or in processes.

A worker takes and gives plain data (``worker.py``), so that the loop that feeds a :class:`Team` is the same
wherever it plays: threads do, as searches leave the interpreter alone, and processes do for rules in Python.
``cluster_team.py`` has the team that plays on many machines.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import nullcontext
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from glaux.arena.pool import begin_worker, interrupts_held
from glaux.arrays import Arrays
from glaux.errors import GlauxError
from glaux.learn.stopping import Stopped
from glaux.learn.worker import Local, Played, SelfPlayConfig, Stop, Worker
from glaux.values.value import ValueFunction

T = TypeVar("T")

Player: TypeAlias = Any
"""plays a round at a time: :meth:`Worker.play`, here, in another process or on another machine"""


class Inline(Executor):
    """Does at once what it is given, so that a single worker needs no thread."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """A future that is over."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as failure:  # Ctrl-C as well: it comes out where the result is asked for
            future.set_exception(failure)
        return future


class Unplayed(Exception):
    """Matches that count as if they had not begun: they are to be played again."""


class Team:
    """The workers of a training run, while it lasts: a context in which rounds can be asked for."""

    def __init__(self, config: SelfPlayConfig, value: ValueFunction) -> None:
        self.config, self.value = config, value
        self.size = config.workers
        self.alone = self.size == 1 and not config.processes
        """whether the only worker plays with the value function of the training run itself"""
        self._spawn = multiprocessing.get_context("spawn")
        self._stop: Stop = self._spawn.RawValue("b", 0) if config.processes else Local()
        values = (
            [] if config.processes else [value if self.alone else value.snapshot() for _ in range(self.size)]
        )
        self.workers = [Worker(config, one, self._stop) for one in values]
        """those of this process"""
        self.idle: list[Player] = []
        """those that can be asked to play a round"""

    def __enter__(self) -> Self:
        if self.alone:
            self._executor: Executor = Inline()
        elif self.config.processes:
            self._executor = ProcessPoolExecutor(
                self.size, self._spawn, _begin_process, (self.config, self._stop)
            )
        else:
            self._executor = ThreadPoolExecutor(self.size)
        threads = isinstance(self._executor, ThreadPoolExecutor)
        self.learners: Executor = self._executor if threads and self.value.concurrent else Inline()
        """where learning steps are made: beside the matches, or one after the other in the training"""
        self._stop.value = 0
        self.idle = [worker.play for worker in self.workers] or [_play_in_process] * self.size
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._executor.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """Let the workers abandon their matches."""
        self._stop.value = 1

    def submit(
        self, player: Player, numbers: Sequence[int], progress: float, seconds: float | None = None
    ) -> Future[list[Played]]:
        """Let a player begin these matches with the value function as it is now."""
        weights = None if self.alone else self.value.weights()
        try:
            # A pool starts its processes as they are needed.
            with interrupts_held() if self.config.processes else nullcontext():
                return self._executor.submit(player, weights, numbers, progress, seconds)
        except BrokenExecutor as failure:  # a worker has died meanwhile: result() says so
            broken: Future[list[Played]] = Future()
            broken.set_exception(failure)
            return broken

    def wait(self, tasks: set[Future[Any]]) -> set[Future[Any]]:
        """Wait until something has happened; those that are over."""
        return wait(tasks, return_when=FIRST_COMPLETED).done

    def result(self, player: Player, future: Future[list[Played]]) -> list[Played]:
        """What a player has played; Stopped or Unplayed if it was not to be, GlauxError if it can't be."""
        try:
            return future.result()
        except BrokenExecutor:
            if self._stop.value:  # the signal was for the workers, too
                raise Stopped from None
            raise GlauxError("A worker process of the training run has died.") from None


_own: list[Worker] = []
"""the worker of this process, if it is one of a team"""


def _begin_process(config: SelfPlayConfig, stop: Stop) -> None:
    begin_worker()
    atexit.register(os._exit, 0)  # all is sent by then, and the thread that waits for the parent never ends
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as Ctrl-C: the training tells its workers to stop
    _own[:] = [Worker(config, stop=stop)]


def _play_in_process(
    weights: Arrays | None, numbers: Sequence[int], progress: float, seconds: float | None
) -> list[Played]:
    return _own[0].play(weights, numbers, progress, seconds)
