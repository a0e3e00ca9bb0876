"""The one door between searches and value functions: a batch of states out, a batch of values back.

A value function is one of these:

- a native evaluator (``_core.Evaluator``), or an object with one as its attribute ``native``,
  such as :class:`glaux.NTupleNetwork`;
- a function over planes: float32[n, planes, rows, columns] -> an array of n numbers;
- :class:`OnStates` around a function over raw states: uint8[n, state_size] -> an array
  of n numbers.

The values are the first player's. The array that a function is given is overwritten by the next
batch: copy what you keep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.rules.game import Game

Function: TypeAlias = Callable[[Any], npt.ArrayLike]


@dataclass(frozen=True)
class OnStates:
    """A value function over raw states instead of planes."""

    function: Function


Value: TypeAlias = Any


def run_searches(searches: Sequence[_core.Search], value: Value) -> None:
    """Run native searches that have been started, in lock-step, against a value function."""
    evaluator = getattr(value, "native", value)
    if isinstance(evaluator, _core.Evaluator):
        _core.run(list(searches), evaluator)
    elif isinstance(value, OnStates):
        _core.run_python(list(searches), value.function, planes=False)
    else:
        _core.run_python(list(searches), value, planes=True)


def check_value(value: Value, game: Game) -> Value:
    """The value function, or the terminal-only one for None; InvalidParameter for anything else.

    One that says which game it is of, as those that learn do, must be of this game.
    """
    if value is None:
        return _core.ZeroValue()
    of_game = getattr(value, "game", game)
    if not game.same_rules(of_game):
        raise InvalidParameter(f"This value function is of {of_game.text}, not of {game.text}.")
    evaluator = getattr(value, "native", value)
    if isinstance(evaluator, _core.Evaluator | OnStates) or callable(value):
        return value
    raise InvalidParameter(
        f"A value function is an evaluator or a function over a batch of planes, not {value!r}."
    )
