"""Cells of a board: their names, those that a text names, and those that differ between two states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from glaux import _core

if TYPE_CHECKING:
    from collections.abc import Mapping

    from glaux.rules.game import State

NAME = re.compile(r"[a-z]+[0-9]+")


def cell_names(board: _core.Board) -> dict[str, int]:
    """Every cell that is there by its name."""
    return {board.cell_text(cell): cell for cell in range(board.rows * board.columns) if board.has(cell)}


def named_cells(names: Mapping[str, int], text: str) -> list[int]:
    """The cells that a text names, in order: ``d3`` one, ``a2a3`` and ``b1xa2`` two, ``pass`` none.

    A letter in front of a name may be an x, or a piece: ``ra7n`` names ``a7``.
    """
    words = [word if word in names else word[1:] for word in NAME.findall(text)]
    return [names[word] for word in words if word in names]


def changed_cells(before: State, after: State) -> list[int]:
    """The cells whose code differs."""
    codes = [state.game.cells(state).ravel() for state in (before, after)]
    changed: list[int] = (codes[0] != codes[1]).nonzero()[0].tolist()
    return changed
