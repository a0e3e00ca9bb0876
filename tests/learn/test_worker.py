"""Self-play: rounds of matches, and workers in the training itself, in threads and in processes."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import GlauxError
from glaux.learn.athenan import Athenan
from glaux.learn.run import Run
from glaux.learn.stopping import Stopped
from glaux.learn.training import Training
from glaux.learn.worker import Played, Worker
from glaux.search.registry import SEARCHES
from tests.learn.small import small
from tests.learn.test_athenan import signature, trained


def same(one: Played, other: Played) -> bool:
    columns = (np.array_equal(one.examples[name], other.examples[name]) for name in ("states", "values"))
    return (one.number, one.actions, one.evaluations) == (
        other.number,
        other.actions,
        other.evaluations,
    ) and all(columns)


@pytest.mark.parametrize("algorithm", [name for name, entry in SEARCHES.items() if entry.learns])
def test_a_match_in_lockstep_is_the_match_alone(algorithm: str) -> None:
    changes = {"search": {"algorithm": algorithm, "iterations": 20}, "keep_resolved": 0}
    together = Worker(small(lockstep=5, **changes)).play(None, [3, 4, 5, 6, 7], 0.5)
    for number, played in enumerate(together, 3):
        [alone] = Worker(small(**changes)).play(None, [number], 0.5)
        assert same(played, alone)
    assert len({tuple(played.actions) for played in together}) > 1


def test_rounds_are_determined_by_the_seed() -> None:
    config = small(lockstep=4)
    (first, seen), (second, again) = trained(config, 10), trained(config, 10)
    assert signature(first) == signature(second)
    assert [one.actions for one in seen] == [one.actions for one in again]
    assert [one.progress.match for one in seen] == list(range(1, 11))
    assert signature(trained(small(), 10)[0]) != signature(first)
    told: list[int] = []
    Athenan(config).train(matches=10, listener=lambda finished: told.append(len(finished)))
    assert told == [4, 4, 2]


def test_a_round_is_played_with_the_value_function_of_its_beginning() -> None:
    """Its matches are those that a worker plays with the weights from before the round."""
    learner = Athenan(small(lockstep=3, keep_resolved=0))
    for _ in range(3):
        weights, matches = learner.value.weights(), learner.matches
        seen: list[Any] = []
        learner.train(matches=matches + 3, listener=seen.extend)
        fresh = Worker(small(lockstep=3, keep_resolved=0)).play(
            weights, range(matches + 1, matches + 4), matches / (matches + 3)
        )
        assert [one.actions for one in seen] == [played.actions for played in fresh]


def test_a_checkpoint_between_rounds_goes_on_bit_for_bit(tmp_path: Path) -> None:
    config = small(lockstep=4)
    whole, parts = Run.create(tmp_path / "whole", config), Run.create(tmp_path / "parts", config)
    Training(whole, whole.resume(), matches=16).go()
    for goal in (4, 12, 16):
        Training(parts, parts.resume(), matches=goal).go()
    assert signature(parts.resume()) == signature(whole.resume())
    assert list(parts.matches()) == list(whole.matches())
    _, arrays = whole.resume().state()
    assert {"proven.states", "proven.3.states"} <= set(arrays)


def test_rounds_of_a_network_are_determined_by_the_seed() -> None:
    value = {"family": "network", "architecture": "small", "filters": 4, "dense": 4}
    config = small(value=value, lockstep=5, search={"evaluations": 30}, warm_start=200)
    (first, seen), (second, again) = trained(config, 10), trained(config, 10)
    assert signature(first) == signature(second)
    assert [one.actions for one in seen] == [one.actions for one in again]


def test_workers_can_be_processes() -> None:
    learner, seen = trained(small(workers=2, processes=True, lockstep=2), 6)
    assert [one.progress.match for one in seen] == list(range(1, 7))
    assert all(one.progress.states > 0 for one in seen)
    assert learner.value.learned > 500


def test_a_process_that_died_between_two_rounds_is_an_error_in_words() -> None:
    with Athenan(small(workers=2, processes=True)).team as team:
        player = team.idle[0]
        assert team.result(player, team.submit(player, [1], 0.0))
        pool: Any = team._executor
        for process in pool._processes.values():
            os.kill(process.pid, signal.SIGKILL)
        while not pool._broken:
            time.sleep(0.01)
        with pytest.raises(GlauxError, match="has died"):
            team.result(player, team.submit(player, [2], 0.0))


def test_a_worker_stops_between_two_actions() -> None:
    worker = Worker(small())
    worker.stop.value = 1
    with pytest.raises(Stopped):
        worker.play(None, [1], 0.0)


def test_a_network_gets_larger_batches_in_lockstep() -> None:
    value = {"family": "network", "architecture": "small", "filters": 4, "dense": 4}
    sizes = []
    for lockstep in (1, 16):
        worker = Worker(small(value=value, lockstep=lockstep, search={"evaluations": 30}))
        played = worker.play(None, range(1, lockstep + 1), 0.0)
        assert isinstance(worker.value, glaux.NeuralNetwork)
        sizes.append(sum(one.evaluations for one in played) / worker.value.batches)
    assert sizes[1] > 4 * sizes[0]


def test_an_iteration_of_descent_is_never_cut_short() -> None:
    """With a limit that is over at once, the tree of every search still comes to an end of the match."""
    game = "hex:size=5"
    worker = Worker(small(game=game, search={"seconds": 1e-9}, symmetry="none", keep_resolved=0))
    [played] = worker.play(None, [1], 0.0)
    states = worker.heuristic.game.states(played.examples["states"])
    assert sum(state.game.terminal(state) for state in states) > 1
