"""A training of so many minutes ends with them, however long its parts take."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from glaux.errors import InvalidParameter
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


def timed(**changes: Any) -> tuple[Athenan, Clock]:
    """A learner, and the clock that it looks at."""
    learner, clock = Athenan(small(**changes)), Clock()
    learner.clock = clock
    return learner, clock


def test_a_goal_leaves_time_to_learn() -> None:
    learner, clock = timed()
    goal = Goal(learner, seconds=10, matches=None)
    assert goal.play_seconds == 10 + GRACE, "the first match may come late: without it nothing is learned"
    clock.now += 5
    goal.learning = 2.0
    assert goal.play_seconds == 3 and not goal.over(1)
    clock.now += 3
    assert goal.play_seconds == 0 and goal.over(1), "a match from now on could not be learned from in time"
    assert goal.share(1) < 1


def test_learning_that_takes_long_is_begun_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a clock that only learning moves, 3 s a match: three matches are learned in 10 s, not four."""
    learner, clock = timed(warm_start=0)
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
    status.clock = lambda: status.begun + 95 + saving
    limits: list[float | None] = []
    monkeypatch.setattr(training, "_measure", limits.append)
    training._measure_last()
    assert limits == ([] if limit is None else [pytest.approx(limit)])


def test_processor_time_does_not_count_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.create(tmp_path / "run", small(clock="cpu"))
    learner = run.resume()
    steps = learner.steps

    def waits(drawn: Any) -> Any:
        time.sleep(0.3)
        return steps(drawn)

    monkeypatch.setattr(learner, "steps", waits)
    wall, cpu = time.perf_counter(), time.process_time()
    training = Training(run, learner, matches=3)
    training.go()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    assert 0 < learner.elapsed <= training.status.elapsed <= cpu
    assert learner.elapsed <= wall - 0.9
    assert Run.open(run.path).resume().elapsed == learner.elapsed


def test_by_processor_time_no_match_is_given_up(tmp_path: Path) -> None:
    """How long a match has to wait for the processor is nobody's fault: it is played to its end."""
    run = Run.create(tmp_path / "run", small(clock="cpu"))
    learner = run.resume()
    assert Goal(learner, seconds=10, matches=None).play_seconds is None
    Training(run, learner, seconds=0.5).go()
    assert learner.matches > 0 and learner.elapsed > 0


def test_processor_time_is_of_one_process() -> None:
    with pytest.raises(InvalidParameter, match="clock=cpu counts the time of one process"):
        small(clock="cpu", processes=True)
    with pytest.raises(InvalidParameter, match="clock=cpu counts the time of one process"):
        Athenan(small(clock="cpu")).play_on("local", 2)
    with pytest.raises(InvalidParameter, match="There is no clock 'sun'"):
        small(clock="sun")
