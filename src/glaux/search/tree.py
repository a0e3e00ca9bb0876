"""What a search leaves: a tree that can be read as rows and arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.rules.game import State, StateArray
from glaux.search.picture import tree_svg
from glaux.words import plural

if TYPE_CHECKING:
    from glaux.search.search import Search


class Row(NamedTuple):
    """What is known about one action of a state; values are the first player's."""

    action: int
    v: float
    """the value of the state after the action, when the action was last taken"""
    c: int
    """completion: the result that is forced so far, +1, 0 or -1"""
    r: int
    """resolution: 1 if that result is proven"""
    n: int
    """how often the search chose the action"""


class Child(NamedTuple):
    """The same with self-explanatory names."""

    action: int
    text: str
    """the action as the game writes it"""
    value: float
    """for the first player"""
    visits: int
    """how often the search chose it"""
    proven: bool
    """whether ``result`` is certain"""
    result: int
    """+1, 0 or -1 for the first player: what is forced so far"""


class Columns(NamedTuple):
    """The fields of all the rows, as arrays of one length."""

    action: npt.NDArray[np.int32]
    v: npt.NDArray[np.float32]
    c: npt.NDArray[np.int8]
    r: npt.NDArray[np.int8]
    n: npt.NDArray[np.uint64]


class Tree:
    """The tree below a state, as the search knows it now.

    It reads from the search, so do not use it while that runs again.
    """

    def __init__(self, search: Search, root: State) -> None:
        self.search = search
        self.root = root
        self.statistics: _core.Statistics = search.native.statistics
        self.action: int = search.native.decision()
        """The action that the search would play; drawn at random among equals."""

    @property
    def value(self) -> float:
        """The value of the root for the first player."""
        return self.search.native.value(self.root)

    @property
    def resolved(self) -> bool:
        """Whether the result of the root is proven."""
        return self.search.native.resolved(self.root)

    @property
    def bytes_used(self) -> int:
        """The memory in use by the search."""
        return self.search.native.bytes

    def children(self, state: State | None = None) -> list[Row]:
        """One row per action of the root, or of another state of the tree."""
        return [Row(*row) for row in zip(*(column.tolist() for column in self.columns(state)), strict=True)]

    def ranked(self, state: State | None = None) -> list[Child]:
        """The actions of the root, or of another state of the tree, most visited first."""
        own = self._own(state)
        game = self.search.game
        rows = [
            Child(row.action, game.action_text(own, row.action), row.v, row.n, bool(row.r), row.c)
            for row in self.children(state)
        ]
        sign = 1 if game.first_player(own) else -1
        return sorted(rows, key=lambda child: (child.visits, sign * child.value), reverse=True)

    def svg(self, depth: int = 3, children: int = 3) -> str:
        """A picture of the tree: the most visited actions, with proven results in colour."""
        return tree_svg(self, depth, children)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        found = self.statistics
        proven = ", proven" if self.resolved else ""
        effort = f"{plural(found.expansions, 'expansion')}, depth {found.depth}"
        return f"<Tree value {self.value:.4g}{proven}, {effort}>"

    def columns(self, state: State | None = None) -> Columns:
        """The same as an array for each field."""
        return Columns(*self.search.native.children(self._own(state)))

    def priors(self, state: State | None = None) -> npt.NDArray[np.float32] | None:
        """The prior probability of each row's action, if the search has a policy."""
        native = self.search.native
        if not self.search.has_priors or not isinstance(native, _core.MctsTree):
            return None
        return native.priors(self._own(state))

    @cached_property
    def policy(self) -> npt.NDArray[np.float64]:
        """The policy that PUCT or ExIt's expert has found for the root: one share for each row."""
        native = self.search.native
        if not isinstance(native, _core.Puct):
            raise InvalidParameter("Only PUCT and ExIt's expert find a policy, not the search of this tree.")
        return native.policy(self.root)

    def principal_variation(self, state: State | None = None) -> list[int]:
        """The best actions of both sides, as far as known."""
        return self.search.native.principal_variation(self._own(state))

    def choices(self, state: State | None = None) -> Columns:
        """The rows among which an action may be chosen while learning: those that hold a value.

        All of them for unbounded minimax; for MCTS the actions that were visited; for iterative deepening
        the exact values of the last complete depth, because a bound is not a value.
        """
        return Columns(*self.search.native.choices(self._own(state)))

    def learnable(self, leaves: bool = False) -> tuple[StateArray, npt.NDArray[np.float32]]:
        """Tree learning's pairs: uint8[n, state_size] and float32[n].

        All expanded and terminal states since the search was cleared, each once. Their values are v for
        unbounded minimax, the mean for MCTS, and for iterative deepening the last exact value: a state
        that has only bounds is not learned. With ``leaves`` also the states that were only
        evaluated, as far as their evaluations are kept (Remark 3 says why not to).
        """
        return self.search.native.learnable(leaves)

    def _own(self, state: State | None) -> State:
        return self.search.game.own(self.root if state is None else state)
