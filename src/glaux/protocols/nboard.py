"""NBoard 2, the text protocol of Othello programs, and GGF, the format in which it sends a match.

The GUI sends the whole match, ``set game GGF``, then single moves, ``move F5``, and asks ``go`` for a move,
answered by ``=== F5/0.5/1.2``: move, evaluation in pieces for the mover, seconds. ``hint N`` asks for the
best N moves, answered by ``search`` lines. ``ping N`` is answered ``pong N`` when all before it is done.
Lines that are not understood are passed over, on both sides. The look of a game has its name in GGF and
the signs of its pieces (``[nboard]``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from glaux.errors import InvalidFile, InvalidParameter
from glaux.looks.finding import look_of
from glaux.looks.look import NBoardForm
from glaux.rules.game import Game, State

VERSION = "2"
EMPTY = "-"
PASS = "PA"
_PROPERTY = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")


@dataclass(frozen=True)
class Ggf:
    """A match as GGF has it."""

    board: str
    """rows from the top, with the signs of the pieces"""
    mover: str
    """the sign of the player who plays first"""
    moves: list[str]


def form_of(game: Game) -> NBoardForm:
    """How NBoard speaks of a game; InvalidParameter if it does not."""
    form = look_of(game).nboard
    if not form.game or game.spec.board.rows != game.spec.board.columns:
        raise InvalidParameter(f"NBoard does not support {game.spec.title}.")
    return form


def parse_ggf(text: str) -> Ggf:
    """The first match of a text; InvalidFile if there is none."""
    moves, board = [], None
    for key, value in _PROPERTY.findall(text):
        if key == "BO":
            board = value.split()
        elif key in ("B", "W"):
            moves.append(value.partition("/")[0].strip())
    if board is None or len(board) < 3 or not board[0].isdigit():
        raise InvalidFile("A match in GGF needs a board BO[8 ... *].")
    cells = "".join(board[1:-1])
    return Ggf(cells, board[-1], moves)


def write_ggf(start: State, actions: Sequence[int]) -> str:
    """A match."""
    game = start.game
    form = form_of(game)
    signs = [form.pieces.get(symbol, EMPTY) for symbol in game.spec.symbols]
    cells = "".join(signs[code] for row in game.cells(start) for code in row)
    first = form.pieces[_first_symbol(form)]
    size = game.spec.board.rows
    mover = (
        first if game.first_player(start) else next(sign for sign in form.pieces.values() if sign != first)
    )
    moves, state = [], start
    for action in actions:
        moves.append(f"{'B' if game.first_player(state) else 'W'}[{write_move(state, action)}]")
        state = game.apply(state, action)
    return f"(;GM[{form.game}]PC[Glaux]RE[?]TY[{size}]BO[{size} {cells} {mover}]{''.join(moves)};)"


def start_of(match: Ggf, game: Game) -> State:
    """The state in which a match began; InvalidState or InvalidFile if the game has no such state."""
    form, size = form_of(game), game.spec.board.rows
    symbols = {sign: symbol for symbol, sign in form.pieces.items()} | {EMPTY: "."}
    if len(match.board) != size * size or not {*match.board, match.mover} <= symbols.keys():
        raise InvalidFile(f"The board of the match does not have {size} rows and columns.")
    rows = [match.board[i : i + size] for i in range(0, size * size, size)]
    board = "/".join("".join(symbols[sign] for sign in row) for row in rows)
    stones = sum(sign != EMPTY for sign in match.board)
    ply = stones - sum(code != 0 for row in game.cells(game.initial()) for code in row)
    return game.parse_state(f"{board} {symbols[match.mover]} {max(0, ply)}")


def write_move(state: State, action: int) -> str:
    """An action as NBoard writes it."""
    text = state.game.action_text(state, action)
    return PASS if text == "pass" else text.upper()


def read_move(state: State, text: str) -> int:
    """The action of a move, whose evaluation and time may follow; InvalidAction if it is not legal."""
    word = re.split(r"[/\s]", text.strip(), maxsplit=1)[0]
    return state.game.parse_action(state, "pass" if word.upper() in (PASS, "PASS") else word)


def parse_answer(line: str) -> str | None:
    """The move of an answer to ``go``; None of another line."""
    return line[3:].strip() if line.startswith("===") else None


def _first_symbol(form: NBoardForm) -> str:
    return next(iter(form.pieces))
