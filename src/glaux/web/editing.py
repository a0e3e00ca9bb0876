"""Positions that somebody sets up: from what stands on the cells to a state that the rules accept.

The text of a state begins with its cells, row by row, then the player to move and the ply, in nearly every
game. Whether it does in a game is tried out and not known by name. A position that somebody sets up has no
past: of the rest, the text of the first state is taken, and the ply that fits is found by asking the rules.
Positions of the other games can be written as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from glaux.errors import GlauxError, InvalidParameter, InvalidState
from glaux.rules.game import Game, State

PLAYERS = {True: "X", False: "O"}
PLIES_A_CELL = 3
"""plies that are tried, for each cell of the board"""
PLIES_TRIED = 200
"""of a random match in which a capture is looked for"""
PLY, NOTHING = "ply", "-"
ABOUT_PLIES = re.compile(r"\b(ply|plies|turns?)\b")


@lru_cache(maxsize=64)
def can_edit(game: Game) -> bool:
    """Whether positions of this game can be set up cell by cell: the one after its first turn can, or, where
    the rules want to know the moves since the last capture, one right after a capture."""
    state = game.initial()
    fields = game.state_text(state).split(" ")
    known = len(fields) >= 3 and fields[1] in PLAYERS.values() and fields[2].isdigit()
    if not known or game.spec.players != 2 or fields[0] != _board(game, _codes(game, state)):
        return False
    while game.first_player(state) == game.first_player(game.initial()) and not game.terminal(state):
        state = game.apply(state, game.actions(state)[0])
    return _can_find(game, state) or any(_can_find(game, capture) for capture in _captures(game))


def _can_find(game: Game, state: State) -> bool:
    try:
        _found(game, _codes(game, state), game.first_player(state))
    except InvalidState:
        return False
    return True


def _captures(game: Game) -> Iterator[State]:
    """The position after the first capture of a random match, if there is one."""
    state, rng = game.initial(), Random(0)
    full = _pieces(_codes(game, state))
    for _ in range(PLIES_TRIED):
        if game.terminal(state):
            return
        state = game.apply(state, rng.choice(list(game.actions(state))))
        if _pieces(_codes(game, state)) < full:
            yield state
            return


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
    """Try the plies from the likely ones on, each costs some microseconds: with the rest of the first state's
    text, with the ply where that counts plies from 0, and with nothing where it ends in a past."""
    start = game.initial()
    _, _, ply, *rest = game.state_text(start).split(" ")
    pieces = _pieces(codes)
    likely = [int(ply), int(ply) + 1, pieces, pieces + 1]
    plies = list(dict.fromkeys([*likely, *range(PLIES_A_CELL * len(codes))]))
    complaints = []
    for variant in _rests(rest):
        for at in plies:
            others = [str(at) if field == PLY else field for field in variant]
            text = " ".join([_board(game, codes), PLAYERS[first], str(at), *others])
            try:
                state = game.parse_state(text)
            except GlauxError as error:
                complaints.append(str(error))
                continue
            if _codes(game, state) == codes and game.first_player(state) == first:
                return state
    raise InvalidState(f"The rules do not allow this position{_reason(complaints)}")


def _rests(rest: list[str]) -> list[list[str]]:
    """What may stand behind the ply, PLY for the ply itself."""
    counted = [PLY if field == "0" else field for field in rest]
    forgotten = [*rest[:-1], NOTHING] if rest else rest
    return [one for i, one in enumerate([rest, counted, forgotten]) if i == 0 or one != rest]


def _reason(complaints: list[str]) -> str:
    """What is said of a position that no ply fits: of the board if anything, for nobody has chosen a ply."""
    board = [complaint for complaint in complaints if not ABOUT_PLIES.search(complaint)]
    if board:
        return f": {board[0]}"
    if any("capture" in complaint for complaint in complaints):
        return " before anything is captured: play the moves instead."
    return ": the pieces and the player to move do not fit."


def _pieces(codes: list[int]) -> int:
    return sum(code != 0 for code in codes)


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
