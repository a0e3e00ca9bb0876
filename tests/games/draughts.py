"""Matches of draughts as pydraughts and the plain reference play them, in our notation."""

import re

from draughts.core.game import BLACK, WHITE, Game

from tests.games.matches import Match, ReferenceMatch
from tests.reference.canadian_draughts import Draughts, State
from tests.reference.protocol import cell_text, parse_cell

PLIES_OF_KINGS = 50


def square_text(size: int, square: int) -> str:
    """A square as we write it: its number, or letters on the board of 64."""
    if size != 8:
        return str(square)
    row, column = divmod(square - 1, size // 2)
    return cell_text((2 * column + (row + 1) % 2, size - 1 - row))


def numbered(size: int, cell: str) -> int:
    """The number of a cell: `a1` of the international board is 46."""
    column, row = parse_cell(cell)
    return (size - 1 - row) * size // 2 + column // 2 + 1


class NumberedMatch(ReferenceMatch[State]):
    """A match by the reference, which has cells where we have numbers."""

    game: Draughts

    def text(self, action: str) -> str:
        """Our text of an action of the reference's."""
        squares = [
            square_text(self.game.size, numbered(self.game.size, cell))
            for cell in re.findall(r"[a-l]\d+", action)
        ]
        return ("x" if "x" in action else "-").join(squares)

    def actions(self) -> list[str]:
        return [self.text(action) for action in super().actions()]

    def apply(self, text: str) -> None:
        super().apply(next(action for action in super().actions() if self.text(action) == text))

    def copy(self) -> "NumberedMatch":
        return NumberedMatch(self.game, self.s)


class DraughtsMatch(Match):
    """A match by pydraughts. It has whole turns; we have an action for each jump, and a turn is handed to
    it when its last jump is known.

    The moves and the wins are pydraughts'; draws are counted here from what it shows of the match.

    Where it draws international draughts, so do we: it begins the count of an ending anew at each move of a
    man, and Brazilian draughts has draws of its own federation there.
    """

    def __init__(self, variant: str, olympiad: bool = False) -> None:
        self.game = Game(variant)
        self.size = 8 if variant == "brazilian" else 10
        self.olympiad = olympiad
        self.jumps: list[list[int]] = []  # of the turn that is not complete
        self.turns = self.game.legal_moves()[0]
        self.ending = 0  # plies since an ending of one king has begun

    def text(self, square: int) -> str:
        return square_text(self.size, square)

    def number(self, text: str) -> int:
        """The square of a text."""
        return numbered(self.size, text) if self.size == 8 else int(text)

    def actions(self) -> list[str]:
        done = len(self.jumps)
        following = [turn[done] for turn in self.turns if turn[:done] == self.jumps]
        mark = "x" if done or self.captures() else "-"
        return list({f"{self.text(start)}{mark}{self.text(end)}" for start, end in following})

    def captures(self) -> bool:
        """Whether the player has to capture."""
        return any(self.game.legal_moves()[1][0])

    def apply(self, text: str) -> None:
        self.jumps.append([self.number(one) for one in re.split("[-x]", text)])
        if self.jumps not in self.turns:
            return
        before = self.limit()
        self.game.push(self.jumps)
        self.ending = 0 if before is None or "x" in text else self.ending + 1
        self.jumps = []
        self.turns = self.game.legal_moves()[0]

    def first_player(self) -> bool:
        return bool(self.game.whose_turn() == WHITE)

    def outcome(self) -> int | None:
        if self.jumps:
            return None
        for player, value in ((WHITE, 1), (BLACK, -1)):
            if self.game.has_player_won(player):
                return value
        drawn = self.drawn()
        if self.game.variant == "standard" and not self.olympiad:
            assert drawn or not self.game.is_draw()
        return 0 if drawn else None

    def drawn(self) -> bool:
        """Whether our rules call this position a draw."""
        fens, limit = self.game.fens, self.limit()
        return (
            self.game.consecutive_noncapture_king_moves >= PLIES_OF_KINGS
            or fens.count(fens[-1]) >= (4 if self.olympiad else 3)
            or (limit is not None and self.ending >= limit)
        )

    def limit(self) -> int | None:
        """The plies after which an ending of a lone king is drawn, if it is one."""
        board = self.game.get_fen()[1:]
        for lone, others in (("w", "b"), ("b", "w")):
            kings, men = board.count(others.upper()), board.count(others)
            if board.count(lone) == 0 and board.count(lone.upper()) == 1 and kings >= 1 and kings + men <= 3:
                if kings + men == 3:
                    return 32
                if not self.olympiad:
                    return 10
                return 0 if men == 0 else None
        return None

    def score(self) -> int | None:
        return None

    def copy(self) -> "DraughtsMatch":
        twin = DraughtsMatch(self.game.variant, self.olympiad)
        twin.game, twin.jumps = self.game.copy(), list(self.jumps)
        twin.turns, twin.ending = self.turns, self.ending
        return twin

    def judges(self) -> bool:
        return True
