"""Santorini without power cards, written from the rules.

The first player places two workers, then the second player does. From then on a turn is a move and
a build by the same worker. A move goes to one of the eight adjacent cells that holds no worker and
no dome, at most one level up; whoever stands on level 3 has won. A build adds a level to a cell
adjacent to the moved worker that holds no worker and no dome; a fourth level is a dome. A player
who cannot move at the start of the turn loses.
"""

from dataclasses import dataclass, field, replace

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

WORKERS = 2  # of each player
SUMMIT = 3  # the level on which one wins
DOME = 4


@dataclass(frozen=True)
class State:
    """Levels of the cells that are built on, each worker's owner, and whose turn it is."""

    levels: dict[Cell, int] = field(default_factory=dict)
    workers: dict[Cell, bool] = field(default_factory=dict)
    first_player: bool = True
    moved: Cell | None = None  # the worker that has moved in this turn and is about to build


@dataclass(frozen=True)
class Santorini:
    """The rules on a board of `size` x `size` cells."""

    size: int = 5

    def initial(self) -> State:
        return State()

    def first_player(self, s: State) -> bool:
        return s.first_player

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        if self.placing(s):
            return [cell_text(c) for c in square_cells(self.size) if c not in s.workers]
        if s.moved is not None:
            return [cell_text(c) for c in self.free_neighbours(s, s.moved)]
        return self.moves(s)

    def apply(self, s: State, text: str) -> State:
        if self.placing(s):
            return self.place(s, parse_cell(text))
        if s.moved is not None:
            return self.build(s, parse_cell(text))
        return self.move(s, parse_cell(text[:2]), parse_cell(text[2:]))

    def outcome(self, s: State) -> int | None:
        if s.moved is not None and s.levels.get(s.moved, 0) == SUMMIT:
            return 1 if s.first_player else -1
        if not self.placing(s) and s.moved is None and not self.moves(s):
            return -1 if s.first_player else 1
        return None

    def score(self, s: State) -> int | None:
        return None

    def placing(self, s: State) -> bool:
        """Whether there are workers still to be placed."""
        return len(s.workers) < 2 * WORKERS

    def place(self, s: State, cell: Cell) -> State:
        workers = {**s.workers, cell: s.first_player}
        turn_ends = len(workers) % WORKERS == 0
        return replace(s, workers=workers, first_player=s.first_player ^ turn_ends)

    def moves(self, s: State) -> list[str]:
        """The moves of the player whose turn it is, whether or not the match is over."""
        return [
            cell_text(start) + cell_text(end)
            for start, owner in s.workers.items()
            if owner is s.first_player
            for end in self.free_neighbours(s, start)
            if s.levels.get(end, 0) <= s.levels.get(start, 0) + 1
        ]

    def move(self, s: State, start: Cell, end: Cell) -> State:
        workers = {cell: owner for cell, owner in s.workers.items() if cell != start}
        return replace(s, workers={**workers, end: s.first_player}, moved=end)

    def build(self, s: State, cell: Cell) -> State:
        levels = {**s.levels, cell: s.levels.get(cell, 0) + 1}
        return replace(s, levels=levels, first_player=not s.first_player, moved=None)

    def free_neighbours(self, s: State, cell: Cell) -> list[Cell]:
        """The adjacent cells without a worker and without a dome."""
        return [
            other
            for other in square_cells(self.size)
            if other != cell
            and abs(other[0] - cell[0]) <= 1
            and abs(other[1] - cell[1]) <= 1
            and other not in s.workers
            and s.levels.get(other, 0) < DOME
        ]
