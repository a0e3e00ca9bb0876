"""Action selection: which action is played when the search is over, between the best and any.

Each distribution has an exploration rate epsilon, from 0 (the best action) to 1 (any action):

- epsilon-greedy (Algorithm 2): any action with probability epsilon, otherwise the best;
- softmax (section 2.3): in proportion to exp(v / tau);
- ordinal (section 7, Algorithm 14): by the order of the values alone. From the best action down, each
  is played with the conditional probability epsilon' + (1 - epsilon') / (number left), where
  epsilon' = 1 - epsilon.

The rate is fixed, annealed from 1 to 0 over the training, or drawn uniformly at each decision.

Actions of equal value have equal probabilities: the paper's "sorted" and "arg max" are read as a
random order among equals (Remark 14), and what is given here is the mean over these orders. So a
distribution does not depend on the order in which a game lists its actions.

Values are the first player's: the second player's best action is the one of the lowest value.

:func:`select` is what self-play calls: completed (section 5.2, point 3), or plain as in the comparisons
of sections 3.4 and 4.2, which are without completion. Some searches have no value for an action: MCTS
for one that it did not visit, iterative deepening where it knows but a bound. Such an action is never
the best, and is played by exploration alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_keys, check_types, setting
from glaux.search.tree import Columns, Tree

Probabilities = npt.NDArray[np.float64]
"""float64[n], sums to 1"""


# Rates


@dataclass(frozen=True)
class Fixed:
    """The same rate all the time."""

    rate: float

    def __post_init__(self) -> None:
        if isinstance(self.rate, bool) or not (isinstance(self.rate, int | float) and 0 <= self.rate <= 1):
            raise InvalidParameter(f"An exploration rate must be a number from 0 to 1, not {self.rate!r}.")

    def epsilon(self, progress: float, rng: np.random.Generator) -> float:
        """The exploration rate of a decision."""
        return float(self.rate)


@dataclass(frozen=True)
class Annealed:
    """1 - t / t_max: any action at the start of the training, the best at its end."""

    def epsilon(self, progress: float, rng: np.random.Generator) -> float:
        """The exploration rate of a decision; ``progress`` is t / t_max, cut to 0 to 1."""
        return 1.0 - min(max(progress, 0.0), 1.0)


@dataclass(frozen=True)
class UniformRate:
    """A new rate for each decision, drawn uniformly from [0, 1] (section 8.4.3)."""

    def epsilon(self, progress: float, rng: np.random.Generator) -> float:
        """The exploration rate of a decision."""
        return float(rng.random())


Rate = Fixed | Annealed | UniformRate


# Distributions


@dataclass(frozen=True)
class Selection(ABC):
    """A distribution over actions with its exploration rate."""

    rate: Rate = Annealed()

    kind: ClassVar[str]

    def probabilities(self, values: npt.ArrayLike, first_player: bool, epsilon: float) -> Probabilities:
        """The probability of each action, from the value v(s, a) of each."""
        v = np.asarray(values, np.float64)
        if v.ndim != 1 or len(v) == 0:
            raise InvalidParameter("There are no actions to choose from.")
        if not 0 <= epsilon <= 1:
            raise InvalidParameter(f"An exploration rate must be a number from 0 to 1, not {epsilon!r}.")
        return self._probabilities(v if first_player else -v, epsilon)

    @abstractmethod
    def _probabilities(self, goodness: Probabilities, epsilon: float) -> Probabilities:
        """The same from numbers of which the highest is the best, whoever is to move."""

    def choose(
        self, values: npt.ArrayLike, first_player: bool, rng: np.random.Generator, progress: float
    ) -> int:
        """The index of an action, drawn with these probabilities at the rate of this decision."""
        epsilon = self.rate.epsilon(progress, rng)
        p = self.probabilities(values, first_player, epsilon)
        return int(rng.choice(len(p), p=p))

    def write(self) -> dict[str, Any]:
        """The plain form: ``{"kind": "ordinal", "rate": "uniform"}``."""
        return {"kind": self.kind, "rate": _write_rate(self.rate)}


@dataclass(frozen=True)
class EpsilonGreedy(Selection):
    """Any action with probability epsilon, otherwise the best, or one of the best."""

    kind = "epsilon_greedy"

    def _probabilities(self, goodness: Probabilities, epsilon: float) -> Probabilities:
        best = goodness == goodness.max()
        share: Probabilities = epsilon / len(goodness) + (1 - epsilon) * best / best.sum()
        return share


@dataclass(frozen=True)
class Softmax(Selection):
    """In proportion to exp(v / tau), with the temperature tau = scale * epsilon / (1 - epsilon).

    So 0 is the best action, 1 is any action, and at 1/2 the temperature is ``scale``, which is in the
    unit of the values: the difference that makes an action e times as probable as another.
    """

    scale: float = 1.0

    kind = "softmax"

    def __post_init__(self) -> None:
        number = isinstance(self.scale, int | float) and not isinstance(self.scale, bool)
        if not (number and 0 < self.scale < math.inf):
            raise InvalidParameter(f"The scale of softmax must be a number above 0, not {self.scale!r}.")

    def _probabilities(self, goodness: Probabilities, epsilon: float) -> Probabilities:
        best = goodness.max()
        # Actions without a value are infinitely far behind, but not behind each other.
        behind = np.subtract(goodness, best, out=np.zeros_like(goodness), where=goodness != best)
        tau = self.scale * epsilon / (1 - epsilon) if epsilon < 1 else math.inf
        if tau == 0:
            weights = (behind == 0).astype(np.float64)
        else:
            with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # a weight of 0 is meant
                weights = np.ones_like(behind) if tau == math.inf else np.exp(behind / tau)
        share: Probabilities = weights / weights.sum()
        return share

    def write(self) -> dict[str, Any]:
        """The plain form: ``{"kind": "softmax", "rate": 0.1, "scale": 1.0}``."""
        return {**super().write(), "scale": self.scale}


@dataclass(frozen=True)
class Ordinal(Selection):
    """By the order of the values: the best, else the next, and so on, each with about epsilon'."""

    kind = "ordinal"

    def _probabilities(self, goodness: Probabilities, epsilon: float) -> Probabilities:
        left = np.arange(len(goodness), 0, -1)  # n - i
        stop = (1 - epsilon) + epsilon / left  # if no better action was played
        stop[-1] = 1
        passed = np.concatenate([[1.0], np.cumprod(1 - stop[:-1])])
        by_rank = stop * passed
        # Equals share what their ranks have together.
        _, group, size = np.unique(-goodness, return_inverse=True, return_counts=True)
        together = np.add.reduceat(by_rank, np.cumsum(size) - size)
        share: Probabilities = (together / size)[group]
        return share

    def choose(
        self, values: npt.ArrayLike, first_player: bool, rng: np.random.Generator, progress: float
    ) -> int:
        """As Algorithm 14 draws: down the order until the dice say stop, and of equals any."""
        v = np.asarray(values)
        left = len(v)
        if left == 0:
            raise InvalidParameter("There are no actions to choose from.")
        epsilon = self.rate.epsilon(progress, rng)
        while left > 1 and rng.random() >= (1 - epsilon) + epsilon / left:
            left -= 1
        rank = left - 1 if first_player else len(v) - left  # from the lowest value
        equals = np.flatnonzero(v == np.partition(v, rank)[rank])
        return int(equals[rng.integers(len(equals))] if len(equals) > 1 else equals[0])


