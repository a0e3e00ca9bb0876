"""Monte Carlo tree search: UCT with playouts or a value function, and the MCTS wrapper.

The algorithm stands in ``cpp/search/mcts.h``; docs/algorithms/mcts.md explains it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.fields import setting
from glaux.rules.game import Game, State
from glaux.search.door import Value
from glaux.search.options import SearchOptions, threads_setting
from glaux.search.search import Search, playout_seed

PRIOR_MAPS = {"softmax": _core.PriorMap.softmax, "min_max": _core.PriorMap.min_max}


@dataclass(frozen=True)
class MctsOptions(SearchOptions):
    """The options of MCTS."""

    c: float | None = setting(
        None,
        "exploration constant; larger explores more; by default 1 with playouts, 0.4 with a value "
        "function, 1.25 with a policy",
        kind=float,
    )
    rave: float = setting(
        0.0,
        "RAVE's k, for games in which the order of actions matters little: every action of a playout "
        "counts as if played first, with weight sqrt(k / (3 N + k)) after N visits; 3000 is usual, 0: no "
        "RAVE",
        least=0,
    )
    threads: int = threads_setting()

    def for_value(self, value: Value, scale: float) -> Self:
        """With c in the unit of the values."""
        return replace(self, c=scale * (default_c(value) if self.c is None else self.c))


@dataclass(frozen=True)
class WrapperOptions(SearchOptions):
    """The options of the MCTS wrapper."""

    c: float = setting(
        1.0, "exploration constant; larger explores more; the default is Scheiermann and Konen's"
    )
    temperature: float = setting(
        1.0, "temperature of the softmax that turns values into priors; larger is flatter"
    )
    priors: str = setting(
        "softmax", "how values become priors: `softmax`, or `min_max`, by distance from the worst"
    )
    threads: int = threads_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.priors not in PRIOR_MAPS:
            hint = suggest(self.priors, list(PRIOR_MAPS))
            raise InvalidParameter(f"There is no priors method '{self.priors}'{hint}")

    def for_value(self, value: Value, scale: float) -> Self:
        """With c and the temperature in the unit of the values."""
        return replace(self, c=scale * self.c, temperature=scale * self.temperature)


class TreeSearch(Search):
    """What the kinds of MCTS share."""

    native: _core.MctsTree

    def __init__(
        self,
        game: Game,
        value: Value,
        kind: Callable[..., _core.MctsTree],
        native: _core.MctsOptions | _core.PuctOptions,
        options: SearchOptions,
        terminal_value: _core.TerminalValue | None,
    ) -> None:
        super().__init__(game, value)
        native.random_ties = options.random_ties
        native.seed = options.seed
        native.memory = options.memory
        self.native = kind(game.native, terminal_value or _core.TerminalValue(), native)

    def priors(self, state: State) -> npt.NDArray[np.float32]:
        """P(s, a) for the actions of a state, in the order of ``Tree.children``.

        Uniform where no policy is in use; empty if the search has not expanded the state.
        """
        return self.native.priors(self.game.own(state))


class MCTS(TreeSearch):
    """Monte Carlo tree search: the kind depends on what you give it.

    - ``MCTS(game)``: UCT with one random playout for each new state. No knowledge at all.
    - ``MCTS(game, value)``: UCT with a value function instead of playouts.
    - ``MCTS(game, policy=function)``: PUCT, as in AlphaZero; :class:`~glaux.PUCT` has all its options. The
      function takes a batch, like every value function, and gives the pair ``(values[n], priors[n,
      action_count])``: values are the first player's, priors need not sum to 1 and may be anything for
      illegal actions.

    ``c`` weighs exploration against the mean value, in the unit of the values: larger is broader.
    ``terminal_value`` says what terminal states are worth, by default +1, 0 and -1: a
    :class:`~glaux.search.heuristics.Heuristic`'s ``native`` for values that were learned with it.
    The other ``options`` are the fields of :class:`MctsOptions`: ``rave`` (with playouts only), ``threads``
    (not with a policy), ``random_ties``, ``seed``, ``memory``.

    >>> import glaux
    >>> game = glaux.make("connect_four")
    >>> tree = glaux.MCTS(game, seed=1).run(game.initial(), iterations=1000)
    >>> game.action_text(game.initial(), tree.action)
    '4'
    >>> sum(row.n for row in tree.children())  # the first iteration is the root's own
    999
    """

    c_playouts: ClassVar[float] = 1.0
    """c with random playouts: the best of a comparison, see experiments/LOG.md."""
    c_value: ClassVar[float] = 0.4
    """c with a value function: Cohen-Solal's."""
    c_policy: ClassVar[float] = 1.25
    """c with a policy: AlphaZero's."""

    def __init__(
        self,
        game: Game,
        value: Value = None,
        *,
        policy: Value = None,
        terminal_value: _core.TerminalValue | None = None,
        **options: Any,
    ) -> None:
        chosen = MctsOptions().changed(options)
        if value is not None and policy is not None:
            raise InvalidParameter("Give a value function or a policy, not both: a policy has values too.")
        if value is None and policy is None:
            value = self.playouts = _core.PlayoutValue(1, playout_seed(chosen.seed))
        native = _core.MctsOptions() if policy is None else _core.PuctOptions()
        default = default_c(value) if policy is None else self.c_policy
        native.c = default if chosen.c is None else chosen.c
        if chosen.rave:
            if not isinstance(value, _core.PlayoutValue):
                raise InvalidParameter("RAVE learns from random matches: leave out the value function.")
            assert isinstance(native, _core.MctsOptions)
            native.rave = chosen.rave
        if isinstance(native, _core.MctsOptions):
            native.threads = chosen.threads
        elif chosen.threads > 1:
            raise InvalidParameter("MCTS with a policy runs in one thread only.")
        kind = _core.Mcts if policy is None else _core.Puct
        self.has_priors = policy is not None
        super().__init__(game, value if policy is None else policy, kind, native, chosen, terminal_value)


