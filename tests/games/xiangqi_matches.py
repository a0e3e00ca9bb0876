"""Xiangqi as OpenSpiel and Fairy-Stockfish (``pyffish``) play it.

Both have the moves, mate and stalemate; pyffish says as well whether a player is in check. The rules on
repetition and on plies without a capture differ from ours or are missing: they are added here, in plain
Python.
"""

import copy
from dataclasses import dataclass

import pyffish

from tests.games.matches import SpielMatch

COLUMNS = "abcdefghi"
LIMIT = 200


@dataclass(frozen=True)
class Ply:
    """A position, and whether the move that led to it gave check."""

    position: str  # with the player to move
    check: bool


def repeated(plies: list[Ply]) -> list[Ply] | None:
    """At the third occurrence of the last position, the plies since the first; else None."""
    last = plies[-1].position
    places = [i for i, ply in enumerate(plies) if ply.position == last]
    return plies[places[-3] + 1 :] if len(places) >= 3 else None


class XiangqiMatch(SpielMatch):
    """OpenSpiel has no rule of repetition: from the third occurrence of a position on it does not judge,
    and neither does it after its longest match."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.past = [str(self.spiel)]
        self.quiet = 0

    def text(self, action: int) -> str:
        start, end = super().text(action)[1:].split("-")
        return self.cell(start) + self.cell(end)

    @staticmethod
    def cell(text: str) -> str:
        """`(9,0)` is `a0`."""
        row, column = (int(number) for number in text.strip("()").split(","))
        return f"{COLUMNS[column]}{9 - row}"

    def apply(self, text: str) -> None:
        before = self.pieces()
        super().apply(text)
        captured = self.pieces() < before
        self.quiet = 0 if captured else self.quiet + 1
        self.past = [*([] if captured else self.past), str(self.spiel)]

    def pieces(self) -> int:
        return sum(symbol.isalpha() for symbol in str(self.spiel))

    def outcome(self) -> int | None:
        outcome = super().outcome()
        return 0 if outcome is None and self.quiet >= LIMIT else outcome

    def judges(self) -> bool:
        third = self.past[::-2].count(self.past[-1]) >= 3
        return not third and self.spiel.move_number() < self.spiel.get_game().max_game_length()


class FairyMatch:
    """A match by Fairy-Stockfish, whose rows are counted from 1."""

    def __init__(self) -> None:
        self.fen = pyffish.start_fen("xiangqi")
        self.plies = [self.ply()]  # since the last capture
        self.legal = pyffish.legal_moves("xiangqi", self.fen, [])  # a call takes more than a millisecond

    def ply(self) -> Ply:
        return Ply(" ".join(self.fen.split()[:2]), pyffish.gives_check("xiangqi", self.fen, []))

    @staticmethod
    def ours(move: str) -> str:
        """`a1b10` is `a0b9`."""
        middle = max(move.rfind(letter) for letter in COLUMNS)
        return "".join(cell[0] + str(int(cell[1:]) - 1) for cell in (move[:middle], move[middle:]))

    @staticmethod
    def theirs(text: str) -> str:
        return "".join(cell[0] + str(int(cell[1]) + 1) for cell in (text[:2], text[2:]))

    def actions(self) -> list[str]:
        if self.outcome() is not None:
            return []
        return [self.ours(move) for move in self.legal]

    def apply(self, text: str) -> None:
        move = self.theirs(text)
        captured = pyffish.is_capture("xiangqi", self.fen, [], move)
        self.fen = pyffish.get_fen("xiangqi", self.fen, [move])
        self.plies = [*([] if captured else self.plies), self.ply()]
        self.legal = pyffish.legal_moves("xiangqi", self.fen, [])

    def first_player(self) -> bool:
        return self.fen.split()[1] == "w"

    def outcome(self) -> int | None:
        mover_loses = -1 if self.first_player() else 1
        if not self.legal:
            return mover_loses
        cycle = repeated(self.plies)
        if cycle is not None:
            # The last ply is the opponent's, the one before it the mover's, and so on.
            theirs, mine = all(p.check for p in cycle[::-2]), all(p.check for p in cycle[-2::-2])
            return 0 if theirs == mine else mover_loses if mine else -mover_loses
        return 0 if len(self.plies) > LIMIT else None

    def score(self) -> int | None:
        return None

    def copy(self) -> "FairyMatch":
        return copy.copy(self)

    def judges(self) -> bool:
        return True
