"""Unbounded minimax: UBFM and Descent, with and without completion.

The algorithms stand in ``cpp/search/best_first.h``; docs/algorithms has a page on each.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.rules.game import Game
from glaux.search.door import Value
from glaux.search.search import DEFAULT_MEMORY, Search, check_memory, check_seed

DECISIONS = {
    "best": _core.Decision.best,
    "safest": _core.Decision.safest,
    "safest_or_draw": _core.Decision.safest_or_draw,
}


class Options(TypedDict, total=False):
    """The options of an unbounded minimax search."""

    completion: bool
    decision: str
    random_ties: bool
    seed: int
    memory: int
    terminal_value: _core.TerminalValue | None


class BestFirst(Search):
    """Unbounded best-first minimax with all its choices; UBFM and Descent set them.

    ``completion`` proves results and stops when the root is proven. ``decision`` says what the
    action is chosen by: ``best`` value, ``safest`` (most often selected; UBFM_s), or
    ``safest_or_draw`` (a proven draw before an unproven hope). Without ``random_ties`` the lowest of
    equal actions is taken. ``memory`` is a budget in bytes: a search that reaches it stops growing
    and answers from what it has. ``terminal_value`` is what terminal states are worth: the gain of
    the game by default.
    """

    native: _core.BestFirst

    def __init__(
        self,
        game: Game,
        value: Value = None,
        *,
        descend: bool,
        completion: bool = True,
        decision: str = "best",
        random_ties: bool = True,
        seed: int = 0,
        memory: int = DEFAULT_MEMORY,
        terminal_value: _core.TerminalValue | None = None,
    ) -> None:
        super().__init__(game, value)
        if decision not in DECISIONS:
            raise InvalidParameter(f"There is no decision '{decision}'{suggest(decision, list(DECISIONS))}")
        options = _core.BestFirstOptions()
        options.descend = descend
        options.completion = completion
        options.decision = DECISIONS[decision]
        options.random_ties = random_ties
        options.seed = check_seed(seed)
        options.memory = check_memory(memory)
        self.native = _core.BestFirst(game.native, terminal_value or _core.TerminalValue(), options)

    def clear_but_resolved(self, bound: int) -> None:
        """Forget the match, but keep up to ``bound`` proven states for the next ones."""
        if bound < 0:
            raise InvalidParameter(f"The number of states to keep can't be negative: {bound}.")
        self.native.clear_but_resolved(bound)


class UBFM(BestFirst):
    """Unbounded Best-First Minimax: Algorithm 1 or, with completion, Algorithms 12 and 13."""

    def __init__(self, game: Game, value: Value = None, **options: Unpack[Options]) -> None:
        super().__init__(game, value, descend=False, **options)


class Descent(BestFirst):
    """Descent: Algorithm 9 or, with completion, Algorithm 10. Made to generate data to learn from."""

    def __init__(self, game: Game, value: Value = None, **options: Unpack[Options]) -> None:
        super().__init__(game, value, descend=True, **options)
