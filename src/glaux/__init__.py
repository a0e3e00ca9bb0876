"""Glaux learns to play any perfect-information board game from its rules alone."""

from importlib.metadata import version

from glaux import errors
from glaux.errors import GlauxError
from glaux.rules.game import ONGOING, Expansion, Game, State
from glaux.rules.python import Rules
from glaux.rules.registry import games, make, register
from glaux.search.alpha_beta import AlphaBeta
from glaux.search.best_first import UBFM, Descent
from glaux.search.door import OnStates
from glaux.search.mcts import MCTS, MCTSWrapper
from glaux.search.search import run_many
from glaux.search.tree import Tree
from glaux.values.loading import load
from glaux.values.networks.network import NeuralNetwork
from glaux.values.ntuple import NTupleNetwork
from glaux.values.value import ValueFunction

__version__ = version("glaux")

__all__ = [
    "MCTS",
    "ONGOING",
    "UBFM",
    "AlphaBeta",
    "Descent",
    "Expansion",
    "Game",
    "GlauxError",
    "MCTSWrapper",
    "NTupleNetwork",
    "NeuralNetwork",
    "OnStates",
    "Rules",
    "State",
    "Tree",
    "ValueFunction",
    "__version__",
    "errors",
    "games",
    "load",
    "make",
    "register",
    "run_many",
]
