"""Policies: a probability for each legal action of a state, and none for the others.

As a column of examples a policy is a row float32[max_actions]: the probabilities of the legal actions of the
row's state, in their ascending order, and zeros behind them. The actions themselves are not written down:
the rules say them (``game.native.legal``), so that no file can name one that is not legal, and replay,
checkpoints and minibatches carry the column as any other. A row of zeros is not a policy: only the value of
its state is learned.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.rules.game import Game, StateArray

Policies = npt.NDArray[np.float32]
"""float32[n, max_actions]"""
Actions = npt.NDArray[np.int32]
"""int32[m]: actions of several states, one state after the other"""
Weights = npt.NDArray[np.float32]
"""float32[m]: a number for each of them"""
Offsets = npt.NDArray[np.int64]
"""int64[n + 1]: the actions of state i are those from offsets[i] to offsets[i + 1]"""


def is_legal(offsets: Offsets, width: int) -> npt.NDArray[np.bool_]:
    """bool[n, width]: where a row of policies has a legal action."""
    return np.arange(width) < np.diff(offsets)[:, None]


def in_rows(flat: Weights, offsets: Offsets, width: int) -> Policies:
    """The numbers of all the legal actions, one state after the other, as rows with zeros behind them."""
    rows = np.zeros((len(offsets) - 1, width), np.float32)
    rows[is_legal(offsets, width)] = flat
    return rows


def drawn(p: npt.NDArray[np.floating], rng: np.random.Generator) -> int:
    """A place by these probabilities: ``rng.choice(len(p), p=p)`` without its checks, which cost more."""
    up_to = p.cumsum(dtype=np.float64)
    up_to /= up_to[-1]
    return int(up_to.searchsorted(rng.random(), side="right"))


def drawn_each(policies: Policies, chances: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """A place of each row by what it holds, in proportion; ``chances`` are from 0 up to 1, one for each."""
    up_to = policies.cumsum(1, dtype=np.float64)
    up_to /= up_to[:, -1:]
    places: npt.NDArray[np.int64] = (up_to <= chances[:, None]).sum(1)
    return places


def weights_of(logits: npt.NDArray[np.float32], offsets: Offsets) -> Weights:
    """exp(logit) of each legal action, with 1 for the largest of its state: a softmax but for the sum."""
    counts = np.diff(offsets)
    some = counts > 0  # a state that nobody asks priors for has no actions
    largest = np.maximum.reduceat(logits, offsets[:-1][some])
    weights: Weights = np.exp(logits - np.repeat(largest, counts[some]))
    return weights


def seen_policies(game: Game, states: StateArray, policies: Policies, symmetry: int) -> Policies:
    """The same policies for the states seen through a symmetry."""
    images, offsets = game.native.legal(np.ascontiguousarray(states), symmetry, _core.trusted)
    rows = np.repeat(np.arange(len(states)), np.diff(offsets))
    legal = is_legal(offsets, policies.shape[1])
    seen = np.zeros_like(policies)
    seen[legal] = policies[legal][np.lexsort((images, rows))]  # ascending again
    return seen