def completed_selection(
    children: Columns, first_player: bool, selection: Selection, rng: np.random.Generator, progress: float
) -> int:
    """Completed action selection (section 5.2, point 3): the action to play.

    The best of the actions that are proven wins, if there are any; otherwise the selection decides
    among those that are not proven losses; if all are, the best of them. Equal ones are drawn from.
    """
    if len(children.action) == 0:
        raise InvalidParameter("There are no actions to choose from.")
    if not children.c.any():
        return int(children.action[selection.choose(children.v, first_player, rng, progress)])
    wins = children.c == (1 if first_player else -1)
    undecided = children.c == 0
    if not wins.any() and undecided.any():
        chosen = selection.choose(children.v[undecided], first_player, rng, progress)
        return int(children.action[undecided][chosen])
    among = wins if wins.any() else np.ones_like(wins)
    best = children.v[among].max() if first_player else children.v[among].min()
    equals = children.action[among & (children.v == best)]
    return int(equals[rng.integers(len(equals))])


def select(
    tree: Tree,
    selection: Selection,
    rng: np.random.Generator,
    progress: float,
    *,
    completed: bool = True,
) -> int:
    """The action to play after a search, by completed or by plain selection."""
    children, choices = tree.columns(), tree.choices()
    first = tree.search.game.first_player(tree.root)
    if len(choices.action) < len(children.action):
        known = np.isin(children.action, choices.action)
        worst = -np.inf if first else np.inf
        v = np.full(len(known), worst if known.any() else 0.0, np.float32)
        v[known] = choices.v
        children = children._replace(v=v)
    if completed:
        return completed_selection(children, first, selection, rng, progress)
    return int(children.action[selection.choose(children.v, first, rng, progress)])


