"""What TensorBoard shows of a run: every match once, however often it was stopped or killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from glaux.learn.events import Events
from glaux.learn.learner import Learner
from glaux.learn.run import EVENTS, Run
from glaux.learn.training import Training
from tests.learn.small import small
from tests.learn.tensorboard import curves, read_event, records


def shown(run: Run) -> list[int]:
    return [step for step, _ in curves(run.path / EVENTS).get("training/loss", [])]


def test_a_resume_loses_no_point(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", small())
    for goal in (2, 3, 5):
        Training(run, run.resume(), matches=goal).go()
        assert shown(run) == list(range(1, goal + 1))


def test_what_is_played_again_is_shown_once(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", small())
    for goal in (2, 5):
        Training(run, run.resume(), matches=goal).go()
    place = run.latest()
    assert place is not None
    place.rename(tmp_path / "away")  # as if a kill had come before it
    Training(run, run.resume(), matches=6).go()
    assert shown(run) == [1, 2, 3, 4, 5, 6]


def test_what_a_checkpoint_has_is_there_before_it(tmp_path: Path, monkeypatch) -> None:
    """A kill after the checkpoint would lose it for ever: these matches are not played again."""
    run, saved = Run.create(tmp_path / "run", small(checkpoint_every=0.0)), Run.save
    matches: list[int] = []

    def save(self: Run, learner: Learner) -> Path:
        matches.append(learner.matches)
        assert shown(run) == list(range(1, learner.matches + 1))
        return saved(self, learner)

    monkeypatch.setattr(Run, "save", save)
    Training(run, run.resume(), matches=4).go()
    assert matches[-1] == 4


def test_the_messages_are_those_of_tensorboard(tmp_path: Path) -> None:
    """By the library that writes them for others: our writer and our reader could be wrong alike."""
    from tensorboardX.proto.event_pb2 import Event, SessionLog  # noqa: PLC0415 (imports torch)
    from tensorboardX.record_writer import masked_crc32c  # noqa: PLC0415

    points = [("training/loss", 0.25, 1), ("é", -1e300, 127), ("x" * 300, float("nan"), 2**40)]
    events = Events(tmp_path, first=128)
    for name, value, step in points:
        events.add_scalar(name, value, step)
    events.close()
    [file] = tmp_path.iterdir()
    head, start, *found = [(Event.FromString(data), read_event(data)) for data in records(file.read_bytes())]
    assert head[0].file_version == "brain.Event:2" and not head[1].starts
    assert (start[0].session_log.status, start[0].step) == (SessionLog.START, 129)
    assert start[1] == (129, True, [])
    for (name, value, step), (theirs, ours) in zip(points, found, strict=True):
        assert theirs.wall_time > head[0].wall_time > 1e9
        [(tag, number)] = [(one.tag, one.simple_value) for one in theirs.summary.value]
        assert (tag, theirs.step) == (name, step) == (ours.points[0][0], ours.step)
        expected = pytest.approx(value if abs(value) != 1e300 else float("-inf"), nan_ok=True)
        assert number == expected and ours.points[0][1] == expected
    data = file.read_bytes()
    assert int.from_bytes(data[8:12], "little") == masked_crc32c(data[:8])


def test_a_training_with_tables_does_without_torch(tmp_path: Path) -> None:
    """Which takes seconds to be imported, and hundreds of megabytes."""
    command = ["train", "connect_four:rows=4,columns=4,length=3", "--preset", "ntuple", "--matches", "2"]
    code = "import sys; from glaux.cli import app; app(sys.argv[1:], standalone_mode=False); "
    code += "print([name for name in ('torch', 'tensorboardX') if name in sys.modules])"
    arguments = [sys.executable, "-c", code, *command, "--run", str(tmp_path / "run")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "[]"
    assert list((tmp_path / "run" / EVENTS).iterdir())
