"""Objects that live on a cluster, and do what they are asked for one call after the other.

A :class:`Crew` wants a number of members, each an object of the same kind in its own process (an actor of
Ray), spread over the nodes. A member arrives when the cluster has a processor for it, which may never be: a
crew of 64 works with as many as there are. One that is gone, or whose node is, is called for again; what it
was doing is :class:`Lost`, and up to the caller.

What is the same for many calls is shared once: it travels to each node once, not to each member. Results come
back compressed, unless they stay on one machine: that costs a few percent of a worker's time.
"""

from __future__ import annotations

import pickle
import socket
import time
import zlib
from collections.abc import Callable, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any, Generic, TypeVar

from glaux.cluster.connecting import Ray, cannot_import, connect
from glaux.cluster.tasks import cause_of, enter
from glaux.errors import GlauxError
from glaux.words import plural

Guest = TypeVar("Guest")

LEVEL = 1
"""of zlib, for what travels: the fastest one leaves a half to a third of what a match has to teach"""
DEATHS = 20
"""members that may be lost one after the other before a call ends well, for each that is wanted"""

TICK = 0.2
"""seconds after which a call for some results returns without any: there may be something else to do"""
PATIENCE = 600.0
"""seconds without anybody: clusters that grow when they are asked to take minutes"""


class Lost(Exception):
    """A member of a crew is gone, and with it what it was doing."""


class Shared:
    """Something that travels to each node once; an argument of calls."""

    def __init__(self, ref: Any) -> None:
        self.ref = ref


class Member:
    """One object of a crew, somewhere on the cluster."""

    def __init__(self, crew: Crew[Any], actor: Any) -> None:
        self._crew, self.actor = crew, actor

    def call(self, name: str, *arguments: Any) -> Future[Any]:
        """Call this method of the object, after the calls before it; Lost if the member is gone."""
        refs = [given.ref if isinstance(given, Shared) else given for given in arguments]
        return self._crew.landing(self.actor.call.remote(name, *refs))


class Crew(Generic[Guest]):
    """So many members, as far as the cluster has room for them. To be closed."""

    def __init__(self, on: str, size: int, make: Callable[[], Guest]) -> None:
        """Members are made there by ``make``, which is sent to them."""
        self._ray: Ray = connect(on)
        self._size, self._deaths = size, 0
        self._actors = self._ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(_Host)
        self._make = make
        self.members: set[Member] = set()
        """those that are there, or on their way"""
        self._arriving: dict[Future[Any], Member] = {}
        """those on their way, by what is over when they are there"""
        self._free: list[Member] = []
        """those that :meth:`each` may call"""
        self._alone_since = time.monotonic()
        for _ in range(size):
            self._call_for()

    def _call_for(self) -> None:
        member = Member(self, self._actors.remote(self._make, str(Path.cwd()), socket.gethostname()))
        self.members.add(member)
        self._arriving[self.landing(member.actor.begin.remote())] = member

    def wait(self, calls: Set[Future[Any]]) -> tuple[set[Future[Any]], list[Member]]:
        """Wait until a call is over, a member has come, or some time has passed: the calls, and the members.

        GlauxError if a member can't even begin, or if there is nobody to call for a long time.
        """
        over = wait({*calls, *self._arriving}, TICK, FIRST_COMPLETED).done
        came = []
        for future in over - calls:
            member = self._arriving.pop(future)
            try:
                future.result()
                came.append(member)
            except Lost:
                self.replace(member)
        now = time.monotonic()
        if calls or came:
            self._alone_since = now
        elif now - self._alone_since > PATIENCE:
            free, there = (int(found.get("CPU", 0)) for found in self._resources())
            raise GlauxError(
                f"The cluster has had no room for a worker for {PATIENCE / 60:.0f} minutes: {free} of its "
                f"{plural(there, 'processor')} are free."
            )
        return over & calls, came

    def each(self, name: str, calls: Sequence[tuple[Any, ...]], check: Callable[[], None]) -> list[Any]:
        """Call a method with each of these arguments, one call at a time a member; results in their order.

        Calls that are lost are made again. ``check`` is asked now and then, and ends this by what it raises.
        """
        left, results, free = list(range(len(calls))), dict[int, Any](), list(self._free)
        made: dict[Future[Any], tuple[Member, int]] = {}
        while len(results) < len(calls):
            while left and free:
                member, number = free.pop(), left.pop(0)
                made[member.call(name, *calls[number])] = member, number
            over, came = self.wait(made.keys())
            check()
            free += came
            self._free += came
            for future in over:
                member, number = made.pop(future)
                try:
                    results[number] = future.result()
                    free.append(member)
                except Lost:
                    self._free.remove(member)
                    self.replace(member)
                    left.append(number)
        return [results[number] for number in range(len(calls))]

    def replace(self, member: Member) -> None:
        """Call for another instead of a member that is lost; GlauxError if that happens again and again."""
        if member not in self.members:
            return
        self.members.discard(member)
        self._deaths += 1
        if self._deaths > DEATHS * self._size:
            raise GlauxError(
                f"{self._deaths} workers of the cluster have died, and none has finished its work."
            )
        self._call_for()

    def share(self, given: Any) -> Shared:
        """Put something where all the nodes can fetch it."""
        return Shared(self._ray.put(given))

    def _resources(self) -> tuple[dict[str, float], dict[str, float]]:
        """The free part of the cluster, and all of it."""
        return self._ray.available_resources(), self._ray.cluster_resources()

    def close(self) -> None:
        """End the members, whatever they are doing."""
        if self._ray.is_initialized():
            for member in self.members:
                self._ray.kill(member.actor)
        self.members.clear()
        self._arriving.clear()

    def landing(self, ref: Any) -> Future[Any]:
        """What a call gives, or raises, as if it had been made here."""
        ours: Future[Any] = Future()
        errors = self._ray.exceptions

        def land(theirs: Future[bytes]) -> None:
            # In a thread of Ray's: the training does not wait while results are unpacked.
            try:
                result = unpacked(theirs.result())
            except errors.RayTaskError as error:
                ours.set_exception(cause_of(error))
            except errors.RayActorError as error:
                failed = getattr(error, "actor_init_failed", False)
                ours.set_exception(cannot_import(error) if failed else Lost())
            except errors.RayError:
                ours.set_exception(Lost())
            except BaseException as error:
                ours.set_exception(error)
            else:
                self._deaths = 0
                ours.set_result(result)

        ref.future().add_done_callback(land)
        return ours


class _Host:
    """The process of a member."""

    def __init__(self, make: Callable[[], Any], folder: str, machine: str) -> None:
        enter(folder)
        self._make = make
        self._level = 0 if socket.gethostname() == machine else LEVEL

    def begin(self) -> bytes:
        """Make the object; an error of it is one of a call, and not the death of the process."""
        self._guest = self._make()
        return packed(None)

    def call(self, name: str, *arguments: Any) -> bytes:
        return packed(getattr(self._guest, name)(*arguments), self._level)


def packed(result: Any, level: int = LEVEL) -> bytes:
    """As it travels."""
    return zlib.compress(pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL), level)


def unpacked(data: bytes) -> Any:
    """What was packed by a member of this cluster: trusted as its nodes are."""
    return pickle.loads(zlib.decompress(data))
