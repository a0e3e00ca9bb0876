"""Boards as text: what ``print(state)`` shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from glaux import _core

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt


def row_label(board: _core.Board, row: int) -> str:
    """The number of a row as the game writes it."""
    from_top = board.numbering == _core.Numbering.from_top
    return str(board.first_row + (row if from_top else board.rows - 1 - row))


def draw(spec: _core.Spec, codes: npt.NDArray[np.uint8]) -> str:
    """The board with the names of its rows and columns; a hexagonal one leans to the right.

    Absent cells are blank, and several boards stand a little apart.
    """
    board = spec.board
    names = [board.column_text(column) for column in range(board.columns)]
    width = max(len(spec.symbols[0]), len(names[-1]))
    left = {part.column for part in board.boards} - {0}
    top = {part.row for part in board.boards} - {0}

    def line(texts: Iterable[str]) -> str:
        return " ".join("  " * (column in left) + text.ljust(width) for column, text in enumerate(texts))

    lines = ["   " + line(names)]
    for row in range(board.rows):
        lean = " " * row if board.shape == _core.Shape.hexagonal else ""
        there = [board.has(row * board.columns + column) for column in range(board.columns)]
        cells = line(spec.symbols[code] if has else "" for code, has in zip(codes[row], there, strict=True))
        lines += [""] * (row in top) + [f"{lean}{row_label(board, row):>2} {cells}"]
    return "\n".join(text.rstrip() for text in lines)