def default_c(value: Value) -> float:
    """The exploration constant for a value function whose values are from -1 to 1."""
    return MCTS.c_playouts if isinstance(value, _core.PlayoutValue) else MCTS.c_value


class MCTSWrapper(TreeSearch):
    """The MCTS wrapper of Scheiermann and Konen: makes a value function plan ahead.

    All the children of a new state are evaluated at once. Its value is the best of theirs for the
    player to move, and the priors of its actions are their softmax with a ``temperature``, or with
    ``priors="min_max"`` their distance from the worst; then PUCT selects. The tree is used again
    after a move. ``c`` and ``temperature`` are in the unit of the values; the other ``options`` are the
    fields of :class:`WrapperOptions`: ``threads``, ``random_ties``, ``seed``, ``memory``.

    >>> import glaux
    >>> game = glaux.make("connect_four", rows=4, columns=4, length=3)
    >>> search = glaux.MCTSWrapper(game, lambda planes: planes[:, 0].mean((1, 2)), seed=1)
    >>> tree = search.run(game.initial(), iterations=200)
    >>> state = game.apply(game.initial(), tree.action)
    >>> visits = sum(row.n for row in tree.children(state))  # kept for the next search
    """

    has_priors = True

    def __init__(
        self,
        game: Game,
        value: Value,
        *,
        terminal_value: _core.TerminalValue | None = None,
        **options: Any,
    ) -> None:
        chosen = WrapperOptions().changed(options)
        native = _core.MctsOptions()
        native.selection, native.leaf = _core.Selection.puct, _core.Leaf.children
        native.c, native.temperature = chosen.c, chosen.temperature
        native.prior_map = PRIOR_MAPS[chosen.priors]
        native.threads = chosen.threads
        super().__init__(game, value, _core.Mcts, native, chosen, terminal_value)
