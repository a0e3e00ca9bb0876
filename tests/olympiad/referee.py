"""What the referee of the Olympiad says of a match, in the words of its client.

Referees are written from the rules, as `tests.reference` is, and know nothing of our boards: columns are
letters, rows are numbers from the bottom, a move is the cells that it names, joined by hyphens.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from tests.reference.protocol import Cell, Reference, cell_text, parse_cell, square_cells

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
QUEEN = [*STRAIGHT, (1, 1), (1, -1), (-1, 1), (-1, -1)]


def plain(text: str) -> str:
    """`a2xb3` is `A2-B3`."""
    cells = re.findall(r"[a-z][0-9]+", text)
    return "-".join(cells).upper() if cells else text


@dataclass(frozen=True)
class Referee:
    """A match that goes on from position to position."""

    rules: Reference[Any]
    position: Any = None
    write: Callable[[str], str] = plain
    """the client's words for an action of the rules"""

    def begun(self) -> Self:
        return replace(self, position=self.rules.initial())

    def moves(self) -> dict[str, str]:
        """The rules' action of each legal move."""
        return {self.write(text): text for text in self.rules.actions(self.position)}

    def played(self, move: str) -> Self:
        """After a legal move."""
        legal = self.moves()
        assert move in legal, f"{move} is not among {sorted(legal)}"
        return replace(self, position=self.rules.apply(self.position, legal[move]))

    @property
    def mover(self) -> str:
        """The number of the player to move, -1 at the end."""
        if self.rules.outcome(self.position) is not None:
            return "-1"
        return "0" if self.rules.first_player(self.position) else "1"


def from_zero(text: str) -> str:
    """Where the rules count rows from 0: `a0b9` is `A1-B10`."""
    return "-".join(f"{column}{int(row) + 1}" for column, row in re.findall(r"([a-z])([0-9])", text)).upper()


def from_top(size: int) -> Callable[[str], str]:
    """Where the rules count rows from the top."""

    def write(text: str) -> str:
        if text == "pass":
            return text
        column, row = parse_cell(text)
        return plain(cell_text((column, size - 1 - row)))

    return write


@dataclass(frozen=True)
class Pieces:
    """Pieces of two players on cells, and who is to move."""

    pieces: dict[Cell, bool]
    first: bool = True

    def own(self) -> list[Cell]:
        return [cell for cell, owner in self.pieces.items() if owner is self.first]

    def moved(self, start: Cell, end: Cell) -> "Pieces":
        rest = {cell: owner for cell, owner in self.pieces.items() if cell != start}
        return Pieces({**rest, end: self.first}, not self.first)


class Unscored:
    """Rules in turn, without a score."""

    def first_player(self, s: Pieces) -> bool:
        return s.first

    def score(self, s: Any) -> int | None:
        return None


class Breakthrough(Unscored):
    """Pawns step ahead, and capture diagonally."""

    def initial(self) -> Pieces:
        return Pieces({cell: cell[1] < 2 for cell in square_cells(8) if cell[1] in (0, 1, 6, 7)})

    def actions(self, s: Pieces) -> list[str]:
        if self.outcome(s) is not None:
            return []
        found, ahead = [], 1 if s.first else -1
        for x, y in s.own():
            for side in (-1, 0, 1):
                end = (x + side, y + ahead)
                there = s.pieces.get(end)
                if end[0] in range(8) and (there is None or (side and there is not s.first)):
                    found.append(cell_text((x, y)) + cell_text(end))
        return found

    def apply(self, s: Pieces, text: str) -> Pieces:
        return s.moved(parse_cell(text[:2]), parse_cell(text[2:]))

    def outcome(self, s: Pieces) -> int | None:
        owners = set(s.pieces.values())
        if len(owners) == 1:
            return 1 if True in owners else -1
        for (_, y), owner in s.pieces.items():
            if y == (7 if owner else 0):
                return 1 if owner else -1
        return None


