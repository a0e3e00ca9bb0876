"""The one door between searches and value functions: a batch of states out, a batch of values back.

A value function is one of these:

- a native evaluator (``_core.Evaluator``), or an object with one as its attribute ``native``,
  such as :class:`glaux.NTupleNetwork`;
- a function over planes: float32[n, planes, rows, columns] -> an array of n numbers;
- :class:`OnStates` around a function over raw states: uint8[n, state_size] -> an array
  of n numbers;
- an object with the method ``answer`` of :class:`Answers`: a :class:`Batch` -> an :class:`Answer`, which
  is values and, where there are any, priors over the legal actions. That is the form for policies.

The values are the first player's. The arrays that a function is given are its own, and may be kept. Each
thread that searches with a value function calls it; a function that uses the search by which it is asked
gets :class:`~glaux.errors.Busy`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import BrokenValue, InvalidParameter
from glaux.rules.batch import Answer, Answers, Batch
from glaux.rules.game import Game

__all__ = [
    "Answer",
    "Answers",
    "Batch",
    "OnStates",
    "Value",
    "check_value",
    "native_evaluator",
    "run_searches",
]

Function: TypeAlias = Callable[[Any], npt.ArrayLike]


@dataclass(frozen=True)
class OnStates:
    """A value function over raw states instead of planes."""

    function: Function


class Native(Protocol):
    """A value function whose values are computed by the native core, such as an n-tuple network."""

    @property
    def native(self) -> _core.Evaluator:
        """The evaluator that searches use instead."""
        ...


class LearnedValue(Protocol):
    """A value function that learns: a :class:`Native` or a function of planes, by its family."""

    game: Game
    heuristic: str
    """what the ends of matches were worth in what it has learned"""


Value: TypeAlias = _core.Evaluator | Native | LearnedValue | OnStates | Answers | Function | None
"""All that a search takes as its value function; None: only terminal states have values."""

_ZERO = _core.ZeroValue()


def run_searches(searches: Sequence[_core.Search], values: Sequence[Value]) -> None:
    """Run native searches that have been started, each against its value function.

    All run in lock-step, and those that share a value function share its batches.
    """
    groups: dict[object, tuple[list[_core.Search], _core.Evaluator]] = {}
    for search, value in zip(searches, values, strict=True):
        key = _identity(value)
        if key not in groups:
            groups[key] = ([], native_evaluator(value))
        groups[key][0].append(search)
    _core.run(list(groups.values()))


def native_evaluator(value: Value) -> _core.Evaluator:
    """The native face of a value function."""
    evaluator = _ZERO if value is None else getattr(value, "native", value)
    if isinstance(evaluator, _core.Evaluator):
        return evaluator
    if isinstance(value, OnStates):
        return _core.PythonValue(value.function, planes=False)
    if isinstance(value, Answers):
        return _core.PythonValue(
            _answering(value), planes=bool(getattr(value, "planes", False)), answers=True
        )
    if not callable(value):
        raise _no_value(value)
    return _core.PythonValue(value, planes=True)


Given: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]


def _answering(value: Answers) -> Callable[..., Given]:
    def function(*arrays: Any) -> Given:
        answer = value.answer(Batch(*arrays))
        if not isinstance(answer, Answer):
            raise BrokenValue(f"A value function must return an Answer, not {type(answer).__name__}.")
        return _numbers(answer.values), None if answer.priors is None else _numbers(answer.priors)

    return function


def _numbers(given: npt.ArrayLike) -> npt.NDArray[np.float32]:
    try:
        return np.ascontiguousarray(given, np.float32)
    except (TypeError, ValueError):
        raise BrokenValue("The values and priors of an Answer must be arrays of numbers.") from None


def _identity(value: Value) -> object:
    """Equal for values that are one function: a method is a new object whenever it is asked for."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value


def check_value(value: Value, game: Game) -> Value:
    """The value function, or the terminal-only one for None; InvalidParameter for anything else.

    One that says which game it is of, as those that learn do, must be of this game.
    """
    if value is None:
        return _ZERO
    of_game = getattr(value, "game", game)
    if not game.same_rules(of_game) or game.encoding != of_game.encoding:
        raise InvalidParameter(f"This value function is of {of_game.text}, not of {game.text}.")
    evaluator = getattr(value, "native", value)
    if isinstance(evaluator, _core.Evaluator | OnStates) or isinstance(value, Answers) or callable(value):
        return value
    raise _no_value(value)


def _no_value(value: object) -> InvalidParameter:
    return InvalidParameter(
        f"A value function must be an evaluator or a function of a batch of planes, not {value!r}."
    )
