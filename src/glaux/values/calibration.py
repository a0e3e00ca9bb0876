"""Whether a value function orders states as play does: its values beside the outcomes of matches.

Random positions, sorted by their value and cut into groups of equal size; for each group the mean
value and the mean outcome of random matches from its positions. A value function that knows
something has outcomes that rise from group to group; one that was fitted to outcomes of random play
has outcomes equal to its values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.rules.game import Game, StateArray
from glaux.values.value import ValueFunction


@dataclass(frozen=True)
class Group:
    """Positions of similar value."""

    positions: int
    value: float
    """mean value"""
    outcome: float
    """mean outcome of random matches, the first player's: +1, 0, -1"""


@dataclass(frozen=True)
class Calibration:
    """The groups from the lowest values to the highest, and how well the orders agree."""

    groups: list[Group]
    correlation: float
    """of value and outcome by rank, -1 to 1 (Spearman's)"""


def random_positions(game: Game, count: int, seed: int) -> StateArray:
    """States that are not terminal, each after a random number of random actions."""
    rng = np.random.default_rng(seed)
    longest: list[bytes] = []
    while len(longest) < count:
        match = []
        state = game.initial()
        while not game.terminal(state):
            match.append(state.data)
            state = game.apply(state, rng.choice(game.actions(state)))
        # A few of each match, so that many matches have their say.
        longest += [match[i] for i in rng.permutation(len(match))[:4]]
    return np.frombuffer(b"".join(longest[:count]), np.uint8).reshape(count, game.spec.state_size)


def calibrate(
    value: ValueFunction, positions: int = 1000, playouts: int = 20, groups: int = 5, seed: int = 0
) -> Calibration:
    """Compare values and outcomes at this many positions, with this many random matches from each."""
    game = value.game
    states = random_positions(game, positions, seed)
    values = value.evaluate(states).astype(np.float64)
    ends = game.native.playouts(np.repeat(states, playouts, axis=0), _core.Rng(seed), _core.trusted)
    results = np.array([game.outcome(end) for end in game.states(ends)], np.float64)
    outcomes = results.reshape(positions, playouts).mean(axis=1)
    parts = np.array_split(np.argsort(values, kind="stable"), groups)
    return Calibration(
        [Group(len(part), values[part].mean(), outcomes[part].mean()) for part in parts if len(part)],
        _rank_correlation(values, outcomes),
    )


def _rank_correlation(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> float:
    """Spearman's: the correlation of the ranks, equals sharing theirs; 0 where nothing differs."""

    def ranks(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
        return (np.cumsum(counts) - (counts + 1) / 2)[inverse]

    first, second = ranks(a), ranks(b)
    if first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])
