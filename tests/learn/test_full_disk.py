"""A disk that is really full: a small one in memory, mounted where only the test sees it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from glaux.directories import checkpoints
from glaux.learn.registry import LEARNERS
from glaux.learn.run import Run
from glaux.learn.training import Training
from glaux.soak.checks import RunStanding, look
from glaux.soak.programs import folder_bytes
from tests.learn.crashes import CASES, contiguous
from tests.learn.test_stopping import of

ALONE = ["unshare", "--map-root-user", "--mount", "sh", "-ec"]
FILL = 'mount -t tmpfs -o size="$1" none "$2"; cp -r "$3" "$2/run"; shift 3; code=0; "$@" || code=$?; '
TRAIN = (
    sys.executable,
    "-c",
    "import sys; from glaux.cli import main; sys.argv[0] = 'glaux'; main()",
    "train",
    "connect_four",
    "--resume",
    "--matches",
    str(10**9),
)


def small_disks() -> bool:
    """Whether we may have a disk of our own here."""
    probe = [*ALONE, 'mount -t tmpfs -o size=64k none "$1"', "sh", "/mnt"]
    if shutil.which("unshare") is None:
        return False
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


needs_small_disks = pytest.mark.skipif(not small_disks(), reason="no disk of our own can be mounted here")


@pytest.mark.slow
@needs_small_disks
@pytest.mark.parametrize(
    ("case", "room"),
    # Every learner; other workers and value functions at night, and trainings without rounds, which go on
    # for most of a minute before they save again. Their rows would take hours to fill a disk.
    [
        pytest.param(case, room, marks=() if case in LEARNERS and contiguous(case) else pytest.mark.nightly)
        for case in CASES
        for room in ("no checkpoint", *(["some matches"] if contiguous(case) else []))
    ],
)
def test_a_full_disk_stops_a_training_and_nothing_is_lost(case: str, room: str, tmp_path: Path) -> None:
    changes = {key: value for key, value in CASES[case].items() if key != "learner"}
    config = of(CASES[case]["learner"], checkpoint_every=0.0, **changes)
    begun = Run.create(tmp_path / "begun", config)
    Training(begun, begun.resume(), matches=4).go()
    before, faults = look(begun.path, RunStanding(), contiguous=contiguous(case))
    assert faults == []
    disk, after = tmp_path / "disk", tmp_path / "after"
    disk.mkdir()
    spare = folder_bytes(checkpoints(begun.path)[-1]) // (2 if room == "no checkpoint" else 1) * 3 // 2
    size = 4 * sum(1 for _ in begun.path.rglob("*")) + (folder_bytes(begun.path) + spare) // 1024
    script = f'{FILL} cp -r "{disk}/run" "{after}"; exit $code'
    place = [f"{size}k", str(disk), str(begun.path)]
    command = [*ALONE, script, "sh", *place, *TRAIN, "--run", str(disk / "run")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), (done.stdout, done.stderr)
    assert "No space left on device" in done.stderr and str(disk / "run") in done.stderr
    _, faults = look(after, before, contiguous=contiguous(case))
    assert faults == []
    run = Run.open(after)
    learner = run.resume()
    assert learner.matches >= 4
    Training(run, learner, matches=learner.matches + 1).go()
    assert json.loads((after / "metrics.jsonl").read_text().splitlines()[-1])["match"] == learner.matches
