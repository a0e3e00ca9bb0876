"""International, Brazilian and Canadian draughts, written from the rules: one game on boards of 10, 8
and 12 rows.

The dark squares are used, `a1` is one of them. The first player's men stand on the lower rows but for
the two in the middle, the second player's on the upper ones. A man steps diagonally forward onto an
empty square and captures forward and backward: it jumps over an adjacent opponent's piece onto the
empty square behind. A king moves any distance over empty squares, captures a piece at any distance
that has an empty square behind it, and lands on any empty square between that and the next piece. A
capture goes on as long as it can; one has to capture if one can, and as many pieces as possible. No
piece is jumped twice, an empty square may be passed again, and the jumped pieces come off when the
capture is over: until then they are in the way. A man that ends its move on the last row becomes a
king.

Every jump is an action, `c3xe5`, and only jumps with which a longest capture goes on are legal; a move
without a capture is `c3d4`. Who is to move and cannot has lost.

A match is drawn
- when the same position has come up for the third time with the same player to move;
- after 50 plies in a row of kings without a capture;
- after 32 plies of a lone king against three pieces with a king among them;
- after 10 plies of a lone king against one or two pieces with a king among them.
A ply is a whole move, with all its jumps. The plies of an ending are counted from the first position
of its kind; a capture begins a new count. The Olympiad plays with the fourth occurrence, and it draws
one or two kings against a
lone king at once; a king and a man against a king is no ending there.
"""

from dataclasses import dataclass, replace

from tests.reference.protocol import Cell, cell_text, parse_cell, square_cells

DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]

Piece = tuple[bool, bool]
"""Whether it is the first player's, and whether it is a king."""

Position = tuple[frozenset[tuple[Cell, Piece]], bool]


@dataclass(frozen=True)
class State:
    """The pieces, who is to move, the capture under way, and what the draws need."""

    pieces: dict[Cell, Piece]
    first_player: bool = True
    jumping: Cell | None = None  # the piece in the middle of a capture
    jumped: frozenset[Cell] = frozenset()  # what it has jumped, still on the board
    past: tuple[Position, ...] = ()  # the positions since the last capture, without this one
    quiet: int = 0  # plies of kings without capture just made
    ending: int = 0  # plies made since the kind of ending on the board came up

    def position(self) -> Position:
        return frozenset(self.pieces.items()), self.first_player


