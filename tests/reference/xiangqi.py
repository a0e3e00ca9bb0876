"""Xiangqi, written from the rules.

The first player (red) sits below. The general steps straight and the advisors diagonally within the
palace of 3 x 3 cells; the elephants go two cells diagonally, not over a piece and not over the river;
horses go one cell straight and then one diagonally outward, not if a piece stands beside them on the way;
rooks run straight; cannons run like rooks but capture over exactly one piece; soldiers step forward and,
once across the river, to the sides. The generals may never face each other on a column with nothing
between them.

A player may not leave the own general where it could be taken; a player without a move loses. At the third
occurrence of a position with the same player to move, a player all of whose moves since the first one have
given check loses, unless both have; otherwise it is a draw. So are 200 plies without a capture.

By the rules of the Computer Olympiad generals are taken like other pieces, which wins, and check means
nothing; who makes a position for the second time loses; and the match is drawn after 200 plies.
"""

from dataclasses import dataclass, field

from tests.reference.protocol import Cell

COLUMNS, ROWS = 9, 10
PLIES = 200
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
BACK = "rnbakabnr"

Piece = tuple[str, bool]
"""The letter of its kind, and whether it is the first player's."""
Position = tuple[frozenset[tuple[Cell, Piece]], bool]


@dataclass(frozen=True)
class State:
    """What stands where, who is to move, and what came before."""

    pieces: dict[Cell, Piece]
    first_player: bool = True
    plies: int = 0
    past: list[tuple[Position, bool]] = field(default_factory=list)
    """positions since the last capture, this one too, each with whether its player to move is in check"""

    def position(self) -> Position:
        return frozenset(self.pieces.items()), self.first_player


@dataclass(frozen=True)
class Xiangqi:
    """The rules, the usual ones or the Olympiad's."""

    olympiad: bool = False

    def initial(self) -> State:
        pieces = {}
        for first in (True, False):
            for column, kind in enumerate(BACK):
                pieces[seen_by(first, column, 0)] = (kind, first)
            for column in (1, 7):
                pieces[seen_by(first, column, 2)] = ("c", first)
            for column in range(0, COLUMNS, 2):
                pieces[seen_by(first, column, 3)] = ("p", first)
        start = State(pieces)
        return State(pieces, past=[(start.position(), False)])

    def first_player(self, s: State) -> bool:
        return s.first_player

    def actions(self, s: State) -> list[str]:
        return [] if self.outcome(s) is not None else self.moves(s)

    def apply(self, s: State, text: str) -> State:
        start, end = parse(text[:2]), parse(text[2:])
        pieces = moved(s.pieces, start, end)
        after = State(pieces, not s.first_player, s.plies + 1)
        past = [] if end in s.pieces else s.past
        check = self.has_general(after) and attacked(pieces, after.first_player)
        return State(pieces, after.first_player, after.plies, [*past, (after.position(), check)])

    def outcome(self, s: State) -> int | None:
        mover_loses = -1 if s.first_player else 1
        if not self.has_general(s) or not self.moves(s):
            return mover_loses
        positions = [position for position, _ in s.past]
        again = [i for i, position in enumerate(positions) if position == s.position()]
        if self.olympiad:
            return -mover_loses if len(again) > 1 else 0 if s.plies >= PLIES else None
        if len(again) >= 3:
            # After each move of the opponent's the mover is to move, and in check or not.
            since = s.past[again[0] + 1 :]
            theirs = all(check for (_, first), check in since if first is s.first_player)
            mine = all(check for (_, first), check in since if first is not s.first_player)
            return 0 if theirs == mine else mover_loses if mine else -mover_loses
        return 0 if len(s.past) > PLIES else None

    def score(self, s: State) -> int | None:
        return None

    def has_general(self, s: State) -> bool:
        """Whether the general of the player to move is on the board."""
        return ("k", s.first_player) in s.pieces.values()

    def moves(self, s: State) -> list[str]:
        """The legal moves, whether or not the match is over."""
        return [
            text(start) + text(end)
            for start, (_, first) in s.pieces.items()
            if first is s.first_player
            for end in ends(s.pieces, start)
            if self.allowed(moved(s.pieces, start, end), first)
        ]

    def allowed(self, pieces: dict[Cell, Piece], first: bool) -> bool:
        """Whether a player may leave the board like this."""
        if facing(pieces):
            return False
        return self.olympiad or not attacked(pieces, first)


