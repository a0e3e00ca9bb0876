"""Which cells the tuples of an n-tuple network look at.

A random walk makes a tuple of neighbours: it starts at a random cell and adds, again and again, a
random unused neighbour of a random member. So a tuple is a small connected shape, as a player sees
shapes. A game may have neighbours of its own: on the cubes all the cells of corners are neighbours of
one another, as are all the cells of edges, so that no tuple mixes the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import geometric_mean

import numpy as np

from glaux.errors import InvalidParameter
from glaux.rules.game import Game

Tuples = list[list[int]]
"""the cells of each tuple, ascending"""

LONGEST = 16
"""cells of a tuple that the native core can index"""
MOST = 10_000
"""tuples of a network: a value is a sum over all of them"""
LARGEST_TABLE = 1 << 14
"""weights of a tuple that is still learned in reasonable time: the default length stays below"""


def default_length(game: Game) -> int:
    """The longest tuple, of at most 7 cells, whose table is small enough to be learned soon."""
    cells = present_cells(game)
    codes = round(geometric_mean(game.spec.code_count(cell) for cell in cells), 6)
    length = 1
    while length < min(7, len(cells)) and codes ** (length + 1) <= LARGEST_TABLE:
        length += 1
    return length


def default_count(game: Game) -> int:
    """As many tuples as the board has cells, but from 50 to 120."""
    return min(120, max(50, len(present_cells(game))))


def present_cells(game: Game) -> list[int]:
    """The cells that the board has."""
    board = game.spec.board
    return [cell for cell in range(board.rows * board.columns) if board.has(cell)]


def random_walks(game: Game, count: int, length: int, seed: int = 0) -> Tuples:
    """Tuples of connected cells; all different, up to the symmetries, as long as the board has any left."""
    cells = present_cells(game)
    if not 1 <= count <= MOST:
        raise InvalidParameter(f"An n-tuple network must have 1 to {MOST:,} tuples, not {count}.")
    longest = min(LONGEST, len(cells))
    if not 1 <= length <= longest:
        raise InvalidParameter(f"A tuple must have 1 to {longest} cells here, not {length}.")
    neighbours = game.spec.cell_neighbours()
    maps = [np.asarray(symmetry) for symmetry in game.spec.symmetries or [game.spec.board.identity()]]
    rng = np.random.default_rng(seed)
    tuples: Tuples = []
    seen: set[tuple[int, ...]] = set()
    misses = 0
    while len(tuples) < count:
        walk = _walk(neighbours, length, cells, rng)
        same = min(tuple(sorted(mapped[walk].tolist())) for mapped in maps)
        if same in seen and misses < 1000:
            misses += 1
            continue
        seen.add(same)
        tuples.append(walk)
    return tuples


def _walk(
    neighbours: Sequence[Sequence[int]], length: int, cells: Sequence[int], rng: np.random.Generator
) -> list[int]:
    members = [cells[int(rng.integers(len(cells)))]]
    while len(members) < length:
        around = [cell for cell in neighbours[rng.choice(members)] if cell not in members]
        if around:
            members.append(int(rng.choice(around)))
        elif all(cell in members for member in members for cell in neighbours[member]):
            members.append(int(rng.choice([cell for cell in cells if cell not in members])))
    return sorted(members)


def check_tuples(game: Game, tuples: Iterable[Iterable[int]]) -> Tuples:
    """Tuples that somebody has written, sorted; InvalidParameter for cells that the board lacks."""
    cells = game.spec.board.rows * game.spec.board.columns
    checked: Tuples = []
    if not isinstance(tuples, Iterable):
        raise InvalidParameter(f"Tuples must be lists of cells, not {tuples!r}.")
    for cell_tuple in tuples:
        try:
            members = sorted(int(cell) for cell in cell_tuple)
        except (TypeError, ValueError):
            raise InvalidParameter(f"A tuple must be a list of cells, not {cell_tuple!r}.") from None
        unknown = [cell for cell in members if not 0 <= cell < cells]
        absent = [cell for cell in members if cell not in unknown and not game.spec.board.has(cell)]
        if absent:
            raise InvalidParameter(f"A tuple names the cell {absent[0]}, which is not on the board.")
        if unknown:
            raise InvalidParameter(
                f"A tuple names the cell {unknown[0]}, but {game.text} has the cells 0 to {cells - 1}."
            )
        if len(set(members)) != len(members):
            raise InvalidParameter(f"A tuple names a cell twice: {members}.")
        checked.append(members)
    return checked
