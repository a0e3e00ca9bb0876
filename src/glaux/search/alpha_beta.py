"""Minimax with alpha-beta pruning and iterative deepening.

The algorithm stands in ``cpp/search/alpha_beta.h``; docs/algorithms/alpha_beta.md is its page.
"""

from __future__ import annotations

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.rules.game import Game
from glaux.search.door import Value
from glaux.search.search import DEFAULT_MEMORY, Search, check_memory, check_seed


class AlphaBeta(Search):
    """Alpha-beta to a fixed depth, or deeper and deeper until a limit is reached.

    ``depth`` counts actions from the root; then a run needs no other limit. 0 deepens without end:
    an iteration of :meth:`run` is one more depth. ``completion`` proves results and stops when the
    root is proven; without it values are plain. ``ordering=False`` tries actions in ascending order,
    to measure what the ordering gains. Without ``random_ties`` the lowest of equal actions is
    taken; pruning leaves exact values, and so ties, to few actions at depths above 1. ``memory`` is a
    budget in bytes: a search that reaches it stops deepening and answers from what it has.

    In the rows of :meth:`Tree.children`, n is 1 if v is exact and 0 if it is only a bound.
    """

    native: _core.AlphaBeta

    def __init__(
        self,
        game: Game,
        value: Value = None,
        depth: int = 0,
        *,
        completion: bool = True,
        ordering: bool = True,
        random_ties: bool = True,
        seed: int = 0,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        super().__init__(game, value)
        if not 0 <= depth < 2**31:
            raise InvalidParameter(f"The depth of a search can't be {depth}.")
        options = _core.AlphaBetaOptions()
        options.depth = int(depth)
        options.completion = completion
        options.ordering = ordering
        options.random_ties = random_ties
        options.seed = check_seed(seed)
        options.memory = check_memory(memory)
        self.needs_limit = depth == 0
        self.native = _core.AlphaBeta(game.native, _core.TerminalValue(), options)
