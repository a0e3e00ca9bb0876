"""What the measurements share: slices of CPU time, the best of which counts, and how games are named."""

from __future__ import annotations

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.rules.game import Game

SLICES = 5


def check_seconds(seconds: float) -> float:
    """Seconds to measure for."""
    if not seconds > 0:
        raise InvalidParameter(f"The seconds to measure for must be more than 0, not {seconds}.")
    return seconds


def rate(count: float, seconds: float) -> float:
    """So many a second, even if the clock did not move."""
    return count / max(seconds, 1e-9)


def label(game: Game) -> str:
    """The name of a game at its default parameters, and its full text at others."""
    return game.name if at_defaults(game) else game.text


def at_defaults(game: Game) -> bool:
    """Whether the game is a built-in one with the parameters it has if none are given."""
    defaults = {i.name: {p.name: p.default_value for p in i.parameters} for i in _core.registry()}
    return defaults.get(game.name, {}) == game.parameters