class Clobber(Unscored):
    """A full board: A1 is the second player's, and its neighbours are the first's."""

    def initial(self) -> Pieces:
        return Pieces({(x, y): (x + y) % 2 == 1 for x, y in square_cells(10)})

    def actions(self, s: Pieces) -> list[str]:
        found = []
        for x, y in s.own():
            for dx, dy in STRAIGHT:
                end = (x + dx, y + dy)
                if s.pieces.get(end) is (not s.first):
                    found.append(cell_text((x, y)) + cell_text(end))
        return found

    def apply(self, s: Pieces, text: str) -> Pieces:
        start, end = (parse_cell(cell) for cell in re.findall(r"[a-z][0-9]+", text))
        return s.moved(start, end)

    def outcome(self, s: Pieces) -> int | None:
        return None if self.actions(s) else (-1 if s.first else 1)


@dataclass(frozen=True)
class Infection:
    """Pieces, the player to move, and the positions before."""

    pieces: dict[Cell, bool]
    first: bool = True
    past: tuple[Any, ...] = ()

    def position(self) -> tuple[frozenset[tuple[Cell, bool]], bool]:
        return frozenset(self.pieces.items()), self.first


class Ataxx(Unscored):
    """A piece is copied to a cell beside it or jumps two cells, and turns the opponent's around its end."""

    def initial(self) -> Infection:
        return Infection({(0, 0): True, (6, 6): True, (0, 6): False, (6, 0): False})

    def first_player(self, s: Infection) -> bool:  # type: ignore[override]
        return s.first

    def actions(self, s: Infection) -> list[str]:
        if self.outcome(s) is not None:
            return []
        return self.moves(s, s.first) or ["pass"]

    def moves(self, s: Infection, first: bool) -> list[str]:
        own = [cell for cell, owner in s.pieces.items() if owner is first]
        empty = [cell for cell in square_cells(7) if cell not in s.pieces]
        return [cell_text(a) + cell_text(b) for a in own for b in empty if distance(a, b) <= 2]

    def apply(self, s: Infection, text: str) -> Infection:
        past = (*s.past, s.position())
        if text == "pass":
            return Infection(s.pieces, not s.first, past)
        start, end = parse_cell(text[:2]), parse_cell(text[2:])
        pieces = dict(s.pieces)
        if distance(start, end) == 2:
            del pieces[start]
        pieces[end] = s.first
        turned = {cell: s.first for cell in pieces if distance(cell, end) == 1}
        return Infection(pieces | turned, not s.first, past)

    def outcome(self, s: Infection) -> int | None:
        owners = list(s.pieces.values())
        over = len(set(owners)) == 1 or len(owners) == 49 or s.position() in s.past
        if not over:
            return None
        difference = owners.count(True) - owners.count(False)
        return (difference > 0) - (difference < 0)


def distance(a: Cell, b: Cell) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


@dataclass(frozen=True)
class Board:
    """Amazons and arrows; an amazon that has moved has to shoot."""

    pieces: dict[Cell, bool | None]
    """None: an arrow"""
    first: bool = True
    shooter: Cell | None = None


class Amazons(Unscored):
    """An amazon moves as a queen, then shoots an arrow as one."""

    def initial(self) -> Board:
        below, above = ("a4", "d1", "g1", "j4"), ("a7", "d10", "g10", "j7")
        return Board({parse_cell(text): text in below for text in below + above})

    def first_player(self, s: Board) -> bool:  # type: ignore[override]
        return s.first

    def actions(self, s: Board) -> list[str]:
        if s.shooter is not None:
            return [cell_text(end) for end in self.rays(s, s.shooter)]
        own = [cell for cell, owner in s.pieces.items() if owner is s.first]
        return [cell_text(start) + cell_text(end) for start in own for end in self.rays(s, start)]

    def apply(self, s: Board, text: str) -> Board:
        cells = [parse_cell(cell) for cell in re.findall(r"[a-z][0-9]+", text)]
        if s.shooter is not None:
            return Board({**s.pieces, cells[0]: None}, not s.first)
        rest = {cell: owner for cell, owner in s.pieces.items() if cell != cells[0]}
        return Board({**rest, cells[1]: s.first}, s.first, cells[1])

    def outcome(self, s: Board) -> int | None:
        return None if self.actions(s) else (-1 if s.first else 1)

    def rays(self, s: Board, start: Cell) -> list[Cell]:
        ends = []
        for dx, dy in QUEEN:
            x, y = start[0] + dx, start[1] + dy
            while x in range(10) and y in range(10) and (x, y) not in s.pieces:
                ends.append((x, y))
                x, y = x + dx, y + dy
        return ends
