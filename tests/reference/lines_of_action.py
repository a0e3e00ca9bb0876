"""Lines of Action, written from the rules.

Black has the stones of the top and bottom row, white those of the left and right column, without the
corners. A stone moves straight, in one of eight directions, exactly as many cells as there are stones
on the whole line, itself included; over own stones, but not over the opponent's, and not onto an own
stone. An opponent's stone on which it lands is captured. A player without a move passes.

All the stones of a player in one group, in eight directions, win for that player; for both at once they
are a draw. So is a position that is there again for so many times with the same player to move, and a
number of plies without a capture, if there is a limit.
"""

import re
from dataclasses import dataclass, field

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]

Position = tuple[frozenset[tuple[Cell, bool]], bool]
"""The stones with their owners, and whether the first player is to move."""


@dataclass(frozen=True)
class State:
    """Each stone's owner (True: the first player's), who is to move, and what came before."""

    stones: dict[Cell, bool]
    first_player: bool = True
    past: list[Position] = field(default_factory=list)  # since the last capture, without this one

    def position(self) -> Position:
        return frozenset(self.stones.items()), self.first_player


@dataclass(frozen=True)
class LinesOfAction:
    """The rules on a square board; ``limit`` 0 is none."""

    size: int = 8
    repetitions: int = 1
    limit: int = 100

    def initial(self) -> State:
        inner, ends = range(1, self.size - 1), (0, self.size - 1)
        black = {(i, end): True for i in inner for end in ends}
        white = {(end, i): False for i in inner for end in ends}
        return State(black | white)

    def first_player(self, s: State) -> bool:
        return s.first_player

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        moves = [
            cell_text(start) + "x" * (end in s.stones) + cell_text(end)
            for start, owner in s.stones.items()
            if owner is s.first_player
            for end in self.ends(s, start)
        ]
        return moves or ["pass"]

    def apply(self, s: State, text: str) -> State:
        past = [] if "x" in text else [*s.past, s.position()]
        if text == "pass":
            return State(s.stones, not s.first_player, past)
        start, end = (parse_cell(cell) for cell in split(text))
        stones = {cell: owner for cell, owner in s.stones.items() if cell not in (start, end)}
        return State({**stones, end: s.first_player}, not s.first_player, past)

    def outcome(self, s: State) -> int | None:
        first, second = self.connected(s, True), self.connected(s, False)
        if first or second:
            return int(first) - int(second)
        again = s.past.count(s.position()) >= self.repetitions
        return 0 if again or (self.limit and len(s.past) >= self.limit) else None

    def score(self, s: State) -> int | None:
        return None

    def ends(self, s: State, start: Cell) -> list[Cell]:
        """The cells to which the stone on `start` can move."""
        found = []
        for dx, dy in DIRECTIONS:
            ahead = self.line(start, dx, dy)
            on_line = [start, *ahead, *self.line(start, -dx, -dy)]
            distance = sum(cell in s.stones for cell in on_line)
            if distance > len(ahead):
                continue
            jumped, end = ahead[: distance - 1], ahead[distance - 1]
            own = s.stones[start]
            if all(s.stones.get(cell, own) is own for cell in jumped) and s.stones.get(end) is not own:
                found.append(end)
        return found

    def line(self, start: Cell, dx: int, dy: int) -> list[Cell]:
        """The cells from `start` to the edge, the next one first."""
        cells = [(start[0] + n * dx, start[1] + n * dy) for n in range(1, self.size)]
        return [cell for cell in cells if cell in square_cells(self.size)]

    def connected(self, s: State, first: bool) -> bool:
        """Whether the stones of a player are one group."""
        stones = {cell for cell, owner in s.stones.items() if owner is first}
        group = {next(iter(stones))}
        while True:
            near = {(x + dx, y + dy) for x, y in group for dx, dy in DIRECTIONS} & stones
            if near <= group:
                return group == stones
            group |= near


def split(text: str) -> list[str]:
    """The two cells of a move, `b1xc3` or `b1c3`."""
    return re.findall(r"[a-w]\d+", text)
