"""Havannah, with rings found by what they enclose."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.protocol import Cell, cell_text, parse_cell

AROUND = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)]


@dataclass
class State:
    stones: dict[Cell, bool] = field(default_factory=dict)  # True is the first player's
    first: bool = True
    plies: int = 0


class Havannah:
    def __init__(self, side: int, swap: bool = True) -> None:
        self.side, self.swap = side, swap
        across = range(2 * side - 1)
        self.cells = {(x, y) for x in across for y in across if abs(x - y) < side}
        on_board = {cell: sum(near in self.cells for near in self.around(cell)) for cell in self.cells}
        self.border = {cell for cell, count in on_board.items() if count < 6}
        self.corners = {cell for cell, count in on_board.items() if count == 3}
        self.edges = self.joined(self.border - self.corners)

    def initial(self) -> State:
        return State()

    def first_player(self, s: State) -> bool:
        return s.first

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        texts = [cell_text(cell) for cell in self.cells - s.stones.keys()]
        return [*texts, "swap"] if self.swap and s.plies == 1 else texts

    def apply(self, s: State, text: str) -> State:
        if text == "swap":
            return State(dict.fromkeys(s.stones, False), True, 2)
        return State({**s.stones, parse_cell(text): s.first}, not s.first, s.plies + 1)

    def outcome(self, s: State) -> int | None:
        for first in (True, False):
            if self.has_won({cell for cell, owner in s.stones.items() if owner == first}):
                return 1 if first else -1
        return 0 if len(s.stones) == len(self.cells) else None

    def score(self, s: State) -> None:
        return None

    def has_won(self, stones: set[Cell]) -> bool:
        frames = (self.bridge, self.fork, self.ring)
        return any(frame(chain) for chain in self.joined(stones) for frame in frames)

    def bridge(self, chain: set[Cell]) -> bool:
        return len(chain & self.corners) >= 2

    def fork(self, chain: set[Cell]) -> bool:
        return sum(bool(chain & edge) for edge in self.edges) >= 3

    def ring(self, chain: set[Cell]) -> bool:
        """Whether some cell, whatever is on it, can't get off the board past the others of the chain."""
        if len(chain) < 6:
            return False
        outside = set().union(*(group for group in self.joined(self.cells - chain) if group & self.border))
        inside = self.cells - self.border - outside
        return any(not outside.intersection(self.around(cell)) for cell in inside)

    def joined(self, cells: set[Cell]) -> list[set[Cell]]:
        """The groups of cells that touch."""
        groups, rest = [], set(cells)
        while rest:
            frontier = [rest.pop()]
            group = set(frontier)
            while frontier:
                for near in self.around(frontier.pop()):
                    if near in rest:
                        rest.remove(near)
                        group.add(near)
                        frontier.append(near)
            groups.append(group)
        return groups

    def around(self, cell: Cell) -> list[Cell]:
        return [(cell[0] + dx, cell[1] + dy) for dx, dy in AROUND]
