"""Many searches in lock-step: the states that wait in all of them are one batch of the value function.

A search alone asks for the children of one state at a time, a handful; a neural network takes hundreds of
states in little more time. So a program that has many matches to play, as self-play has, lets all of their
searches run together, and plays on in each match whose search is over while the others go on:

    lockstep = LockStep(value)
    for number, match in enumerate(matches):
        lockstep.start(number, match.search, match.state, iterations=100)
    for number, tree in lockstep.finished():
        state = game.apply(tree.root, tree.action)
        if not game.terminal(state):
            lockstep.start(number, tree.search, state, iterations=100)

Where there is a core for both, the searches are dealt out to two parts, and while the batch of one is
evaluated the other works and fills its own; that makes no difference to what is found.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.machine import cores
from glaux.rules.game import Game, State
from glaux.search.door import Value, check_value, native_evaluator
from glaux.search.search import Search, make_limits
from glaux.search.tree import Tree

Key = TypeVar("Key", bound=Hashable)
MOST_PARTS = 1024


class LockStep(Generic[Key]):
    """Running searches of one game, all with one value function, whatever their own is.

    ``parts`` is the number of batches that the searches are dealt out to: with 1 there is one for all, and
    nothing is done while it is evaluated. ``background`` says whether batches are evaluated by a thread of
    their own, by default if there is more than one core. By default there are two parts with such a thread,
    and without one a single part, whose batches are twice as large.

    An error, of the value function for instance, or Ctrl-C, comes out of :meth:`run` and
    :meth:`finished`. The searches are then as they were: call these again, or :meth:`stop` them here and
    start them anew elsewhere.

    One thread at a time: :class:`~glaux.errors.Busy` is raised for another one, and for the value function,
    while it runs.
    """

    def __init__(self, value: Value, *, parts: int | None = None, background: bool | None = None) -> None:
        if background is None:
            background = cores() > 1
        if parts is None:
            parts = 2 if background else 1
        if not 1 <= parts <= MOST_PARTS:
            raise InvalidParameter(f"Searches in lock-step must have 1 to {MOST_PARTS} parts, not {parts}.")
        self.native = _core.LockStep(native_evaluator(value), parts, background)
        # A thread that still evaluates must not meet the end of the interpreter.
        self._end = weakref.finalize(self, self.native.close)
        self._value = value
        self._fits: Game | None = None  # the game that the value function has been checked against
        self._running: dict[int, tuple[Key, Search, State]] = {}
        self._tickets: dict[Key, int] = {}
        self._thinking: set[int] = set()  # the searches that are running, by their identity

    def __len__(self) -> int:
        """How many searches are running."""
        return len(self._running)

    @property
    def value(self) -> Value:
        """The value function of all. A new one is asked from the next batch on."""
        return self._value

    @value.setter
    def value(self, value: Value) -> None:
        self.native.set_evaluator(native_evaluator(value))
        self._value, self._fits = value, None

    @property
    def batches(self) -> int:
        """How many batches the value function was given."""
        return self.native.batches

    @property
    def mean_batch(self) -> float:
        """Their mean number of states; 0 before the first."""
        return self.native.states / self.native.batches if self.native.batches else 0.0

    def start(
        self,
        key: Key,
        search: Search,
        state: State,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        evaluations: int | None = None,
        whole: bool = False,
    ) -> None:
        """Let a search begin to think about a state; the limits are those of :meth:`Search.run`.

        It goes on in the next :meth:`run`. Nobody else may use it until it is over.
        """
        if search.game is not self._fits:
            check_value(self._value, search.game)
            self._fits = search.game
        if key in self._tickets:
            raise InvalidParameter(f"The search {key!r} is still running.")
        if id(search) in self._thinking:
            raise InvalidParameter("A search can think about only one state at a time.")
        other = next(iter(self._running.values()), None)
        if other is not None and not (other[1].game is search.game or other[1].game.same_rules(search.game)):
            raise InvalidParameter("Searches that run in lock-step must play the same game.")
        limits = make_limits(seconds, iterations, evaluations, needed=search.needs_limit)
        limits.whole = whole
        search.native.start(search.game.own(state), limits)
        ticket = self.native.add(search.native)
        self._running[ticket] = (key, search, state)
        self._tickets[key] = ticket
        self._thinking.add(id(search))

    def stop(self, key: Key) -> None:
        """Take a search out that is not over."""
        if key not in self._tickets:
            raise InvalidParameter(f"The search {key!r} is not running.")
        ticket = self._tickets[key]
        self.native.remove(ticket)
        _, search, _ = self._running.pop(ticket)
        del self._tickets[key]
        self._thinking.remove(id(search))

    def run(self) -> list[tuple[Key, Tree]]:
        """Work until at least one search is over, and give those; nothing if none is running."""
        over = []
        for ticket in self.native.run():
            key, search, state = self._running.pop(ticket)
            del self._tickets[key]
            self._thinking.remove(id(search))
            over.append((key, Tree(search, state)))
        return over

    def finished(self) -> Iterator[tuple[Key, Tree]]:
        """Each search when it is over, until none is running; start others on the way."""
        while self._running:
            yield from self.run()

    def settle(self) -> None:
        """Wait until nothing is being evaluated: then the value function may be changed."""
        self.native.settle()

    def close(self) -> None:
        """End the thread. The searches that were running can be started elsewhere."""
        self.native.close()
        self._running, self._tickets, self._thinking = {}, {}, set()
        self._end()
