"""Arimaa, written from the rules.

The first player places sixteen pieces on rows 1 and 2, then the second on rows 7 and 8, each in the
order 8 rabbits, 2 cats, 2 dogs, 2 horses, camel, elephant. Then a turn has up to four steps. A step takes
a piece to an adjacent empty cell in a row or a column; a rabbit never steps back. A piece beside a stronger
enemy and no friend is frozen. A piece that is not frozen can push a weaker enemy beside it to an
empty cell and take its place, or step to an empty cell and pull such an enemy to the cell that it has
left: two steps. After each of them a piece on a trap without a friend beside it is gone.

A turn of fewer than four steps ends by a pass. No turn may leave the board as it was. After a turn, in
this order: the mover has a rabbit on the farthest row, or the opponent has; the opponent has lost all
rabbits, or the mover; the opponent can't move. A position that a turn brings about too often, with the same
player to move, loses for who did it, or is not allowed. A match of 900 actions is a draw.

An action is written by cells: `a1` a placement, `c3c4` a step, `c3c4d4` a push (from, to, and the new
cell of who stood there), `c3c4c2c3` a pull (the two steps), and `pass`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

SIZE = 8
STEPS_OF_A_TURN = 4
STRENGTH = "RCDHME"  # rabbit, cat, dog, horse, camel, elephant: from the weakest to the strongest
SET_UP = "R" * 8 + "CCDDHHME"
TRAPS = [parse_cell(text) for text in ("c3", "f3", "c6", "f6")]
GOAL = {True: SIZE - 1, False: 0}  # the row that each player's rabbits want to reach
FORWARD = {True: 1, False: -1}

Piece = tuple[str, bool]
"""A letter of STRENGTH, and whether it is the first player's."""
Board = dict[Cell, Piece]
Position = tuple[frozenset[tuple[Cell, Piece]], bool]
"""The pieces, and whether the first player is to move."""


@dataclass(frozen=True)
class State:
    """The board, whose turn it is, and what the turn and the match have been so far."""

    pieces: Board
    first: bool = True
    steps: int = 0  # of this turn
    before: Board | None = None  # at the start of this turn, if it has steps
    turns: tuple[Position, ...] = ()  # the position before every turn, this one's included
    count: int = 0  # of actions since the start of the match


