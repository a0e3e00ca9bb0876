"""Replay against plain transcriptions of Algorithms 6, 7 and 8; memory; checkpoints."""

from __future__ import annotations

import io
import json
import random
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaux.errors import InvalidFile, InvalidParameter
from glaux.learn import replay as module
from glaux.learn.replay import Match, Replay, StratifiedReplay, UniformReplay
from tests.learn import transcriptions as paper

STATE_SIZE = 12
KINDS: dict[str, Callable[..., Replay]] = {
    "states": lambda mu=40, **options: UniformReplay(mu, 0.25, of="states", **options),
    "matches": lambda mu=4, **options: UniformReplay(mu, 0.5, of="matches", **options),
    "stratified": lambda mu=4, **options: StratifiedReplay(mu, 2, **options),
}
kinds = pytest.mark.parametrize("kind", KINDS)


def pairs_of(ids: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that say who they are: the state and the value hold the same number."""
    numbers = np.array(list(ids), np.int32)
    states = np.zeros((len(numbers), STATE_SIZE), np.uint8)
    states[:, 4:8] = numbers[:, None].view(np.uint8)
    return states, numbers.astype(np.float32)


def ids_of(pairs: tuple[np.ndarray, np.ndarray]) -> list[int]:
    """Who they are, after a check that states and values have stayed together."""
    states, values = pairs
    assert states.dtype == np.uint8
    assert values.dtype == np.float32
    again, _ = pairs_of(values.astype(int).tolist())
    assert np.array_equal(states, again)
    return values.astype(int).tolist()


def kept(replay: Replay) -> list[int]:
    arrays, plain = replay.state()
    return [
        i
        for part in range(plain["parts"])
        for i in ids_of((arrays[f"states.{part}"], arrays[f"values.{part}"]))
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
            replay.add(*pairs_of(new))
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
        replay.add(*pairs_of(new))
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
        replay.add(*pairs_of(range(mu)))
        assert replay.sample_size == size
    replay = UniformReplay(100, 0.05, of="matches")  # the long training of Hex 11
    for i, n in enumerate([10, 20, 30, 40, 50, 60]):
        replay.add(*pairs_of(range(n)))
        sizes = [10, 30, 60, 100, 150, 175]  # all of 5 matches, then 5 times the mean of 35
        assert replay.sample_size == sizes[i]


def test_a_match_with_more_states_than_mu_is_sampled() -> None:
    counts = np.zeros(40)
    replay = UniformReplay(10, 0.5)
    for _ in range(400):
        replay.add(*pairs_of(range(40)))
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
        data.extend(match.values[rows].astype(int).tolist())
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
            replay.add(*pairs_of(new))
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
                archived = match.values[match.order[: match.used]] if match.used else []
                assert sorted(archived) == sorted(learned)
                assert len(match.values) - match.used == len(to_learn)


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
            replay.add(*pairs_of(new))
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
    replay.add(*pairs_of(range(10)))
    replay.add(*pairs_of(range(100, 110)))
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
        replay.add(*pairs_of(new))
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
        replay.add(*pairs_of(new))
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
        replay.add(*pairs_of(range(n)))
        assert sum(map(len, phase(replay, 1000, np.random.default_rng(7)))) == size


# Memory


@kinds
@settings(max_examples=60)
@given(lengths=st.lists(st.integers(1, 120), min_size=1, max_size=25), memory=st.integers(1200, 12_000))
def test_the_memory_budget_is_kept(kind: str, lengths: list[int], memory: int) -> None:
    replay = KINDS[kind](mu=200 if kind == "states" else 9, memory=memory)
    rng = np.random.default_rng(8)
    for new in numbered(lengths):
        replay.add(*pairs_of(new))
        list(replay.minibatches(16, rng))
        assert 0 < replay.bytes_used <= memory
        arrays, _ = replay.state()
        assert sum(array.nbytes for array in arrays.values()) <= replay.bytes_used
        ids = kept(replay)
        assert len(ids) == len(replay) == len(set(ids))
        # The newest match is there, all of it or as much as has room.
        newest = [i for i in ids if i in new]
        assert newest == new or (len(newest) == len(replay) and replay.bytes_used + STATE_SIZE + 8 > memory)
        assert newest == ids[-len(newest) :]


@settings(max_examples=60)
@given(lengths=st.lists(st.integers(1, 60), min_size=1, max_size=25), memory=st.integers(3000, 12_000))
def test_as_few_matches_as_possible_are_dropped(lengths: list[int], memory: int) -> None:
    """Remark 5: one more of the matches that are gone would not fit."""
    for replay in (
        StratifiedReplay(100, 3, memory=memory),
        UniformReplay(100, 0.1, of="matches", memory=memory),
    ):
        for new in numbered(lengths):
            before = replay.matches, replay.bytes_used
            gone_before = kept(replay)
            replay.add(*pairs_of(new))
            dropped = before[0] + 1 - replay.matches
            if dropped and newest_is_whole(replay, new):
                left = set(kept(replay))
                last_dropped = [i for i in gone_before if i not in left]
                first = next(m for m in numbered(lengths) if m[-1] == last_dropped[-1])
                assert replay._bytes(len(replay) + len(first), replay.matches + 1) > memory


def newest_is_whole(replay: Replay, new: list[int]) -> bool:
    return set(new) <= set(kept(replay))


@kinds
def test_a_match_that_is_too_large_is_sampled_uniformly(kind: str) -> None:
    counts = np.zeros(300)
    replay = KINDS[kind](mu=1000, memory=4000)
    for _ in range(300):
        replay.add(*pairs_of([400, 401]))
        replay.add(*pairs_of(range(300)))
        ids = kept(replay)
        assert replay.matches == 1
        assert 100 < len(set(ids)) == len(ids) < 300
        counts[ids] += 1
    assert not far_from_chance(counts, np.full(300, counts.mean()))


@kinds
@pytest.mark.parametrize("length, matches", [(3, 10_000), (5000, 30)])
def test_no_more_memory_is_taken_than_is_counted(kind: str, length: int, matches: int) -> None:
    """What Python really has allocated, for matches with much bookkeeping and with little."""
    memory = 1_000_000
    replay = KINDS[kind](mu=10**9, memory=memory)
    rng = np.random.default_rng(9)
    states, values = pairs_of(range(length))
    tracemalloc.start()
    try:
        for _ in range(matches):
            replay.add(states, values)
        if kind == "stratified":  # draws the orders
            list(replay.minibatches(1000, rng))
        assert 0.4 * memory < tracemalloc.get_traced_memory()[0] <= memory
    finally:
        tracemalloc.stop()
    assert 0.85 * memory < replay.bytes_used <= memory


# Checkpoints


def through_files(arrays: dict[str, np.ndarray], plain: dict[str, Any]) -> tuple[dict[str, np.ndarray], Any]:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    file.seek(0)
    with np.load(file, allow_pickle=False) as stored:
        return dict(stored), json.loads(json.dumps(plain))


@kinds
@pytest.mark.parametrize("stop", [0, 1, 3, 9])
def test_a_restored_replay_continues_bit_for_bit(kind: str, stop: int) -> None:
    lengths = [13, 1, 40, 7, 22, 9, 31, 300, 12, 5, 18, 3]
    replay, memory = KINDS[kind](memory=5000), 5000
    rng = np.random.default_rng(10)
    for new in numbered(lengths)[:stop]:
        replay.add(*pairs_of(new))
        list(replay.minibatches(8, rng))
    restored = KINDS[kind](memory=memory)
    restored.add(*pairs_of([1000, 1001]))  # is forgotten
    restored.restore(*through_files(*replay.state()))
    rng_of_restored = np.random.default_rng(0)
    rng_of_restored.bit_generator.state = rng.bit_generator.state
    for new in numbered(lengths)[stop:]:
        for one in (replay, restored):
            one.add(*pairs_of(new))
        assert (len(replay), replay.matches, replay.bytes_used) == (
            len(restored),
            restored.matches,
            restored.bytes_used,
        )
        assert phase(replay, 8, rng) == phase(restored, 8, rng_of_restored)
    assert rng.bit_generator.state == rng_of_restored.bit_generator.state
    for a, b in zip(replay.state(), restored.state(), strict=True):
        assert a.keys() == b.keys()
        assert all(np.array_equal(a[key], b[key]) for key in a)


@kinds
def test_a_state_does_not_change_afterwards(kind: str) -> None:
    """It may be written while the training goes on."""
    replay, rng = KINDS[kind](), np.random.default_rng(11)
    for new in numbered([5, 9, 7, 11, 6]):
        replay.add(*pairs_of(new))
        list(replay.minibatches(4, rng))
    arrays, _ = replay.state()
    copies = {key: array.copy() for key, array in arrays.items()}
    for new in numbered([3, 30, 8]):
        replay.add(*pairs_of(new))
        list(replay.minibatches(4, rng))
    assert all(np.array_equal(arrays[key], copies[key]) for key in copies)


@kinds
def test_what_was_added_may_be_overwritten(kind: str) -> None:
    replay = KINDS[kind]()
    states, values = pairs_of(range(9))
    replay.add(states, values)
    states[:], values[:] = 0, 0
    assert kept(replay) == list(range(9))


@kinds
def test_a_restored_replay_keeps_a_smaller_budget(kind: str) -> None:
    replay = KINDS[kind]()
    for new in numbered([10, 10, 10, 10]):
        replay.add(*pairs_of(new))
    small = KINDS[kind](memory=2000)
    small.restore(*replay.state())
    assert 0 < small.bytes_used <= 2000
    assert kept(small) == kept(replay)[-len(small) :]
    short = KINDS[kind](mu=2)
    short.restore(*replay.state())
    assert kept(short) == (list(range(38, 40)) if kind == "states" else list(range(20, 40)))


@kinds
def test_damaged_states_are_refused(kind: str) -> None:
    replay = KINDS[kind]()
    for new in numbered([10, 20]):
        replay.add(*pairs_of(new))
    list(replay.minibatches(3, np.random.default_rng(12)))
    arrays, plain = replay.state()
    bookkeeping = "used" if kind == "stratified" else "lengths"
    damages: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, plain),
        (arrays, {**plain, "kind": "other"}),
        (arrays, {"kind": replay.kind}),
        (arrays, {**plain, "parts": 77}),
        ({**arrays, "states.0": arrays["states.0"][:, :5]}, plain),
        ({**arrays, "values.0": arrays["values.0"][1:]}, plain),
        ({**arrays, bookkeeping: arrays[bookkeeping] + 50}, plain),
        ({key: array for key, array in arrays.items() if key != bookkeeping}, plain),
    ]
    if kind == "stratified":
        damages.append(({**arrays, "order.0": arrays["order.0"] * 0}, plain))
    for bad_arrays, bad_plain in damages:
        if bad_arrays.get("states.0", np.empty((0, 0))).shape[1] == 5 and plain["parts"] == 1:
            continue  # a single part of any state size is a replay
        with pytest.raises(InvalidFile):
            KINDS[kind]().restore(bad_arrays, bad_plain)


# Mistakes


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: UniformReplay(0, 0.5), "mu must be a whole number of at least 1, not 0"),
        (lambda: UniformReplay(2.5, 0.5), "mu must be a whole number"),
        (lambda: UniformReplay(5, 0), "sigma must be a number above 0 and at most 1, not 0"),
        (lambda: UniformReplay(5, 1.5), "sigma must be"),
        (lambda: UniformReplay(5, float("nan")), "sigma must be"),
        (lambda: UniformReplay(5, 0.5, of="match"), "did you mean 'matches'"),
        (lambda: UniformReplay(5, 0.5, memory=0), "memory budget in bytes must be"),
        (lambda: StratifiedReplay(-1, 3), "mu must be"),
        (lambda: StratifiedReplay(5, 0), "delta must be a number above 0, not 0"),
        (lambda: StratifiedReplay(5, float("inf")), "delta must be"),
        (lambda: StratifiedReplay(5, "3"), "delta must be"),
        (lambda: StratifiedReplay(5, 3, memory=10).add(*pairs_of([1])), "budget of 10 bytes is too small"),
        (lambda: StratifiedReplay(5, 3).minibatches(0, np.random.default_rng()), "batch size must be"),
        (lambda: StratifiedReplay(5, 3).add(*pairs_of([])), "one or more states"),
        (
            lambda: StratifiedReplay(5, 3).add(pairs_of([1])[0], pairs_of([1, 2])[1]),
            "as many values, not 1 and 2",
        ),
        (lambda: StratifiedReplay(5, 3).add(pairs_of([1])[0] * 1.0, pairs_of([1])[1]), "are uint8"),
        (lambda: StratifiedReplay(5, 3).add(pairs_of([1])[0], np.array([np.nan])), "finite"),
    ],
)
def test_mistakes_are_told_in_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence) as caught:
        make()
    assert str(caught.value).endswith((".", "?"))


@kinds
def test_states_of_another_size_are_refused_and_an_empty_replay_gives_nothing(kind: str) -> None:
    replay = KINDS[kind]()
    assert list(replay.minibatches(5, np.random.default_rng(13))) == []
    assert (len(replay), replay.matches, replay.bytes_used) == (0, 0, 0)
    replay.add(*pairs_of([1]))
    with pytest.raises(InvalidParameter, match="states of 12 bytes, not of 6"):
        replay.add(np.zeros((1, 6), np.uint8), np.zeros(1, np.float32))
    assert kept(replay) == [1]
