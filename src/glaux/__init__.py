"""Glaux learns to play any perfect-information board game from its rules alone.

A public name is imported when it is first asked for, so that ``glaux --help`` need not wait for numpy
and the native core.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from glaux import errors
from glaux.errors import GlauxError

if TYPE_CHECKING:
    from glaux.face import match, player, train
    from glaux.learn.config import Config
    from glaux.learn.run import Run
    from glaux.rules.game import ONGOING, Expansion, Game, Player, State
    from glaux.rules.python import Rules
    from glaux.rules.registry import games, make, register
    from glaux.search.alpha_beta import AlphaBeta
    from glaux.search.best_first import UBFM, Descent
    from glaux.search.door import OnStates
    from glaux.search.mcts import MCTS, MCTSWrapper
    from glaux.search.puct import PUCT
    from glaux.search.search import run_many
    from glaux.search.tree import Tree
    from glaux.values.loading import load
    from glaux.values.networks.network import NeuralNetwork
    from glaux.values.networks.policy_network import PolicyNetwork
    from glaux.values.ntuple import NTupleNetwork
    from glaux.values.patterns import PatternNetwork
    from glaux.values.value import ValueFunction

    __version__: str

_HOMES = {
    "face": ("match", "player", "train"),
    "learn.config": ("Config",),
    "learn.run": ("Run",),
    "rules.game": ("ONGOING", "Expansion", "Game", "Player", "State"),
    "rules.python": ("Rules",),
    "rules.registry": ("games", "make", "register"),
    "search.alpha_beta": ("AlphaBeta",),
    "search.best_first": ("UBFM", "Descent"),
    "search.door": ("OnStates",),
    "search.mcts": ("MCTS", "MCTSWrapper"),
    "search.puct": ("PUCT",),
    "search.search": ("run_many",),
    "search.tree": ("Tree",),
    "values.loading": ("load",),
    "values.networks.network": ("NeuralNetwork",),
    "values.networks.policy_network": ("PolicyNetwork",),
    "values.ntuple": ("NTupleNetwork",),
    "values.patterns": ("PatternNetwork",),
    "values.value": ("ValueFunction",),
}
"""Where the public names are; type checkers, who don't run this, read the same above."""

__all__ = [
    "MCTS",
    "ONGOING",
    "PUCT",
    "UBFM",
    "AlphaBeta",
    "Config",
    "Descent",
    "Expansion",
    "Game",
    "GlauxError",
    "MCTSWrapper",
    "NTupleNetwork",
    "NeuralNetwork",
    "OnStates",
    "PatternNetwork",
    "Player",
    "PolicyNetwork",
    "Rules",
    "Run",
    "State",
    "Tree",
    "ValueFunction",
    "__version__",
    "errors",
    "games",
    "load",
    "make",
    "match",
    "player",
    "register",
    "run_many",
    "train",
]


def __getattr__(name: str) -> Any:
    """A public name that nobody has asked for yet, or a package in which some of them are."""
    if name == "__version__":
        found = import_module("importlib.metadata").version("glaux")
    elif name in __all__:
        [home] = [home for home, names in _HOMES.items() if name in names]
        found = getattr(import_module(f"glaux.{home}"), name)
    elif name in {home.partition(".")[0] for home in _HOMES}:
        for home in _HOMES:
            import_module(f"glaux.{home}")
        return globals()[name]
    else:
        raise AttributeError(f"module 'glaux' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
