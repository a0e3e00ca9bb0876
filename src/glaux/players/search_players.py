"""How the PLAYER texts of the searches are read: ``ubfms:value=playouts,seconds=0.2``.

A text has the settings of three dataclasses: :class:`DecisionLimits`, :class:`Valuing`, and the options of
the search, as the registry of searches says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from glaux.errors import InvalidParameter, suggest
from glaux.fields import INT32, LONGEST, check_keys, from_texts, setting, to_texts
from glaux.players.levels import FULL, level_of
from glaux.players.searching import SearchLimits, SearchPlayer
from glaux.players.settings import read_settings
from glaux.rules.game import Game
from glaux.search.door import Value
from glaux.search.heuristics import Heuristic
from glaux.search.registry import VALUES, Entry, find_search, heuristic_of, make_search
from glaux.values.loading import load_to_play
from glaux.values.remembering import Remembering
from glaux.values.zoo import WORD, find_agent, is_agent

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

DEFAULT_SECONDS = 1.0


@dataclass(frozen=True)
class DecisionLimits:
    """What a decision may cost; 1 second if nothing is given."""

    seconds: float | None = setting(None, "seconds per move", kind=float, most=LONGEST, positive=True)
    iterations: int | None = setting(None, "iterations per move; alpha-beta counts depths", kind=int, least=1)
    evaluations: int | None = setting(None, "evaluations per move", kind=int, least=1)
    level: int | None = setting(
        None,
        f"strength for human opponents, 1 to {FULL}: each level wins about three games in four against the "
        f"one below; {FULL} is full strength",
        kind=int,
        least=1,
        most=FULL,
    )


@dataclass(frozen=True)
class Valuing:
    """What states are worth to a search."""

    value: str = setting(
        "zero",
        "value function: `zero` (only terminal states have values), `playouts` (random matches), `noise`, "
        "`zoo` (the game's shipped agent), or the directory of a value function or run",
    )
    playouts: int = setting(
        1,
        "random matches per evaluation with `value=playouts`, scored by `heuristic`",
        least=1,
        most=INT32,
    )
    symmetries: int = setting(
        0,
        "symmetries an n-tuple network uses; 0: as many as in training",
        most=INT32,
    )
    remember: int = setting(
        0,
        "size of a neural network's value cache, so that equal positions are evaluated once; 0: no cache",
        most=INT32,
    )
    heuristic: str = setting(
        "that of the value",
        "value of terminal states; by default as in the value function's training",
    )

    def read(self, game: Game, seed: int) -> tuple[Value, Heuristic]:
        """The value function, and what terminal states are worth with it."""
        text = None if self.heuristic == Valuing.heuristic else self.heuristic
        if self.playouts != Valuing.playouts and self.value != "playouts":
            raise InvalidParameter(f"The setting playouts is for value=playouts, not for value={self.value}.")
        if self.value in VALUES:
            if self.symmetries:
                raise InvalidParameter(
                    f"The setting symmetries is for n-tuple networks, not for value={self.value}."
                )
            if self.remember:
                raise InvalidParameter(
                    f"The setting remember is for neural networks, not for value={self.value}."
                )
            heuristic = heuristic_of(None, game, text)
            return VALUES[self.value](self.playouts, seed, heuristic.native), heuristic
        path = find_agent(self.value, game) if is_agent(self.value) else Path(self.value)
        if path.is_dir():
            value = load_to_play(path, game, self.symmetries)
            heuristic = heuristic_of(value, game, text)
            return Remembering(value, self.remember) if self.remember else value, heuristic
        known = [*VALUES, WORD, "or the directory of a trained one"]
        raise InvalidParameter(f"There is no value function '{self.value}'{suggest(self.value, known)}")


def make_search_player(name: str, game: Game, text: str, seed: int) -> SearchPlayer:
    """The player of a search of the registry with the settings of its text."""
    return search_player(name, game, read_settings(name, text), seed)


def search_player(name: str, game: Game, texts: Mapping[str, str], seed: int) -> SearchPlayer:
    """The player of a search with settings that were read already."""
    entry = find_search(name, "player")
    known = [key for part in settings_of(entry) for key in to_texts(part)]
    check_keys(texts, known, f"The player {name}")
    limits = from_texts(DecisionLimits(), texts)
    valuing = from_texts(Valuing(value=entry.value), texts)
    options = from_texts(replace(entry.options, seed=seed), texts)
    value, heuristic = valuing.read(game, options.seed)
    search = make_search(entry, game, value, options, heuristic)
    level = level_of(limits.level)
    if level is not None and limits.evaluations is None:
        limits = replace(limits, evaluations=level.evaluations, seconds=limits.seconds or DEFAULT_SECONDS)
    return SearchPlayer(
        search, _limits(entry, limits, search.needs_limit), heuristic.scale, level, options.seed
    )


def settings_of(entry: Entry, value: str | None = None) -> list[DataclassInstance]:
    """The settings of a player with their defaults, and the value if it has another one."""
    limits: list[DataclassInstance] = [DecisionLimits()] if entry.iterations is None else []
    options = entry.options.for_value(VALUES[entry.value](1, 0), 1.0)
    return [*limits, Valuing(value=value or entry.value), options]


def _limits(entry: Entry, limits: DecisionLimits, needed: bool) -> SearchLimits:
    """The limits of a decision."""
    if entry.iterations is not None:
        return SearchLimits(seconds=None, iterations=entry.iterations, evaluations=None)
    if needed and replace(limits, level=None) == DecisionLimits():
        limits = DecisionLimits(seconds=DEFAULT_SECONDS)
    return SearchLimits(seconds=limits.seconds, iterations=limits.iterations, evaluations=limits.evaluations)
