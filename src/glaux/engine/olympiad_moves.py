"""The moves of a match at the Computer Olympiad: what the client calls our actions.

The look of a game says how its cells lie on our board, and how many of our actions are one move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glaux.looks.finding import codes_of, look_of
from glaux.protocols.olympiad import Move
from glaux.records.record import Record
from glaux.rules.game import State


@dataclass(frozen=True)
class OlympiadNotation:
    """Reads and writes the moves of a match."""

    record: Record

    def legal(self) -> dict[Move, tuple[int, ...]]:
        """The actions of every legal move."""
        found: dict[Move, tuple[int, ...]] = {}
        state = self.record.state
        for action in state.game.actions(state):
            first = self.name(state, action)
            if self.length() == 1:
                found.update(dict.fromkeys(self.names(state, action), (action,)))
                continue
            after = state.game.apply(state, action)
            for second in state.game.actions(after):
                found[first + self.name(after, second)] = (action, second)
        swap = found.get(("swap",))
        if swap:  # it arrives as a move to the only stone, and the cells are those of before
            found[self.name(self.record.start, self.record.actions[0])] = swap
        return found

    def length(self) -> int:
        """How many actions the next move has: at the beginning of a turn there may be two."""
        joined = look_of(self.record.game).olympiad.joined
        assert joined in (1, 2)
        return joined if self._begins_turn() else 1

    def name(self, state: State, action: int) -> Move:
        """The cells of an action, or its word."""
        return self.names(state, action)[0]

    def names(self, state: State, action: int) -> list[Move]:
        """All the moves that are the action: a copy may come from any of several pieces."""
        cells = state.game.action_cells(state, action)
        if not cells or state.game.action_text(state, action) == "swap":
            return [(state.game.action_text(state, action),)]
        move = tuple(self._cell(cell) for cell in cells)
        form = look_of(state.game).olympiad
        if form.copied and len(cells) == 1:
            return [(self._cell(source), *move) for source in self._sources(state, cells[0])]
        if form.pulled and len(cells) == 3 and not _own(state).flat[cells[0]]:
            pulled, start, end = move  # as one touches them on our board
            return [(start, end, pulled, start)]
        return [move]

    def _sources(self, state: State, cell: int) -> list[int]:
        """The mover's pieces beside a cell."""
        columns = state.game.spec.board.columns
        row, column = divmod(cell, columns)
        around = np.argwhere(_own(state)).tolist()
        return [r * columns + c for r, c in around if max(abs(r - row), abs(c - column)) == 1]

    def _cell(self, cell: int) -> str:
        game = self.record.game
        rows, columns = game.spec.board.rows, game.spec.board.columns
        row, column = divmod(cell, columns)
        how = look_of(game).olympiad.cells
        if how == "mirrored":
            column = columns - 1 - column
        elif how == "upside_down":
            row = rows - 1 - row
        elif how == "crossed" and not self._swapped():
            # The first player joins left and right there, top and bottom here. A swap leaves the stone
            # there, here it goes to the mirrored cell: then both boards lie alike.
            row, column = column, row
        return f"{chr(ord('a') + column)}{rows - row}"

    def _swapped(self) -> bool:
        return self.record.texts[1:2] == ["swap"]

    def _begins_turn(self) -> bool:
        return self.record.texts == [] or _mover(self.record.states[-2]) != _mover(self.record.state)


def _mover(state: State) -> bool:
    return state.game.first_player(state)


def _own(state: State) -> npt.NDArray[np.bool_]:
    """Where the mover's pieces are: rows, columns."""
    game = state.game
    return np.isin(game.cells(state), codes_of(game, "first" if _mover(state) else "second"))


def move_of(notation: OlympiadNotation, actions: Sequence[int]) -> Move:
    """The move that actions from the present state are."""
    state, move = notation.record.state, Move()
    for action in actions:
        move += notation.name(state, action)
        state = state.game.apply(state, action)
    return move