@dataclass(frozen=True)
class Draughts:
    """The rules on a board of `size` x `size` squares, `size` even."""

    size: int = 12
    olympiad: bool = False

    def initial(self) -> State:
        rows = self.size // 2 - 1
        dark = [cell for cell in square_cells(self.size) if (cell[0] + cell[1]) % 2 == 0]
        first = {cell: (True, False) for cell in dark if cell[1] < rows}
        second = {cell: (False, False) for cell in dark if cell[1] >= self.size - rows}
        return State(first | second)

    def first_player(self, s: State) -> bool:
        return s.first_player

    def actions(self, s: State) -> list[str]:
        return [] if self.outcome(s) is not None else self.moves(s)

    def outcome(self, s: State) -> int | None:
        if s.jumping is not None:
            return None
        if not self.moves(s):
            return -1 if s.first_player else 1
        return 0 if self.drawn(s) else None

    def score(self, s: State) -> int | None:
        return None

    def apply(self, s: State, text: str) -> State:
        if "x" in text:
            return self.jump(s, *(parse_cell(cell) for cell in text.split("x")))
        middle = next(i for i in range(1, len(text)) if text[i].isalpha())
        start, end = parse_cell(text[:middle]), parse_cell(text[middle:])
        pieces = {cell: piece for cell, piece in s.pieces.items() if cell != start}
        moved = s.pieces[start]
        past = (*s.past, s.position())
        return self.next_turn(s, {**pieces, end: moved}, end, past, s.quiet + 1 if moved[1] else 0)

    # Moves

    def moves(self, s: State) -> list[str]:
        """The legal actions, whether or not the match is drawn."""
        own = [cell for cell, piece in s.pieces.items() if piece[0] is s.first_player]
        starts = own if s.jumping is None else [s.jumping]
        jumps = [
            (start, end, 1 + self.rest(s, start, end)) for start in starts for end in self.ends(s, start)
        ]
        if jumps:
            longest = max(count for _, _, count in jumps)
            return [cell_text(a) + "x" + cell_text(b) for a, b, count in jumps if count == longest]
        return [cell_text(a) + cell_text(b) for a in own for b in self.steps(s, a)]

    def steps(self, s: State, start: Cell) -> list[Cell]:
        """Where the piece on `start` can go without a capture."""
        first, king = s.pieces[start]
        forward = 1 if first else -1
        ends = []
        for dx, dy in DIAGONALS:
            if not king and dy != forward:
                continue
            for cell in self.ray(start, (dx, dy))[: None if king else 1]:
                if cell in s.pieces:
                    break
                ends.append(cell)
        return ends

    def ends(self, s: State, start: Cell) -> list[Cell]:
        """The squares on which one jump of the piece on `start` can land."""
        first, king = s.pieces[start]
        landings = []
        for direction in DIAGONALS:
            ray = self.ray(start, direction)
            met = [i for i, cell in enumerate(ray) if cell in s.pieces]
            if not met or (met[0] > 0 and not king):
                continue
            victim = ray[met[0]]
            if s.pieces[victim][0] is first or victim in s.jumped:
                continue
            stop = met[1] if len(met) > 1 else len(ray)
            behind = ray[met[0] + 1 : stop]
            landings += behind if king else behind[:1]
        return landings

    def rest(self, s: State, start: Cell, end: Cell) -> int:
        """How many more pieces can be captured after a jump."""
        after = self.in_the_air(s, start, end)
        return max((1 + self.rest(after, end, further) for further in self.ends(after, end)), default=0)

    def in_the_air(self, s: State, start: Cell, end: Cell) -> State:
        """The state after one jump, as if the capture had to go on."""
        pieces = {cell: piece for cell, piece in s.pieces.items() if cell != start}
        dx, dy = (end[0] > start[0]) * 2 - 1, (end[1] > start[1]) * 2 - 1
        between = self.ray(start, (dx, dy))[: abs(end[0] - start[0])]
        victim = next(cell for cell in between if cell in s.pieces)
        return replace(s, pieces={**pieces, end: s.pieces[start]}, jumping=end, jumped=s.jumped | {victim})

    def jump(self, s: State, start: Cell, end: Cell) -> State:
        after = self.in_the_air(s, start, end)
        if self.ends(after, end):
            return after
        left = {cell: piece for cell, piece in after.pieces.items() if cell not in after.jumped}
        return self.next_turn(s, left, end, (), 0)

    def next_turn(
        self, s: State, pieces: dict[Cell, Piece], end: Cell, past: tuple[Position, ...], quiet: int
    ) -> State:
        """The state when a move that has ended on `end` is over."""
        first = s.first_player
        if end[1] == (self.size - 1 if first else 0):
            pieces = {**pieces, end: (first, True)}
        kind = self.kind(pieces)
        goes_on = kind > 0 and kind == self.kind(s.pieces) and len(pieces) == len(s.pieces)
        ending = s.ending + 1 if goes_on else 0
        return State(pieces, not first, past=past, quiet=quiet, ending=ending)

    def ray(self, start: Cell, direction: tuple[int, int]) -> list[Cell]:
        """The squares from `start` to the edge, without it."""
        column, row = start
        cells: list[Cell] = []
        while True:
            column, row = column + direction[0], row + direction[1]
            if not (0 <= column < self.size and 0 <= row < self.size):
                return cells
            cells.append((column, row))

    # Draws

    def drawn(self, s: State) -> bool:
        occurrences = 1 + s.past.count(s.position())
        most = {0: None, 1: 0 if self.olympiad else 10, 3: 32}[self.kind(s.pieces)]
        return (
            occurrences >= (4 if self.olympiad else 3)
            or s.quiet >= 50
            or (most is not None and s.ending >= most)
        )

    def kind(self, pieces: dict[Cell, Piece]) -> int:
        """Which ending of a lone king is on the board.

        3: against three pieces with a king among them; 1: against one or two such pieces; 0: none of
        these. For the Olympiad a king and a man against a king is none.
        """
        first = [king for own, king in pieces.values() if own]
        second = [king for own, king in pieces.values() if not own]
        few, many = sorted([first, second], key=len)
        if len(few) != 1 or not few[0] or not any(many) or len(many) > 3:
            return 0
        if len(many) == 3:
            return 3
        return 0 if self.olympiad and not all(many) else 1
