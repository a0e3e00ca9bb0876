"""What a run's files must survive: kills, damage, a full disk, and other processes."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import glaux
from glaux.directories import SUMS, checkpoints
from glaux.errors import EngineError, GlauxError, InvalidFile
from glaux.learn.registry import LEARNERS
from glaux.learn.run import Run
from glaux.learn.training import Training
from tests.cli.runner import run as command
from tests.learn.small import small
from tests.learn.test_stopping import of, standing


def trained(path: Path, *goals: int) -> Run:
    run = Run.create(path, small())
    for goal in goals:
        Training(run, run.resume(), matches=goal).go()
    return run


def test_the_checkpoint_before_stays(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", 2, 4, 6)
    assert [p.name for p in checkpoints(run.path)] == ["00000004", "00000006"]
    shutil.rmtree(checkpoints(run.path)[-1])
    assert run.resume().matches == 4
    Training(run, run.resume(), matches=6).go()
    assert [row["match"] for row in run.matches()] == [1, 2, 3, 4, 5, 6]


def test_nothing_is_removed_before_the_new_one_is_whole(tmp_path: Path, monkeypatch) -> None:
    run = trained(tmp_path / "run", 3)
    [*_, place] = checkpoints(run.path)
    learner = run.resume()

    def dies() -> None:
        assert place.is_dir()
        raise MemoryError

    monkeypatch.setattr(learner, "state", dies)
    with pytest.raises(MemoryError):
        run.save(learner)
    assert run.latest() == place
    monkeypatch.undo()
    again = run.save(learner)  # the same match: beside the first
    assert place.is_dir() and run.latest() == again
    assert standing(run.resume()) == standing(learner)
    assert not list((run.path / "checkpoints").glob(".*"))


def test_a_run_at_its_goal_is_not_saved_again(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", 3)
    before = checkpoints(run.path)
    Training(run, run.resume(), matches=3).go()
    assert checkpoints(run.path) == before


@pytest.mark.parametrize("name", LEARNERS)
def test_every_change_of_a_file_is_noticed(name: str, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", of(name))
    for goal in (2, 4):
        Training(run, run.resume(), matches=goal).go()
    [before, place] = checkpoints(run.path)
    expected, rng = standing(run.resume()), random.Random(1)
    files = [run.path / "config.json", *(p for p in place.rglob("*") if p.is_file())]
    assert {"state.json", "arrays.npz", "value.json", SUMS} <= {p.name for p in files}
    for file in files:
        content = file.read_bytes()
        flips = [rng.randrange(8 * len(content)) for _ in range(12)]
        damaged = [
            content[: i // 8] + bytes([content[i // 8] ^ 1 << i % 8]) + content[i // 8 + 1 :] for i in flips
        ]
        cuts = [content[: rng.randrange(len(content))] for _ in range(3)]
        for other in [*damaged, *cuts, b"", content + b" "]:
            file.write_bytes(other)
            with pytest.raises(InvalidFile) as caught:
                run.resume()
            assert str(run.path) in str(caught.value)
            if place in file.parents:
                assert f"Remove '{place}' to continue from the previous one, '{before.name}'." in str(
                    caught.value
                )
        file.unlink()
        with pytest.raises(InvalidFile):
            run.resume()
        file.write_bytes(content)
    assert standing(run.resume()) == expected
    shutil.rmtree(place)
    assert run.resume().matches == 2


def test_the_value_of_a_run_is_checked(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", 2)
    head = checkpoints(run.path)[-1] / "value" / "value.json"
    head.write_bytes(head.read_bytes().replace(b'"learned": ', b'"learned": 1'))
    with pytest.raises(InvalidFile, match=r"value\.json' is damaged"):
        glaux.load(run.path)


LINES = [
    "{",
    "[1]",
    "7",
    '{"match": "x"}',
    '{"match": 1, "kind": "strength"}',
    '{"match": 1}',
    "[" * 100_000,
    "\xff",
]


def test_damaged_lines_are_left_out(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", 3)
    for name in ("metrics.jsonl", "matches.jsonl"):
        file = run.path / name
        rows = file.read_bytes().splitlines(keepends=True)
        broken = [line.encode("latin-1") + b"\n" for line in LINES]
        file.write_bytes(b"".join([rows[0], *broken, *rows[1:]]) + rows[0][:20])
    Training(run, run.resume(), matches=5).go()
    for found in (run.matches(), run.metrics()):
        assert [row["match"] for row in found if "seconds" in row or "actions" in row] == [1, 2, 3, 4, 5]


def test_a_stale_training_is_refused(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", 2)
    stale = Training(run, run.resume(), matches=9)
    Training(run, run.resume(), matches=5).go()
    with pytest.raises(InvalidFile, match=r"Another process has meanwhile continued .* up to match 5"):
        stale.go()
    assert run.resume().matches == 5 and len(list(run.matches())) == 5


def test_the_run_is_locked_before_its_checkpoint_is_read(tmp_path: Path, monkeypatch) -> None:
    place, seen = trained(tmp_path / "run", 2), []
    resume = Run.resume

    def reads(self: Run):
        with pytest.raises(GlauxError, match="Another process is training"), Run.open(self.path).locked():
            pass
        seen.append(1)
        return resume(self)

    monkeypatch.setattr(Run, "resume", reads)
    result = command("train", "connect_four", "--run", str(place.path), "--resume", "--matches", "3")
    assert (result.exit_code, seen) == (0, [1]), result.output


def test_a_directory_of_a_run_that_was_killed_at_once_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "run"
    for name in ("checkpoints", "history"):
        (path / name).mkdir(parents=True)
    (path / ".config.json.123").write_text("{")
    (path / ".lock").touch()
    assert Run.create(path, small()).config == small()
    (path / "config.json").unlink()
    (path / "checkpoints" / "00000001").mkdir()
    with pytest.raises(InvalidFile, match="not empty"):
        Run.create(path, small())


FULL = """
import resource, sys
from glaux.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))  # no file may grow beyond: as a disk that is full
sys.argv[0] = "glaux"
main()
"""


@pytest.mark.slow
def test_a_full_disk_stops_a_training_with_the_path(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", 4)
    before = standing(run.resume())
    arguments = ["train", "connect_four", "--run", str(run.path), "--resume", "--matches", "5000"]
    done = subprocess.run(
        [sys.executable, "-c", FULL, *arguments], capture_output=True, text=True, timeout=800, check=False
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert str(run.path) in done.stderr
    learner = run.resume()
    assert learner.matches > 4 or standing(learner) == before
    Training(run, learner, matches=learner.matches + 1).go()
    assert [row["match"] for row in run.matches()] == list(range(1, learner.matches + 1))


def test_an_opponent_that_fails_ends_the_measurement(tmp_path: Path, monkeypatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise EngineError("The engine has died.")

    monkeypatch.setattr("glaux.learn.training.measure_strength", fails)
    path = tmp_path / "run"
    settings = ["--set", "warm_start=0", "--set", "search.evaluations=20"]
    result = command("train", "connect_four", "--run", str(path), "--matches", "2", *settings)
    assert (result.exit_code, result.stderr) == (
        1,
        "glaux: The strength could not be measured: The engine has died.\n",
    )
    assert Run.open(path).resume().matches == 2
