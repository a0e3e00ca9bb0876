"""Unbounded minimax: UBFM and Descent, with and without completion; and no search at all.

The algorithms stand in ``cpp/search/best_first.h``; docs/algorithms has a page on each.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.fields import setting
from glaux.rules.game import Game
from glaux.search.door import Value
from glaux.search.options import SearchOptions, threads_setting
from glaux.search.search import Proven, Search

PROVEN = ("states", "v", "c")
DECISIONS = {
    "best": _core.Decision.best,
    "safest": _core.Decision.safest,
    "safest_or_draw": _core.Decision.safest_or_draw,
}


@dataclass(frozen=True)
class BestFirstOptions(SearchOptions):
    """The options of an unbounded minimax search."""

    completion: bool = setting(True, "prove results (completion), and stop once the root is proven")
    decision: str = setting(
        "best",
        "how the move is chosen: `best` value, `safest` (most often selected, UBFM_s), or "
        "`safest_or_draw` (also takes a proven draw over an unproven hope)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.decision not in DECISIONS:
            hint = suggest(self.decision, list(DECISIONS))
            raise InvalidParameter(f"There is no decision '{self.decision}'{hint}")


@dataclass(frozen=True)
class UBFMOptions(BestFirstOptions):
    """The options of UBFM."""

    threads: int = threads_setting()


class BestFirst(Search):
    """Unbounded best-first minimax; UBFM and Descent say which.

    ``options`` are the fields of :class:`BestFirstOptions`: ``completion``, ``decision``,
    ``random_ties``, ``seed``, ``memory``. ``terminal_value`` is what terminal states are worth: the gain
    of the game by default.
    """

    native: _core.BestFirst
    descend: ClassVar[bool]
    """whether an iteration goes on to the end of the match"""

    def __init__(
        self,
        game: Game,
        value: Value = None,
        *,
        terminal_value: _core.TerminalValue | None = None,
        **options: Any,
    ) -> None:
        super().__init__(game, value)
        chosen = self._read(options)
        native = _core.BestFirstOptions()
        native.descend = self.descend
        native.completion = chosen.completion
        native.decision = DECISIONS[chosen.decision]
        native.random_ties = chosen.random_ties
        native.seed = chosen.seed
        native.memory = chosen.memory
        native.threads = getattr(chosen, "threads", 1)
        self.native = _core.BestFirst(game.native, terminal_value or _core.TerminalValue(), native)

    def _read(self, options: dict[str, Any]) -> BestFirstOptions:
        return BestFirstOptions().changed(options)

    def clear_but_resolved(self, bound: int) -> None:
        """Forget the match, but keep up to ``bound`` proven states for the next ones."""
        if bound < 0:
            raise InvalidParameter(f"The number of states to keep can't be negative: {bound}.")
        self.native.clear_but_resolved(bound)

    def abandon_match(self) -> None:
        """Forget the match, but not what earlier ones have proven."""
        earlier = self.native.proven()
        self.clear()
        self.native.add_proven(*earlier, _core.trusted)

    def proven(self, keep: int) -> Proven:
        """The proven states that the next match would know."""
        self.clear_but_resolved(keep)
        return dict(zip(PROVEN, self.native.proven(), strict=True))

    def add_proven(self, proven: Proven) -> None:
        """Know these states to be proven."""
        states, v, c = (proven[name] for name in PROVEN)
        self.native.add_proven(states, v, c)


class UBFM(BestFirst):
    """Unbounded Best-First Minimax: Algorithm 1 or, with completion, Algorithms 12 and 13.

    ``options`` are the fields of :class:`UBFMOptions`: those of every search, and ``threads``.
    """

    descend = False

    def _read(self, options: dict[str, Any]) -> BestFirstOptions:
        return UBFMOptions().changed(options)


class Descent(BestFirst):
    """Descent: Algorithm 9 or, with completion, Algorithm 10. Designed to generate training data."""

    descend = True


class Greedy(BestFirst):
    """No search: evaluates the children of a state and takes the best, in one iteration.

    ``options`` are the fields of :class:`~glaux.search.options.SearchOptions`.
    """

    descend = False

    def _read(self, options: dict[str, Any]) -> BestFirstOptions:
        return BestFirstOptions(completion=False, **asdict(SearchOptions().changed(options)))
