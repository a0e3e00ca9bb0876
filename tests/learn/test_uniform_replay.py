"""Uniform replay against plain transcriptions of Algorithms 6 and 7."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaux.learn import uniform_replay
from glaux.learn.uniform_replay import UniformReplay
from tests.learn import transcriptions as paper
from tests.learn.replays import far_from_chance, kept, lengths_of_matches, numbered, pairs_of, phase


class Prescribed:
    """A generator whose samples a transcription can repeat."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.chosen: list[int] = []

    def choice(self, n: int, size: int, **options: Any) -> np.ndarray:
        assert options == {"replace": False}
        chosen = self.rng.choice(n, size, replace=False)
        self.chosen = chosen.tolist()
        return chosen

    def items(self, queue: list[int], size: int) -> list[int]:
        assert len(self.chosen) == size
        return [queue[i] for i in self.chosen]


@pytest.mark.parametrize("block", [3, 8192])
@settings(max_examples=60)
@given(
    lengths=lengths_of_matches,
    mu_sigma=st.sampled_from([(4, "1/4"), (20, "1/10"), (20, "1/2"), (64, "1/4"), (100, "1/20"), (10, "1")]),
    batch_size=st.integers(1, 20),
    of=st.sampled_from(["states", "matches"]),
)
def test_uniform_replay_is_algorithm_6(
    block: int, lengths: list[int], mu_sigma: tuple[int, str], batch_size: int, of: str
) -> None:
    """The same queue, and from the same draws the same minibatches, phase after phase."""
    mu, sigma = mu_sigma[0], Fraction(mu_sigma[1])
    replay = UniformReplay(mu, float(sigma), of=of)
    rng = Prescribed(len(lengths))
    queue: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uniform_replay, "BLOCK", block)
        for new in numbered(lengths):
            if of == "states":
                new = new[-mu:]  # noqa: PLW2901 (a match larger than the memory is a test of its own)
            replay.add(pairs_of(new))
            batches = phase(replay, batch_size, rng)  # type: ignore[arg-type]
            algorithm = paper.experience_replay if of == "states" else paper.experience_replay_of_matches
            expected = algorithm(queue, new, mu, sigma, rng.items)
            flat = queue if of == "states" else [d for match in queue for d in match]
            assert kept(replay) == flat
            assert len(replay) == len(flat)
            sample = [i for batch in batches for i in batch]
            if len(expected) == len(flat):
                assert sorted(sample) == sorted(expected)  # all, in random order
            else:
                assert sample == expected
            assert batches == paper.split(sample, batch_size)
    if of == "matches":
        assert replay.matches == len(queue)


def test_all_pairs_are_equally_often_in_a_uniform_sample_and_anywhere_in_it() -> None:
    replay = UniformReplay(16, 0.25)
    for new in ([0, 1, 2], [3, 4, 5, 6, 7, 8, 9], [10, 11, 12, 13, 14, 15]):
        replay.add(pairs_of(new))
    rng = np.random.default_rng(1)
    places = np.zeros((16, 4))
    together = np.zeros((16, 16))
    rounds = 8000
    for _ in range(rounds):
        (sample,) = phase(replay, 100, rng)
        assert len(set(sample)) == 4
        places[sample, range(4)] += 1
        together[np.ix_(sample, sample)] += 1
    assert not far_from_chance(places, np.full((16, 4), rounds / 16))
    upper = together[np.triu_indices(16, 1)]
    assert not far_from_chance(upper, np.full(upper.shape, rounds * 6 / 120))


def test_sample_sizes_are_rounded_to_whole_pairs() -> None:
    for sigma, mu, size in [(0.29, 100, 29), (0.07, 100, 7), (0.04, 1_000_000, 40_000), (0.001, 10, 1)]:
        replay = UniformReplay(mu, sigma)
        replay.add(pairs_of(range(mu)))
        assert replay.sample_size == size
    replay = UniformReplay(100, 0.05, of="matches")  # the long training of Hex 11
    for i, n in enumerate([10, 20, 30, 40, 50, 60]):
        replay.add(pairs_of(range(n)))
        sizes = [10, 30, 60, 100, 150, 175]  # all of 5 matches, then 5 times the mean of 35
        assert replay.sample_size == sizes[i]


def test_a_match_with_more_states_than_mu_is_sampled() -> None:
    counts = np.zeros(40)
    replay = UniformReplay(10, 0.5)
    for _ in range(400):
        replay.add(pairs_of(range(40)))
        assert (len(replay), replay.matches) == (10, 1)
        counts[kept(replay)] += 1
    assert counts.sum() == 4000
    assert not far_from_chance(counts, np.full(40, 100.0))
