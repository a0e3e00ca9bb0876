"""What replays keep: their memory budget, their checkpoints, and what they refuse."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaux.errors import InvalidFile, InvalidParameter
from glaux.learn.replay import Replay, StratifiedReplay, UniformReplay
from glaux.values.examples import Examples, pairs
from tests.learn.replays import (
    KINDS,
    STATE_SIZE,
    far_from_chance,
    kept,
    kinds,
    numbered,
    pairs_of,
    phase,
)

# Memory


@kinds
@settings(max_examples=60)
@given(lengths=st.lists(st.integers(1, 120), min_size=1, max_size=25), memory=st.integers(1200, 12_000))
def test_the_memory_budget_is_kept(kind: str, lengths: list[int], memory: int) -> None:
    replay = KINDS[kind](mu=200 if kind == "states" else 9, memory=memory)
    rng = np.random.default_rng(8)
    for new in numbered(lengths):
        replay.add(pairs_of(new))
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
            replay.add(pairs_of(new))
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
        replay.add(pairs_of([400, 401]))
        replay.add(pairs_of(range(300)))
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
    examples = pairs_of(range(length))
    tracemalloc.start()
    try:
        for _ in range(matches):
            replay.add(examples)
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
        replay.add(pairs_of(new))
        list(replay.minibatches(8, rng))
    restored = KINDS[kind](memory=memory)
    restored.add(pairs_of([1000, 1001]))  # is forgotten
    restored.restore(*through_files(*replay.state()))
    rng_of_restored = np.random.default_rng(0)
    rng_of_restored.bit_generator.state = rng.bit_generator.state
    for new in numbered(lengths)[stop:]:
        for one in (replay, restored):
            one.add(pairs_of(new))
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
        replay.add(pairs_of(new))
        list(replay.minibatches(4, rng))
    arrays, _ = replay.state()
    copies = {key: array.copy() for key, array in arrays.items()}
    for new in numbered([3, 30, 8]):
        replay.add(pairs_of(new))
        list(replay.minibatches(4, rng))
    assert all(np.array_equal(arrays[key], copies[key]) for key in copies)


@kinds
def test_what_was_added_may_be_overwritten(kind: str) -> None:
    replay = KINDS[kind]()
    examples = pairs_of(range(9))
    replay.add(examples)
    for column in examples.columns.values():
        column[:] = 0
    assert kept(replay) == list(range(9))


@kinds
def test_a_restored_replay_keeps_a_smaller_budget(kind: str) -> None:
    replay = KINDS[kind]()
    for new in numbered([10, 10, 10, 10]):
        replay.add(pairs_of(new))
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
        replay.add(pairs_of(new))
    list(replay.minibatches(3, np.random.default_rng(12)))
    arrays, plain = replay.state()
    bookkeeping = "used" if kind == "stratified" else "lengths"
    damages: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, plain),
        (arrays, {**plain, "kind": "other"}),
        (arrays, {"kind": replay.kind}),
        (arrays, {**plain, "parts": 77}),
        (arrays, {**plain, "added": -1}),
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
        (lambda: UniformReplay(2.5, 0.5), "mu must be a whole number"),  # type: ignore[arg-type]
        (lambda: UniformReplay(5, 0), "sigma must be above 0 and at most 1, not 0"),
        (lambda: UniformReplay(5, 1.5), "sigma must be"),
        (lambda: UniformReplay(5, float("nan")), "sigma must be"),
        (lambda: UniformReplay(5, 0.5, of="match"), "did you mean 'matches'"),
        (lambda: UniformReplay(5, 0.5, memory=0), "memory budget in bytes must be"),
        (lambda: StratifiedReplay(-1, 3), "mu must be"),
        (lambda: StratifiedReplay(5, 0), "delta must be a positive number, not 0"),
        (lambda: StratifiedReplay(5, float("inf")), "delta must be"),
        (lambda: StratifiedReplay(5, "3"), "delta must be"),  # type: ignore[arg-type]
        (lambda: StratifiedReplay(5, 3, memory=10).add(pairs_of([1])), "budget of 10 bytes is too small"),
        (lambda: StratifiedReplay(5, 3).minibatches(0, np.random.default_rng()), "batch size must be"),
        (lambda: StratifiedReplay(5, 3).add(pairs_of([])), "at least one example"),
        (lambda: StratifiedReplay(5, 3).add(Examples({"values": np.array([np.nan])})), "values .* finite"),
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
    replay.add(pairs_of([1]))
    with pytest.raises(InvalidParameter, match=r"states \(uint8\[12\]\) .* not of states \(uint8\[6\]\)"):
        replay.add(pairs(np.zeros((1, 6), np.uint8), np.zeros(1, np.float32)))
    assert kept(replay) == [1]
