"""How far a match is, for pattern networks whose layers depend on it: how many cells hold something.

Stones fill the boards of most games, captures empty those of others. In random matches the number goes from
that of the initial state to a mean at their ends: the span that the stages are spread over, at equal
distances (``cpp/eval/pattern_stages.h``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glaux.errors import InvalidParameter
from glaux.rules.game import Game

STAGES = 16
"""stages at most"""
MATCHES = 200
"""random matches that a span is measured in"""


def measured_span(game: Game) -> list[int]:
    """The cells that hold something at the start of random matches and, on average, at their end."""
    ends = game.playouts(game.initial(), MATCHES, seed=0)
    begin = np.count_nonzero(game.cells(game.initial()))
    end = np.count_nonzero(game.native.cells(ends)) / MATCHES
    span = [int(begin), round(end)]
    if span[0] == span[1]:
        raise InvalidParameter(
            f"{game.spec.title} ends with as many occupied cells as it starts with: use one stage."
        )
    return span


def check_stages(game: Game, stages: object, span: Sequence[int] | None) -> None:
    """InvalidParameter unless this many stages, over this span if there is one, can be made."""
    if not (isinstance(stages, int) and 1 <= stages <= STAGES):
        raise InvalidParameter(f"A pattern network must have 1 to {STAGES} stages, not {stages!r}.")
    cells = game.spec.board.rows * game.spec.board.columns
    match span:
        case None:
            pass
        case [int(begin), int(end)] if begin != end and min(begin, end) >= 0 and max(begin, end) <= cells:
            pass
        case _:
            raise InvalidParameter(
                f"The span of stages must be two different numbers of cells from 0 to {cells}, not {span!r}."
            )
