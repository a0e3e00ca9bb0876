"""Quoridor, from the rules alone: a set of walls, and a search over cells for every wall that is tried."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.reference.protocol import Cell, cell_text, parse_cell

Wall = tuple[Cell, str]
"""the cell at the lower left of its middle, and ``h`` if it lies or ``v`` if it stands"""


@dataclass(frozen=True)
class State:
    """Pawns and walls in hand of the first and the second player."""

    pawns: tuple[Cell, Cell]
    hand: tuple[int, int]
    walls: frozenset[Wall] = frozenset()
    first: bool = True
    quiet: int = 0
    """pawn moves since the last wall"""


@dataclass(frozen=True)
class Quoridor:
    """The first player starts below and goes up."""

    size: int = 9
    walls: int = 10
    limit: int = 100

    def initial(self) -> State:
        middle = self.size // 2
        return State(((middle, 0), (middle, self.size - 1)), (self.walls, self.walls))

    def first_player(self, s: State) -> bool:
        return s.first

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        return [cell_text(cell) for cell in self.steps(s)] + [
            cell_text(at) + how for at, how in self.legal_walls(s)
        ]

    def apply(self, s: State, text: str) -> State:
        if text[-1] in "hv":
            wall = (parse_cell(text[:-1]), text[-1])
            hand = (s.hand[0] - s.first, s.hand[1] - (not s.first))
            return State(s.pawns, hand, s.walls | {wall}, not s.first)
        cell = parse_cell(text)
        pawns = (cell, s.pawns[1]) if s.first else (s.pawns[0], cell)
        return replace(s, pawns=pawns, first=not s.first, quiet=s.quiet + 1)

    def outcome(self, s: State) -> int | None:
        difference = self.difference(s)
        home = self.rows_to_go(s)
        if 0 not in home and s.quiet < self.limit:
            return None
        return (difference > 0) - (difference < 0)

    def score(self, s: State) -> int | None:
        return self.difference(s)

    def rows_to_go(self, s: State) -> tuple[int, int]:
        return self.size - 1 - s.pawns[0][1], s.pawns[1][1]

    def difference(self, s: State) -> int:
        first, second = self.rows_to_go(s)
        return second - first

    # Pawns

    def steps(self, s: State) -> Iterator[Cell]:
        own, other = s.pawns if s.first else s.pawns[::-1]
        for way in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if not self.free(s.walls, own, way):
                continue
            beside = moved(own, way)
            if beside != other:
                yield beside
            elif self.free(s.walls, other, way):
                yield moved(other, way)
            else:
                for aside in ((way[1], way[0]), (-way[1], -way[0])):
                    if self.free(s.walls, other, aside):
                        yield moved(other, aside)

    def free(self, walls: frozenset[Wall], cell: Cell, way: tuple[int, int]) -> bool:
        """Whether neither a wall nor the edge is on that side of a cell."""
        end = moved(cell, way)
        if not (0 <= end[0] < self.size and 0 <= end[1] < self.size):
            return False
        x, y = min(cell[0], end[0]), min(cell[1], end[1])
        if way[0] == 0:  # up or down: walls that lie between, with their middle on either side
            return ((x, y), "h") not in walls and ((x - 1, y), "h") not in walls
        return ((x, y), "v") not in walls and ((x, y - 1), "v") not in walls

    # Walls

    def legal_walls(self, s: State) -> Iterator[Wall]:
        if s.hand[0 if s.first else 1] == 0:
            return
        for x in range(self.size - 1):
            for y in range(self.size - 1):
                for how in "hv":
                    wall = ((x, y), how)
                    if not self.collides(s.walls, wall) and self.leaves_paths(s, s.walls | {wall}):
                        yield wall

    def collides(self, walls: frozenset[Wall], wall: Wall) -> bool:
        """With one that has the same middle, or covers half of it."""
        (x, y), how = wall
        along = [(x - 1, y), (x + 1, y)] if how == "h" else [(x, y - 1), (x, y + 1)]
        return any(((x, y), other) in walls for other in "hv") or any((at, how) in walls for at in along)

    def leaves_paths(self, s: State, walls: frozenset[Wall]) -> bool:
        goals = (self.size - 1, 0)
        return all(self.reaches(walls, pawn, goal) for pawn, goal in zip(s.pawns, goals, strict=True))

    def reaches(self, walls: frozenset[Wall], start: Cell, row: int) -> bool:
        """Whether a pawn that is alone on the board could walk to the row."""
        found, waiting = {start}, [start]
        while waiting:
            cell = waiting.pop()
            if cell[1] == row:
                return True
            for way in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                end = moved(cell, way)
                if end not in found and self.free(walls, cell, way):
                    found.add(end)
                    waiting.append(end)
        return False


def moved(cell: Cell, way: tuple[int, int]) -> Cell:
    return cell[0] + way[0], cell[1] + way[1]
