"""How fast the searches are on one core, with value functions that cost next to nothing.

Three measurements, all by the CPU time of the thread, the best of several slices:

- speed (:func:`measure`): a search of the start of a match, each slice the same work from nothing;
- overhead (:func:`measure_overhead`): what a search costs in front of a value function in Python;
- growth (:func:`measure_growth`): whether a search slows down as its tree grows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glaux import _core
from glaux.bench.measuring import SLICES, check_seconds, rate
from glaux.errors import GlauxError, InvalidParameter
from glaux.rules.game import Game
from glaux.rules.registry import games, make
from glaux.search.best_first import UBFM
from glaux.search.door import OnStates
from glaux.search.registry import SEARCHES, VALUES, Entry, Measuring, find_search, make_search
from glaux.search.search import Search


def algorithms() -> list[str]:
    """The names of the searches that are measured."""
    return [entry.name for entry in SEARCHES.values() if entry.measured]


def algorithm(name: str) -> tuple[Entry, Measuring]:
    """The search of this name and how it is measured; UnknownName with a sentence if there is none."""
    entry = find_search(name, "algorithm", algorithms())
    assert entry.measured is not None
    return entry, entry.measured


@dataclass(frozen=True)
class SearchSpeed:
    """The figures of one search of one game."""

    game: str
    algorithm: str
    value: str
    evaluations_per_second: float
    expansions_per_second: float
    iterations_per_second: float
    bytes_per_state: float
    """Memory in use for each state that has a value, be it expanded or only an edge."""
    child_bytes: int
    """The memory of a child that is only an edge."""
    depth: int
    """The longest line, in actions."""


def measure_all(
    names: Sequence[str] | None = None, chosen: Sequence[str] | None = None, seconds: float = 2.0
) -> Iterator[SearchSpeed]:
    """Measure these games, by default all at their default parameters, with each of the chosen searches."""
    for game in [make(name) for name in names or games()]:
        for name in chosen or algorithms():
            yield measure(game, name, seconds)


def measure(game: Game, name: str, seconds: float) -> SearchSpeed:
    """Measure one search for about this many seconds."""
    check_seconds(seconds)
    entry, measured = algorithm(name)
    search = make_search(entry, game, VALUES[measured.value](1, 0))
    evaluations = _evaluations_in(search, seconds / SLICES)
    best: SearchSpeed | None = None
    for _ in range(SLICES):
        search.clear()
        begin = time.thread_time()
        found = search.run(game.initial(), evaluations=evaluations).statistics
        taken = time.thread_time() - begin
        speed = SearchSpeed(
            game=game.label,
            algorithm=name,
            value=measured.value,
            evaluations_per_second=rate(found.evaluations, taken),
            expansions_per_second=rate(found.expansions, taken),
            iterations_per_second=rate(found.iterations, taken),
            bytes_per_state=search.native.bytes / (found.evaluations + 1),
            child_bytes=measured.child_bytes,
            depth=found.depth,
        )
        if best is None or speed.evaluations_per_second > best.evaluations_per_second:
            best = speed
    assert best is not None
    return best


def _evaluations_in(search: Search, seconds: float) -> int:
    """About how many evaluations a search makes in so much CPU time.

    So that all the slices do the same work: as a tree grows its shape changes, and with it the speed.
    """
    begin = time.thread_time()
    evaluations = search.run(search.game.initial(), seconds=seconds).statistics.evaluations
    return max(1, round(rate(evaluations, time.thread_time() - begin) * seconds))


@dataclass(frozen=True)
class Overhead:
    """What UBFM costs in front of a value function in Python that gives zeros made before."""

    game: str
    algorithm: str
    input: str
    """What the function is given: ``states`` or ``planes``."""
    microseconds_per_state: float
    """Everything but the function: rules, tree, encoding, the way to Python and back."""
    states_per_call: float
    function_microseconds_per_call: float
    """What was subtracted."""


def measure_overhead(game: Game, seconds: float) -> list[Overhead]:
    """Measure UBFM with functions over raw states and over planes."""
    check_seconds(seconds)
    zeros = np.zeros(game.spec.max_actions, np.float32)

    def function(batch: Any) -> Any:
        return zeros[: len(batch)]

    rows = []
    inside = max(0.0, _call_seconds(function) - _call_seconds(lambda _: None))
    for name, value in (("states", OnStates(function)), ("planes", function)):
        search = UBFM(game, value)
        per_state, per_call = [], 0.0
        for _ in range(SLICES):
            search.clear()
            begin = time.thread_time()
            found = search.run(game.initial(), seconds=seconds / SLICES / 2).statistics
            taken = time.thread_time() - begin - found.expansions * inside
            per_state.append(taken / found.evaluations)
            per_call = found.evaluations / found.expansions
        rows.append(Overhead(game.label, "ubfm", name, min(per_state) * 1e6, per_call, inside * 1e6))
    return rows


def _call_seconds(function: Callable[[Any], Any], calls: int = 20_000) -> float:
    """The time of one call."""
    batch = np.zeros((16, 8), np.uint8)
    slices = []
    for _ in range(SLICES):
        begin = time.thread_time()
        for _ in range(calls):
            function(batch)
        slices.append(time.thread_time() - begin)
    return min(slices) / calls


@dataclass(frozen=True)
class GrowthSpeed:
    """The speed of a search whose tree has this many states, children that are only edges among them."""

    game: str
    algorithm: str
    value: str
    states: int
    evaluations_per_second: float
    expansions_per_second: float
    evaluations_per_expansion: float
    ratio: float | None
    """Evaluations a second divided by those at the smallest size."""


GROWTH_SIZES = (100_000, 10_000_000)
GROWTH_SEARCHES = (("othello", "ubfm"), ("hex", "ubfm"), ("hex", "descent"))
"""What is measured if nothing is chosen."""


def measure_growth(game: Game, name: str, sizes: Sequence[int] = GROWTH_SIZES) -> list[GrowthSpeed]:
    """Measure a search in slices that begin at these sizes of its tree and add a fifth.

    With noise as the value the shape of the tree changes as it grows, and the speed with it. So
    searches that use noise are measured with zero as well: all states are equally good, the tree grows
    in breadth and keeps its shape, and every walk goes through another part of memory.
    """
    if not sizes or min(sizes) < 1:
        raise InvalidParameter("A tree size must be at least 1 state.")
    sizes = sorted(set(sizes))
    value = algorithm(name)[1].value
    found = []
    for chosen in ("noise", "zero") if value == "noise" else (value,):
        slices = zip(*_grown(game, name, chosen, sizes), strict=True)
        rows = [max(rows, key=_speed) for rows in slices]
        smallest = rows[0].evaluations_per_second
        found += [rows[0], *(replace(row, ratio=_speed(row) / smallest) for row in rows[1:])]
    return found


def _speed(row: GrowthSpeed) -> float:
    return row.evaluations_per_second


def _grown(game: Game, name: str, value: str, sizes: Sequence[int]) -> Iterator[list[GrowthSpeed]]:
    """The slices of one tree after the other."""
    for _ in range(SLICES):
        search = make_search(algorithm(name)[0], game, VALUES[value](1, 0))
        states = 1
        rows = []
        for size in sizes:
            states += _grow(search, size - states).evaluations
            begin = time.thread_time()
            found = _grow(search, max(1, size // 5))
            taken = time.thread_time() - begin
            states += found.evaluations
            rows.append(
                GrowthSpeed(
                    game=game.label,
                    algorithm=name,
                    value=value,
                    states=size,
                    evaluations_per_second=rate(found.evaluations, taken),
                    expansions_per_second=rate(found.expansions, taken),
                    evaluations_per_expansion=found.evaluations / max(found.expansions, 1),
                    ratio=None,
                )
            )
        yield rows


def _grow(search: Search, evaluations: int) -> _core.Statistics:
    """Run a search from the start of a match for at least this many evaluations."""
    wanted = max(0, evaluations)
    tree = search.run(search.game.initial(), evaluations=wanted)
    if tree.statistics.evaluations < wanted:
        why = "memory is used up" if tree.statistics.full else "everything is proven"
        raise GlauxError(f"The tree of {search.game.text} can't grow that large: {why}.")
    return tree.statistics
