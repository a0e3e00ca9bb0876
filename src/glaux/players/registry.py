"""The players there are, by name, and what a PLAYER text means.

A PLAYER is a name with settings: ``random``, ``mcts:iterations=1000``,
``ubfms:value=playouts,seconds=0.2``; or a protocol with the command of a program that speaks it,
``gtp:gnugo --mode gtp``. Every search of the registry of searches is a player. Another kind of player is
a factory and its line in ``FACTORIES``; a factory gets
the text after the colon as it is, because not all of them are written as ``key=value``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from glaux.errors import UnknownName, suggest
from glaux.fields import setting
from glaux.players.engine_players import ENGINES, make_engine_player
from glaux.players.player import Player
from glaux.players.random import RandomPlayer
from glaux.players.search_players import make_search_player, settings_of
from glaux.players.settings import read_all
from glaux.rules.game import Game
from glaux.search.registry import ALIASES, SEARCHES

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Factory = Callable[[Game, str, int], Player]
"""Makes a player from the game, the text after the colon, and the seed."""


def players() -> list[str]:
    """The names of the players."""
    return list(FACTORIES)


def settings_of_player(name: str) -> list[DataclassInstance]:
    """The settings of a player, as dataclasses with their defaults."""
    if name in SEARCHES:
        return settings_of(SEARCHES[name])
    return [ENGINES[name].settings] if name in ENGINES else [RandomSettings()]


def summary_of_player(name: str) -> str:
    """What a player is, in a line."""
    if name in SEARCHES:
        return SEARCHES[name].summary
    return ENGINES[name].summary if name in ENGINES else "any legal action"


def make_player(text: str, game: Game, seed: int) -> Player:
    """Make the player of a PLAYER text; UnknownName or InvalidParameter with a sentence otherwise."""
    name, _, rest = text.strip().partition(":")
    name = ALIASES.get(name, name)
    if name not in FACTORIES:
        raise UnknownName(f"There is no player '{name}'{suggest(name, players())}")
    return FACTORIES[name](game, rest, seed)


@dataclass(frozen=True)
class RandomSettings:
    """The settings of the player that plays at random."""

    seed: int = setting(0, "for all its actions")


def _random(game: Game, rest: str, seed: int) -> Player:
    return RandomPlayer(game, read_all("random", rest, RandomSettings(seed)).seed)


FACTORIES: dict[str, Factory] = {
    "random": _random,
    **{name: partial(make_search_player, name) for name in SEARCHES},
    **{name: partial(make_engine_player, name) for name in ENGINES},
}
