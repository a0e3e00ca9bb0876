"""The players there are, by name, and what a PLAYER text means.

A PLAYER is a name with settings, ``random`` or ``random:seed=7``. A new kind of player is a factory
and its line in ``FACTORIES``; a factory gets the text after the colon as it is, because not all of
them are written as ``key=value``.
"""

from collections.abc import Callable, Sequence

from glaux.errors import InvalidParameter, UnknownName, suggest
from glaux.players.player import Player
from glaux.players.random import RandomPlayer
from glaux.rules.game import Game
from glaux.texts import parse_settings

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
    settings = _settings("random", rest, ("seed",))
    return RandomPlayer(game, _integer("seed", settings["seed"]) if "seed" in settings else seed)


def _settings(player: str, rest: str, known: Sequence[str]) -> dict[str, str]:
    complaint = f"A player is written as name:key=value,key=value, not '{player}:{rest}'."
    settings = parse_settings(rest, complaint)
    for key in settings:
        if key not in known:
            raise InvalidParameter(f"The player {player} has no setting '{key}'{suggest(key, known)}")
    return settings


def _integer(key: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise InvalidParameter(f"The setting {key} must be a whole number, not '{value}'.") from None


FACTORIES: dict[str, Factory] = {"random": _random}
