"""Go by the rules of Tromp and Taylor without suicide, with every position of the match in a set."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.protocol import Cell, square_cells

Board = dict[Cell, bool]
"""Stones by owner: True is the first player's."""
Position = frozenset[tuple[Cell, bool]]
LETTERS = "abcdefghjklmnopqrst"


@dataclass
class State:
    stones: Board = field(default_factory=dict)
    first: bool = True
    passes: int = 0
    plies: int = 0
    seen: set[Position] = field(default_factory=lambda: {frozenset()})


class Go:
    def __init__(self, size: int, komi: float = 7.5, plies: int | None = None) -> None:
        self.size, self.komi = size, komi
        self.cells = square_cells(size)
        self.plies = plies or 2 * size * size

    def initial(self) -> State:
        return State()

    def first_player(self, s: State) -> bool:
        return s.first

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        texts = ["pass"]
        for cell in self.cells:
            if cell not in s.stones:
                after = self.placed(s.stones, cell, s.first)
                if after is not None and frozenset(after.items()) not in s.seen:
                    texts.append(self.text(cell))
        return texts

    def apply(self, s: State, text: str) -> State:
        if text == "pass":
            return State(s.stones, not s.first, s.passes + 1, s.plies + 1, s.seen)
        stones = self.placed(s.stones, self.cell(text), s.first)
        assert stones is not None
        return State(stones, not s.first, 0, s.plies + 1, s.seen | {frozenset(stones.items())})

    def outcome(self, s: State) -> int | None:
        if s.passes < 2 and s.plies < self.plies:
            return None
        score = self.score(s)
        return (score > 0) - (score < 0)

    def score(self, s: State) -> float:
        """The area of the first player less that of the second and the komi."""
        area = 0
        for cell in self.cells:
            if cell in s.stones:
                owners = {s.stones[cell]}
            else:
                region = self.group(s.stones, cell)
                beside = {near for one in region for near in self.neighbours(one)} - region
                owners = {s.stones[one] for one in beside}
            if len(owners) == 1:
                area += 1 if owners == {True} else -1
        return area - self.komi

    def placed(self, stones: Board, cell: Cell, first: bool) -> Board | None:
        """The board after a stone, or None if that is suicide."""
        board = {**stones, cell: first}
        for near in self.neighbours(cell):
            if board.get(near) == (not first) and not self.liberties(board, near):
                for one in self.group(board, near):
                    del board[one]
        return board if self.liberties(board, cell) else None

    def group(self, stones: Board, cell: Cell) -> set[Cell]:
        """The cells with the same content that are joined with this one."""
        found, frontier = {cell}, [cell]
        while frontier:
            for near in self.neighbours(frontier.pop()):
                if near not in found and stones.get(near) == stones.get(cell):
                    found.add(near)
                    frontier.append(near)
        return found

    def liberties(self, stones: Board, cell: Cell) -> set[Cell]:
        return {near for one in self.group(stones, cell) for near in self.neighbours(one)} - stones.keys()

    def neighbours(self, cell: Cell) -> list[Cell]:
        column, row = cell
        around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
        return [(c, r) for c, r in around if 0 <= c < self.size and 0 <= r < self.size]

    def text(self, cell: Cell) -> str:
        return f"{LETTERS[cell[0]]}{cell[1] + 1}"

    def cell(self, text: str) -> Cell:
        return LETTERS.index(text[0]), int(text[1:]) - 1
