"""Matches as other implementations play them, in our notation.

A `Match` is what the comparison of `oracles.py` needs of an oracle. The translations from
OpenSpiel's notation and rules to ours are here, one small class for each game that needs one.
"""

import copy
import itertools
import math
import re
from typing import Generic, Protocol

import pyspiel

from tests.reference import arimaa
from tests.reference.protocol import Cell, Reference, State, cell_text, parse_cell


class Match(Protocol):
    """A match as an oracle sees it. Actions are in our notation; +1 is the first player's win."""

    def actions(self) -> list[str]: ...
    def apply(self, text: str) -> None: ...
    def first_player(self) -> bool: ...
    def outcome(self) -> int | None: ...
    def score(self) -> float | None: ...
    def copy(self) -> "Match": ...

    def judges(self) -> bool:
        """Whether the oracle plays the same rules as we do in this state and after it."""
        ...


class ReferenceMatch(Generic[State]):
    """A match by one of the plain Python references."""

    def __init__(self, game: Reference[State], s: State | None = None) -> None:
        self.game = game
        self.s = game.initial() if s is None else s

    def actions(self) -> list[str]:
        return self.game.actions(self.s)

    def apply(self, text: str) -> None:
        self.s = self.game.apply(self.s, text)

    def first_player(self) -> bool:
        return self.game.first_player(self.s)

    def outcome(self) -> int | None:
        return self.game.outcome(self.s)

    def score(self) -> float | None:
        return self.game.score(self.s)

    def copy(self) -> "ReferenceMatch[State]":
        return ReferenceMatch(self.game, self.s)

    def judges(self) -> bool:
        return True


class ArimaaMatch(ReferenceMatch[arimaa.State]):
    """The reference writes the cells of an action, we write its steps: ``c3c4`` is ``Ec3n``."""

    def by_text(self) -> dict[str, str]:
        return {self.text(theirs): theirs for theirs in super().actions()}

    def actions(self) -> list[str]:
        return list(self.by_text())

    def apply(self, text: str) -> None:
        super().apply(self.by_text()[text])

    def copy(self) -> "ArimaaMatch":
        return ArimaaMatch(self.game, self.s)

    def text(self, theirs: str) -> str:
        cells = [parse_cell(cell) for cell in re.findall(r"[a-h]\d", theirs)]
        match cells:
            case [cell]:
                placed = sum(first is self.s.first for _, first in self.s.pieces.values())
                return self.letter(arimaa.SET_UP[placed], self.s.first) + cell_text(cell)
            case [start, end]:
                return self.step(start, end)
            case [start, end, pushed]:
                return self.step(end, pushed) + "," + self.step(start, end)
            case [start, end, pulled, _]:
                return self.step(start, end) + "," + self.step(pulled, start)
        return theirs

    def step(self, start: Cell, end: Cell) -> str:
        directions = {(0, 1): "n", (1, 0): "e", (0, -1): "s", (-1, 0): "w"}
        way = directions[end[0] - start[0], end[1] - start[1]]
        return self.letter(*self.s.pieces[start]) + cell_text(start) + way

    def letter(self, piece: str, first: bool) -> str:
        return piece if first else piece.lower()


class SpielMatch:
    """A match by OpenSpiel."""

    def __init__(self, game: str) -> None:
        self.spiel = pyspiel.load_game(game).new_initial_state()

    def text(self, action: int) -> str:
        """Our text of an action of OpenSpiel's."""
        return str(self.spiel.action_to_string(action))

    def by_text(self) -> dict[str, int]:
        """OpenSpiel's legal actions by our texts."""
        return {self.text(action): action for action in self.spiel.legal_actions()}

    def actions(self) -> list[str]:
        return list(self.by_text())

    def apply(self, text: str) -> None:
        self.spiel.apply_action(self.by_text()[text])

    def first_player(self) -> bool:
        return bool(self.spiel.current_player() == 0)

    def outcome(self) -> int | None:
        return int(self.spiel.returns()[0]) if self.spiel.is_terminal() else None

    def score(self) -> int | None:
        return None

    def copy(self) -> "SpielMatch":
        twin = copy.copy(self)
        twin.spiel = self.spiel.clone()
        return twin

    def judges(self) -> bool:
        return True


class OthelloMatch(SpielMatch):
    """Adds the score, which OpenSpiel reduces to win, draw and loss."""

    def score(self) -> int | None:
        board = str(self.spiel).split("\n", 1)[1]  # the first line names the player to move
        return board.count("x") - board.count("o")


class ConnectFourMatch(SpielMatch):
    def text(self, action: int) -> str:
        return str(action + 1)


class BreakthroughMatch(SpielMatch):
    """OpenSpiel's first player starts at the top, ours at the bottom: rows are mirrored."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.rows = self.spiel.get_game().get_parameters()["rows"]

    def text(self, action: int) -> str:
        text = super().text(action)
        start, end = re.findall(r"[a-z]\d+", text)
        return self.mirrored(start) + "x" * text.endswith("*") + self.mirrored(end)

    def mirrored(self, cell: str) -> str:
        return f"{cell[0]}{self.rows + 1 - int(cell[1:])}"


class CellMatch(SpielMatch):
    """Actions are cells: OpenSpiel numbers them from the top left, we name them from the bottom."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.size = math.isqrt(self.spiel.get_game().num_distinct_actions())

    def text(self, action: int) -> str:
        row, column = divmod(action, self.size)
        return cell_text((column, self.size - 1 - row))


