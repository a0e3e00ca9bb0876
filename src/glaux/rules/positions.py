"""Positions that programs send without the moves that led to them: a board, and the player to move."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from contextlib import suppress

from glaux.errors import InvalidState
from glaux.rules.game import Game, State

MOST_PLIES = 1000
"""that are tried"""


def present_cells(game: Game) -> list[int]:
    """The cells that the board has, row by row from the top."""
    board = game.spec.board
    return [cell for cell in range(board.rows * board.columns) if board.has(cell)]


def symbols_of(state: State) -> dict[int, str]:
    """The symbol on each cell that the board has."""
    game = state.game
    codes = game.cells(state).reshape(-1)
    return {cell: game.spec.symbols[codes[cell]] for cell in present_cells(game)}


def state_without_past(game: Game, symbols: Mapping[int, str], first: bool) -> State:
    """The state with these symbols on the cells of the board; InvalidState if there is none.

    How many actions were played is not known: it is taken for the least that the rules allow.
    """
    start = game.initial()
    if symbols == symbols_of(start) and first == game.first_player(start):
        return start
    columns = game.spec.board.columns
    rows = ["" for _ in range(game.spec.board.rows)]
    for cell in present_cells(game):
        rows[cell // columns] += symbols[cell]
    _, _, _, *others = game.state_text(start).split()

    # Where nothing was taken yet, each ply is counted since then, too.
    counted = [] if first else [["1" if field == "0" else field for field in others]]

    def parse(ply: int, others: Sequence[str]) -> State:
        return game.parse_state(" ".join(["/".join(rows), "X" if first else "O", str(ply), *others]))

    for fields, ply in itertools.product([others, *counted], range(min(MOST_PLIES, game.spec.max_plies))):
        with suppress(InvalidState):
            return parse(ply, fields)
    return parse(0 if first else 1, others)
