"""Replay against plain transcriptions of Algorithms 6, 7 and 8."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaux.learn import replay as module
from glaux.learn.replay import Match, StratifiedReplay, UniformReplay
from tests.learn import transcriptions as paper
from tests.learn.replays import far_from_chance, ids_of, kept, lengths_of_matches, numbered, pairs_of, phase

# Algorithms 6 and 7


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
        patch.setattr(module, "BLOCK", block)
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


# Algorithm 8


def draws(patch: pytest.MonkeyPatch) -> tuple[list[int], list[int]]:
    """All data and groups that a stratified replay draws from now on, in the order of the draws."""
    data: list[int] = []
    groups: list[int] = []
    draw, to_groups = Match.draw, StratifiedReplay._groups

    def recorded_draw(match: Match, size: int, rng: np.random.Generator) -> np.ndarray:
        rows = draw(match, size, rng)
        assert len(rows) == size
        data.extend(match.examples["values"][rows].astype(int).tolist())
        return rows

    def recorded_groups(n: int, batch_size: int, rng: np.random.Generator) -> np.ndarray:
        drawn = to_groups(n, batch_size, rng)
        groups.extend(drawn.tolist())
        return drawn

    patch.setattr(Match, "draw", recorded_draw)
    patch.setattr(StratifiedReplay, "_groups", staticmethod(recorded_groups))
    return data, groups


@settings(max_examples=80)
@given(
    lengths=lengths_of_matches,
    mu=st.integers(1, 6),
    delta=st.integers(1, 8),
    batch_size=st.integers(1, 40),
    seed=st.integers(0, 99),
)
def test_stratified_replay_is_algorithm_8(
    lengths: list[int], mu: int, delta: int, batch_size: int, seed: int
) -> None:
    """Its draws are possible ones of the paper's loops, which make the same sets of them."""
    replay = StratifiedReplay(mu, delta)
    rng = np.random.default_rng(seed)
    queue: list[tuple[list[int], list[int]]] = []
    with pytest.MonkeyPatch.context() as patch:
        data, groups = draws(patch)
        for new in numbered(lengths):
            data.clear()
            groups.clear()
            replay.add(pairs_of(new))
            batches = phase(replay, batch_size, rng)
            script = [item for pair in zip(data, groups, strict=True) for item in pair]

            def choice(among: list[int], script: list[int] = script) -> int:
                chosen = script.pop(0)
                assert chosen in among
                return chosen

            expected = paper.stratified_experience_replay(queue, new, mu, delta, batch_size, choice)
            assert script == []
            assert [sorted(batch) for batch in batches] == [sorted(group) for group in expected]
            assert kept(replay) == [i for to_learn, learned in queue for i in sorted(to_learn + learned)]
            for match, (to_learn, learned) in zip(replay._matches, queue, strict=True):
                archived: Any = match.examples["values"][match.order[: match.used]] if match.used else []
                assert sorted(archived) == sorted(learned)
                assert len(match.examples) - match.used == len(to_learn)


@pytest.mark.parametrize("delta, batch_size, ways", [(1, 1, 54), (1, 9, 12), (2, 2, 18)])
def test_stratified_draws_have_the_distribution_of_algorithm_8(
    delta: int, batch_size: int, ways: int
) -> None:
    """Two matches of 3 and 2 data, two phases: how often each way to make the groups of the second."""
    matches, mu = [[0, 1, 2], [3, 4]], 2
    rng, choose = np.random.default_rng(2), random.Random(3)
    ours: Counter[Any] = Counter()
    papers: Counter[Any] = Counter()
    for _ in range(3000):
        replay = StratifiedReplay(mu, delta)
        queue: list[tuple[list[int], list[int]]] = []
        for new in matches:
            replay.add(pairs_of(new))
            batches = phase(replay, batch_size, rng)
            expected = paper.stratified_experience_replay(queue, new, mu, delta, batch_size, choose.choice)
        ours[tuple(tuple(sorted(batch)) for batch in batches)] += 1
        papers[tuple(tuple(sorted(group)) for group in expected)] += 1
    assert set(ours) == set(papers)
    assert len(ours) == ways
    a, b = (np.array([count[key] for key in papers], float) for count in (ours, papers))
    assert not far_from_chance((a - b) / np.sqrt(2) + (a + b) / 2, (a + b) / 2)


def test_the_order_inside_a_minibatch_does_not_tell_the_matches() -> None:
    replay = StratifiedReplay(2, 2)
    replay.add(pairs_of(range(10)))
    replay.add(pairs_of(range(100, 110)))
    rng = np.random.default_rng(4)
    firsts = Counter(phase(replay, 20, rng)[0][0] >= 100 for _ in range(1000))
    assert 400 < firsts[True] < 600


@settings(max_examples=60)
@given(
    lengths=st.lists(st.integers(1, 50), min_size=1, max_size=25),
    mu=st.integers(1, 7),
    delta=st.integers(1, 9),
)
def test_no_datum_is_learned_more_often_than_delta_allows(lengths: list[int], mu: int, delta: int) -> None:
    """After p phases each of n data has been learned floor(p l / n) or ceil(p l / n) times."""
    replay = StratifiedReplay(mu, delta)
    rng = np.random.default_rng(5)
    uses: Counter[int] = Counter()
    matches = numbered(lengths)
    for t, new in enumerate(matches):
        replay.add(pairs_of(new))
        for batch in replay.minibatches(7, rng):
            uses.update(ids_of(batch))
        for begun in range(max(0, t - mu + 1), t + 1):
            n, p = lengths[begun], t - begun + 1
            stratum = ceil(Fraction(delta * n, mu))
            often = [uses[i] for i in matches[begun]]
            assert sum(often) == p * stratum
            assert set(often) <= {p * stratum // n, ceil(Fraction(p * stratum, n))}
            if p == mu:  # for the last time
                assert max(often) <= ceil(delta + Fraction(mu, n))
                assert min(often) >= delta
                if delta * n % mu == 0:
                    assert set(often) == {delta}


@settings(max_examples=60)
@given(
    lengths=st.lists(st.integers(1, 200), min_size=1, max_size=8),
    mu=st.integers(1, 8),
    delta=st.integers(1, 8),
    batch_size=st.integers(1, 150),
)
def test_strata_have_their_shares_in_the_sample_and_in_each_minibatch(
    lengths: list[int], mu: int, delta: int, batch_size: int
) -> None:
    replay = StratifiedReplay(mu, delta)
    for new in numbered(lengths):
        replay.add(pairs_of(new))
    batches = phase(replay, batch_size, np.random.default_rng(6))
    g = len(batches)
    sizes = [len(batch) for batch in batches]
    assert max(sizes) - min(sizes) <= 1
    for new in numbered(lengths)[-mu:]:
        stratum = ceil(Fraction(delta * len(new), mu))
        shares = [sum(i in range(new[0], new[-1] + 1) for i in batch) for batch in batches]
        assert sum(shares) == stratum
        assert all(abs(share - Fraction(stratum, g)) <= Fraction(2 * (g - 1), g) for share in shares)


def test_the_size_of_a_stratum_is_exact() -> None:
    """In floating point 0.07 * 100 is above 7, and what 0.1 stands for is above 1 / 10."""
    for mu, delta, n, size in [(100, 7, 100, 7), (100, 3, 1000, 30), (1, 0.1, 10, 1), (100, 3, 1, 1)]:
        replay = StratifiedReplay(mu, delta)
        replay.add(pairs_of(range(n)))
        assert sum(map(len, phase(replay, 1000, np.random.default_rng(7)))) == size
