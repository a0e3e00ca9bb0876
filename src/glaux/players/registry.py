"""The players there are, by name, and what a PLAYER text means.

A PLAYER is a name with settings: ``random``, ``mcts:iterations=1000``,
``ubfms:value=playouts,seconds=0.2``; or a protocol with the command of a program that speaks it,
``gtp:gnugo --mode gtp``. A new kind of player is a factory and its line in ``FACTORIES``; a factory gets
the text after the colon as it is, because not all of them are written as ``key=value``.
"""

from collections.abc import Callable
from functools import partial

from glaux.errors import UnknownName, suggest
from glaux.players.engine_players import ENGINES, make_engine_player
from glaux.players.player import Player
from glaux.players.random import RandomPlayer
from glaux.players.search_players import SEARCHES, make_search_player
from glaux.players.settings import Settings
from glaux.rules.game import Game

Factory = Callable[[Game, str, int], Player]
"""Makes a player from the game, the text after the colon, and the seed."""


def players() -> list[str]:
    """The names of the players."""
    return list(FACTORIES)


def make_player(text: str, game: Game, seed: int) -> Player:
    """Make the player of a PLAYER text; UnknownName or InvalidParameter with a sentence otherwise."""
    name, _, rest = text.strip().partition(":")
    if name not in FACTORIES:
        raise UnknownName(f"There is no player '{name}'{suggest(name, players())}")
    return FACTORIES[name](game, rest, seed)


def _random(game: Game, rest: str, seed: int) -> Player:
    settings = Settings("random", rest)
    chosen_seed = settings.integer("seed", seed)
    settings.finish()
    return RandomPlayer(game, chosen_seed)


FACTORIES: dict[str, Factory] = {
    "random": _random,
    **{name: partial(make_search_player, name) for name in SEARCHES},
    **{name: partial(make_engine_player, name) for name in ENGINES},
}
