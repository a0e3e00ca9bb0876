"""Made-up games on boards that no game of the registry has: absent cells, and several boards."""

from __future__ import annotations

from typing import Any

import numpy as np

import glaux


class Filling(glaux.Rules):
    """Both fill the cells in turn; stones count the square of their own neighbours when all are taken."""

    shape: tuple[int, int]

    def __init__(self) -> None:
        rows, columns = self.shape
        there = np.ones(self.shape, dtype=bool) if self.present is None else np.asarray(self.present)
        self.cells_there = np.flatnonzero(there)
        self.state = [("board", np.int8, self.shape), ("second", np.bool_)]
        self.action_count = rows * columns
        self.max_plies = len(self.cells_there)

    def first_player(self, s: Any) -> bool:
        return not s["second"]

    def actions(self, s: Any) -> Any:
        return self.cells_there[s["board"].flat[self.cells_there] == 0]

    def apply(self, s: Any, action: int) -> None:
        s["board"].flat[action] = 2 if s["second"] else 1
        s["second"] = not s["second"]

    def outcome(self, s: Any) -> int | None:
        if len(self.actions(s)) > 0:
            return None
        board = s["board"].ravel()
        near = self._board.neighbours()
        alike = {i: sum(board[j] == board[i] for j in near[i]) for i in self.cells_there}
        return int(np.sign(sum(n * n * (1 if board[i] == 1 else -1) for i, n in alike.items())))

    def cells(self, s: Any) -> Any:
        return s["board"]


class Hexagon(Filling):
    """A hexagon of side 3 in a square of 5x5, as Havannah has it."""

    shape = (5, 5)
    hexagonal = True
    symmetry = "hexagonal"
    present = np.abs(np.add.outer(np.arange(5), np.arange(5)) - 4) <= 2


class DarkSquares(Filling):
    """The dark squares of a small chequered board, as draughts has them."""

    shape = (4, 4)
    symmetry = "square"
    present = np.add.outer(np.arange(4), np.arange(4)) % 2 == 1


class FourBoards(Filling):
    """Four boards of 2x2, as Shobu has four of 4x4."""

    shape = (4, 4)
    symmetry = "square"
    boards = ((0, 0, 2, 2), (0, 2, 2, 2), (2, 0, 2, 2), (2, 2, 2, 2))


GAMES = [Hexagon, DarkSquares, FourBoards]
