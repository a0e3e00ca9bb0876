"""Quoridor as the Olympiad's referee has it: the first player goes from E9 down to row 1."""

from tests.reference import quoridor
from tests.reference.protocol import Cell, cell_text, parse_cell
from tests.reference.quoridor import State


class Quoridor(quoridor.Quoridor):
    """The rules of the reference on a board whose rows are counted from the other side."""

    def actions(self, s: State) -> list[str]:
        return [self.move(s, text) for text in super().actions(s)]

    def apply(self, s: State, text: str) -> State:
        return super().apply(s, {self.move(s, one): one for one in super().actions(s)}[text])

    def move(self, s: State, text: str) -> str:
        """A pawn is moved from a cell to a cell; a wall is four cells, two on each side of each half."""
        if text[-1] not in "hv":
            return self.named([s.pawns[0 if s.first else 1], parse_cell(text)])
        left, upper = parse_cell(text[:-1])  # the lower one on the board of the reference
        right, lower = left + 1, upper + 1
        if text[-1] == "h":
            return self.named([(left, upper), (left, lower), (right, upper), (right, lower)])
        return self.named([(left, upper), (right, upper), (left, lower), (right, lower)])

    def named(self, cells: list[Cell]) -> str:
        return "".join(cell_text((x, self.size - 1 - y)) for x, y in cells)
