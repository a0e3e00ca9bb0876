"""Calls on a cluster that need nothing but their arguments, handed out as processors become free.

Ray makes a call again, elsewhere, if its process or its whole node is gone: results depend on the arguments
alone, so nobody can tell.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from glaux.cluster.connecting import Ray, cannot_import, connect
from glaux.errors import GlauxError

Key = TypeVar("Key")
Result = TypeVar("Result")

AHEAD = 2
"""Calls in hand for each processor: one that it makes, and one that waits for it."""
RETRIES = 8
"""how often a call is made again after its process has died: one that kills it always must end"""
COUNT_SECONDS = 5.0
"""between two looks at how many processors there are: nodes come and go"""


def call_each(
    calls: Iterator[tuple[Key, Callable[[], Result]]], workers: int | None, on: str
) -> Generator[tuple[Key, Result], None, None]:
    """Make the calls on the cluster ``on``, and give each result with its key in the order in which they end.

    At most ``workers`` are made at a time; without, as many as the cluster has processors. Who closes this
    drops what is left. GlauxError with a sentence if a call kills its process again and again.
    """
    ray = connect(on)
    remote, folder = ray.remote(num_cpus=1, max_retries=RETRIES)(_call), str(Path.cwd())
    room, made = _Room(ray, workers), dict[Any, Key]()
    try:
        while True:
            for key, call in islice(calls, max(0, room.count() - len(made))):
                made[remote.remote(call, folder)] = key
            if not made:
                return
            for ref in ray.wait(list(made), num_returns=1)[0]:
                yield made.pop(ref), _result(ray, ref)
    finally:
        if ray.is_initialized():
            for ref in made:
                ray.cancel(ref, force=True)


class _Room:
    """How many calls there may be at a time."""

    def __init__(self, ray: Ray, workers: int | None) -> None:
        self.ray, self.workers = ray, workers
        self._counted, self._until = 0, 0.0

    def count(self) -> int:
        if self.workers:
            return self.workers
        if time.monotonic() >= self._until:
            self._counted = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            self._until = time.monotonic() + COUNT_SECONDS
        return AHEAD * self._counted


def enter(folder: str) -> None:
    """Let relative paths mean on a node what they mean to who asked, if the node has that folder."""
    with suppress(OSError):
        os.chdir(folder)


def _call(call: Callable[[], Result], folder: str) -> Result:
    enter(folder)
    return call()


def _result(ray: Ray, ref: Any) -> Any:
    try:
        return ray.get(ref)
    except ray.exceptions.RayTaskError as error:
        raise cause_of(error) from None
    except ray.exceptions.RayError:
        raise GlauxError(f"A game's process died {RETRIES + 1} times: is the node out of memory?") from None


def cause_of(error: Any) -> Exception:
    """What was raised on the cluster, as if it had been here."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, GlauxError):
        return cause
    if "failed to import" in str(error) or isinstance(cause, ModuleNotFoundError):
        return cannot_import(error)
    return cause if isinstance(cause, Exception) else error