# Settings, and the plain form


@dataclass(frozen=True)
class SelectionSettings:
    """How an action is chosen from what the search knows (sections 2.3, 5.2 and 7)."""

    kind: str = setting("ordinal", "ordinal, epsilon_greedy or softmax")
    rate: str = setting(
        "uniform",
        "exploration rate: a number, annealed (1 to 0 over the run), or uniform (drawn for each move)",
    )
    scale: float = setting(1.0, "softmax: the value difference that matters at a rate of 1/2")
    completed: bool = setting(True, "put proven wins first and proven losses last; false: ignore proofs")

    def __post_init__(self) -> None:
        check_types(self, "[selection]")
        self.make()

    def make(self) -> Selection:
        """The distribution with its rate."""
        if self.kind not in SELECTIONS:
            raise InvalidParameter(
                f"There is no selection.kind '{self.kind}'{suggest(self.kind, list(SELECTIONS))}"
            )
        form = {"kind": self.kind, "rate": self.rate}
        return read_selection(form | ({"scale": self.scale} if self.kind == Softmax.kind else {}))


RATES: dict[str, Rate] = {"annealed": Annealed(), "uniform": UniformRate()}
SELECTIONS: dict[str, type[Selection]] = {kind.kind: kind for kind in (EpsilonGreedy, Softmax, Ordinal)}


def read_selection(settings: object) -> Selection:
    """The selection of a plain form; InvalidParameter if there is none.

    ``kind`` must be given. ``rate`` is a number from 0 to 1 (or its text), ``annealed``, or
    ``uniform``; annealed if it is not given.
    """
    if not isinstance(settings, Mapping):
        raise InvalidParameter(f"A selection must be a table of settings, not {settings!r}.")
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in SELECTIONS:
        raise InvalidParameter(f"There is no selection '{kind}'{suggest(str(kind), list(SELECTIONS))}")
    known = ["kind", "rate", "scale"] if kind == Softmax.kind else ["kind", "rate"]
    check_keys(settings, known, f"The selection {kind}")
    rate = _read_rate(settings.get("rate", "annealed"))
    if kind == Softmax.kind:
        return Softmax(rate, settings.get("scale", 1.0))
    return SELECTIONS[kind](rate)


def _read_rate(rate: object) -> Rate:
    if not isinstance(rate, str):
        return Fixed(rate)  # type: ignore[arg-type]  # which checks it
    if rate in RATES:
        return RATES[rate]
    try:
        return Fixed(float(rate))
    except ValueError:
        raise InvalidParameter(f"There is no rate '{rate}'{suggest(rate, list(RATES))}") from None


def _write_rate(rate: Rate) -> str | float:
    return rate.rate if isinstance(rate, Fixed) else next(k for k, known in RATES.items() if known == rate)
