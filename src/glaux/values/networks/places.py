"""Where the actions of a game lie on its board: what a convolutional policy needs to know.

Actions are numbers with the same meaning in every state, and most games count them by cell: ``cell * kinds
+ kind``, or ``kind * cells + cell``, where the cells are those of the board with or without the absent ones,
and some have an action or two behind them, such as a pass. Which of these a game does it says itself: in some
random matches the cells that each action touches are asked for, and the way of counting that meets them most
often is taken. The result depends on the rules alone. Where a game counts in another way, or has fewer
actions than cells, the actions have no cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glaux.rules.game import Game, State
from glaux.values.networks.architecture import ActionShape

MATCHES, ASKED = 3, 400
"""random matches, and actions of each that are asked for their cells"""


@dataclass(frozen=True)
class Places:
    """The place of each action in what a convolutional policy gives: planes, and the rest behind them."""

    shape: ActionShape
    of: npt.NDArray[np.int64]
    """int64[action_count]: the index among channels * rows * columns cells and the rest"""


def find_places(game: Game) -> Places:
    """The places of a game's actions on its planes."""
    spec = game.spec
    count, rows, columns = spec.action_count, spec.plane_rows, spec.plane_columns
    on_planes = _on_planes(game)
    seen = _seen(game) if on_planes is not None else []
    best, cells_of = 0, np.full(count, -1)
    present = [cell for cell in range(spec.board.rows * spec.board.columns) if spec.board.has(cell)]
    for cells in (np.arange(spec.board.rows * spec.board.columns), np.array(present)):
        kinds = count // len(cells)
        if kinds == 0:
            continue
        for cell in (np.repeat(cells, kinds), np.tile(cells, kinds)):
            met = sum(bool(cell[a] in touched) for a, touched in seen if a < len(cell))
            if met > best:
                best, cells_of = met, np.concatenate([cell, np.full(count - len(cell), -1)])
    rest = int((cells_of < 0).sum())
    placed = count - rest
    area = rows * columns
    if not placed or on_planes is None:
        return Places(ActionShape(count, 0, count), np.arange(count))
    # The channel of an action is the number of earlier ones on its cell.
    order = np.argsort(cells_of[:placed], kind="stable")
    begins = np.searchsorted(cells_of[order], cells_of[order])
    channel = np.empty(placed, np.int64)
    channel[order] = np.arange(placed) - begins
    channels = int(channel.max()) + 1
    of = np.concatenate([channel * area + on_planes[cells_of[:placed]], channels * area + np.arange(rest)])
    return Places(ActionShape(count, channels, rest), of)


def _on_planes(game: Game) -> npt.NDArray[np.int64] | None:
    """The place of each cell of the board on a plane, which may have a margin; None: it has none there."""
    spec = game.spec
    margins = spec.plane_rows - spec.board.rows, spec.plane_columns - spec.board.columns
    if min(margins) < 0 or margins[0] != margins[1] or margins[0] % 2:
        return None
    row, column = np.divmod(np.arange(spec.board.rows * spec.board.columns), spec.board.columns)
    return (row + margins[0] // 2) * spec.plane_columns + column + margins[1] // 2


def _seen(game: Game) -> list[tuple[int, list[int]]]:
    """Actions of random matches and the cells that they touch."""
    rng, seen = np.random.default_rng(0), list[tuple[int, list[int]]]()
    for _ in range(MATCHES):
        state: State = game.initial()
        asked = 0
        while asked < ASKED and not game.terminal(state):
            actions = game.actions(state)
            for action in rng.permutation(actions)[:8].tolist():
                seen.append((action, game.action_cells(state, action)))
                asked += 1
            state = game.apply(state, int(rng.choice(actions)))
    return seen
