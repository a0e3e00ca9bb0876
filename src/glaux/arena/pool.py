"""Games on all cores, or on a cluster, each with its own seeds, handed out as workers become free.

A game is asked for as a job, which says all that decides it, so that a result depends neither on
the number of workers nor on which of them played. Jobs are taken from their iterator only when a
worker will soon need them: a caller that has seen enough closes the iterator of results, and what is
still being played is dropped. Workers end with the process that started them, however it ends. On a cluster
(``glaux.cluster``) a game is played again elsewhere if its worker, or a whole machine, is gone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeAlias, TypeVar

import numpy as np

from glaux.arena.match import PlayedMatch, play_match
from glaux.cluster.tasks import call_each
from glaux.errors import GlauxError, InvalidParameter
from glaux.machine import cores
from glaux.players.registry import make_player
from glaux.rules.game import Game

AHEAD = 2
"""Jobs in hand for each worker: one that it plays, and one that waits for it."""

Key = TypeVar("Key")
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
Played: TypeAlias = Generator[tuple[Key, PlayedMatch], None, None]
"""Games with their keys, as they are played; to be closed by whoever does not want them all."""


class Job(Protocol[Result_co]):
    """Something to be played."""

    def play(self) -> Result_co:
        """Play it."""


@dataclass(frozen=True)
class GameJob:
    """One game between two players."""

    game: Game
    players: tuple[str, str]
    """PLAYER texts, the one that moves first before the other"""
    seeds: tuple[int, int]
    opening: tuple[int, ...] = ()

    def play(self) -> PlayedMatch:
        """Play the game."""
        with ExitStack() as stack:
            first, second = (
                stack.enter_context(closing(make_player(text, self.game, seed)))
                for text, seed in zip(self.players, self.seeds, strict=True)
            )
            return play_match(self.game, first, second, list(self.opening))


def derived_seed(*parts: int) -> int:
    """A seed of 64 bits that follows from others and is like no other's."""
    if min(parts) < 0:
        raise InvalidParameter(f"A seed can't be negative: {min(parts)}.")
    return int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0])


def play_jobs(
    jobs: Iterable[tuple[Key, Job[Result]]],
    workers: int | None = None,
    *,
    on: str | None = None,
    most: int | None = None,
) -> Generator[tuple[Key, Result], None, None]:
    """Play the jobs and give each result with its key, in the order in which they end.

    By default on all the cores of this machine, or of the cluster ``on`` (its address, see
    ``glaux.cluster.connecting``). ``most`` is how many jobs there are, if that is known.
    """
    waiting = iter(jobs)
    if on is not None:
        yield from call_each(((key, job.play) for key, job in waiting), workers, on)
        return
    count = min(workers or cores(), most or sys.maxsize)
    if count == 1:
        for key, job in waiting:
            yield key, job.play()
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=begin_worker)
    playing: dict[Future[Result], Key] = {}
    try:
        while True:
            for key, job in islice(waiting, AHEAD * count - len(playing)):
                with interrupts_held():
                    playing[pool.submit(job.play)] = key
            if not playing:
                return
            for future in wait(playing, return_when=FIRST_COMPLETED).done:
                yield playing.pop(future), future.result()
    except BrokenProcessPool:
        raise GlauxError(
            "A worker process ended before its game did: was it killed, or out of memory?"
        ) from None
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        # Waiting till the pool's own thread has ended: otherwise the end of this process would write into
        # a pipe that the thread is just closing.
        pool.shutdown(cancel_futures=True)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """A process that starts inside is deaf to Ctrl-C from its first moment; here it waits till the end.

    The mask is what a new process inherits. It does not hold the signal off this one, which may have
    other threads that take it: that is up to the handler, which the main thread alone may set.
    """
    held: list[int] = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    main = (
        threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is not None
    )
    handler = signal.signal(signal.SIGINT, lambda number, _: held.append(number)) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if held:
            signal.raise_signal(signal.SIGINT)


def begin_worker() -> None:
    """Ctrl-C is the main process's, which ends the workers; and without it they have no purpose."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
