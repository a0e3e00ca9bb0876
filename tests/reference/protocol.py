"""What a reference implementation of a game offers, and what can be done with any of them.

A reference is written from the rules alone, slowly and plainly, to be read and to be believed.
It shares no idea with the native core: no bitboards, no numbered actions, no incremental state.
"""

from typing import Protocol, TypeVar

State = TypeVar("State")

Cell = tuple[int, int]
"""Column and row, both counted from 0; `(0, 0)` is `a1`."""


class Reference(Protocol[State]):
    """The rules of one game. States are never changed: `apply` returns a new one."""

    def initial(self) -> State:
        """The state in which a match starts."""

    def first_player(self, s: State) -> bool:
        """Whether the first player is to move."""

    def actions(self, s: State) -> list[str]:
        """The legal actions in the game's notation; none when the match is over."""

    def apply(self, s: State, text: str) -> State:
        """The state after a legal action."""

    def outcome(self, s: State) -> int | None:
        """+1 the first player has won, 0 draw, -1 the second player has won, None not over."""

    def score(self, s: State) -> float | None:
        """The first player's score of a match that is over, where the game has one."""


def cell_text(cell: Cell) -> str:
    """`(2, 3)` is `c4`."""
    column, row = cell
    return "abcdefghijklmnopqrstuvwxyz"[column] + str(row + 1)


def parse_cell(text: str) -> Cell:
    """`c4` is `(2, 3)`."""
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def square_cells(size: int) -> list[Cell]:
    """All the cells of a square board."""
    return [(column, row) for row in range(size) for column in range(size)]
