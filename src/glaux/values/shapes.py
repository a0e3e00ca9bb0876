"""Which cells around a cell the tables of a pattern network look at.

A shape is a list of steps in row and column from the cell in the middle. The first choice is the cell with
all its neighbours, nine cells on a square board and seven on a hexagonal one. Where cells have so many codes
that its table would be too large to learn, the neighbourhood is taken apart: into the cell with its
orthogonal and with its diagonal neighbours, and if that is still too much into lines of three cells.

With ``details`` the codes are the finer ones of ``Game.details``, of which there are more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.rules.game import Game

Shape = list[tuple[int, int]]
"""steps in row and column"""

MOST, LONGEST, FARTHEST = 16, 16, 16
"""shapes of a network, cells of a shape, and steps from the middle"""
LARGEST_TABLE = 1 << 18
"""rows of a table that can still be learned"""

SQUARE = [(0, 1), (1, 0), (1, 1), (1, -1)]
HEXAGONAL = [(0, 1), (1, 0), (1, -1)]
"""the directions of straight lines, one of each two that are opposite"""


def line(direction: tuple[int, int], cells: int) -> Shape:
    """So many cells in a row, with the middle one in their middle."""
    first = -((cells - 1) // 2)
    return [(direction[0] * i, direction[1] * i) for i in range(first, first + cells)]


def default_shapes(game: Game, lines: int = 0, details: bool = False) -> list[Shape]:
    """The largest shapes whose tables can be learned, and straight lines of this many cells, if any."""
    hexagonal = game.spec.board.shape == _core.Shape.hexagonal
    directions = HEXAGONAL if hexagonal else SQUARE
    around = sorted({(0, 0), *directions, *((-row, -column) for row, column in directions)})
    candidates: list[list[Shape]] = [[around]]
    if not hexagonal:
        candidates.append(
            [[step for step in around if sum(step) % 2 == odd or step == (0, 0)] for odd in (1, 0)]
        )
    candidates.append([line(direction, 3) for direction in directions])
    candidates.append([line(direction, 2) for direction in directions])
    candidates.append([[(0, 0)]])
    chosen = next(shapes for shapes in candidates if max(table_sizes(game, shapes, details)) <= LARGEST_TABLE)
    return chosen + ([line(direction, lines) for direction in directions] if lines else [])


def table_sizes(game: Game, shapes: Sequence[Shape], details: bool = False) -> list[int]:
    """The rows of each table: cells whose surroundings are equal share one (``cpp/eval/pattern_index.h``)."""
    board = game.spec.board
    tables: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    there = [board.has(cell) for cell in range(board.rows * board.columns)]
    part = [board.board_of(cell) if there[cell] else -2 for cell in range(len(there))]
    finer = len(game.spec.details) if details else 0
    codes = [finer or game.spec.code_count(cell) for cell in range(len(there))]
    for row, column in product(range(board.rows), range(board.columns)):
        if not there[row * board.columns + column]:
            continue
        for number, shape in enumerate(shapes):
            around = []
            for i, (down, right) in enumerate(shape):
                r, c = row + down, column + right
                other = r * board.columns + c
                if (
                    0 <= r < board.rows
                    and 0 <= c < board.columns
                    and part[other] == part[row * board.columns + column]
                ):
                    around.append((i, codes[other]))
            tables[number, tuple(around)] = math.prod(count for _, count in around)
    return list(tables.values())


def check_shapes(shapes: object) -> list[Shape]:
    """Shapes that somebody has written; InvalidParameter unless they are lists of steps."""
    if not isinstance(shapes, Iterable) or isinstance(shapes, str):
        raise InvalidParameter(f"Shapes must be lists of steps in row and column, not {shapes!r}.")
    checked = [_check_shape(shape) for shape in shapes]
    if not 1 <= len(checked) <= MOST:
        raise InvalidParameter(f"A pattern network must have 1 to {MOST} shapes, not {len(checked)}.")
    return checked


def _check_shape(shape: object) -> Shape:
    steps: Shape = []
    if isinstance(shape, Iterable) and not isinstance(shape, str):
        for step in shape:
            match step:
                case [int(row), int(column)] if max(abs(row), abs(column)) <= FARTHEST:
                    steps.append((int(row), int(column)))
                case _:
                    raise InvalidParameter(
                        f"A step of a shape must be a row and a column, each up to {FARTHEST}, not {step!r}."
                    )
    if not 1 <= len(steps) <= LONGEST or len(set(steps)) != len(steps):
        raise InvalidParameter(f"A shape must have 1 to {LONGEST} different steps in row and column.")
    return steps
