"""Connect6, written from the rules.

The first player places one stone, then the players take turns of two stones each; every stone is an
action of its own. Six or more of one's own stones in a row, a column or a diagonal win at once, also
with the first stone of a turn; a full board without such a line is a draw.
"""

from dataclasses import dataclass, field

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]


@dataclass(frozen=True)
class State:
    """The stones in the order in which they were placed."""

    stones: list[Cell] = field(default_factory=list)


def owner(number: int) -> bool:
    """Whose the stone of this number is, counted from 0: the first player's are 0, 3, 4, 7, 8, ..."""
    return (number + 1) // 2 % 2 == 0


@dataclass(frozen=True)
class Connect6:
    """The rules on a board of `size` x `size` cells."""

    size: int = 19
    length: int = 6

    def initial(self) -> State:
        return State()

    def first_player(self, s: State) -> bool:
        return owner(len(s.stones))

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        return [cell_text(cell) for cell in square_cells(self.size) if cell not in s.stones]

    def apply(self, s: State, text: str) -> State:
        return State([*s.stones, parse_cell(text)])

    def outcome(self, s: State) -> int | None:
        if s.stones and self.wins(s):
            return 1 if owner(len(s.stones) - 1) else -1
        return 0 if len(s.stones) == self.size * self.size else None

    def score(self, s: State) -> int | None:
        return None

    def wins(self, s: State) -> bool:
        """Whether the last stone is part of a line that is long enough."""
        mover = owner(len(s.stones) - 1)
        own = {cell for number, cell in enumerate(s.stones) if owner(number) is mover}
        column, row = s.stones[-1]
        for dx, dy in LINES:
            line = [(column + i * dx, row + i * dy) in own for i in range(-self.length + 1, self.length)]
            windows = [line[start : start + self.length] for start in range(self.length)]
            if any(all(window) for window in windows):
                return True
        return False
