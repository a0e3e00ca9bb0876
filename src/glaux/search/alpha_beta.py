"""Minimax with alpha-beta pruning and iterative deepening.

The algorithms stand in ``cpp/search/pvs.h``, to play, and ``cpp/search/alpha_beta.h``, plain as the papers
compare and learn with it; docs/algorithms/alpha_beta.md is their page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.fields import setting
from glaux.rules.game import Game
from glaux.search.door import Value
from glaux.search.options import SearchOptions
from glaux.search.search import Search


@dataclass(frozen=True)
class AlphaBetaOptions(SearchOptions):
    """The options of alpha-beta."""

    depth: int = setting(0, "search depth in actions; 0: iterative deepening up to a limit")
    completion: bool = setting(True, "prove results (completion), and stop once the root is proven")
    ordering: bool = setting(True, "move ordering: try promising actions first; otherwise in ascending order")
    plain: bool = setting(
        False, "the papers' plain search, whose tree can be learned from, as in training runs"
    )
    reductions: bool = setting(True, "late-move reductions; not with a fixed depth or plain")
    endgame: float = setting(
        0.5, "share of the limits spent on a proof near the end of the match; not with plain", least=0, most=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.depth < 2**31:
            raise InvalidParameter(f"The depth of a search can't be {self.depth}.")


class AlphaBeta(Search):
    """Alpha-beta to a fixed depth, or by iterative deepening until a limit is reached.

    ``depth`` counts actions from the root; then a run needs no other limit. 0 deepens without end:
    an iteration of :meth:`run` is one more depth. The other ``options`` are the fields of
    :class:`AlphaBetaOptions`: ``completion``, ``ordering``, ``plain``, ``reductions``, ``endgame``,
    ``random_ties``, ``seed``, ``memory``. With ``plain`` or a ``depth``, or without ``reductions``, values
    are those of minimax to that depth. Pruning leaves exact values, and so ties, to few actions at depths
    above 1. ``terminal_value`` is what terminal states are worth: the gain of the game by default.

    In the rows of :meth:`Tree.children`, n is 1 if v is exact and 0 if it is only a bound.
    """

    native: _core.AlphaBeta | _core.Pvs

    def __init__(
        self,
        game: Game,
        value: Value = None,
        depth: int = 0,
        *,
        terminal_value: _core.TerminalValue | None = None,
        **options: Any,
    ) -> None:
        super().__init__(game, value)
        chosen = AlphaBetaOptions(depth=depth).changed(options)
        self.needs_limit = chosen.depth == 0
        native = _core.AlphaBetaOptions() if chosen.plain else _core.PvsOptions()
        native.depth = chosen.depth
        native.completion = chosen.completion
        native.ordering = chosen.ordering
        native.random_ties = chosen.random_ties
        native.seed = chosen.seed
        native.memory = chosen.memory
        worth = terminal_value or _core.TerminalValue()
        if isinstance(native, _core.PvsOptions):
            native.reductions = chosen.reductions and chosen.depth == 0
            native.endgame = chosen.endgame
            self.native = _core.Pvs(game.native, worth, native)
        else:
            self.native = _core.AlphaBeta(game.native, worth, native)
