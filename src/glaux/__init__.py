"""Glaux learns to play any perfect-information board game from its rules alone."""

from importlib.metadata import version

from glaux import errors
from glaux.errors import GlauxError
from glaux.rules.game import ONGOING, Expansion, Game, State
from glaux.rules.python import Rules
from glaux.rules.registry import games, make, register

__version__ = version("glaux")

__all__ = [
    "ONGOING",
    "Expansion",
    "Game",
    "GlauxError",
    "Rules",
    "State",
    "__version__",
    "errors",
    "games",
    "make",
    "register",
]
