"""What rules written in Python say of themselves, checked: their board and their spec."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from glaux import _core
from glaux.errors import BrokenRules, InvalidParameter
from glaux.rules.python import Rules


def make_board(rules: Rules, shape: tuple[int, ...]) -> _core.Board:
    """The board with this many rows and columns."""
    board = _core.Board()
    board.rows, board.columns = shape
    if rules.hexagonal:
        board.shape = _core.Shape.hexagonal
    if rules.present is not None:
        present = np.asarray(rules.present, dtype=bool)
        if present.shape != shape or not present.any():
            raise BrokenRules(f"{_name(rules)}.present must say for each cell whether it exists.")
        board.present = present.ravel().tolist()
    board.boards = [_core.BoardPart(*part) for part in rules.boards]
    _check_boards(rules, board)
    return board


def _check_boards(rules: Rules, board: _core.Board) -> None:
    """Each cell that is there is on one of the boards, if there are several."""
    count = np.zeros((board.rows, board.columns), dtype=int)
    for part in board.boards:
        if min(part.row, part.column, part.rows - 1, part.columns - 1) < 0:
            raise BrokenRules(f"{_name(rules)}.boards must be rectangles: row, column, rows, columns.")
        count[part.row : part.row + part.rows, part.column : part.column + part.columns] += 1
    cells = [cell for cell in range(count.size) if board.has(cell)]
    if board.boards and (count.ravel()[cells] != 1).any():
        raise BrokenRules(f"{_name(rules)}.boards must contain every existing cell exactly once.")


def make_spec(rules: Rules, state_size: int) -> _core.Spec:
    """All of the spec but the planes, for rules that have their board."""
    if rules.players not in (1, 2):
        raise BrokenRules(f"{_name(rules)}.players must be 1 or 2, not {rules.players!r}.")
    for number in (rules.action_count, rules.max_plies):
        if not isinstance(number, int | np.integer) or not 1 <= number < 2**31:
            raise BrokenRules(
                f"{_name(rules)} needs action_count and max_plies of at least 1 and below 2^31, "
                f"not {number!r}."
            )
    if len({len(symbol) for symbol in rules.symbols}) != 1:
        raise BrokenRules(f"{_name(rules)}.symbols must all have the same width.")
    spec = _core.Spec()
    spec.name = rules.registry_name()
    spec.title = rules.title or spec.name.replace("_", " ").title()
    spec.players = rules.players
    spec.aim = _aim(rules)
    spec.board = rules._board
    spec.state_size = state_size
    spec.action_count = spec.max_actions = rules.action_count
    spec.max_plies = rules.max_plies
    spec.max_plies_exact = False
    spec.symbols = list(rules.symbols)
    spec.symmetries = _symmetries(rules)
    if len(rules.exchanged_codes) > 0:
        spec.exchange = (_exchanged_cells(rules), [int(code) for code in rules.exchanged_codes])
    spec.has_score = type(rules).score is not Rules.score
    spec.has_pieces = type(rules).pieces is not Rules.pieces
    return spec


def _aim(rules: Rules) -> _core.Aim:
    if rules.aim not in ("result", "score"):
        raise BrokenRules(f"{_name(rules)}.aim must be result or score, not {rules.aim!r}.")
    if rules.aim == "score" and (rules.players != 1 or type(rules).score is Rules.score):
        raise BrokenRules(f"{_name(rules)} has the aim score: it needs players = 1 and score(s).")
    return _core.Aim[rules.aim]


def _exchanged_cells(rules: Rules) -> list[int]:
    board = rules._board
    kinds: dict[str, Callable[[], list[int]]] = {
        "identity": board.identity,
        "mirror_rows": board.mirror_rows,
        "half_turn": board.half_turn,
        "transposed": board.transposed,
    }
    if rules.exchanged_cells not in kinds:
        raise InvalidParameter(
            f"{_name(rules)}.exchanged_cells must be one of {', '.join(kinds)}, "
            f"not '{rules.exchanged_cells}'."
        )
    return kinds[rules.exchanged_cells]()


def _symmetries(rules: Rules) -> list[list[int]]:
    board = rules._board
    kinds: dict[str, Callable[[], list[list[int]]]] = {
        "none": lambda: [board.identity()],
        "mirror": lambda: [board.identity(), board.mirror_columns()],
        "half_turn": lambda: [board.identity(), board.half_turn()],
        "square": board.square_symmetries,
        "hexagonal": board.hexagonal_symmetries,
    }
    if rules.symmetry not in kinds:
        raise InvalidParameter(
            f"{_name(rules)}.symmetry must be one of {', '.join(kinds)}, not '{rules.symmetry}'."
        )
    maps = kinds[rules.symmetry]()
    if any(board.has(cell) != board.has(m[cell]) for m in maps for cell in range(len(m))):
        raise BrokenRules(f"{_name(rules)}.symmetry moves a cell to one that does not exist.")
    return maps


def _name(rules: Rules) -> str:
    return type(rules).__name__
