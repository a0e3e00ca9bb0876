"""Reinforcement heuristics: what terminal states are worth while a game is learned (section 6).

A heuristic is named by a short text, as in a configuration or a command:

| text | value of a win after p actions |
|---|---|
| ``classic`` | 1, the gain of the game |
| ``score`` | the score, at least 1 |
| ``additive_depth`` | P - p + 1 where the longest match P is exact, else as the next |
| ``additive_depth:longest=120`` | max(1, 120 - p) |
| ``multiplicative_depth:average=60`` | 60 / p |
| ``mobility`` | M1 / M2, mean numbers of actions at the decisions of both players |
| ``presence`` | n1 - n2 pieces, at least 1 |
| ``material:win=30,K=5,M=1`` | 30 + v1 - v2, at least 1: what the pieces of both players are worth |
| ``own`` | what the method ``heuristic`` of rules written in Python gives |
| ``recommended`` | the one that the game names |

A number that is not given is taken from random matches, the same ones every time. Values are the
first player's; losses mirror wins, draws are worth 0, but under the score their score, and their material
up to 20 under ``material:win=60,draw=20,K=5``, where wins are worth at least 21.
``cpp/eval/heuristics.h`` has the formulas, :func:`register` adds others.

What pieces are worth is said by the symbols of the game: a capital letter is a piece of the first player,
and its small letter is worth as much to the second.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import BrokenValue, InvalidParameter, UnknownName, suggest
from glaux.rules.game import Game, State, StateArray
from glaux.rules.python import Rules
from glaux.search.random_matches import RandomMatches
from glaux.search.recommended import heuristic_named
from glaux.texts import parse_settings

LONGEST = 2**24
"""up to here float32 distinguishes neighbouring whole numbers"""

Values = npt.NDArray[np.float32]
Function = Callable[[Game, State, int], float]
"""(game, terminal state, result) -> value; the result is +1, 0 or -1"""


@dataclass(frozen=True, eq=False)
class Heuristic:
    """A reinforcement heuristic of one game."""

    name: str
    text: str
    """the name with all its settings: it makes the same heuristic of the game again"""
    game: Game
    """the game to search and learn with: for mobility it counts the choices in its states"""
    native: _core.TerminalValue
    """what searches take as ``terminal_value``"""
    scale: float
    """the largest absolute value: the largest possible if the game knows it, or that random matches reach"""
    bounded: bool
    """whether all values lie in [-1, 1]"""

    def value(self, state: State) -> float:
        """The value of a terminal state."""
        return float(self.values(state)[0])

    def values(self, states: State | StateArray | Iterable[State]) -> Values:
        """The values of terminal states, float32[n]; InvalidState for others."""
        return _core.terminal_values(self.native, self.game.native, self.game.array(states), _core.trusted)

    def __reduce__(self) -> tuple[Any, ...]:
        return make_heuristic, (self.game, self.text)


def make_heuristic(game: Game, text: str = "recommended") -> Heuristic:
    """The heuristic of this text for a game; UnknownName or InvalidParameter with a sentence."""
    if text.strip() == "recommended":
        text = recommended(game)
    name, settings = _parse(text)
    kind = _kinds()[name]
    if not kind.fits(game):
        raise InvalidParameter(
            f"'{name}' does not fit {game.spec.title}, which has no {kind.needs}: choose "
            f"{', '.join(available(game))}."
        )
    for key in [] if kind.free else settings:
        if not kind.settings:
            raise InvalidParameter(f"The heuristic '{name}' takes no settings, such as '{key}'.")
        if key not in kind.settings:
            hint = suggest(key, kind.settings)
            raise InvalidParameter(f"The heuristic '{name}' has no setting '{key}'{hint}")
    game = game_for(game, text)
    matches = RandomMatches(game)
    made = kind.make(matches, settings)
    if kind.foreign or made.largest is None:
        values = _core.terminal_values(made.native, game.native, matches.ends, _core.trusted)
    if kind.foreign:
        _check_order(name, game, values, matches.results)
    largest = float(np.abs(values).max()) if made.largest is None else made.largest
    return Heuristic(
        name=_parse(made.text)[0],
        text=made.text,
        game=game,
        native=made.native,
        scale=largest or 1.0,
        bounded=made.largest is not None and made.largest <= 1,
    )


def recommended(game: Game) -> str:
    """The text of the heuristic to learn the game with.

    The one that rules in Python name, or ``recommended.toml`` for a game in the box. Else, as Remark 24
    advises, the score if it says more than who won, and otherwise the additive depth.
    """
    named = game.adapter.recommended_heuristic if game.adapter else heuristic_named(game.name)
    if named:
        return named
    if game.spec.has_score and RandomMatches(game).scores_tell_more:
        return "score"
    return "additive_depth"


def available(game: Game) -> list[str]:
    """The names of the heuristics that a game can have."""
    return [name for name, kind in _kinds().items() if kind.fits(game)]


def game_for(game: Game, heuristic: str) -> Game:
    """The game with all that the heuristic of this text reads from its states: mobility needs a count."""
    text = recommended(game) if heuristic.strip() == "recommended" else heuristic
    if game.spec.has_mobility or not _kinds()[_parse(text)[0]].reads_mobility:
        return game
    return game._remake(game._source, game.parameters | {"mobility": 1})


def register(name: str, function: Function, *, scale: float | None = None) -> None:
    """Add a heuristic: ``function(game, state, result)`` gives the value of a terminal state.

    It must keep the order of the results: every win above every draw, every draw above every loss.
    This is looked at on random matches whenever the heuristic is made for a game. ``scale`` is the
    largest absolute value; without it, the largest one in these matches.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise InvalidParameter(
            f"A heuristic's name must consist of lower-case letters, digits and _, not '{name}'."
        )
    known = _added.get(name)
    if name == "recommended" or name in _BUILT_IN or (known and known.function is not function):
        raise InvalidParameter(f"There is already a heuristic '{name}': choose another name.")
    if not callable(function):
        raise InvalidParameter(f"A heuristic must be a function of game, state and result, not {function!r}.")
    if scale is not None and not 0 < scale < math.inf:
        raise InvalidParameter(f"The scale of a heuristic must be a positive number, not {scale}.")
    _added[name] = _Kind(
        lambda matches, _: _by_function(matches, name, function, scale), foreign=True, function=function
    )


