"""A training of so many minutes ends with them, however long its parts take."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from glaux.learn.athenan import Athenan
from glaux.learn.learner import GRACE, Goal
from glaux.learn.run import Run
from glaux.learn.training import LAST_GRACE, Training
from tests.learn.small import small


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("glaux.learn.learner.time.perf_counter", made)
    return made


def test_a_goal_leaves_time_to_learn(clock: Clock) -> None:
    goal = Goal(Athenan(small()), seconds=10, matches=None)
    assert goal.play_seconds == 10 + GRACE, "the first match may come late: without it nothing is learned"
    clock.now += 5
    goal.learning = 2.0
    assert goal.play_seconds == 3 and not goal.over(1)
    clock.now += 3
    assert goal.play_seconds == 0 and goal.over(1), "a match from now on could not be learned from in time"
    assert goal.share(1) < 1


def test_learning_that_takes_long_is_begun_in_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a clock that only learning moves, 3 s a match: three matches are learned in 10 s, not four."""
    learner = Athenan(small(warm_start=0))
    steps = learner._steps

    def counted(drawn: Any) -> Any:
        found = steps(drawn)
        clock.now += 3
        return found

    monkeypatch.setattr(learner, "_steps", counted)
    learner.train(seconds=10)
    assert learner.matches == 3 and learner.elapsed == 9


def test_a_learner_that_goes_on_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaux.learn.training.LAST_GRACE", 0.2)
    run = Run.create(tmp_path / "run", small(warm_start=100))
    learner = run.resume()

    def endless(**_: Any) -> None:
        deadline = time.monotonic() + 240
        while not learner.stopping:
            assert time.monotonic() < deadline
            time.sleep(0.01)

    monkeypatch.setattr(learner, "train", endless)
    Training(run, learner, seconds=0.5).go()
    assert learner.value.learned == 100, "the warm start is kept"
    assert Run.open(run.path).resume().value.learned == 100


@pytest.mark.parametrize(("saving", "limit"), [(0.0, 5 + LAST_GRACE), (4.0, 1 + LAST_GRACE), (60.0, None)])
def test_saving_is_part_of_the_time(
    saving: float, limit: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left of the time after the checkpoint is for the last measurement of strength."""
    run = Run.create(tmp_path / "run", small(strength={"every": 60.0}))
    training = Training(run, run.resume(), seconds=100)
    status = training.status
    status.ended = status.begun + 95
    monkeypatch.setattr("glaux.learn.training.time.perf_counter", lambda: status.begun + 95 + saving)
    limits: list[float | None] = []
    monkeypatch.setattr(training, "_measure", limits.append)
    training._measure_last()
    assert limits == ([] if limit is None else [pytest.approx(limit)])
