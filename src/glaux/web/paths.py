"""Where an action happens: the cells that a person touches, in order, to play it.

An action's text names its cells in most games: ``d3`` one, ``a2a3`` and ``b1xa2`` two. An action
that is a column (Connect Four) happens on the one cell that it changes. What is left, such as
``pass`` and ``swap``, happens nowhere and needs a button.
"""

from __future__ import annotations

import re
from functools import lru_cache

from glaux.rules.game import Game, State

CELL = re.compile(r"[a-z]+[0-9]+")
COLUMN = re.compile(r"[0-9]+")


def path(game: Game, state: State, action: int, text: str) -> list[int]:
    """The cells of a legal action in the order in which they are touched."""
    board = game.spec.board
    if CELL.search(text):
        names = _cells(game)
        words = [word if word in names else word.removeprefix("x") for word in CELL.findall(text)]
        return [names[word] for word in words if word in names]
    if COLUMN.fullmatch(text) and game.spec.action_count == board.columns:
        changed = changed_cells(state, game.apply(state, action))
        return changed if len(changed) == 1 else []
    return []


@lru_cache(maxsize=64)
def _cells(game: Game) -> dict[str, int]:
    board = game.spec.board
    return {board.cell_text(cell): cell for cell in range(board.rows * board.columns)}


def changed_cells(before: State, after: State) -> list[int]:
    """The cells whose code differs."""
    codes = [state.game.cells(state).ravel() for state in (before, after)]
    changed: list[int] = (codes[0] != codes[1]).nonzero()[0].tolist()
    return changed