# What the heuristics are made from


def _check_order(name: str, game: Game, values: Values, results: npt.NDArray[np.int8]) -> None:
    """BrokenValue unless the values keep the order of the results (Definition 21)."""
    words = {-1: "loss", 0: "draw", 1: "win"}
    for low, high in ((-1, 0), (0, 1), (-1, 1)):
        lower, higher = values[results == low], values[results == high]
        if len(lower) and len(higher) and lower.max() >= higher.min():
            raise BrokenValue(
                f"The heuristic '{name}' does not keep the order of the results: in {game.text} "
                f"a {words[low]} is worth {lower.max():g} and a {words[high]} {higher.min():g}."
            )


class _Made(NamedTuple):
    text: str
    native: _core.TerminalValue
    largest: float | None
    """the largest absolute value there is, if that is known"""


@dataclass(frozen=True)
class _Kind:
    make: Callable[[RandomMatches, dict[str, str]], _Made]
    fits: Callable[[Game], bool] = lambda _: True
    needs: str = ""
    settings: tuple[str, ...] = ()
    reads_mobility: bool = False
    foreign: bool = False
    """whether it calls the code of a user, which may not keep the order"""
    function: Function | None = None
    """the one that was registered"""
    free: bool = False
    """whether ``make`` says which settings there are"""


def _classic(matches: RandomMatches, settings: dict[str, str]) -> _Made:
    if matches.game.spec.aim == _core.Aim.score:
        return _score(matches, settings)
    return _Made("classic", _core.TerminalValue(), 1.0)


def _score(matches: RandomMatches, _: dict[str, str]) -> _Made:
    return _Made("score", _core.Scoring(), matches.game.spec.max_score or None)


def _additive_depth(matches: RandomMatches, settings: dict[str, str]) -> _Made:
    spec = matches.game.spec
    if spec.max_plies_exact and not settings:
        return _Made("additive_depth", _core.AdditiveDepth(spec.max_plies + 1), float(spec.max_plies))
    # With one more than the longest match seen, no value of the matches seen is cut off at 1.
    longest = _number("The longest match", settings["longest"], 1, int) if settings else matches.longest + 1
    largest = float(max(1, longest - 1))
    return _Made(f"additive_depth:longest={longest}", _core.AdditiveDepth(longest), largest)


