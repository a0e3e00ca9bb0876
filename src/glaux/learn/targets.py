"""Learning targets: which states of a match are learned, and which values.

- Tree learning (Algorithm 3): all the expanded and terminal states of the tree, with v(s) at the end
  of the match. Leaves that are not terminal are not learned (Remark 3).
- Root learning (Algorithm 4): the states of the match, with v(s) of the search at their turn.
- Terminal learning (Algorithm 5): the states of the match, with the value of its end.

An object serves one match at a time: ``observe`` after each search, before the action is played, and
``examples`` at the end, which also makes it ready for the next match. A state that is observed twice
with the same value is learned once: the paper's D and G are sets. Values are the first player's, in
the unit of the search's; f_t of the end of the match comes from the caller.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

import numpy as np

from glaux.errors import InvalidParameter, suggest
from glaux.rules.game import State, StateArray
from glaux.search.search import Search
from glaux.search.tree import Tree
from glaux.values.examples import Examples, pairs


class Targets(ABC):
    """What the three have in common."""

    @abstractmethod
    def observe(self, tree: Tree) -> None:
        """See what the search has found for the state that is to be played from."""

    @abstractmethod
    def examples(self, search: Search, end: State, end_value: float) -> Examples:
        """What there is to learn of the match that has ended in ``end``, worth ``end_value``."""


class TreeLearning(Targets):
    """Algorithm 3, from whatever tree the search leaves (:meth:`glaux.Tree.learnable`).

    With ``leaves`` also the states that were evaluated and no more, which Remark 3 advises against. The
    search must not have been cleared since the match began: its table is the tree of the match. If memory
    has run out and the table was begun anew, what it has now is learned.
    """

    def __init__(self, leaves: bool = False) -> None:
        self.leaves = leaves

    def observe(self, tree: Tree) -> None:
        """Nothing: the tree is read at the end."""

    def examples(self, search: Search, end: State, end_value: float) -> Examples:
        """The set S with its values, and the end of the match in any case."""
        states, values = search.native.learnable(self.leaves)
        last = np.frombuffer(end.data, np.uint8)
        here = (states == last).all(axis=1)
        values[here] = end_value
        if not here.any():
            states = np.concatenate([states, last[None]])
            values = np.append(values, np.float32(end_value))
        return pairs(states, values)


class RootLearning(Targets):
    """Algorithm 4."""

    def __init__(self) -> None:
        self._pairs: dict[tuple[bytes, float], None] = {}  # a set in the order of the match

    def observe(self, tree: Tree) -> None:
        """Note v(s) as it is now: it changes when the search goes on."""
        self._pairs[tree.root.data, tree.value] = None

    def examples(self, search: Search, end: State, end_value: float) -> Examples:
        """The states of the match with the values noted, and its end."""
        self._pairs[end.data, end_value] = None
        states, values = zip(*self._pairs, strict=True)
        self._pairs = {}
        return pairs(as_array(states, len(end.data)), np.array(values, np.float32))


class TerminalLearning(Targets):
    """Algorithm 5."""

    def __init__(self) -> None:
        self._states: dict[bytes, None] = {}  # a set in the order of the match

    def observe(self, tree: Tree) -> None:
        """Note the state."""
        self._states[tree.root.data] = None

    def examples(self, search: Search, end: State, end_value: float) -> Examples:
        """The states of the match, its end included, all with the value of the end."""
        self._states[end.data] = None
        states = as_array(self._states, len(end.data))
        self._states = {}
        return pairs(states, np.full(len(states), end_value, np.float32))


TARGETS: dict[str, Callable[[], Targets]] = {
    "tree": TreeLearning,
    "root": RootLearning,
    "terminal": TerminalLearning,
}


def make_targets(name: str, *, leaves: bool = False) -> Targets:
    """``tree``, ``root`` or ``terminal`` learning; only tree learning can have the leaves."""
    if name not in TARGETS:
        raise InvalidParameter(f"There is no learning '{name}'{suggest(name, list(TARGETS))}")
    if not leaves:
        return TARGETS[name]()
    if name != "tree":
        raise InvalidParameter(f"Only tree learning can have the leaves, not {name} learning.")
    return TreeLearning(leaves)


def as_array(states: Iterable[bytes], state_size: int) -> StateArray:
    """States as uint8[n, state_size]."""
    return np.frombuffer(bytearray(b"".join(states)), np.uint8).reshape(-1, state_size)
