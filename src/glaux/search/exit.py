"""The expert of ExIt: UCT with random playouts, towards which a policy and perhaps a value point the way.

The algorithm stands in ``cpp/search/puct.h``; docs/algorithms/exit.md explains it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from glaux import _core
from glaux.fields import setting
from glaux.rules.game import Game
from glaux.search.door import Value
from glaux.search.options import SearchOptions, batch_setting, proven_setting
from glaux.search.puct import PolicySearch


@dataclass(frozen=True)
class ExpertOptions(SearchOptions):
    """The options of ExIt's expert.

    The reference has values from 0 to 1: its C = 0.05 and w_a = 100 are twice as large for values from -1
    to 1, as here. Its w_a is for 2,500 iterations and more, the default here for hundreds.
    """

    c: float = setting(0.1, "UCT's exploration constant, twice the paper's C; larger explores more", least=0)
    w_a: float = setting(
        15.0,
        "weight of the policy, about the square root of the iterations; the paper uses 200 for 2,500",
        least=0,
    )
    w_v: float | None = setting(
        None,
        "weight of the network's values against playouts; by default 0.75, or 0 for a network that has "
        "learned no values",
        kind=float,
        least=0,
    )
    proven: bool = proven_setting()
    batch: int = batch_setting()

    def for_value(self, value: Value, scale: float) -> Self:
        """With all that is added to values in their unit, and without values that were not learned."""
        w_v = self.w_v
        if w_v is None:
            w_v = default_w_v(value)
        return replace(self, c=scale * self.c, w_a=scale * self.w_a, w_v=w_v)


def default_w_v(value: Value) -> float:
    """The reference's weight of values; 0 for a network whose values have not been learned."""
    return 0.75 if getattr(value, "has_values", True) else 0.0


class Expert(PolicySearch):
    """The expert of ExIt: MCTS that takes the action with the highest UCT + w_a P / (n + 1) + w_v Q'.

    UCT is over random playouts, P the prior of the policy, Q' the mean of the network's values. ``policy``
    is as that of :class:`~glaux.PUCT`; ``c`` and ``w_a`` are in the unit of the values. The other
    ``options`` are the fields of :class:`ExpertOptions`.

    >>> import glaux
    >>> from glaux.search.exit import Expert
    >>> game = glaux.make("connect_four")
    >>> search = Expert(game, None, w_a=20.0, w_v=0.0, seed=1)
    >>> tree = search.run(game.initial(), iterations=1001)
    >>> game.action_text(game.initial(), tree.action)
    '4'
    """

    def __init__(
        self,
        game: Game,
        policy: Value,
        *,
        terminal_value: _core.TerminalValue | None = None,
        **options: Any,
    ) -> None:
        chosen = ExpertOptions().changed(options)
        w_v = default_w_v(policy) if chosen.w_v is None else chosen.w_v
        native = _core.PuctOptions()
        native.formula = _core.Formula.exit
        native.playout_share = 1 / (1 + w_v)
        native.c, native.w_a = chosen.c / (1 + w_v), chosen.w_a / (1 + w_v)
        native.proven, native.batch = chosen.proven, chosen.batch
        super().__init__(game, policy, _core.Puct, native, chosen, terminal_value)
