"""What all the searches share: limits, running, and the table that lives through a match."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.rules.game import Game, State, check_seed
from glaux.search.door import Value, check_value, run_searches
from glaux.search.tree import Tree

DEFAULT_MEMORY = 1 << 30

Proven = dict[str, npt.NDArray[Any]]
"""proven states as arrays by name, to be saved"""


class Search:
    """A search of a game with a value function. Use one of the subclasses.

    What it learns is kept from one :meth:`run` to the next, as long as the match lasts; call
    :meth:`clear` before a new match.

    One thread at a time: while it runs, :class:`~glaux.errors.Busy` is raised for every other use of it, by
    another thread or by its own value function.
    """

    native: _core.Search
    needs_limit = True
    """whether a run without any limit would not end"""
    has_priors = False
    """whether a policy, or values turned into one, guides it"""
    playouts: _core.PlayoutValue | None = None
    """the random matches of a search without a value function: they use its seed"""

    def __init__(self, game: Game, value: Value) -> None:
        self.game = game
        self.value = check_value(value, game)

    def run(
        self,
        state: State,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        evaluations: int | None = None,
        whole: bool = False,
    ) -> Tree:
        """Think about a state until a limit is reached, the state is solved, or memory is full.

        With ``whole`` no limit ends an iteration in the middle, as tree learning wants it: an iteration
        of Descent comes to an end of the match, and a depth of iterative deepening that a limit cuts
        short is discarded.
        """
        return run_many(
            [self], [state], seconds=seconds, iterations=iterations, evaluations=evaluations, whole=whole
        )[0]

    def begin_match(self, seed: int, keep: int = 0) -> None:
        """Forget the match, and break ties from now on like a search made with this seed.

        Up to ``keep`` proven states are kept by a search that remembers such.
        """
        if keep < 0:
            raise InvalidParameter(f"The number of states to keep can't be negative: {keep}.")
        self.native.begin_match(check_seed(seed), keep)
        if self.playouts is not None:
            self.playouts.reseed(playout_seed(seed))

    def abandon_match(self) -> None:
        """Forget the match and everything found in it, as directly after :meth:`begin_match`."""
        self.clear()

    def proven(self, keep: int) -> Proven:
        """Forget the match, and return up to ``keep`` of its proven states, with their labels.

        Nothing from a search that remembers none. :meth:`add_proven` takes them again.
        """
        return {}

    def add_proven(self, proven: Proven) -> None:
        """Take these states as proven; a search that remembers none ignores them."""

    def clear(self) -> None:
        """Forget everything."""
        self.native.clear()

    def forget_others(self, state: State) -> bool:
        """Forget all states except those reached from this one: to continue when memory is full.

        What is known of those states stays as it is. Whether that has freed a tenth of the memory; False of
        a search that can't do it, as alpha-beta: plain, it begins anew with the next state by itself, and
        otherwise its memory is never full.
        """
        return self.native.forget_others(self.game.own(state))


def run_many(
    searches: Sequence[Search],
    states: Sequence[State],
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    evaluations: int | None = None,
    whole: bool = False,
) -> list[Tree]:
    """Run several searches of one game in lock-step.

    In each round, searches that share a value function share a batch. Limits are those of
    :meth:`Search.run`, for each search.
    """
    if len(searches) != len(states) or not searches:
        raise InvalidParameter("Give at least one search, and one state for each.")
    game = searches[0].game
    if any(search.game is not game and search.game.text != game.text for search in searches):
        raise InvalidParameter("Searches that run in lock-step must play the same game.")
    needed = any(search.needs_limit for search in searches)
    limits = make_limits(seconds, iterations, evaluations, needed=needed)
    limits.whole = whole
    for search, state in zip(searches, states, strict=True):
        search.native.start(search.game.own(state), limits)
    run_searches([search.native for search in searches], [search.value for search in searches])
    return [Tree(search, state) for search, state in zip(searches, states, strict=True)]


def make_limits(
    seconds: float | None, iterations: int | None, evaluations: int | None, *, needed: bool = True
) -> _core.Limits:
    """Checked limits; at least one must be given if one is needed."""
    if needed and seconds is None and iterations is None and evaluations is None:
        raise InvalidParameter("A search needs a limit: seconds, iterations or evaluations.")
    limits = _core.Limits()
    if seconds is not None:
        if math.isnan(seconds) or seconds < 0:
            raise InvalidParameter(f"The seconds of a search can't be {seconds}.")
        limits.seconds = float(seconds)
    for name, value in (("iterations", iterations), ("evaluations", evaluations)):
        if value is None:
            continue
        if not 0 <= value < 2**63:
            raise InvalidParameter(f"The {name} of a search can't be {value}.")
        setattr(limits, name, int(value))
    return limits


def playout_seed(seed: int) -> int:
    """A different stream from the one that breaks ties."""
    return seed ^ 0x706C61796F757473


def check_memory(memory: int) -> int:
    """A memory budget in bytes that a computer can have."""
    if not 0 < memory < 2**48:
        raise InvalidParameter(f"A memory budget of {memory} bytes is impossible.")
    return int(memory)
