"""Othello on a board of any even size, written from the rules.

A stone is placed where it encloses at least one straight line of the opponent's stones between itself
and another own stone; the enclosed stones change their owner. Who can't do so passes, and only then.
When neither can, the match is over and more stones win. Rows are counted from the top.
"""

from dataclasses import dataclass

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


@dataclass(frozen=True)
class State:
    """Each stone's owner (True: the first player's), and who is to move."""

    stones: dict[Cell, bool]
    first: bool = True


@dataclass(frozen=True)
class Othello:
    """The rules on a board of `size` x `size` cells."""

    size: int = 8

    def initial(self) -> State:
        low, high = self.size // 2 - 1, self.size // 2
        return State({(low, low): False, (high, high): False, (low, high): True, (high, low): True})

    def first_player(self, s: State) -> bool:
        return s.first

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        return [cell_text(cell) for cell in self.placements(s.stones, s.first)] or ["pass"]

    def apply(self, s: State, text: str) -> State:
        if text == "pass":
            return State(s.stones, not s.first)
        cell = parse_cell(text)
        changed = dict.fromkeys(self.enclosed(s.stones, cell, s.first), s.first)
        return State({**s.stones, **changed, cell: s.first}, not s.first)

    def outcome(self, s: State) -> int | None:
        if self.placements(s.stones, True) or self.placements(s.stones, False):
            return None
        difference = self.difference(s)
        return (difference > 0) - (difference < 0)

    def score(self, s: State) -> int | None:
        return self.difference(s)

    def difference(self, s: State) -> int:
        """The first player's stones minus the second player's."""
        return sum(1 if owner else -1 for owner in s.stones.values())

    def placements(self, stones: dict[Cell, bool], first: bool) -> list[Cell]:
        """The empty cells on which a stone would enclose something."""
        empty = [cell for cell in square_cells(self.size) if cell not in stones]
        return [cell for cell in empty if self.enclosed(stones, cell, first)]

    def enclosed(self, stones: dict[Cell, bool], cell: Cell, first: bool) -> list[Cell]:
        """The stones that a stone of this player on `cell` would turn."""
        turned = []
        for dx, dy in DIRECTIONS:
            line = []
            x, y = cell[0] + dx, cell[1] + dy
            while stones.get((x, y), first) != first:
                line.append((x, y))
                x, y = x + dx, y + dy
            if (x, y) in stones:
                turned += line
        return turned
