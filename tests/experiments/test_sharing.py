"""What one experiment has trained another one takes, if it is the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from glaux.directories import read_lines
from glaux.errors import InvalidFile
from glaux.experiments.directory import TRAININGS
from glaux.experiments.running import run_experiment
from glaux.experiments.sharing import take_trained
from tests.cli.runner import refusal, run
from tests.experiments.small import TEXT, small_directory, small_plan

FINAL = TEXT[: TEXT.index("[[play]]")] + TEXT[TEXT.index('[[play]]\nname = "final"') :]
"""the same training runs, and other plays"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trained") / "x"
    directory = small_directory(path)
    with directory.locked():
        for step in run_experiment(directory, workers=1):
            if step.part != "trainings":
                break
    assert len(list(read_lines(path / TRAININGS))) == 4
    return path


def test_equal_training_runs_are_taken_and_play(trained: Path, tmp_path: Path) -> None:
    directory = small_directory(tmp_path / "y", text=FINAL)
    assert take_trained(directory, trained) == 4
    assert take_trained(directory, trained) == 0
    assert directory.trained() == small_directory(trained).trained()
    parts = {step.part: step.done for step in run_experiment(directory, workers=1)}
    assert parts == {"trainings": 4, "final": 16, "mcts": 32}


def test_what_differs_is_left(trained: Path, tmp_path: Path) -> None:
    """Another setting of one combination, and another random seed."""
    other = FINAL.replace('"targets=tree"', '"targets=tree", "value.alpha=0.5"')
    directory = small_directory(tmp_path / "y", text=other)
    assert take_trained(directory, trained) == 2
    assert {key.combination for key in directory.trained()} == {"terminal"}
    again = small_directory(tmp_path / "z", small_plan(FINAL, seed=1), FINAL)
    assert take_trained(again, trained) == 0


def test_a_copy_that_was_cut_off_is_made_again(trained: Path, tmp_path: Path) -> None:
    """The copy died in its second training run, and a third one was begun here."""
    directory = small_directory(tmp_path / "y", text=FINAL)
    first, second, third, _ = directory.plan.trainings()
    source = small_directory(trained)
    hidden = directory.run_path(second).with_name(".01")
    hidden.mkdir(parents=True)
    shutil.copy(source.run_path(second) / "config.json", hidden)
    directory.run_path(third).mkdir(parents=True)
    assert take_trained(directory, trained) == 3
    assert first in directory.trained() and second in directory.trained()
    assert third not in directory.trained() and not list(directory.run_path(third).iterdir())
    assert not hidden.exists()


def test_mistakes_are_one_sentence(trained: Path, tmp_path: Path) -> None:
    longer = small_directory(tmp_path / "y", small_plan(FINAL, matches=7), FINAL)
    with pytest.raises(InvalidFile, match="they have matches 6, and this experiment has 7"):
        take_trained(longer, trained)
    mine = tmp_path / "mine.toml"
    mine.write_text(FINAL)
    command = ("experiment", str(mine), "--out", str(tmp_path / "z"), "--workers", "1")
    assert "There is no experiment in" in refusal(*command, "--trained", str(tmp_path / "nowhere"))
    result = run(*command, "--trained", str(trained))
    assert result.exit_code == 0 and "4 training runs taken from" in result.stderr
