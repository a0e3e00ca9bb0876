"""FEN and moves of the protocols that descend from chess's UCI, as a game's look says them.

A position is the rows from the top, empty cells counted, and the player to move: ``ppp/1P1/3 w - - 0 1``.
A move is the cells that it touches, ``a2a3``; ours may have an x for captures, theirs have not. What FEN
says of moves without a capture is not used: with a position come the moves since.
"""

from __future__ import annotations

import itertools
import re

from glaux.errors import InvalidAction, InvalidFile
from glaux.looks.finding import codes_of
from glaux.looks.look import UciForm
from glaux.rules.game import Game, State
from glaux.rules.positions import present_cells, state_without_past, symbols_of

_RUN = re.compile(r"[0-9]+|.")


class Notation:
    """Reads and writes the positions and the moves of a game in one form."""

    def __init__(self, game: Game, form: UciForm) -> None:
        self.game, self.form = game, form
        board = game.spec.board
        self._rows, self._columns = board.rows, board.columns
        self._cells = set(present_cells(game))
        self._letters = {
            symbol: form.pieces.get(symbol, "") if form.pieces else symbol if symbol.isalpha() else ""
            for symbol in game.spec.symbols
        }
        """of each symbol; empty: an empty cell"""

    def write_position(self, state: State) -> str:
        """The FEN of a position."""
        symbols = symbols_of(state)
        rows = []
        for row in range(self._rows):
            there = [self._at(row, column) for column in range(self._columns)]
            signs = [
                self._letters[symbols[cell]] if cell in self._cells else self.form.wall for cell in there
            ]
            runs = [(sign, len(list(run))) for sign, run in itertools.groupby(signs)]
            rows.append("".join(sign * length if sign else str(length) for sign, length in runs))
        mover = self.form.first if self.game.first_player(state) else self.form.second
        return f"{'/'.join(rows)} {mover} {self.form.rest}"

    def read_position(self, text: str) -> State:
        """The state of a FEN, without a history; InvalidFile or InvalidState if it is not valid."""
        board, mover, *_ = [*text.split(), "", ""]
        rows = board.split("/")
        symbols = {letter: symbol for symbol, letter in self._letters.items() if letter}
        empty = next(symbol for symbol, letter in self._letters.items() if not letter)
        found: dict[int, str] = {}
        for row, line in enumerate(rows[: self._rows]):
            # A number of two digits counts cells, too.
            runs = _RUN.findall(line[: 3 * self._columns])
            signs = [
                sign for run in runs for sign in ([""] * min(int(run), 99) if run.isdecimal() else [run])
            ]
            for column, sign in enumerate(signs[: self._columns + 1]):
                cell = self._at(row, column)
                known = sign == self.form.wall if cell not in self._cells else not sign or sign in symbols
                if column == self._columns or not known:
                    raise self._no_position(text)
                if cell in self._cells:
                    found[cell] = symbols[sign] if sign else empty
        players = (self.form.first, self.form.second)
        if len(rows) != self._rows or found.keys() != self._cells or mover not in players:
            raise self._no_position(text)
        return state_without_past(self.game, found, mover == self.form.first)

    def moves(self, state: State) -> dict[str, int]:
        """The legal actions by their texts."""
        return {self.write_move(state, action): action for action in self.game.actions(state)}

    def write_move(self, state: State, action: int) -> str:
        """An action."""
        cells = self.game.action_cells(state, action)
        if not cells:
            return self.form.passing or self._stay(state)
        return (self.form.placed if len(cells) == 1 else "") + "".join(self._name(cell) for cell in cells)

    def read_move(self, state: State, text: str) -> int:
        """The action of a move; InvalidAction if it is not legal."""
        legal = self.moves(state)
        if text in legal:
            return legal[text]
        raise InvalidAction(
            f"'{text[:40]}' is not a legal move here; legal moves are {', '.join(list(legal)[:8])}."
        )

    def write_line(self, state: State, actions: list[int]) -> str:
        """Actions from a state on."""
        texts = []
        for action in actions:
            texts.append(self.write_move(state, action))
            state = self.game.apply(state, action)
        return " ".join(texts)

    def _at(self, row: int, column: int) -> int:
        """Our cell of their row from the top."""
        return (self._rows - 1 - row if self.form.mirrored else row) * self._columns + column

    def _name(self, cell: int) -> str:
        row, column = divmod(cell, self._columns)
        height = row if self.form.mirrored else self._rows - 1 - row
        return f"{chr(ord('a') + column)}{height + self.form.lowest}"

    def _stay(self, state: State) -> str:
        """A pass as a move to where a piece stands: the mover's lowest and leftmost."""
        owner = "first" if self.game.first_player(state) else "second"
        own = {self.game.spec.symbols[code] for code in codes_of(self.game, owner)}
        symbols = symbols_of(state)
        for row, column in itertools.product(reversed(range(self._rows)), range(self._columns)):
            cell = self._at(row, column)
            if symbols.get(cell) in own:
                return 2 * self._name(cell)
        return self.form.passing

    def _no_position(self, text: str) -> InvalidFile:
        return InvalidFile(f"'{text[:80]}' is not a position of {self.game.spec.title}.")
