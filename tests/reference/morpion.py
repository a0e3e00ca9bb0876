"""Morpion Solitaire, written from the rules.

A cross of points is given: the outline of five squares whose edges have `length` - 1 points. A move
marks a new point and draws a line of `length` points through it in a row, a column or a diagonal; all
the other points of the line are there already. Two lines of one direction may not have a point in
common or, in the touching variants, not more than one. The match is over when no line can be drawn;
the score is the number of lines.

A move is written as the new point and the end of the line that is farther from it, `f7f11`. If the
point is the middle of the line, it is the lower end, of a horizontal line the right one.
"""

from dataclasses import dataclass, field

from tests.reference.protocol import Cell, cell_text

DIRECTIONS = [(1, 0), (0, -1), (1, -1), (-1, -1)]

Line = tuple[Cell, ...]


@dataclass(frozen=True)
class State:
    """The points, and the lines that were drawn with their directions."""

    points: frozenset[Cell]
    lines: list[tuple[tuple[int, int], Line]] = field(default_factory=list)


@dataclass(frozen=True)
class Morpion:
    """The rules on a sheet of `size` x `size` points; from `bound` lines on an end is a win."""

    length: int = 5
    touching: bool = False
    size: int = 16
    bound: int = 84

    def initial(self) -> State:
        edge = self.length - 2
        shift = (self.size - 1 - 3 * edge) // 2
        a, b, c, d = 0, edge, 2 * edge, 3 * edge
        corners = [
            (b, a),
            (c, a),
            (c, b),
            (d, b),
            (d, c),
            (c, c),
            (c, d),
            (b, d),
            (b, c),
            (a, c),
            (a, b),
            (b, b),
        ]
        points = set()
        for (x, y), (to_x, to_y) in zip(corners, corners[1:] + corners[:1], strict=True):
            dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
            points |= {(shift + x + i * dx, shift + y + i * dy) for i in range(edge)}
        return State(frozenset(points))

    def first_player(self, s: State) -> bool:
        return True

    def actions(self, s: State) -> list[str]:
        return list(self.moves(s))

    def apply(self, s: State, text: str) -> State:
        point, direction, line = self.moves(s)[text]
        return State(s.points | {point}, [*s.lines, (direction, line)])

    def outcome(self, s: State) -> int | None:
        if self.moves(s):
            return None
        return 1 if len(s.lines) >= self.bound else 0

    def score(self, s: State) -> int | None:
        return len(s.lines)

    def moves(self, s: State) -> dict[str, tuple[Cell, tuple[int, int], Line]]:
        """The new point, the direction and the line of every legal move by its text."""
        found = {}
        for x in range(self.size):
            for y in range(self.size):
                for dx, dy in DIRECTIONS:
                    line = tuple((x + i * dx, y + i * dy) for i in range(self.length))
                    new = [cell for cell in line if cell not in s.points]
                    if len(new) == 1 and self.on_sheet(line[-1]) and self.fits(s, (dx, dy), line):
                        found[self.text(new[0], line)] = (new[0], (dx, dy), line)
        return found

    def fits(self, s: State, direction: tuple[int, int], line: Line) -> bool:
        """Whether the lines drawn so far leave room."""
        most = 1 if self.touching else 0
        return all(len(set(line) & set(other)) <= most for way, other in s.lines if way == direction)

    def text(self, new: Cell, line: Line) -> str:
        place = line.index(new)
        far = line[-1] if place <= self.length - 1 - place else line[0]
        return cell_text(new) + cell_text(far)

    def on_sheet(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size
