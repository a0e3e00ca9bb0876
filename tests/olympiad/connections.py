"""Hex and Havannah as the Olympiad's referee has them: the stone stays where it is when the sides change."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.reference.protocol import Cell, cell_text, parse_cell

Stones = dict[Cell, int]
"""0 and 1: the colours, not the players"""


@dataclass(frozen=True)
class Match:
    """The stones, how many plies were played, and whether the players have changed sides."""

    stones: Stones
    plies: int = 0
    swapped: bool = False
    last: Cell | None = None

    @property
    def colour(self) -> int:
        """Whose stone is next: after a swap the first player goes on with the second colour."""
        return self.plies % 2


@dataclass(frozen=True)
class Hex:
    """The first colour joins left and right, the second bottom and top."""

    size: int

    def initial(self) -> Match:
        return Match({})

    def first_player(self, s: Match) -> bool:
        return s.plies % 2 == 0

    def actions(self, s: Match) -> list[str]:
        if self.outcome(s) is not None:
            return []
        empty = [cell_text(cell) for cell in self.cells() if cell not in s.stones]
        return [*empty, "swap"] if s.plies == 1 else empty

    def apply(self, s: Match, text: str) -> Match:
        if text == "swap":
            return Match(s.stones, 2, True, None)
        cell = parse_cell(text)
        # Who swapped has the first colour, which the stone on the board has; the other goes on.
        colour = s.colour if not s.swapped else 1 - s.colour
        return Match({**s.stones, cell: colour}, s.plies + 1, s.swapped, cell)

    def outcome(self, s: Match) -> int | None:
        if s.last is None or not self.wins(s):
            return 0 if len(s.stones) == len(self.cells()) else None
        mover = (s.plies - 1) % 2  # the player who placed the last stone
        return 1 if mover == 0 else -1

    def score(self, s: Match) -> int | None:
        return None

    def cells(self) -> list[Cell]:
        return [(x, y) for x in range(self.size) for y in range(self.size)]

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        x, y = cell
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)):
            yield x + dx, y + dy

    def wins(self, s: Match) -> bool:
        assert s.last is not None
        axis = s.stones[s.last]  # columns for the first colour, rows for the second
        ends = {cell[axis] for cell in self.chain(s, s.last)}
        return 0 in ends and self.size - 1 in ends

    def chain(self, s: Match, start: Cell) -> set[Cell]:
        """The stones of one colour that hang together with one of them."""
        found, waiting = {start}, [start]
        while waiting:
            for cell in self.neighbours(waiting.pop()):
                if cell not in found and s.stones.get(cell) == s.stones[start]:
                    found.add(cell)
                    waiting.append(cell)
        return found


@dataclass(frozen=True)
class Havannah(Hex):
    """Two corners, three edges or a ring win; `size` is the side of the board."""

    def cells(self) -> list[Cell]:
        across = range(2 * self.size - 1)
        return [(x, y) for x in across for y in across if abs(x - y) < self.size]

    def wins(self, s: Match) -> bool:
        assert s.last is not None
        chain, board = self.chain(s, s.last), set(self.cells())
        corners, edges = 0, set()
        for cell in chain:
            outside = [near for near in self.neighbours(cell) if near not in board]
            if len(outside) == 3:
                corners += 1
            elif outside:
                edges.add(self.edge(cell))
        return corners >= 2 or len(edges) >= 3 or self.encloses(chain, board)

    def edge(self, cell: Cell) -> str:
        x, y = cell
        last = 2 * self.size - 2
        named = {"left": x == 0, "right": x == last, "bottom": y == 0, "top": y == last}
        named |= {"upper": y - x == self.size - 1, "lower": x - y == self.size - 1}
        return next(name for name, here in named.items() if here)

    def encloses(self, chain: set[Cell], board: set[Cell]) -> bool:
        """Whether a cell is shut in by the chain: it can't be left for the outside without crossing it.

        Stones of the chain may be inside, too: a stone that only others of the chain surround.
        """
        if any(all(near in chain for near in self.neighbours(cell)) for cell in chain):
            return True
        free = {cell for cell in board if cell not in chain}
        waiting = [cell for cell in free if any(near not in board for near in self.neighbours(cell))]
        reached = set(waiting)
        while waiting:
            for cell in self.neighbours(waiting.pop()):
                if cell in free and cell not in reached:
                    reached.add(cell)
                    waiting.append(cell)
        return reached != free
