"""Boards as text: what ``print(state)`` shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from glaux import _core

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def row_label(board: _core.Board, row: int) -> str:
    """The number of a row as the game writes it."""
    from_top = board.numbering == _core.Numbering.from_top
    return str(row + 1 if from_top else board.rows - row)


def draw(spec: _core.Spec, codes: npt.NDArray[np.uint8]) -> str:
    """The board with the names of its rows and columns; a hexagonal one leans to the right."""
    board = spec.board
    names = [board.column_text(column) for column in range(board.columns)]
    width = max(len(spec.symbols[0]), len(names[-1]))
    lines = ["   " + " ".join(name.ljust(width) for name in names)]
    for row in range(board.rows):
        lean = " " * row if board.shape == _core.Shape.hexagonal else ""
        cells = " ".join(spec.symbols[code].ljust(width) for code in codes[row])
        lines.append(f"{lean}{row_label(board, row):>2} {cells}")
    return "\n".join(line.rstrip() for line in lines)
