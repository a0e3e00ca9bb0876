"""An experiment from end to end: stopped anywhere, it goes on to the same result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glaux.directories import append_line, read_lines
from glaux.errors import InvalidFile, InvalidParameter
from glaux.experiments import directory as module
from glaux.experiments.directory import GAMES, TRAININGS
from glaux.experiments.jobs import LINES, TrainingJob
from glaux.experiments.running import run_experiment
from glaux.experiments.summary import Outcome
from glaux.learn.run import METRICS, Run
from tests.experiments.small import TEXT, small_directory, small_plan

TIMES = ("seconds", "seconds_per_move")


def run_all(path: Path) -> None:
    directory = small_directory(path)
    with directory.locked():
        for _ in run_experiment(directory, workers=1):
            pass


def timeless(found: Any) -> Any:
    """Without what a clock has measured."""
    if isinstance(found, dict):
        return {key: timeless(value) for key, value in found.items() if key not in TIMES}
    return [timeless(one) for one in found] if isinstance(found, list) else found


def content(path: Path) -> dict[str, Any]:
    """All that an experiment has come to, whatever the order in which it came."""
    files = [TRAININGS, *(f"{GAMES}/{play}.jsonl" for play in ("curves", "final", "mcts"))]
    rows = {name: sorted(json.dumps(timeless(row)) for row in read_lines(path / name)) for name in files}
    return rows | {"summary": timeless(Outcome(small_directory(path)).summary())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "x"
    run_all(path)
    return path


def test_everything_is_in_its_place(whole: Path) -> None:
    found = content(whole)
    assert len(found[TRAININGS]) == 4
    assert [len(found[f"{GAMES}/{play}.jsonl"]) for play in ("curves", "final", "mcts")] == [40, 16, 32]
    for row in read_lines(whole / TRAININGS):
        assert row["stages"] == [2, 4, 6]  # of six matches, three values evenly spaced
    assert not list((whole / "runs").rglob("checkpoints"))
    figures = found["summary"]["plays"]["final"]["rows"]
    wins = [figures[row]["mean"]["mean"] for row in ("tree", "terminal")]
    assert 0 < sum(wins) <= 1
    assert found["summary"]["plays"]["final"]["kendall_tau"].keys() <= {*small_plan().games, "mean"}


@pytest.mark.parametrize("broken", [1, 30, 70])
def test_it_goes_on_after_a_kill_in_the_middle_of_a_line(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: int
) -> None:
    """The process dies while it writes line number ``broken``, which is there in half."""
    written = 0

    def dies(path: Path, row: dict[str, Any]) -> None:
        nonlocal written
        written += 1
        if written == broken:
            with path.open("a") as file:
                file.write(json.dumps(row)[:25])
            raise KeyboardInterrupt
        append_line(path, row)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(module, "append_line", dies)
        run_all(tmp_path / "x")
    run_all(tmp_path / "x")
    assert content(tmp_path / "x") == content(whole)


def test_a_training_goes_on_after_it_was_stopped_between_matches(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = 0
    add = Run.add_match

    def stops(run: Run, row: dict[str, Any]) -> None:
        nonlocal matches
        matches += 1
        add(run, row)
        if matches == 9:  # in the middle of the second training
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Run, "add_match", stops)
        run_all(tmp_path / "x")
    assert len(list(read_lines(tmp_path / "x" / TRAININGS))) == 1
    run_all(tmp_path / "x")
    assert content(tmp_path / "x") == content(whole)


@pytest.mark.nightly
def test_it_survives_kill_9_again_and_again(whole: Path, tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\nfrom tests.experiments.test_running import run_all\n"
        f"if __name__ == '__main__':\n    run_all(Path({str(tmp_path / 'x')!r}))\n"
    )
    for wait in (2.0, 2.5, 3.0, 3.5, 4.0):
        process = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(wait)
        process.kill()
        process.wait()
    run_all(tmp_path / "x")
    assert content(tmp_path / "x") == content(whole)


@pytest.mark.nightly
def test_workers_change_nothing(whole: Path, tmp_path: Path) -> None:
    directory = small_directory(tmp_path / "x")
    for _ in run_experiment(directory, workers=2):
        pass
    assert content(tmp_path / "x") == content(whole)


def test_repetitions_can_be_added(whole: Path, tmp_path: Path) -> None:
    small_directory(tmp_path / "x", small_plan(repetitions=1))
    for repetitions in (1, 2):
        directory = small_directory(tmp_path / "x", small_plan(repetitions=repetitions))
        for _ in run_experiment(directory, workers=1):
            pass
    assert content(tmp_path / "x") == content(whole)


def test_a_directory_keeps_to_its_experiment(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="holds another experiment, with matches: 6, not 7"):
        small_directory(whole, small_plan(matches=7))
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidFile, match="is not empty, and holds no experiment"):
        small_directory(tmp_path)
    with pytest.raises(InvalidParameter, match="a comma can't be named"):
        small_directory(tmp_path / "a,b")


def test_a_run_with_other_settings_is_refused(tmp_path: Path) -> None:
    directory = small_directory(tmp_path / "x")
    job = directory.training_job(directory.plan.trainings()[0])
    Run.create(Path(job.path), small_plan(TEXT, seed=3).config(directory.plan.trainings()[0]))
    with pytest.raises(InvalidFile, match="has different settings from this experiment"):
        TrainingJob(job.path, job.config, job.seconds, job.matches, job.stages).play()


@pytest.mark.parametrize("lacking", [0, 3])
def test_a_figure_may_be_lacking_in_some_rows(tmp_path: Path, lacking: int) -> None:
    """As the calls of a network in ExIt's warm start, at the beginning, or in the last rows."""
    directory = small_directory(tmp_path / "x")
    job = directory.training_job(directory.plan.trainings()[0])
    counted = TrainingJob(job.path, job.config, None, 4, 1).play()
    run = Run(Path(job.path))
    rows = list(run.metrics())
    text = "".join(
        json.dumps(row | {"calls": 7} if i != lacking else row) + "\n" for i, row in enumerate(rows)
    )
    (run.path / METRICS).write_text(text)
    again = TrainingJob(job.path, job.config, None, 4, 1).play()
    calls = text.count('"calls"')
    assert 0 < calls < len(rows) and again["calls"] == 7 * calls
    assert all(again[name] == counted[name] for name in LINES if name != "calls")
    assert np.isnan(run.columns()["calls"]).any()
