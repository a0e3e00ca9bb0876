"""n-tuple networks: a value is a sum of table entries, each chosen by the codes of a few cells.

The tables and the learning steps stand in ``cpp/eval/ntuple.h``; docs/algorithms/ntuple.md explains
them. Fast to evaluate (a microsecond) and fast to learn, without any library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from glaux import _core
from glaux.arrays import Arrays, check_array
from glaux.errors import InvalidParameter, suggest
from glaux.fields import setting
from glaux.rules.game import Game
from glaux.values.settings import family_setting
from glaux.values.tables import TableLearning, TableNetwork, TableSettings
from glaux.values.tuples import MOST, check_tuples, default_count, default_length, random_walks
from glaux.words import plural

RULES = {
    "sgd": _core.NTupleRule.sgd,
    "coherence_identity": _core.NTupleRule.coherence_identity,
    "coherence_exponential": _core.NTupleRule.coherence_exponential,
}
MOST_BETA = 80.0
"""the native core's exponential is right down to e^-80 (``cpp/eval/functions.h``)"""


@dataclass(frozen=True)
class Learning(TableLearning):
    """How the weights follow their errors.

    ``rule`` is ``sgd``, or temporal coherence with the transfer ``coherence_identity`` or
    ``coherence_exponential`` (with its ``beta``): each weight has a rate of its own, high while the
    changes recommended to it agree. ``alpha`` is the step, divided by the number of table entries
    that make a value; ``init`` is where the counters of temporal coherence begin.
    """

    rule: str = "coherence_exponential"
    alpha: float = 1.0
    beta: float = 2.7
    init: float = 1e-4

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InvalidParameter(
                f"There is no learning rule '{self.rule}'{suggest(self.rule, list(RULES))}"
            )
        self._check_above_0("alpha", "beta", "init")
        if self.beta > MOST_BETA:
            raise InvalidParameter(f"The beta of learning must be at most {MOST_BETA:g}, not {self.beta:g}.")

    @property
    def native(self) -> _core.NTupleLearning:
        """The same for the native core."""
        learning = _core.NTupleLearning()
        learning.rule = RULES[self.rule]
        learning.alpha, learning.beta, learning.init = self.alpha, self.beta, self.init
        return learning


@dataclass(frozen=True)
class NTupleSettings(TableSettings):
    """The section [value] of a training run with an n-tuple network."""

    title: ClassVar[str] = "An n-tuple network"
    learning_type: ClassVar[type[TableLearning]] = Learning

    family: str = family_setting("ntuple")
    count: int | None = setting(
        None, "number of tuples; by default 50 to 120, depending on the board", kind=int, least=1, most=MOST
    )
    length: int | None = setting(
        None, "cells per tuple; by default as many as are learned quickly, up to 7", kind=int
    )
    tuples: Sequence[Sequence[int]] | None = setting(
        None, "the cells of each tuple, instead of count and length", kind=list
    )
    symmetries: int | None = setting(
        None, "symmetries of the game that share the tables; by default all", kind=int
    )
    reachable: bool = setting(False, "distinguish the empty cells that the next action can fill")
    per_player: bool | None = setting(
        None, "separate tables for each player to move; by default in games for two", kind=bool
    )
    rule: str | None = setting(
        None, f"learning rule: {', '.join(RULES)}; by default {Learning.rule}", kind=str
    )
    alpha: float | None = setting(
        None,
        f"learning rate, divided among the entries that make up a value; by default {Learning.alpha:g}",
        kind=float,
    )
    beta: float | None = setting(
        None, f"beta of coherence_exponential; by default {Learning.beta:g}", kind=float
    )
    init: float | None = setting(
        None, f"initial counters of temporal coherence; by default {Learning.init:g}", kind=float
    )

    def begin(self, game: Game, *, scale: float, bounded: bool, seed: int) -> NTupleNetwork:
        """The untrained network."""
        return NTupleNetwork(
            game,
            self.tuples,
            count=self.count,
            length=self.length,
            symmetries=self.symmetries,
            reachable=self.reachable,
            per_player=self.per_player,
            **self._common(scale, bounded, seed),
        )