@dataclass(frozen=True)
class Arimaa:
    """The rules; `occurrences` of one position are too many."""

    occurrences: int = 3
    forbidden: bool = False  # to bring it about too often; otherwise that loses
    longest: int = 900  # actions

    def initial(self) -> State:
        return State({})

    def first_player(self, s: State) -> bool:
        return s.first

    def actions(self, s: State) -> list[str]:
        return [] if self.outcome(s) is not None else self.choices(s)

    def choices(self, s: State) -> list[str]:
        """What the player may do, were the match not over."""
        if len(s.pieces) < 2 * len(SET_UP) and not s.turns:
            return [cell_text(cell) for cell in self.homes(s) if cell not in s.pieces]
        texts = ["".join(map(cell_text, path)) for path in self.moves(s)]
        if s.steps > 0:
            texts.append("pass")
        return [text for text in texts if self.allowed(self.apply(s, text), s)]

    def apply(self, s: State, text: str) -> State:
        s = replace(s, count=s.count + 1)
        if len(s.pieces) < 2 * len(SET_UP) and not s.turns:
            return self.place(s, parse_cell(text))
        if text == "pass":
            return self.end_turn(s)
        cells = [parse_cell(text[i : i + 2]) for i in range(0, len(text), 2)]
        pieces = s.pieces
        for start, end in halves(cells):
            pieces = stepped(pieces, start, end)
        before = s.pieces if s.before is None else s.before
        s = replace(s, pieces=pieces, steps=s.steps + len(halves(cells)), before=before)
        return self.end_turn(s) if s.steps == STEPS_OF_A_TURN else s

    def outcome(self, s: State) -> int | None:
        if s.turns and s.steps == 0:  # a turn, or the set-up, has just ended
            winner = self.winner(s.pieces, mover=not s.first)
            if winner is None and not self.forbidden and s.turns.count(s.turns[-1]) >= self.occurrences:
                winner = s.first
            if winner is not None:
                return 1 if winner else -1
        if s.count >= self.longest:
            return 0
        if not self.choices(s):  # all that is left to do is forbidden
            return -1 if s.first else 1
        return None

    def score(self, s: State) -> int | None:
        return None

    def winner(self, pieces: Board, mover: bool) -> bool | None:
        """Who has won after a turn of this player: True the first, False the second, or None."""
        if self.at_goal(pieces, mover):
            return mover
        if self.at_goal(pieces, not mover):
            return not mover
        if ("R", not mover) not in pieces.values():
            return mover
        if ("R", mover) not in pieces.values():
            return not mover
        if not list(self.moves(State(pieces, not mover))):
            return mover
        return None

    def at_goal(self, pieces: Board, player: bool) -> bool:
        return any(piece == ("R", player) and cell[1] == GOAL[player] for cell, piece in pieces.items())

    def homes(self, s: State) -> list[Cell]:
        """The cells on which a player sets up."""
        rows = (0, 1) if s.first else (SIZE - 2, SIZE - 1)
        return [cell for cell in square_cells(SIZE) if cell[1] in rows]

    def place(self, s: State, cell: Cell) -> State:
        number = len(s.pieces)
        letter = SET_UP[number % len(SET_UP)]
        s = replace(s, pieces={**s.pieces, cell: (letter, s.first)}, first=number + 1 < len(SET_UP))
        if number + 1 == 2 * len(SET_UP):
            return replace(s, first=True, turns=(position(s.pieces, True),))
        return s

    def end_turn(self, s: State) -> State:
        turns = (*s.turns, position(s.pieces, not s.first))
        return replace(s, first=not s.first, steps=0, before=None, turns=turns)

    def allowed(self, after: State, s: State) -> bool:
        """Whether an action may lead from `s` to this state; only the end of a turn can be wrong."""
        if after.first == s.first:
            return True
        start = s.pieces if s.before is None else s.before
        if after.pieces == start:
            return False
        return not self.forbidden or after.turns.count(after.turns[-1]) < self.occurrences

    def moves(self, s: State) -> Iterator[list[Cell]]:
        """Steps, and pushes and pulls if there are steps enough, as the cells of their texts."""
        for start, (_, owner) in s.pieces.items():
            if owner != s.first or frozen(s.pieces, start):
                continue
            weaker = [cell for cell in beside(start) if stronger(s.pieces, start, cell)]
            for end in free(s.pieces, start):
                if not backwards(s.pieces[start], start, end):
                    yield [start, end]
                if s.steps + 2 <= STEPS_OF_A_TURN:
                    yield from ([start, end, victim, start] for victim in weaker)
            if s.steps + 2 <= STEPS_OF_A_TURN:
                yield from ([start, victim, to] for victim in weaker for to in free(s.pieces, victim))


def position(pieces: Board, first: bool) -> Position:
    return frozenset(pieces.items()), first


def beside(cell: Cell) -> list[Cell]:
    """The cells above, below, left and right."""
    column, row = cell
    around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    return [(x, y) for x, y in around if 0 <= x < SIZE and 0 <= y < SIZE]


def free(pieces: Board, cell: Cell) -> list[Cell]:
    """The empty cells beside a cell."""
    return [other for other in beside(cell) if other not in pieces]


def stronger(pieces: Board, cell: Cell, other: Cell) -> bool:
    """Whether there are enemies on these cells, and the one on the first is the stronger."""
    if cell not in pieces or other not in pieces or pieces[cell][1] == pieces[other][1]:
        return False
    return STRENGTH.index(pieces[cell][0]) > STRENGTH.index(pieces[other][0])


def supported(pieces: Board, cell: Cell) -> bool:
    """Whether the piece on a cell has a friend beside it."""
    return any(other in pieces and pieces[other][1] == pieces[cell][1] for other in beside(cell))


def frozen(pieces: Board, cell: Cell) -> bool:
    return not supported(pieces, cell) and any(stronger(pieces, other, cell) for other in beside(cell))


def backwards(piece: Piece, start: Cell, end: Cell) -> bool:
    """Whether this would be a rabbit's step back."""
    letter, first = piece
    return letter == "R" and end[1] - start[1] == -FORWARD[first]


def halves(cells: list[Cell]) -> list[tuple[Cell, Cell]]:
    """The steps of an action, from and to, in the order in which they are made."""
    if len(cells) == 3:  # a push: its victim goes first
        start, end, to = cells
        return [(end, to), (start, end)]
    return list(zip(cells[::2], cells[1::2], strict=True))


def stepped(pieces: Board, start: Cell, end: Cell) -> Board:
    """The board after one step, without those whom it leaves on a trap alone."""
    moved = {cell: piece for cell, piece in pieces.items() if cell != start} | {end: pieces[start]}
    return {cell: piece for cell, piece in moved.items() if cell not in TRAPS or supported(moved, cell)}
