"""Stratified replay against a plain transcription of Algorithm 8."""

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

from glaux.learn.stratified_replay import KeptMatch, StratifiedReplay
from tests.learn import transcriptions as paper
from tests.learn.replays import far_from_chance, ids_of, kept, lengths_of_matches, numbered, pairs_of, phase


def draws(patch: pytest.MonkeyPatch) -> tuple[list[int], list[int]]:
    """All data and groups that a stratified replay draws from now on, in the order of the draws."""
    data: list[int] = []
    groups: list[int] = []
    draw, to_groups = KeptMatch.draw, StratifiedReplay._groups

    def recorded_draw(match: KeptMatch, size: int, rng: np.random.Generator) -> np.ndarray:
        rows = draw(match, size, rng)
        assert len(rows) == size
        data.extend(match.examples["values"][rows].astype(int).tolist())
        return rows

    def recorded_groups(n: int, batch_size: int, rng: np.random.Generator) -> np.ndarray:
        drawn = to_groups(n, batch_size, rng)
        groups.extend(drawn.tolist())
        return drawn

    patch.setattr(KeptMatch, "draw", recorded_draw)
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
