"""Matches of Ataxx as Fairy-Stockfish's library plays them, in our notation.

Its first player starts at a7 and g1, ours at a1 and g7: rows are mirrored. It has a drop where we have a
copy, and a pass is a move from a cell to itself.
"""

import re
from functools import lru_cache

import pyffish

from tests.games.matches import Match

PLIES_WITHOUT_COPY = 100


@lru_cache
def variant(size: int) -> str:
    """The library's name of the game on a board of this size, which it learns here."""
    pyffish.load_variant_config(f"[ataxx{size}:ataxx]\nmaxRank={size}\nmaxFile={size}\n")
    return f"ataxx{size}"


class AtaxxMatch(Match):
    """The moves are the library's, the ends by repetition and for want of copies are ours."""

    def __init__(self, size: int = 7, walls: str = "") -> None:
        self.size, self.variant = size, variant(size)
        rows = [["."] * size for _ in range(size)]
        rows[0][0] = rows[-1][-1] = "P"
        rows[0][-1] = rows[-1][0] = "p"
        for wall in walls.split():
            rows[size - int(wall[1])]["abcdefgh".index(wall[0])] = "*"
        board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), "".join(row)) for row in rows)
        self.see(f"{board} w 0 1")
        self.past: list[tuple[str, str]] = []  # positions since the last copy

    def see(self, fen: str) -> None:
        """Take up a position: what the library says of it is asked once."""
        self.fen = fen
        self.moves = {self.text(move): move for move in pyffish.legal_moves(self.variant, fen, [])}
        self.over = not self.moves or pyffish.is_immediate_game_end(self.variant, fen, [])[0]

    def position(self) -> tuple[str, str]:
        """The board and the player to move."""
        board, player = self.fen.split()[:2]
        return board, player

    def text(self, move: str) -> str:
        """Our text of a move of the library's."""
        cells = re.findall(r"[a-h]\d", move)
        if len(set(cells)) < len(cells):
            return "pass"
        return "".join(f"{cell[0]}{self.size + 1 - int(cell[1])}" for cell in cells)

    def actions(self) -> list[str]:
        return [] if self.outcome() is not None else list(self.moves)

    def apply(self, text: str) -> None:
        self.past = [*self.past, self.position()] if text == "pass" or len(text) == 4 else []
        self.see(pyffish.get_fen(self.variant, self.fen, [self.moves[text]]))

    def first_player(self) -> bool:
        return self.position()[1] == "w"

    def outcome(self) -> int | None:
        over = (
            self.over
            or self.position() in self.past
            or len(self.past) >= PLIES_WITHOUT_COPY
            or self.nobody_moves()
        )
        return (self.score() > 0) - (self.score() < 0) if over else None

    def nobody_moves(self) -> bool:
        """Whether walls keep both players from the cells that are empty."""
        if list(self.moves) != ["pass"]:
            return False
        fen = pyffish.get_fen(self.variant, self.fen, [self.moves["pass"]])
        return {self.text(move) for move in pyffish.legal_moves(self.variant, fen, [])} == {"pass"}

    def score(self) -> int:
        board = self.position()[0]
        return board.count("P") - board.count("p")

    def copy(self) -> "AtaxxMatch":
        twin = AtaxxMatch.__new__(AtaxxMatch)
        twin.__dict__.update(self.__dict__)
        return twin

    def judges(self) -> bool:
        return True
