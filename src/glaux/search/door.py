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

from collections.abc import Callable, Hashable, Sequence
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

_ZERO = _core.ZeroValue()


def run_searches(searches: Sequence[_core.Search], values: Sequence[Value]) -> None:
    """Run native searches that have been started, each against its value function.

    All run in lock-step, and those that share a value function share its batches.
    """
    groups: dict[Hashable, tuple[list[_core.Search], _core.Evaluator]] = {}
    for search, value in zip(searches, values, strict=True):
        key = _identity(value)
        if key not in groups:
            groups[key] = ([], native_evaluator(value))
        groups[key][0].append(search)
    _core.run(list(groups.values()))


def native_evaluator(value: Value) -> _core.Evaluator:
    """The native face of a value function."""
    evaluator = getattr(value, "native", value)
    if isinstance(evaluator, _core.Evaluator):
        return evaluator
    if isinstance(value, OnStates):
        return _core.PythonValue(value.function, planes=False)
    return _core.PythonValue(value, planes=True)


def _identity(value: Value) -> Hashable:
    """Equal for values that are one function: a method is a new object whenever it is asked for."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value  # type: ignore[no-any-return]


def check_value(value: Value, game: Game) -> Value:
    """The value function, or the terminal-only one for None; InvalidParameter for anything else.

    One that says which game it is of, as those that learn do, must be of this game.
    """
    if value is None:
        return _ZERO
    of_game = getattr(value, "game", game)
    if not game.same_rules(of_game):
        raise InvalidParameter(f"This value function is of {of_game.text}, not of {game.text}.")
    evaluator = getattr(value, "native", value)
    if isinstance(evaluator, _core.Evaluator | OnStates) or callable(value):
        return value
    raise InvalidParameter(
        f"A value function is an evaluator or a function over a batch of planes, not {value!r}."
    )
