"""Symmetric copies of examples: a state and its mirror image are worth the same, and so are their actions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.rules.game import Game
from glaux.values.examples import POLICIES, STATES, Column, Examples, joined
from glaux.values.policies import seen_policies

SYMMETRIES = ("none", "random", "all")
SEEN: dict[str, Callable[[Game, Examples, int], Column]] = {
    STATES: lambda game, examples, i: game.native.transform(
        np.ascontiguousarray(examples[STATES]), i, _core.trusted
    ),
    POLICIES: lambda game, examples, i: seen_policies(game, examples[STATES], examples[POLICIES], i),
}
"""how a column looks through symmetry number i; a column that is not here looks the same"""


def augmented(game: Game, examples: Examples, symmetry: str, rng: np.random.Generator) -> Examples:
    """The examples with symmetric copies behind them.

    ``random`` adds one of each example, seen through any symmetry but the identity (section 10.3 of the
    paper draws from all of them); ``all`` adds every one (section 9.3).
    """
    if symmetry not in SYMMETRIES:
        raise InvalidParameter(f"There is no symmetry '{symmetry}'{suggest(symmetry, SYMMETRIES)}")
    count = game.spec.symmetry_count
    if symmetry == "none" or count == 1:
        return examples
    if symmetry == "all":
        return joined([examples, *(_seen(game, examples, i) for i in range(1, count))])
    chosen = rng.integers(1, count, len(examples))
    copies = {name: np.empty_like(column) for name, column in examples.columns.items()}
    for i in range(1, count):
        rows = np.flatnonzero(chosen == i)
        if len(rows):
            for name, column in _seen(game, examples.take(rows), i).columns.items():
                copies[name][rows] = column
    return joined([examples, Examples(copies)])


def _seen(game: Game, examples: Examples, i: int) -> Examples:
    """All of them through one symmetry."""
    return Examples(
        {
            name: SEEN[name](game, examples, i) if name in SEEN else column
            for name, column in examples.columns.items()
        }
    )
