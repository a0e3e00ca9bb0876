"""Replays with numbered pairs, shared by their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from hypothesis import strategies as st

from glaux.learn.replay import Replay, StratifiedReplay, UniformReplay
from glaux.values.examples import Examples, pairs

STATE_SIZE = 12
KINDS: dict[str, Callable[..., Replay]] = {
    "states": lambda mu=40, **options: UniformReplay(mu, 0.25, of="states", **options),
    "matches": lambda mu=4, **options: UniformReplay(mu, 0.5, of="matches", **options),
    "stratified": lambda mu=4, **options: StratifiedReplay(mu, 2, **options),
}
kinds = pytest.mark.parametrize("kind", KINDS)


def pairs_of(ids: Iterable[int]) -> Examples:
    """Examples that say who they are: the state and the value hold the same number."""
    numbers = np.array(list(ids), np.int32)
    states = np.zeros((len(numbers), STATE_SIZE), np.uint8)
    states[:, 4:8] = numbers[:, None].view(np.uint8)
    return pairs(states, numbers.astype(np.float32))


def ids_of(examples: Examples) -> list[int]:
    """Who they are, after a check that states and values have stayed together."""
    states, values = examples["states"], examples["values"]
    assert states.dtype == np.uint8
    assert values.dtype == np.float32
    assert np.array_equal(states, pairs_of(values.astype(int).tolist())["states"])
    return values.astype(int).tolist()


def kept(replay: Replay) -> list[int]:
    arrays, plain = replay.state()
    return [
        i
        for part in range(plain["parts"])
        for i in ids_of(pairs(arrays[f"states.{part}"], arrays[f"values.{part}"]))
    ]


def phase(replay: Replay, batch_size: int, rng: np.random.Generator) -> list[list[int]]:
    return [ids_of(batch) for batch in replay.minibatches(batch_size, rng)]


def numbered(lengths: list[int]) -> list[list[int]]:
    """Matches of these lengths; no number occurs twice."""
    ends = np.cumsum(lengths).tolist()
    return [list(range(end - n, end)) for n, end in zip(lengths, ends, strict=True)]


def far_from_chance(counts: np.ndarray, expected: np.ndarray) -> bool:
    """Chi-square far beyond what the number of cells explains."""
    chi = float(((counts - expected) ** 2 / expected).sum())
    freedom = counts.size - 1
    return chi > freedom + 8 * np.sqrt(2 * freedom)


lengths_of_matches = st.lists(st.integers(1, 30), min_size=1, max_size=12)
