"""Jobs on all cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Protocol, TypeVar

import numpy as np

from glaux.errors import InvalidParameter

Key = TypeVar("Key")
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Job(Protocol[Result_co]):
    """Something to play that says all that decides it, so that no result depends on who plays it."""

    def play(self) -> Result_co:
        """Play it."""


def derived_seed(*parts: int) -> int:
    """A seed of 64 bits that follows from others and is like no other's."""
    if min(parts) < 0:
        raise InvalidParameter(f"A seed can't be negative: {min(parts)}.")
    return int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0])


def play_jobs(
    jobs: Iterable[tuple[Key, Job[Result]]], workers: int | None = None
) -> Iterator[tuple[Key, Result]]:
    """Play the jobs and give each result with its key, in the order in which they end."""
    waiting = list(jobs)
    count = min(workers or os.cpu_count() or 1, len(waiting))
    if count == 1:
        for key, job in waiting:
            yield key, job.play()
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_ignore_interrupts)
    try:
        futures = {pool.submit(job.play): key for key, job in waiting}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list((pool._processes or {}).values()):
            process.terminate()


def _ignore_interrupts() -> None:
    """Ctrl-C is the main process's: it ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