def _multiplicative_depth(matches: RandomMatches, settings: dict[str, str]) -> _Made:
    average = _number("The average match", settings["average"], 1) if settings else matches.average
    # No value is larger than the average itself, but a match of one action does not measure values.
    text = repr(average).removesuffix(".0")
    return _Made(f"multiplicative_depth:average={text}", _core.MultiplicativeDepth(average), None)


def _mobility(_: RandomMatches, __: dict[str, str]) -> _Made:
    return _Made("mobility", _core.CumulativeMobility(), None)


def _presence(_: RandomMatches, __: dict[str, str]) -> _Made:
    return _Made("presence", _core.Presence(), None)


def _material(matches: RandomMatches, settings: dict[str, str]) -> _Made:
    symbols = list(matches.game.spec.symbols)
    worth = [0.0] * len(symbols)
    numbers = {key: _number(f"The worth of {key}", text, 0) for key, text in settings.items()}
    win, draw = numbers.pop("win", 0.0), numbers.pop("draw", 0.0)
    for symbol, number in numbers.items():
        if not (symbol.isupper() and symbol in symbols and symbol.lower() in symbols):
            pieces = ", ".join(one for one in symbols if one.isupper() and one.lower() in symbols)
            raise InvalidParameter(
                f"There is no piece '{symbol}' in {matches.game.text}: there are {pieces}."
            )
        worth[symbols.index(symbol)], worth[symbols.index(symbol.lower())] = number, -number
    outcomes = {"win": win} | ({"draw": draw} if draw else {})
    text = ",".join(f"{key}={number:g}" for key, number in (outcomes | numbers).items())
    return _Made(f"material:{text}", _core.Material(win, draw, worth), 2 * win if win else None)


def _has_pieces(game: Game) -> bool:
    return any(one.isupper() and one.lower() in game.spec.symbols for one in game.spec.symbols)


def _own(matches: RandomMatches, _: dict[str, str]) -> _Made:
    adapter = matches.game.adapter
    assert adapter is not None
    native = _core.PythonTerminalValue("own", lambda data, _: adapter.heuristic(data))
    return _Made("own", native, None)


def _by_function(matches: RandomMatches, name: str, function: Function, scale: float | None) -> _Made:
    game = matches.game
    native = _core.PythonTerminalValue(name, lambda data, result: function(game, State(game, data), result))
    return _Made(name, native, None if scale is None else float(scale))


def _has_own(game: Game) -> bool:
    return game.adapter is not None and type(game.adapter.rules).heuristic is not Rules.heuristic


_BUILT_IN = {
    "classic": _Kind(_classic),
    "score": _Kind(_score, lambda game: game.spec.has_score, "score"),
    "additive_depth": _Kind(_additive_depth, settings=("longest",)),
    "multiplicative_depth": _Kind(_multiplicative_depth, settings=("average",)),
    "mobility": _Kind(_mobility, reads_mobility=True),
    "presence": _Kind(_presence, lambda game: game.spec.has_pieces, "count of pieces"),
    "material": _Kind(_material, _has_pieces, "pieces in upper and lower case", free=True),
    "own": _Kind(_own, _has_own, "heuristic of its own", foreign=True),
}
_added: dict[str, _Kind] = {}


def _kinds() -> dict[str, _Kind]:
    return _BUILT_IN | _added


def _parse(text: str) -> tuple[str, dict[str, str]]:
    """The name, which exists, and the settings of a text."""
    name, _, rest = text.strip().partition(":")
    if name not in _kinds():
        raise UnknownName(f"There is no heuristic '{name}'{suggest(name, [*_kinds(), 'recommended'])}")
    return name, parse_settings(rest, f"Write a heuristic as name:key=value, not '{text}'.")


def _number(what: str, text: str, least: float, kind: type[Any] = float) -> Any:
    """The number in a text; ``what`` begins the error sentence if it is not one."""
    try:
        number = kind(text)
    except ValueError:
        number = -1
    if not least <= number <= LONGEST:
        words = "a whole number" if kind is int else "a number"
        raise InvalidParameter(f"{what} must be {words} from {least} to {LONGEST}, not '{text}'.")
    return number
