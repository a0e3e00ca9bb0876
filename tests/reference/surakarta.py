"""Surakarta, written from the rules.

Twelve pieces a side stand on the two rows nearest to each player. A piece steps to one of the eight
adjacent empty cells, or captures: it runs straight along its row or column, leaves the board at the
end of the line, follows the loop around the corner onto the line on the other side of the corner,
and so on, over empty cells only, until it meets a piece. An opponent's piece met after at least one
loop is captured. The cell from which the piece started counts as empty.

Capturing the last piece of the opponent wins. A repetition (same board, same player to move) and 50
plies without a capture end the match: more pieces win, as many draw.
"""

from dataclasses import dataclass, field

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

HOME_ROWS = 2
PLIES_WITHOUT_CAPTURE = 50

Direction = tuple[int, int]
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
STRAIGHTS = [(1, 0), (-1, 0), (0, 1), (0, -1)]

Position = tuple[frozenset[tuple[Cell, bool]], bool]
"""The pieces with their owners, and whether the first player is to move."""


@dataclass(frozen=True)
class State:
    """Each piece's owner (True: the first player's), who is to move, and what came before."""

    pieces: dict[Cell, bool]
    first_player: bool = True
    past: list[Position] = field(default_factory=list)  # since the last capture, without this one

    def position(self) -> Position:
        return frozenset(self.pieces.items()), self.first_player

    def count(self, first: bool) -> int:
        """How many pieces a player has."""
        return list(self.pieces.values()).count(first)


class Surakarta:
    """The rules on a board of `size` x `size` cells, `size` even."""

    def __init__(self, size: int = 6) -> None:
        self.size = size
        self.loops = corner_loops(size)

    def initial(self) -> State:
        cells = square_cells(self.size)
        first = {cell: True for cell in cells if cell[1] < HOME_ROWS}
        second = {cell: False for cell in cells if cell[1] >= self.size - HOME_ROWS}
        return State(first | second)

    def first_player(self, s: State) -> bool:
        return s.first_player

    def actions(self, s: State) -> list[str]:
        return [] if self.outcome(s) is not None else self.moves(s)

    def apply(self, s: State, text: str) -> State:
        start, end = parse_cell(text[:2]), parse_cell(text[-2:])
        pieces = {cell: owner for cell, owner in s.pieces.items() if cell not in (start, end)}
        past = [] if "x" in text else [*s.past, s.position()]
        return State({**pieces, end: s.first_player}, not s.first_player, past)

    def outcome(self, s: State) -> int | None:
        over = (
            s.count(True) == 0
            or s.count(False) == 0
            or s.position() in s.past
            or len(s.past) >= PLIES_WITHOUT_CAPTURE
            or not self.moves(s)
        )
        return sign(self.score(s)) if over else None

    def score(self, s: State) -> int:
        return s.count(True) - s.count(False)

    def moves(self, s: State) -> list[str]:
        """The steps and captures of the player to move, whether or not the match is over."""
        own = [cell for cell, owner in s.pieces.items() if owner is s.first_player]
        steps = [cell_text(a) + cell_text(b) for a in own for b in self.step_ends(s, a)]
        captures = [cell_text(a) + "x" + cell_text(b) for a in own for b in self.captured(s, a)]
        return steps + captures

    def step_ends(self, s: State, start: Cell) -> list[Cell]:
        """The empty cells beside `start`."""
        ends = [(start[0] + dx, start[1] + dy) for dx, dy in STEPS]
        return [cell for cell in ends if self.on_board(cell) and cell not in s.pieces]

    def captured(self, s: State, start: Cell) -> set[Cell]:
        """The cells on which the piece on `start` can capture."""
        ends = {self.run(s, start, direction) for direction in STRAIGHTS}
        return {end for end in ends if end is not None}

    def run(self, s: State, start: Cell, heading: Direction) -> Cell | None:
        """Runs from `start` until a piece is met; its cell if it can be captured, or None."""
        cell, direction, looped = start, heading, False
        while True:
            ahead = cell[0] + direction[0], cell[1] + direction[1]
            if self.on_board(ahead):
                cell = ahead
            elif cell in self.loops:
                cell = self.loops[cell]
                direction, looped = self.inward(cell), True
            else:
                return None  # the border lines have no loops
            if cell == start and direction == heading:
                return None  # once around without meeting a piece
            if cell != start and cell in s.pieces:
                return cell if looped and s.pieces[cell] is not s.pieces[start] else None

    def inward(self, cell: Cell) -> Direction:
        """The direction in which a loop enters the board at a cell of the border."""
        toward_centre = {0: 1, self.size - 1: -1}
        return toward_centre.get(cell[0], 0), toward_centre.get(cell[1], 0)

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size


def corner_loops(size: int) -> dict[Cell, Cell]:
    """The other end of the loop for each cell of the border at which one starts.

    At each corner loops join the second row with the second column, the third with the third and
    so on up to the middle of the board: `a2` with `b1`, `a3` with `c1` at the bottom left.
    """
    last = size - 1
    pairs = []
    for near in range(1, size // 2):
        far = last - near
        pairs += [
            ((0, near), (near, 0)),
            ((0, far), (near, last)),
            ((last, near), (far, 0)),
            ((last, far), (far, last)),
        ]
    return dict(pairs) | {second: first for first, second in pairs}


def sign(number: int) -> int:
    return (number > 0) - (number < 0)
