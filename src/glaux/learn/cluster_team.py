"""The workers of a training run on many machines, with one learner here.

Each is a :class:`~glaux.learn.worker.Worker` in a process somewhere on a cluster (``glaux.cluster.crew``),
and plays rounds as one of this machine would. What differs is how it keeps step, as [cluster] says:

    versions   the values are not sent with each round: a version of them is shared when the last one is
               some seconds old, travels to each node once, and is taken over by a worker that has another
    in flight  a worker has a few rounds in hand, and gets another when one was learned from: if the
               learner is slower than all the workers, these wait
    staleness  a round that comes back with values too many versions old is played again
    losses     the rounds of a worker that is gone are played by another, with the same numbers
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Self

from glaux.arrays import Arrays
from glaux.cluster.connecting import connect
from glaux.cluster.crew import Crew, Lost, Member, Shared
from glaux.learn.stopping import Stopped
from glaux.learn.team import Inline, Team, Unplayed
from glaux.learn.worker import Played, SelfPlayConfig, Worker
from glaux.machine import cores
from glaux.rules.game import Game
from glaux.rules.registry import make
from glaux.values.settings import ValueSettings
from glaux.values.value import ValueFunction


class WorkerSeat:
    """A worker on a node."""

    def __init__(
        self, config: SelfPlayConfig, family: type[ValueFunction], settings: Mapping[str, Any]
    ) -> None:
        self.worker = Worker(config, made(make(config.game), config.value, family, settings))
        self.version = -1

    def play(
        self, version: int, weights: Arrays, numbers: Sequence[int], progress: float, seconds: float | None
    ) -> list[Played]:
        """As the worker does, with the weights of this version."""
        fresh = own(weights) if version != self.version else None
        self.version = version
        return self.worker.play(fresh, numbers, progress, seconds)


def made(
    game: Game, placing: ValueSettings, family: type[ValueFunction], settings: Mapping[str, Any]
) -> ValueFunction:
    """A value function that waits for its weights, where [value] says that it computes."""
    value = family.make(game, settings)
    placing.go_on_with(value)
    return value


def own(weights: Arrays) -> Arrays:
    """Weights as a value function takes them: those that are shared on a node can't be written to."""
    return {name: array.copy() for name, array in weights.items()}


class ClusterTeam(Team):
    """Workers on a cluster, as many as it has room for."""

    def __init__(self, config: SelfPlayConfig, value: ValueFunction, on: str, workers: int) -> None:
        connect(on)  # what is wrong with it is better known now
        self.config, self.value, self.on, self.size = config, value, on, workers
        self.alone, self.workers, self.idle = False, [], []
        self._stopped = False

    def __enter__(self) -> Self:
        self._stopped = False
        self._shared: Shared | None = None
        self._version, self._learned, self._shared_at = 0, -1, 0.0
        self._versions: dict[Future[list[Played]], int] = {}
        self.idle = []
        self._crew = Crew(
            self.on, self.size, partial(WorkerSeat, self.config, type(self.value), self.value.settings())
        )
        self.learners = ThreadPoolExecutor(cores()) if self.value.concurrent else Inline()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._crew.close()
        self.learners.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """Only a flag: a signal handler must not ask Ray for anything."""
        self._stopped = True

    def submit(
        self, player: Member, numbers: Sequence[int], progress: float, seconds: float | None = None
    ) -> Future[list[Played]]:
        """Let a worker play these matches after those that it has in hand."""
        self._share()
        future = player.call("play", self._version, self._shared, numbers, progress, seconds)
        self._versions[future] = self._version
        return future

    def _share(self) -> None:
        """Make a version of the values, if they are others than before and it is time."""
        now = time.monotonic()
        if self._shared is None or (
            self.value.learned != self._learned and now - self._shared_at >= self.config.cluster.refresh
        ):
            self._learned, self._shared_at = self.value.learned, now
            self._shared = self._crew.share(self.value.weights())
            self._version += 1

    def wait(self, tasks: set[Future[Any]]) -> set[Future[Any]]:
        """Wait until something has happened, a worker has come, or some time is over."""
        over, came = self._crew.wait(tasks)
        for member in came:
            self.idle += [member] * self.config.cluster.ahead
        if self._stopped:
            self._crew.close()
        return over

    def result(self, player: Member, future: Future[list[Played]]) -> list[Played]:
        """What a worker has played; Unplayed if it is gone, or if its values were too old."""
        version = self._versions.pop(future)
        try:
            played = future.result()
        except Lost:
            if self._stopped:
                raise Stopped from None
            self.idle = [other for other in self.idle if other is not player]
            self._crew.replace(player)
            raise Unplayed from None
        stale = self.config.cluster.stale
        if stale and self._version - version > stale:
            self.idle.append(player)
            raise Unplayed
        return played
