import json
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

import glaux
from glaux.directories import SUMS, checkpoint_number, checkpoints
from glaux.errors import InvalidFile
from glaux.learn.run import Run
from glaux.learn.training import Training
from glaux.values.loading import load_to_play
from glaux.values.saving import Saved, read
from tests.learn.small import small
from tests.learn.test_athenan import signature


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    whole, parts = Run.create(tmp_path / "whole", small()), Run.create(tmp_path / "parts", small())
    training = Training(whole, whole.resume(), matches=15)
    training.go()
    for goal in (4, 5, 11, 15):
        part = Training(parts, parts.resume(), matches=goal)
        part.go()
    assert signature(part.learner) == signature(training.learner)
    assert list(parts.matches()) == list(whole.matches())
    assert part.learner.value.learned == training.learner.value.learned
    assert part.learner.evaluations == training.learner.evaluations


def test_a_resumed_network_computes_where_the_settings_say(tmp_path: Path) -> None:
    value = {"family": "network", "architecture": "small", "filters": 4, "dense": 4, "threads": 2}
    run = Run.create(tmp_path / "run", small(value=value, warm_start=0))
    begun = run.resume()
    run.save(begun)
    resumed = run.resume()
    for learner in (begun, resumed):
        assert isinstance(learner.value, glaux.NeuralNetwork)
        assert learner.value.threads == 2


def test_what_a_run_holds(tmp_path: Path) -> None:
    config = small(strength={"every": 0.05, "games": 2, "opponent": "random", "seconds": 0.001})
    run = Run.create(tmp_path / "run", config)
    Training(run, run.resume(), matches=30).go()
    assert run.config == config
    rows = list(run.metrics())
    matches = [row for row in rows if row["kind"] == "match"]
    assert [row["match"] for row in matches] == list(range(1, 31))
    strengths = [row for row in rows if row["kind"] == "strength"]
    assert strengths[0]["match"] == 0 and strengths[-1]["match"] == 30
    assert all(0 <= row["low"] <= row["score"] <= row["high"] <= 1 for row in strengths)
    game = glaux.make(config.game)
    for row in run.matches():  # each can be replayed
        state = game.initial()
        for action in row["actions"]:
            state = game.apply(state, action)
        assert game.outcome(state) == row["outcome"]
    assert len(list((tmp_path / "run" / "history").iterdir())) >= 5
    assert [p.name for p in checkpoints(run.path)][-1] == "00000030"
    assert list((tmp_path / "run" / "events").glob("events.out.tfevents*"))
    value = glaux.load(tmp_path / "run")
    assert value.learned > 1000
    assert value.heuristic == "additive_depth"
    [entry] = value.history
    assert entry["training"] == "descent, tree learning, additive_depth"
    assert (entry["matches"], entry["seed"]) == (30, 5)


def test_bad_runs(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="There is no run"):
        Run.open(tmp_path)
    run = Run.create(tmp_path / "run", small())
    with pytest.raises(InvalidFile, match="already holds a run"):
        Run.create(tmp_path / "run", small())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(InvalidFile, match="not empty"):
        Run.create(tmp_path / "other", small())
    with pytest.raises(InvalidFile, match="no checkpoint yet"):
        glaux.load(tmp_path / "run")
    Training(run, run.resume(), matches=2).go()
    place = run.latest()
    assert place is not None
    (place / "arrays.npz").write_bytes((place / "arrays.npz").read_bytes()[:-100])
    with pytest.raises(InvalidFile, match="can't be read"):
        run.resume()
    (place / SUMS).unlink()  # as in a checkpoint of before
    with pytest.raises(InvalidFile, match="can't be read"):
        run.resume()
    (place / "state.json").unlink()
    with pytest.raises(InvalidFile, match="can't be read"):
        run.resume()
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    (tmp_path / "run" / "config.json").write_text(json.dumps(config | {"format": 9}))
    with pytest.raises(InvalidFile, match="newer Glaux"):
        run.resume()
    (tmp_path / "run" / "config.json").write_text("{")
    with pytest.raises(InvalidFile, match="not the configuration"):
        run.resume()


def test_checkpoints_while_several_workers_play(tmp_path: Path) -> None:
    # The searches of the other workers must not be touched: this crashed in native code.
    config = small(
        game="breakthrough:rows=6,columns=6", workers=3, checkpoint_every=0.0, search={"evaluations": 2000}
    )
    run = Run.create(tmp_path / "run", config)
    Training(run, run.resume(), matches=40).go()
    training = Training(run, run.resume(), matches=45)
    training.go()
    assert training.learner.matches == 45


def test_one_process_at_a_time(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", small())
    training = Training(run, run.resume(), matches=1)
    with Run.open(run.path).locked(), pytest.raises(InvalidFile, match="Another process is training"):
        training.go()
    training.go()
    assert training.learner.matches == 1


@pytest.mark.parametrize("load", [glaux.load, lambda path: load_to_play(path, glaux.make(small().game))])
def test_a_value_is_loaded_while_a_training_goes_on(load, tmp_path: Path, monkeypatch) -> None:
    run = Run.create(tmp_path / "run", small())
    Training(run, run.resume(), matches=2).go()
    reads: list[Path] = []

    def slow(path: Path, *, optimizer: bool = True) -> Saved:
        reads.append(path)
        if len(reads) == 1:  # while it is read, the training goes on and removes what it reads
            for goal in (4, 6):
                Training(run, run.resume(), matches=goal).go()
            assert not path.exists()
        return read(path, optimizer=optimizer)

    monkeypatch.setattr("glaux.values.loading.read", slow)
    assert load(run.path).learned > 0
    assert len(reads) > 1
    place = run.latest()
    assert place is not None and reads[-1] == place / "value"
    (place / "value" / "value.json").write_text("{")  # what is damaged is not read again and again
    with pytest.raises(InvalidFile):
        load(run.path)


def newest(run: Run) -> int:
    place = run.latest()
    return checkpoint_number(place) if place else -1


def train_for_ever(path: Path) -> None:
    run = Run.open(path)
    Training(run, run.resume(), matches=10**6).go()


@pytest.mark.slow
def test_a_killed_training_loses_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run"
    run = Run.create(path, small(checkpoint_every=0.05))
    spawn = multiprocessing.get_context("spawn")
    reached = 0
    for attempt in range(6):
        process = spawn.Process(target=train_for_ever, args=(path,))
        process.start()
        deadline = time.monotonic() + 240
        while newest(run) <= reached and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.017 * attempt)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        learner = run.resume()
        assert learner.matches > reached
        reached = learner.matches
        run.forget_after(reached)
        numbers = [row["match"] for row in run.matches()]
        assert numbers == list(range(1, reached + 1))
        assert glaux.load(path).learned > 0
