"""Positions that somebody sets up: from what stands on the cells to a state that the rules accept.

The text of a state begins with its cells, row by row, then the player to move and the ply, in nearly every
game. Whether it does in a game is tried out and not known by name. A position that somebody sets up has no
past: of the rest, the text of the first state is taken, and the ply that fits is found by asking the rules.
"""

from __future__ import annotations

from functools import lru_cache

from glaux.errors import GlauxError, InvalidParameter, InvalidState
from glaux.rules.game import Game, State

PLAYERS = {True: "X", False: "O"}
PLIES_A_CELL = 3
"""plies that are tried, for each cell of the board"""


@lru_cache(maxsize=64)
def can_edit(game: Game) -> bool:
    """Whether positions of this game can be set up cell by cell: the one after its first turn can."""
    state = game.initial()
    fields = game.state_text(state).split(" ")
    known = len(fields) >= 3 and fields[1] in PLAYERS.values() and fields[2].isdigit()
    if not known or game.spec.players != 2 or fields[0] != _board(game, _codes(game, state)):
        return False
    while game.first_player(state) == game.first_player(game.initial()) and not game.terminal(state):
        state = game.apply(state, game.actions(state)[0])
    try:
        _found(game, _codes(game, state), game.first_player(state))
    except InvalidState:
        return False
    return True


def set_up(game: Game, codes: list[int], first: bool) -> State:
    """The state with these cells and this player to move; InvalidState with a sentence if there is none."""
    board = game.spec.board
    if not can_edit(game):
        raise InvalidParameter(f"Positions of {game.spec.title} can't be set up cell by cell.")
    known = range(len(game.spec.symbols))
    if len(codes) != board.rows * board.columns or not all(code in known for code in codes):
        raise InvalidParameter("A position must have a symbol of the game for every cell.")
    return _found(game, codes, first)


def _found(game: Game, codes: list[int], first: bool) -> State:
    """Try the plies from the likely ones on: each costs some microseconds."""
    start = game.initial()
    _, _, ply, *rest = game.state_text(start).split(" ")
    pieces = sum(code != 0 for code in codes)
    likely = [int(ply), int(ply) + 1, pieces, pieces + 1]
    complaint = "another player is to move."
    for at in dict.fromkeys([*likely, *range(PLIES_A_CELL * len(codes))]):
        text = " ".join([_board(game, codes), PLAYERS[first], str(at), *rest])
        try:
            state = game.parse_state(text)
        except GlauxError as error:
            complaint = str(error) if at in likely else complaint
            continue
        if _codes(game, state) == codes and game.first_player(state) == first:
            return state
    raise InvalidState(f"The rules do not allow this position: {complaint}")


def _codes(game: Game, state: State) -> list[int]:
    codes: list[int] = game.cells(state).ravel().tolist()
    return codes


def _board(game: Game, codes: list[int]) -> str:
    board, symbols = game.spec.board, game.spec.symbols
    rows = [
        "".join(
            symbols[codes[row * board.columns + column]]
            for column in range(board.columns)
            if board.has(row * board.columns + column)
        )
        for row in range(board.rows)
    ]
    return "/".join(rows)