class NTupleNetwork(TableNetwork):
    """An n-tuple network.

    ``tuples`` are lists of cells; without them ``count`` random walks of ``length`` cells are made
    from ``seed``. The first ``symmetries`` of the game, by default all, share the tables: 1
    looks at the board as it is. ``reachable`` distinguishes the empty cells that the next action can fill
    from the others, in games that know them. ``per_player`` gives each player to move separate tables,
    the default in games for two. ``output`` is ``tanh`` or ``identity``, and ``scale`` the unit of the
    values: 1 for results, the largest score for scores.
    """

    family: ClassVar[str] = "ntuple"
    title: ClassVar[str] = NTupleSettings.title
    settings_type: ClassVar[type[TableSettings]] = NTupleSettings
    keys: ClassVar[tuple[str, ...]] = ("tuples", "symmetries", "reachable", "per_player", "output", "scale")
    concurrent: ClassVar[bool] = True
    memory: ClassVar[str] = "the counters of temporal coherence"
    native: _core.NTuple
    learning: Learning

    def __init__(
        self,
        game: Game,
        tuples: Iterable[Iterable[int]] | None = None,
        *,
        count: int | None = None,
        length: int | None = None,
        symmetries: int | None = None,
        reachable: bool = False,
        per_player: bool | None = None,
        output: str = "tanh",
        scale: float = 1.0,
        learning: Learning | None = None,
        seed: int = 0,
        use_pext: bool = True,
    ) -> None:
        super().__init__(game, output=output, scale=scale, learning=learning)
        if tuples is None:
            count = default_count(game) if count is None else count
            length = default_length(game) if length is None else length
            self.tuples = random_walks(game, count, length, seed)
        elif count is not None or length is not None:
            raise InvalidParameter("Give either the tuples or their count and length, not both.")
        else:
            self.tuples = check_tuples(game, tuples)
        most = game.spec.symmetry_count
        self.symmetries = most if symmetries is None else symmetries
        if not (isinstance(self.symmetries, int) and 1 <= self.symmetries <= most):
            raise InvalidParameter(f"{game.spec.title} has 1 to {most} symmetries, not {symmetries!r}.")
        if reachable and not game.spec.has_reachable:
            raise InvalidParameter(f"{game.spec.title} does not say which empty cells are reachable.")
        self.reachable = bool(reachable)
        self.per_player = game.spec.players == 2 if per_player is None else bool(per_player)
        options = _core.NTupleOptions()
        options.per_player, options.tanh, options.scale = self.per_player, output == "tanh", self.scale
        self.native = _core.NTuple(
            game.native, self.tuples, options, use_pext, self.symmetries, self.reachable
        )

    @classmethod
    def size(cls, game: Game, settings: Mapping[str, Any]) -> int:
        """The number of weights: the product of the cells' codes per tuple, and per player if wanted."""
        cls._check_keys(settings)
        tuples = check_tuples(game, settings.get("tuples", ()))
        more = 1 if settings.get("reachable") and not game.spec.code_counts else 0
        per_player = settings.get("per_player")
        both = game.spec.players == 2 if per_player is None else bool(per_player)
        return (2 if both else 1) * sum(
            math.prod(game.spec.code_count(cell) + more for cell in cells) for cells in tuples
        )

    def seen_through(self, symmetries: int) -> NTupleNetwork:
        """The same tables used with this many symmetries, for playing.

        The value of a state becomes the mean over its images, taken before the output. For networks
        that have learned with few symmetries because it is faster, such as those of the cubes.
        """
        wider = NTupleNetwork.make(self.game, self.settings() | {"symmetries": symmetries})
        share = np.float32(self.symmetries / symmetries)
        wider.restore({"weights": self.native.weights() * share}, {})
        wider.heuristic, wider.learned, wider.history = self.heuristic, self.learned, self.history
        return wider

    def weights(self) -> Arrays:
        """float32[bank, index]: banks are the players to move, indices those of all the tuples."""
        return {"weights": self.native.weights()}

    def optimizer(self) -> Arrays:
        """The counters N and A of temporal coherence, float32[bank, index, 2]."""
        return {"counters": self.native.counters()} if self.native.has_counters else {}

    def restore(self, weights: Arrays, optimizer: Arrays) -> None:
        """Take over arrays of a network with the same settings: all of them, or none and InvalidParameter."""
        if set(weights) != {"weights"} or not set(optimizer) <= {"counters"}:
            raise InvalidParameter("These arrays are not those of an n-tuple network.")
        shape = (2 if self.per_player else 1, self.native.weight_count)
        check_array(weights["weights"], np.float32, shape, "weights are")
        if optimizer:
            check_array(optimizer["counters"], np.float32, (*shape, 2), "counters are")
            if not optimizer["counters"][..., 1].min() > 0:
                raise InvalidParameter("The counters A of temporal coherence must be above 0.")
            self.native.set_counters(optimizer["counters"])
        self.native.set_weights(weights["weights"])

    def describe(self) -> str:
        """What it is in one line."""
        lengths = sorted({len(cells) for cells in self.tuples})
        cells = plural(lengths[-1], "cell")
        cells = cells if len(lengths) == 1 else f"{lengths[0]} to {cells}"
        both = "one table for both players" if self.game.spec.players == 2 else "one table"
        banks = "a table for each player to move" if self.per_player else both
        symmetries = plural(self.symmetries, "symmetry", "symmetries")
        symmetries += ", reachable cells marked" if self.reachable else ""
        return (
            f"{plural(len(self.tuples), 'tuple')} of {cells}, {symmetries}, "
            f"{banks}, {self.output} output of scale {self.scale:g}"
        )

    @property
    def weight_count(self) -> int:
        """The size of all the tables."""
        return self.native.weight_count * (2 if self.per_player else 1)
