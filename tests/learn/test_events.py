"""What TensorBoard shows of a run: every match once, however often it was stopped or killed."""

from pathlib import Path

from glaux.learn.learner import Learner
from glaux.learn.run import EVENTS, Run
from glaux.learn.training import Training
from tests.learn.small import small
from tests.learn.tensorboard import curves


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