class AmazonsMatch(CellMatch):
    """Adds the score: the empty cells that the winner can still reach, at least 1."""

    def score(self) -> int | None:
        if self.outcome() == 1:
            return max(1, len(self.reachable("X")))
        return -max(1, len(self.reachable("O")))

    def reachable(self, player: str) -> set[Cell]:
        """The empty cells to which any number of moves can take an amazon of the player."""
        board = {
            (column, row): symbol
            for row, line in enumerate(str(self.spiel).split("\n"))
            for column, symbol in enumerate(line)
        }
        reached: set[Cell] = set()
        frontier = [cell for cell, symbol in board.items() if symbol == player]
        while frontier:
            column, row = frontier.pop()
            for cell in itertools.product(range(column - 1, column + 2), range(row - 1, row + 2)):
                if board.get(cell) == "." and cell not in reached:
                    reached.add(cell)
                    frontier.append(cell)
        return reached


class MorpionMatch(SpielMatch):
    """OpenSpiel gives the points of a line as rows and columns: ours are the new one and the farther end."""

    def copy(self) -> "MorpionMatch":
        """OpenSpiel's own copy of a match loses track of its lines: this one is played again."""
        twin = copy.copy(self)
        twin.spiel = self.spiel.get_game().new_initial_state()
        for action in self.spiel.history():
            twin.spiel.apply_action(action)
        return twin

    def text(self, action: int) -> str:
        board = str(self.spiel).split()
        found = re.findall(r"\[(\d+),(\d+)\]", super().text(action))
        line = sorted((int(row), int(column)) for row, column in found)
        new = next(i for i, (row, column) in enumerate(line) if board[row][column] == "0")
        far = line[-1] if new <= len(line) - 1 - new else line[0]
        return "".join(cell_text((column, len(board) - 1 - row)) for row, column in (line[new], far))

    def outcome(self) -> int | None:
        return 0 if self.spiel.is_terminal() else None

    def score(self) -> int | None:
        return int(self.spiel.returns()[0])


class GomokuMatch(CellMatch):
    """OpenSpiel's m,n,k-game, whose first stone may go anywhere: we leave the inner cells out."""

    def by_text(self) -> dict[str, int]:
        actions = super().by_text()
        if self.spiel.move_number() > 0:
            return actions
        outer = {0, 1, self.size - 2, self.size - 1}
        return {text: a for text, a in actions.items() if outer & set(divmod(a, self.size))}


class HavannahMatch(SpielMatch):
    """OpenSpiel swaps by a second stone on the first one."""

    def text(self, action: int) -> str:
        swap = self.spiel.move_number() == 1 and self.spiel.history() == [action]
        return "swap" if swap else super().text(action)


class QuoridorMatch(SpielMatch):
    """OpenSpiel counts rows from the top and has no rule on pawn moves in a row: that one is added.

    Its cap on all plies ends the comparison.
    """

    def __init__(self, game: str, limit: int = 100) -> None:
        super().__init__(game)
        self.size = self.spiel.get_game().get_parameters()["board_size"]
        self.limit = limit
        self.quiet = 0
        self.to_go = [self.size - 1, self.size - 1]

    def text(self, action: int) -> str:
        """It names a wall by the cell at the upper left of its middle, we by the one at the lower left."""
        cell, wall = re.fullmatch(r"(.*\d)([hv]?)", super().text(action)).groups()  # type: ignore[union-attr]
        return f"{cell[0]}{self.size + 1 - int(cell[1:]) - bool(wall)}{wall}"

    def apply(self, text: str) -> None:
        first = self.first_player()
        super().apply(text)
        if text[-1] in "hv":
            self.quiet = 0
            return
        self.quiet += 1
        row = parse_cell(text)[1]
        self.to_go = [self.size - 1 - row, self.to_go[1]] if first else [self.to_go[0], row]

    def outcome(self) -> int | None:
        if self.spiel.is_terminal() or self.quiet < self.limit:
            return super().outcome()
        difference = self.score()
        return (difference > 0) - (difference < 0)

    def score(self) -> int:
        return self.to_go[1] - self.to_go[0]

    def judges(self) -> bool:
        return not (self.spiel.is_terminal() and super().outcome() == 0)


class GoMatch(SpielMatch):
    """OpenSpiel ends a match as a draw where a position comes back: such an action is not legal with us.

    It looks at positions, as we do, so that all the others are.
    """

    def text(self, action: int) -> str:
        return super().text(action).split()[1].lower()

    def by_text(self) -> dict[str, int]:
        return {text: a for text, a in super().by_text().items() if not self.repeats(a)}

    def repeats(self, action: int) -> bool:
        """Whether the action ends the match as a draw, which komi of half a point otherwise rules out."""
        child = self.spiel.child(action)
        return bool(child.is_terminal() and child.returns()[0] == 0)


class LinesOfActionMatch(SpielMatch):
    """OpenSpiel's rules, the mover wins a simultaneous connection and no move loses, with our two ways to
    draw: a repetition, and 100 plies without a capture.

    OpenSpiel draws as well when the board has occurred before with the other player to move. There
    it does not judge.
    """

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.past: list[str] = []  # the boards since the last capture

    def board(self) -> str:
        return str(self.spiel).split("\n\n")[0]  # the player to move follows

    def text(self, action: int) -> str:
        return super().text(action).replace("-", "")

    def apply(self, text: str) -> None:
        self.past = [] if "x" in text else [*self.past, self.board()]
        super().apply(text)

    def drawn(self) -> bool:
        """Whether our rules end the match here unless somebody has won."""
        same_player_to_move = self.past[-2::-2]
        return self.board() in same_player_to_move or len(self.past) >= 100

    def outcome(self) -> int | None:
        outcome = super().outcome()
        return 0 if outcome is None and self.drawn() else outcome

    def judges(self) -> bool:
        return super().outcome() != 0 or self.drawn()
