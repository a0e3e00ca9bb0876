"""The cells that decide a match: the line or the chain by which it was won.

The rules say that a match is won; its look says by what (``wins``), so that this needs no game's name:
a ``line`` is the longest row of the winner's pieces through the last turn; a ``chain`` joins the winner's
edges where the board has such (the shortest one is shown), and elsewhere it is all that hangs together with
the last piece. Without it the last turn is marked as always.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from glaux import _core
from glaux.looks.finding import look_of
from glaux.rules.cells import changed_cells
from glaux.rules.game import State

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def winning_cells(before: State, state: State) -> list[int]:
    """The cells of the line or chain that won, if any; ``before`` is the state before the last turn."""
    game = state.game
    look = look_of(game)
    outcome = game.outcome(state)
    if not look.board.wins or not outcome:
        return []
    own = _owned(state, first=outcome > 0)
    last = [cell for cell in changed_cells(before, state) if cell in own]
    board = game.spec.board
    if look.board.wins == "line":
        return _longest_lines(board, own, last)
    neighbours = board.neighbours()
    if not look.board.edges:
        return sorted(_reached(neighbours, own, last))
    rows, columns = board.rows, board.columns
    cells = range(rows * columns)
    across = outcome < 0
    one = [cell for cell in cells if (cell % columns if across else cell // columns) == 0]
    other = [
        cell for cell in cells if (cell % columns == columns - 1 if across else cell // columns == rows - 1)
    ]
    return _shortest(neighbours, own, one, set(other))


def _owned(state: State, *, first: bool) -> set[int]:
    game = state.game
    pieces = look_of(game).pieces
    wanted = "first" if first else "second"
    codes = game.cells(state).ravel().tolist()
    symbols = game.spec.symbols
    owned = {
        code for code, symbol in enumerate(symbols) if symbol in pieces and pieces[symbol].owner == wanted
    }
    return {cell for cell, code in enumerate(codes) if code in owned}


def _longest_lines(board: _core.Board, own: set[int], last: Iterable[int]) -> list[int]:
    lines = [_line(board, own, cell, by) for cell in last for by in DIRECTIONS]
    longest = max(map(len, lines), default=0)
    return sorted({cell for line in lines if len(line) == longest for cell in line}) if longest > 1 else []


def _line(board: _core.Board, own: set[int], cell: int, by: tuple[int, int]) -> list[int]:
    found = [cell]
    for sign in (1, -1):
        row, column = divmod(cell, board.columns)
        while True:
            row, column = row + sign * by[0], column + sign * by[1]
            at = row * board.columns + column
            if not (0 <= row < board.rows and 0 <= column < board.columns) or at not in own:
                break
            found.append(at)
    return found


def _reached(neighbours: Sequence[Sequence[int]], own: set[int], start: Iterable[int]) -> set[int]:
    found = set(start)
    waiting = list(found)
    while waiting:
        fresh = [cell for cell in neighbours[waiting.pop()] if cell in own and cell not in found]
        found.update(fresh)
        waiting += fresh
    return found


def _shortest(
    neighbours: Sequence[Sequence[int]], own: set[int], start: Iterable[int], goal: set[int]
) -> list[int]:
    came: dict[int, int | None] = {cell: None for cell in start if cell in own}
    waiting = deque(came)
    while waiting:
        cell = waiting.popleft()
        if cell in goal:
            path = [cell]
            while (before := came[path[-1]]) is not None:
                path.append(before)
            return sorted(path)
        for neighbour in neighbours[cell]:
            if neighbour in own and neighbour not in came:
                came[neighbour] = cell
                waiting.append(neighbour)
    return []
