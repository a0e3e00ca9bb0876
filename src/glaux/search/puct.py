"""PUCT: Monte Carlo tree search with a policy, as AlphaZero, and with the root of Gumbel AlphaZero.

The algorithm stands in ``cpp/search/puct.h``; docs/algorithms/puct.md explains it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.fields import INT32, setting
from glaux.rules.game import Game, State
from glaux.search.door import Value
from glaux.search.mcts import TreeSearch
from glaux.search.options import SearchOptions, batch_setting, proven_setting

NAMED: dict[str, dict[str, Any]] = {
    "fpu": {"zero": _core.FirstPlay.zero, "parent": _core.FirstPlay.parent},
    "root": {"puct": _core.RootRule.puct, "gumbel": _core.RootRule.gumbel},
}
"""options that are one of several words"""


@dataclass(frozen=True)
class PuctOptions(SearchOptions):
    """The options of PUCT."""

    c: float = setting(
        1.25, "c_puct: the weight of priors against mean values; larger explores more", least=0
    )
    c_base: float = setting(
        0.0,
        "c grows by c_log ln((1 + N + c_base) / c_base) with the visits N of a state; AlphaZero uses "
        "19652; 0: no growth",
        least=0,
    )
    c_log: float = setting(1.0, "how fast c grows, if it does", least=0)
    fpu: str = setting(
        "zero",
        "first-play urgency, the value of an unvisited action: `zero`, as in the papers, or `parent`, the "
        "value of its state minus a reduction",
    )
    fpu_reduction: float = setting(
        0.25,
        "with `fpu=parent`: the reduction, times the square root of the sum of the visited actions' priors",
        least=0,
    )
    noise: float = setting(
        0.0,
        "root noise, for self-play: the share of Dirichlet noise in the priors (AlphaZero uses 0.25), or "
        "with `root=gumbel` the scale of the Gumbel noise (1); 0: none, for play",
        least=0,
    )
    noise_alpha: float = setting(
        0.0, "alpha of the Dirichlet noise; larger is more even; 0: 10 / number of legal actions", least=0
    )
    proven: bool = proven_setting()
    batch: int = batch_setting()
    virtual_loss: float = setting(1.0, "virtual loss of a line that waits in a batch", least=0)
    root: str = setting(
        "puct",
        "search at the root: `puct`, or `gumbel`, sequential halving as in Gumbel AlphaZero, for few "
        "iterations",
    )
    gumbel_considered: int = setting(
        16, "with `root=gumbel`: the number of actions it starts with", least=1, most=INT32
    )
    gumbel_visits: float = setting(
        50.0, "with `root=gumbel`: c_visit, the weight of values against priors before any visit", least=0
    )
    gumbel_scale: float = setting(
        0.1, "with `root=gumbel`: c_scale, the weight of values against priors", least=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, known in NAMED.items():
            chosen = getattr(self, name)
            if chosen not in known:
                raise InvalidParameter(f"There is no {name} '{chosen}'{suggest(chosen, list(known))}")
        if self.root == "puct" and self.noise > 1:
            raise InvalidParameter(f"The share of noise must be at most 1, not {self.noise:g}.")

    def for_value(self, value: Value, scale: float) -> Self:
        """With all that is added to values in their unit."""
        return replace(
            self,
            c=scale * self.c,
            c_log=scale * self.c_log,
            fpu_reduction=scale * self.fpu_reduction,
            virtual_loss=scale * self.virtual_loss,
        )


class PolicySearch(TreeSearch):
    """What the searches with a policy share."""

    native: _core.Puct
    has_priors = True

    def policy(self, state: State) -> npt.NDArray[np.float64]:
        """The policy that the search has found, in the order of ``Tree.children``: AlphaZero's target.

        The share of the visits, or the improved policy of ``root="gumbel"``. With ``proven`` only actions
        that keep what is proven of the state have one, and lost ones have none. Empty if the search has not
        expanded the state.
        """
        return self.native.policy(self.game.own(state))

    @property
    def root_noise(self) -> npt.NDArray[np.float64]:
        """What was drawn for the actions of the state that was searched last; empty without ``noise``."""
        return self.native.root_noise()


class PUCT(PolicySearch):
    """PUCT, the search of AlphaZero: the policy guides the search, and values rate what it finds.

    ``policy`` is a value function with priors: an object with the method ``answer`` of
    :class:`~glaux.search.door.Answers`, or a function over a batch that gives the pair ``(values[n],
    priors[n, action_count])``. With one that gives values only, all actions are equally likely.

    The ``options`` are the fields of :class:`PuctOptions`; ``c``, ``c_log``, ``fpu_reduction`` and
    ``virtual_loss`` are in the unit of the values. ``terminal_value`` says what terminal states are worth,
    by default +1, 0 and -1.

    >>> import glaux
    >>> import numpy as np
    >>> game = glaux.make("connect_four")
    >>> def network(planes):
    ...     return np.zeros(len(planes)), np.tile([1, 2, 4, 8, 4, 2, 1], (len(planes), 1))
    >>> search = glaux.PUCT(game, network, seed=1)
    >>> tree = search.run(game.initial(), iterations=101)
    >>> game.action_text(game.initial(), tree.action)
    '4'
    >>> search.policy(game.initial()).round(2)  # the visits: what AlphaZero learns
    array([0.04, 0.09, 0.18, 0.37, 0.18, 0.09, 0.05])
    """

    def __init__(
        self,
        game: Game,
        policy: Value,
        *,
        terminal_value: _core.TerminalValue | None = None,
        **options: Any,
    ) -> None:
        chosen = PuctOptions().changed(options)
        native = _core.PuctOptions()
        for name, given in asdict(chosen).items():
            setattr(native, name, NAMED[name][given] if name in NAMED else given)
        super().__init__(game, policy, _core.Puct, native, chosen, terminal_value)
