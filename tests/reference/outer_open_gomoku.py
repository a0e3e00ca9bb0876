"""Outer-Open-Gomoku, written from the rules.

Players place stones in turn. The first stone of the match goes on one of the two outermost rings
of the board, the others anywhere. Five or more of one's own stones in a row, a column or a diagonal
win; a full board without such a line is a draw.
"""

from dataclasses import dataclass, field

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]


@dataclass(frozen=True)
class State:
    """Each stone's owner (True: the first player's), and the cell of the last stone."""

    stones: dict[Cell, bool] = field(default_factory=dict)
    last: Cell | None = None


@dataclass(frozen=True)
class OuterOpenGomoku:
    """The rules on a board of `size` x `size` cells."""

    size: int = 15
    length: int = 5

    def initial(self) -> State:
        return State()

    def first_player(self, s: State) -> bool:
        return len(s.stones) % 2 == 0

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        empty = [cell for cell in square_cells(self.size) if cell not in s.stones]
        if not s.stones:
            empty = [cell for cell in empty if self.distance_to_edge(cell) <= 1]
        return [cell_text(cell) for cell in empty]

    def apply(self, s: State, text: str) -> State:
        cell = parse_cell(text)
        return State({**s.stones, cell: self.first_player(s)}, cell)

    def outcome(self, s: State) -> int | None:
        if s.last is not None and self.wins(s, s.last):
            return 1 if s.stones[s.last] else -1
        return 0 if len(s.stones) == self.size * self.size else None

    def score(self, s: State) -> int | None:
        return None

    def distance_to_edge(self, cell: Cell) -> int:
        """0 on the outermost ring, 1 on the next, and so on."""
        column, row = cell
        return min(column, row, self.size - 1 - column, self.size - 1 - row)

    def wins(self, s: State, cell: Cell) -> bool:
        """Whether the stone on `cell` is part of a line that is long enough."""
        return any(
            1 + self.run(s, cell, (dx, dy)) + self.run(s, cell, (-dx, -dy)) >= self.length for dx, dy in LINES
        )

    def run(self, s: State, cell: Cell, direction: tuple[int, int]) -> int:
        """How many stones of the same owner follow one another from `cell`, itself not counted."""
        column, row = cell
        count = 0
        while True:
            column, row = column + direction[0], row + direction[1]
            if s.stones.get((column, row)) is not s.stones[cell]:
                return count
            count += 1
