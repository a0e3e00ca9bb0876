"""Shobu, written from the rules.

Four boards of 4 x 4 cells lie in a square, the two on the left dark and the two on the right light.
The first player sits below: the lower two boards are the first player's home boards, the upper two
the second player's. On every board each player starts with four stones on the row that is nearest to
the player.

A turn is two moves. The passive move takes a stone on one of the player's home boards one or two
cells in one of the eight directions, over and onto empty cells. The aggressive move takes another of
the player's stones, on one of the two boards of the other colour, just as far in the same direction.
It may meet one opposing stone, on its way or at its end, and pushes it ahead; there must be nothing
behind that stone where it comes to lie, and if that is off the board, the stone is out of the game. No
stone ever pushes an own stone or two stones, and the mover's stone stays on its board. A passive move
that no aggressive move can follow is not allowed.

Whoever leaves the opponent without a stone on some board wins; whoever has no turn to play loses. A
position that has been there before at the beginning of a turn, with the same player to move, is a
draw, and so is the end of the 400th turn.

Cells are named as on one board of 8 x 8, `a1` to `h8`: the dark boards have the columns a to d, the
first player's home boards the rows 1 to 4. Both moves of a turn are written as `a1b2`.
"""

from dataclasses import dataclass, field

from tests.reference.protocol import Cell, cell_text, parse_cell

SIDE = 4  # of one board
TURNS = 400

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
VECTORS = [(n * dx, n * dy) for n in (1, 2) for dx, dy in DIRECTIONS]

Vector = tuple[int, int]
Position = tuple[frozenset[tuple[Cell, bool]], bool]
"""The stones with their owners, and whether the first player is to move."""


@dataclass(frozen=True)
class State:
    """Each stone's owner (True: the first player's), whose turn it is, and what came before."""

    stones: dict[Cell, bool]
    first_player: bool = True
    passive: tuple[Cell, Cell] | None = None  # the first move of this turn, if it has been made
    past: list[Position] = field(default_factory=list)  # at the beginning of all the turns so far

    def position(self) -> Position:
        return frozenset(self.stones.items()), self.first_player


@dataclass(frozen=True)
class Shobu:
    """The rules, with the number of turns after which the match is drawn."""

    turns: int = TURNS

    def initial(self) -> State:
        first = {(column, row): True for column in range(8) for row in (0, 4)}
        second = {(column, row): False for column in range(8) for row in (3, 7)}
        return State(first | second)

    def first_player(self, s: State) -> bool:
        return s.first_player

    def actions(self, s: State) -> list[str]:
        if self.outcome(s) is not None:
            return []
        moves = self.passive_moves(s) if s.passive is None else self.aggressive_moves(s, *s.passive)
        return [cell_text(start) + cell_text(end) for start, end in moves]

    def apply(self, s: State, text: str) -> State:
        start, end = parse_cell(text[:2]), parse_cell(text[2:])
        if s.passive is None:
            stones = {cell: owner for cell, owner in s.stones.items() if cell != start}
            return State(
                {**stones, end: s.first_player}, s.first_player, (start, end), [*s.past, s.position()]
            )
        return State(self.pushed(s, start, end), not s.first_player, None, s.past)

    def outcome(self, s: State) -> int | None:
        if s.passive is not None:
            return None  # a passive move is made only if an aggressive one can follow
        mover_wins = 1 if s.first_player else -1
        for board in ((column, row) for column in (0, 1) for row in (0, 1)):
            owners = {owner for cell, owner in s.stones.items() if board_of(cell) == board}
            if s.first_player not in owners:
                return -mover_wins
        if not self.passive_moves(s):
            return -mover_wins
        return 0 if s.position() in s.past or len(s.past) >= self.turns else None

    def score(self, s: State) -> int | None:
        return None

    def passive_moves(self, s: State) -> list[tuple[Cell, Cell]]:
        """The first moves with which the player to move can begin a turn."""
        home = 0 if s.first_player else 1
        return [
            (start, end)
            for start, owner in s.stones.items()
            if owner is s.first_player and board_of(start)[1] == home
            for vector in VECTORS
            for end in [added(start, vector)]
            if all(board_of(cell) == board_of(start) and cell not in s.stones for cell in way(start, vector))
            if self.aggressive_moves(s, start, end)
        ]

    def aggressive_moves(self, s: State, start: Cell, end: Cell) -> list[tuple[Cell, Cell]]:
        """The second moves of a turn whose passive move goes from `start` to `end`."""
        vector = (end[0] - start[0], end[1] - start[1])
        return [
            (cell, added(cell, vector))
            for cell, owner in s.stones.items()
            if owner is s.first_player and board_of(cell)[0] != board_of(start)[0]
            if self.can_be_aggressive(s, cell, vector)
        ]

    def can_be_aggressive(self, s: State, start: Cell, vector: Vector) -> bool:
        """Whether the stone stays on its board, and meets nothing or one opposing stone that gives way."""
        cells = way(start, vector)
        if board_of(cells[-1]) != board_of(start):
            return False
        met = [s.stones[cell] for cell in cells if cell in s.stones]
        if s.first_player in met or len(met) > 1:
            return False
        behind = added(cells[-1], unit(vector))
        return not met or board_of(behind) != board_of(start) or behind not in s.stones

    def pushed(self, s: State, start: Cell, end: Cell) -> dict[Cell, bool]:
        """The stones after an aggressive move."""
        vector = (end[0] - start[0], end[1] - start[1])
        cells = way(start, vector)
        after = {cell: owner for cell, owner in s.stones.items() if cell not in (start, *cells)}
        after[end] = s.first_player
        behind = added(end, unit(vector))
        if any(cell in s.stones for cell in cells) and board_of(behind) == board_of(start):
            after[behind] = not s.first_player
        return after


def board_of(cell: Cell) -> Cell:
    """Which of the boards a cell belongs to: column 0 dark, 1 light; row 0 the first player's home, 1
    the second's. A cell outside of all four belongs to one that is not there."""
    return cell[0] // SIDE, cell[1] // SIDE


def added(cell: Cell, vector: Vector) -> Cell:
    return cell[0] + vector[0], cell[1] + vector[1]


def unit(vector: Vector) -> Vector:
    """One step in the direction of a vector."""
    length = max(abs(vector[0]), abs(vector[1]))
    return vector[0] // length, vector[1] // length


def way(start: Cell, vector: Vector) -> list[Cell]:
    """The cells that a stone comes to, up to the end."""
    first = added(start, unit(vector))
    return [first] if vector == unit(vector) else [first, added(start, vector)]
