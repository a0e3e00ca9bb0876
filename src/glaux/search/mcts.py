"""Monte Carlo tree search: UCT with playouts or a value function, PUCT with a policy, the MCTS wrapper.

The algorithm stands in ``cpp/search/mcts.h``; docs/algorithms/mcts.md explains it.
"""

from __future__ import annotations

from typing import ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.rules.game import Game, State
from glaux.search.door import Value
from glaux.search.search import DEFAULT_MEMORY, Search, check_memory, check_seed

PRIOR_MAPS = {"softmax": _core.PriorMap.softmax, "min_max": _core.PriorMap.min_max}


class Options(TypedDict, total=False):
    """The options that all kinds of MCTS share."""

    terminal_value: _core.TerminalValue | None
    random_ties: bool
    seed: int
    memory: int


class TreeSearch(Search):
    """What MCTS and MCTSWrapper share."""

    native: _core.Mcts

    def __init__(
        self,
        game: Game,
        value: Value,
        options: _core.MctsOptions,
        *,
        terminal_value: _core.TerminalValue | None = None,
        random_ties: bool = True,
        seed: int = 0,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        super().__init__(game, value)
        options.random_ties = random_ties
        options.seed = check_seed(seed)
        options.memory = check_memory(memory)
        self.native = _core.Mcts(game.native, terminal_value or _core.TerminalValue(), options)

    def priors(self, state: State) -> npt.NDArray[np.float32]:
        """P(s, a) for the actions of a state, in the order of ``Tree.children``.

        Uniform where no policy is in use; empty if the search has not expanded the state.
        """
        return self.native.priors(self.game._data(state))


class MCTS(TreeSearch):
    """Monte Carlo tree search: the kind depends on what you give it.

    - ``MCTS(game)``: UCT with one random playout for each new state. No knowledge at all.
    - ``MCTS(game, value)``: UCT with a value function instead of playouts.
    - ``MCTS(game, policy=function)``: PUCT, as AlphaZero. The function takes a batch, as every value
      function, and gives the pair ``(values[n], priors[n, action_count])``: values are the first
      player's, priors need not sum to 1 and may be anything for illegal actions.

    ``c`` weighs exploration against the mean value, in the unit of the values: larger is broader.
    ``terminal_value`` says what ends are worth, by default +1, 0 and -1: a
    :class:`~glaux.search.heuristics.Heuristic`'s ``native`` for values that were learned with it.
    Without ``random_ties`` the lowest of equal actions is taken. ``memory`` is a budget in bytes: a
    search that reaches it stops and answers from what it has.

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
        c: float | None = None,
        **options: Unpack[Options],
    ) -> None:
        if value is not None and policy is not None:
            raise InvalidParameter("Give a value function or a policy, which has values too, but not both.")
        self._playouts: _core.PlayoutValue | None = None
        if value is None and policy is None:
            value = self._playouts = _core.PlayoutValue(1, _playout_seed(check_seed(options.get("seed", 0))))
        native = _core.MctsOptions()
        if policy is not None:
            native.selection, native.leaf = _core.Selection.puct, _core.Leaf.policy
            default = self.c_policy
        else:
            native.selection, native.leaf = _core.Selection.uct, _core.Leaf.state
            default = self.c_playouts if isinstance(value, _core.PlayoutValue) else self.c_value
        native.c = default if c is None else c
        super().__init__(game, value if policy is None else policy, native, **options)

    def begin_match(self, seed: int, keep: int = 0) -> None:
        """As every search; its own playouts begin with the seed, too."""
        super().begin_match(seed, keep)
        if self._playouts is not None:
            self._playouts.reseed(_playout_seed(seed))


class MCTSWrapper(TreeSearch):
    """The MCTS wrapper of Scheiermann and Konen: makes a value function plan ahead.

    All the children of a new state are evaluated at once. Its value is the best of theirs for the
    player to move, and the priors of its actions are their softmax with a ``temperature``, or with
    ``priors="min_max"`` their distance from the worst; then PUCT selects. The tree is used again
    after a move.

    >>> import glaux
    >>> game = glaux.make("connect_four", rows=4, columns=4, length=3)
    >>> search = glaux.MCTSWrapper(game, lambda planes: planes[:, 0].mean((1, 2)), seed=1)
    >>> tree = search.run(game.initial(), iterations=200)
    >>> state = game.apply(game.initial(), tree.action)
    >>> visits = sum(row.n for row in tree.children(state))  # kept for the next search
    """

    c_default: ClassVar[float] = 1.0
    """Scheiermann and Konen's."""

    def __init__(
        self,
        game: Game,
        value: Value,
        *,
        c: float = c_default,
        temperature: float = 1.0,
        priors: str = "softmax",
        **options: Unpack[Options],
    ) -> None:
        if priors not in PRIOR_MAPS:
            raise InvalidParameter(f"There is no map to priors '{priors}'{suggest(priors, list(PRIOR_MAPS))}")
        native = _core.MctsOptions()
        native.selection, native.leaf = _core.Selection.puct, _core.Leaf.children
        native.c, native.temperature, native.prior_map = c, temperature, PRIOR_MAPS[priors]
        super().__init__(game, value, native, **options)


def _playout_seed(seed: int) -> int:
    """Another stream than the one that breaks ties."""
    return seed ^ 0x706C61796F757473
