"""What the soak says of a run after a kill: nothing if all is well, and a sentence for everything else."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from glaux.directories import checkpoints
from glaux.learn.registry import LEARNERS
from glaux.learn.run import Run
from glaux.learn.training import Training
from glaux.soak.checks import RunStanding, look
from tests.learn.test_stopping import of


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with checkpoints at 2 and 4, and rows up to 6, as a kill leaves it."""
    run = Run.create(tmp_path_factory.mktemp("soak") / "run", of("athenan", checkpoint_every=1e6))
    for goal in (2, 4):
        Training(run, run.resume(), matches=goal).go()
    for number in (5, 6):
        run.add_metrics({"kind": "match", "match": number, "elapsed": 9.0 + number})
        run.add_match({"match": number, "actions": []})
    return run.path


def torn(path: Path) -> None:
    with (path / "matches.jsonl").open("a") as file:
        file.write('{"match":7,"act')


def test_what_a_kill_may_leave(trained: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    shutil.copytree(trained, path)
    torn(path)
    (path / "checkpoints" / ".00000006").mkdir()
    standing, faults = look(path, RunStanding(), contiguous=True)
    assert (faults, standing.checkpoint, standing.rows) == ([], 4, 6)
    run = Run.open(path)
    Training(run, run.resume(), matches=8).go()
    after, faults = look(path, standing, contiguous=True)
    assert (faults, after.checkpoint, after.rows) == ([], 8, 8)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_passes(name: str, tmp_path: Path) -> None:
    run, standing = Run.create(tmp_path / "run", of(name)), RunStanding()
    for goal in (3, 7):
        Training(run, run.resume(), matches=goal).go()
        standing, faults = look(run.path, standing, contiguous=name != "td")
        assert (faults, standing.checkpoint) == ([], goal)


def change(name: str, lines: Callable[[list[str]], list[str]]) -> Callable[[Path], None]:
    def apply(path: Path) -> None:
        found = (path / name).read_text().splitlines(keepends=True)
        (path / name).write_text("".join(lines(found)))

    return apply


def flip(path: Path) -> None:
    file = checkpoints(path)[-1] / "arrays.npz"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def pile(path: Path) -> None:
    """Two checkpoints more than a kill can leave at once."""
    for number in (1, 2):
        shutil.copytree(checkpoints(path)[-1], path / "checkpoints" / f"00000004.{number}")


def late(path: Path) -> None:
    """A round that ended long after the checkpoint, and another one after it."""
    config = json.loads((path / "config.json").read_text())
    config["config"]["checkpoint_every"] = 1.0
    (path / "config.json").write_text(json.dumps(config))
    for place in checkpoints(path):
        sums = place / "SHA256SUMS"
        kept = [line for line in sums.read_text().splitlines(keepends=True) if "config.json" not in line]
        sums.write_text("".join(kept))


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (change("metrics.jsonl", lambda lines: [*lines[:2], *lines[3:]]), "match 3 is missing"),
        (change("matches.jsonl", lambda lines: [*lines[:3], lines[2], *lines[3:]]), "3 comes after 3"),
        (change("matches.jsonl", lambda lines: lines[:3]), "match 4 of the checkpoint is missing"),
        (
            change("matches.jsonl", lambda lines: [lines[0], lines[1][:9] + "\n", *lines[2:]]),
            "line 2 is not a row",
        ),
        (
            change("matches.jsonl", lambda lines: [lines[0].replace("[", "[0,"), *lines[1:]]),
            "have changed",
        ),
        (lambda path: shutil.rmtree(checkpoints(path)[-1]), "of match 2, but there was one of match 4"),
        (lambda path: checkpoints(path)[-1].rename(path / "checkpoints" / "00000005"), "is of 4 matches"),
        (flip, "arrays.npz' is damaged"),
        (pile, "There are 4 checkpoints, but there were 2"),
        (late, "was not saved"),
        (lambda path: (path / "config.json").unlink(), "There is no run"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_what_a_kill_may_not_leave(
    trained: Path, damage: Callable[[Path], None], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    shutil.copytree(trained, path)
    standing, _ = look(path, RunStanding(), contiguous=True)
    damage(path)
    _, faults = look(path, standing, contiguous=True)
    assert any(sentence in fault for fault in faults), faults
