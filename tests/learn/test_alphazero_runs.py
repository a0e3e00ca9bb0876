"""Runs of AlphaZero: determined by the seed, resumed to the last bit, with a rate that falls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glaux.errors import InvalidFile, InvalidParameter
from glaux.learn.alphazero import AlphaZero
from glaux.learn.learner import Finished
from glaux.learn.run import Run
from glaux.learn.training import Training
from tests.learn.small import small
from tests.learn.small_alphazero import TINY, config, network


def test_the_sequential_mode_is_determined_by_its_seed() -> None:
    def trained(**changes: Any) -> tuple[AlphaZero, list[list[int]]]:
        learner, seen = AlphaZero(network(**changes)), list[Finished]()
        learner.train(matches=5, listener=seen.extend)
        return learner, [one.actions for one in seen]

    (first, actions), (second, again) = trained(), trained()
    assert actions == again
    for name, weights in first.value.weights().items():
        assert (second.value.weights()[name] == weights).all()
    assert trained(seed=4)[1] != actions
    # Rounds in lock-step are determined as well.
    assert trained(lockstep=3)[1] == trained(lockstep=3)[1]


def test_synchronisation_and_warm_up() -> None:
    learner, seen = AlphaZero(config(sync_period=3, warm_up=40)), list[Finished]()
    learner.train(matches=14, listener=seen.extend)
    learned = [one.progress.learned for one in seen]
    kept = np.cumsum([one.progress.states for one in seen])
    first = int(np.argmax(kept >= 40))
    assert not any(learned[: first + 2]) and learned[first + 2] > 0
    assert [n > 0 for n in learned[first + 2 :]] == [i % 3 == 0 for i in range(len(learned) - first - 2)]


def test_the_time_of_a_round_is_counted_once(seed: int) -> None:
    """Of twelve matches one is learned from, with the others: its seconds are no waiting of theirs."""
    learner, seen = AlphaZero(network(lockstep=12, sync_period=12, seed=seed)), list[Finished]()
    learner.train(matches=36, listener=seen.extend)
    assert sum(one.progress.learned > 0 for one in seen) == 3
    spent = sum(sum(one.progress.seconds.values()) for one in seen)
    assert 0 < spent <= learner.elapsed


def test_policies_and_values_are_reported(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", network())
    Training(run, run.resume(), matches=3).go()
    rows = [row for row in run.metrics() if row["kind"] == "match"]
    assert all(0 < row["policy_loss"] < 3 and row["loss"] > 0 for row in rows)
    plain = Run.create(tmp_path / "plain", small())
    Training(plain, plain.resume(), matches=2).go()
    assert not any("policy_loss" in row or "calls" in row for row in plain.metrics())


def test_the_calls_of_a_network_are_counted() -> None:
    """One for each state if a match is alone; together they share them."""
    counts = {}
    for lockstep in (1, 4):
        learner, seen = AlphaZero(network(lockstep=lockstep)), list[Finished]()
        learner.train(matches=4, listener=seen.extend)
        calls = sum(one.progress.calls for one in seen)
        assert calls <= sum(one.progress.evaluations for one in seen)
        counts[lockstep] = calls / sum(one.progress.evaluations for one in seen)
    assert counts[4] < 0.6 * counts[1]


def test_what_waits_is_saved(tmp_path: Path) -> None:
    made = network(sync_period=4)
    whole, parts = AlphaZero(made), Run.create(tmp_path / "run", made)
    whole.train(matches=7)
    for goal in (1, 3, 6, 7):
        Training(parts, parts.resume(), matches=goal).go()
    again = parts.resume()
    assert isinstance(again, AlphaZero) and again.waiting == whole.waiting == 3
    for name, weights in whole.value.weights().items():
        assert (again.value.weights()[name] == weights).all()
    plain, arrays = again.state()
    for wrong in (4, -1):
        with pytest.raises(InvalidParameter, match="waiting to be learned"):
            again.restore(plain | {"waiting": wrong}, arrays)
    narrow = {k: v[:, :-1] if k.startswith("replay.policies") else v for k, v in arrays.items()}
    with pytest.raises(InvalidFile, match="damaged"):
        again.restore(plain, narrow)


FALLING = TINY | {"schedule": "cosine", "rate_end": 0.1, "averaging": 300}


@pytest.mark.parametrize("lockstep", [1, 3])
def test_resumed_with_a_falling_rate_and_an_average_it_is_the_same(lockstep: int, tmp_path: Path) -> None:
    made = network(value=FALLING, lockstep=lockstep, sync_period=2)
    whole, parts = (Run.create(tmp_path / name, made) for name in ("whole", "parts"))
    Training(whole, whole.resume(), matches=18).go()
    rates: list[float] = []
    for goal in (3, 9, 12, 18):
        learner = parts.resume()

        def stop_there(finished: list[Finished], learner: Any = learner, goal: int = goal) -> None:
            rates.extend(one.progress.value["rate"] for one in finished)
            if learner.matches >= goal:
                learner.stop()

        # The rate is that of the share of the whole training.
        training = Training(parts, learner, matches=18)
        after = training._after
        training._after = lambda finished, after=after: (after(finished), stop_there(finished))  # type: ignore
        training.go()
    one, other = parts.resume(), whole.resume()
    assert one.matches == other.matches == 18
    for found, wanted in (
        (one.value.weights(), other.value.weights()),
        (one.value.optimizer(), other.value.optimizer()),
    ):
        assert found.keys() == wanted.keys()
        assert all(np.array_equal(found[name], array) for name, array in wanted.items())
    assert any(name.startswith("learning.") for name in one.value.optimizer())
    assert rates == sorted(rates, reverse=True) and rates[0] == 0.01 and 0.001 < rates[-1] < 0.002


def test_the_rate_follows_the_time_too() -> None:
    learner = AlphaZero(network(value=FALLING))
    learner.elapsed = 5.0  # of 10 seconds
    rates: list[float] = []

    def stop(finished: list[Finished]) -> None:
        rates.extend(one.progress.value["rate"] for one in finished)
        learner.stop()

    learner.train(seconds=10.0, listener=stop)
    assert 0.001 < rates[0] <= 0.0055
    # A longer budget: less of the training is done, and the rate is higher again.
    longer = AlphaZero(network(value=FALLING))
    longer.elapsed = 5.0
    longer.train(seconds=100.0, listener=lambda _: longer.stop())
    assert longer.value.figures()["rate"] > 0.009