def seen_by(first: bool, column: int, row: int) -> Cell:
    """The cell that a player calls so, rows counted from the own side; there is a left-right symmetry."""
    return (column, row) if first else (column, ROWS - 1 - row)


def text(cell: Cell) -> str:
    return "abcdefghi"[cell[0]] + str(cell[1])


def parse(name: str) -> Cell:
    return "abcdefghi".index(name[0]), int(name[1])


def moved(pieces: dict[Cell, Piece], start: Cell, end: Cell) -> dict[Cell, Piece]:
    rest = {cell: piece for cell, piece in pieces.items() if cell not in (start, end)}
    return {**rest, end: pieces[start]}


def on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < COLUMNS and 0 <= cell[1] < ROWS


def in_palace(cell: Cell, first: bool) -> bool:
    return 3 <= cell[0] <= 5 and seen_by(first, *cell)[1] <= 2


def at_home(cell: Cell, first: bool) -> bool:
    """On the player's side of the river."""
    return seen_by(first, *cell)[1] <= 4


def ends(pieces: dict[Cell, Piece], start: Cell) -> list[Cell]:
    """Where the piece on a cell could go if its general did not matter."""
    kind, first = pieces[start]
    found = [cell for cell in reached(pieces, start, kind, first) if on_board(cell)]
    return [cell for cell in found if cell not in pieces or pieces[cell][1] is not first]


def reached(pieces: dict[Cell, Piece], start: Cell, kind: str, first: bool) -> list[Cell]:
    x, y = start
    if kind == "k":
        return [c for c in ((x + dx, y + dy) for dx, dy in STRAIGHT) if in_palace(c, first)]
    if kind == "a":
        return [c for c in ((x + dx, y + dy) for dx, dy in DIAGONAL) if in_palace(c, first)]
    if kind == "b":
        free = [(x + 2 * dx, y + 2 * dy) for dx, dy in DIAGONAL if (x + dx, y + dy) not in pieces]
        return [cell for cell in free if at_home(cell, first)]
    if kind == "n":
        return [
            (x + dx + ex, y + dy + ey)
            for dx, dy in STRAIGHT
            if (x + dx, y + dy) not in pieces
            for ex, ey in DIAGONAL
            if (ex, ey) in ((dx, 1), (dx, -1), (1, dy), (-1, dy))
        ]
    if kind == "p":
        forward = (x, y + 1) if first else (x, y - 1)
        return [forward] if at_home(start, first) else [forward, (x - 1, y), (x + 1, y)]
    return [cell for dx, dy in STRAIGHT for cell in run(pieces, start, dx, dy, kind)]


def run(pieces: dict[Cell, Piece], start: Cell, dx: int, dy: int, kind: str) -> list[Cell]:
    """The cells that a rook or a cannon reaches in one direction."""
    found, screens = [], 0
    for n in range(1, ROWS):
        cell = start[0] + n * dx, start[1] + n * dy
        if cell in pieces:
            if screens == (1 if kind == "c" else 0):
                found.append(cell)
            screens += 1
        elif screens == 0:
            found.append(cell)
    return found


def attacked(pieces: dict[Cell, Piece], first: bool) -> bool:
    """Whether the general of a player could be taken."""
    general = place(pieces, first)
    return any(general in ends(pieces, cell) for cell, (_, owner) in pieces.items() if owner is not first)


def place(pieces: dict[Cell, Piece], first: bool) -> Cell | None:
    return next((cell for cell, piece in pieces.items() if piece == ("k", first)), None)


def facing(pieces: dict[Cell, Piece]) -> bool:
    """Whether the generals stand on one column with nothing between them."""
    mine, theirs = place(pieces, True), place(pieces, False)
    if mine is None or theirs is None or mine[0] != theirs[0]:
        return False
    return not any((mine[0], row) in pieces for row in range(mine[1] + 1, theirs[1]))
