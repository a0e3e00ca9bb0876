"""Named columns, and that what carries them does not care for their names."""

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidParameter
from glaux.values.augmentation import augmented
from glaux.values.calibration import random_positions
from glaux.values.examples import Examples, joined, pairs
from tests.learn.replays import KINDS, kinds


def examples(n: int) -> Examples:
    """States, values, and two columns that nobody knows."""
    numbers = np.arange(n)
    return Examples(
        {
            "states": np.repeat(numbers[:, None], 5, axis=1).astype(np.uint8),
            "values": numbers.astype(np.float32),
            "planes": np.stack([numbers, -numbers], axis=1).astype(np.float32),
            "weights": (numbers * 3).astype(np.int16),
        }
    )


def belong_together(found: Examples) -> list[int]:
    numbers = found["values"].astype(int)
    expected = examples(int(numbers.max()) + 1).take(numbers)
    assert found.layout == expected.layout
    for name in expected.names:
        assert np.array_equal(found[name], expected[name]), name
    return numbers.tolist()


def test_rows_stay_together() -> None:
    some = examples(10)
    assert (len(some), some.names) == (10, ("states", "values", "planes", "weights"))
    assert some.row_bytes == 5 + 4 + 8 + 2
    assert belong_together(some.take(np.array([7, 1, 7]))) == [7, 1, 7]
    assert belong_together(some.part(3, 6)) == [3, 4, 5]
    assert belong_together(joined([some.part(8, 10), some.part(0, 2)])) == [8, 9, 0, 1]
    own = some.copy()
    some["values"][:] = 0
    assert belong_together(own) == list(range(10))


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="2 states, 3 values"):
        pairs(np.zeros((2, 4), np.uint8), np.zeros(3, np.float32))
    with pytest.raises(InvalidParameter, match="there are none"):
        Examples({})


@kinds
def test_a_replay_carries_any_columns(kind: str) -> None:
    replay, rng = KINDS[kind](), np.random.default_rng(1)
    for begin in (0, 10, 20):
        replay.add(examples(30).part(begin, begin + 10))
    for batch in replay.minibatches(4, rng):
        belong_together(batch)
    restored = KINDS[kind]()
    restored.restore(*replay.state())
    again = np.random.default_rng()
    again.bit_generator.state = rng.bit_generator.state
    expected, found = (
        [belong_together(batch) for batch in one.minibatches(4, generator)]
        for one, generator in ((replay, rng), (restored, again))
    )
    assert found == expected
    with pytest.raises(InvalidParameter, match="This replay has examples of states"):
        replay.add(pairs(examples(3)["states"], examples(3)["values"]))


@pytest.mark.parametrize("name", glaux.games())
def test_what_symmetric_copies_hold(name: str) -> None:
    """Behind the examples, in their order, are images of the states with all the rest unchanged."""
    game, n = glaux.make(name), 8
    states = random_positions(game, n, seed=1)
    weights = np.arange(n, dtype=np.int16)
    given = Examples({"weights": weights, "states": states, "values": weights.astype(np.float32) / 2})
    count = game.spec.symmetry_count
    images = [[game.native.transform(states[k : k + 1], i)[0] for i in range(count)] for k in range(n)]
    everything = augmented(game, given, "all", np.random.default_rng(2))
    assert everything.names == given.names and len(everything) == n * count
    for i in range(count):
        part = everything.part(i * n, (i + 1) * n)
        assert np.array_equal(part["weights"], weights)
        assert np.array_equal(part["values"], given["values"])
        assert np.array_equal(part["states"], [images[k][i] for k in range(n)])
    one = augmented(game, given, "random", np.random.default_rng(2))
    assert len(one) == (n if count == 1 else 2 * n)
    assert np.array_equal(one["states"][:n], states)
    if count > 1:
        chosen = np.random.default_rng(2).integers(1, count, n)
        assert np.array_equal(one["weights"][n:], weights)
        assert np.array_equal(one["states"][n:], [images[k][i] for k, i in enumerate(chosen)])
    assert augmented(game, given, "none", np.random.default_rng(2)) is given
    with pytest.raises(InvalidParameter, match="no symmetry 'al': did you mean 'all'"):
        augmented(game, given, "al", np.random.default_rng(2))
