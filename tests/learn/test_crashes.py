"""A kill before any file operation of a training loses nothing: resumed, it is the same to the last bit."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from glaux.learn.registry import LEARNERS
from tests.learn.crashes import GOALS, KILLED

SAMPLE = 12


def crashes(learner: str, folder: Path, numbers: list[int]) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.learn.crashes", learner, str(folder), *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(learner: str, folder: Path, every: bool) -> None:
    [whole] = crashes(learner, folder, [0])
    assert (whole["code"], whole["after"]) == (0, 0), whole
    points = list(range(1, whole["count"] + 1))
    assert len(points) > 50
    found = crashes(learner, folder, points if every else random.Random(3).sample(points, SAMPLE))
    for one in found:
        # How many matches a block of TD has depends on time, and so does the number of operations.
        assert one["after"] == 0 and one["code"] in ((KILLED,) if learner == "athenan" else (KILLED, 0)), one
        assert one["found"]["digest"] == whole["found"]["digest"], one
        for rows in (one["found"]["matches"], one["found"]["rows"]):
            assert rows[-1] == GOALS[-1] and rows == sorted(set(rows)), one
        assert one["found"]["checkpoints"][-1] == f"{GOALS[-1]:08d}", one
        if learner == "athenan":
            assert one["found"]["matches"] == list(range(1, GOALS[-1] + 1)), one


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_sample_of_the_crash_points(learner: str, tmp_path: Path) -> None:
    check(learner, tmp_path, every=False)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_crash_point(learner: str, tmp_path: Path) -> None:
    check(learner, tmp_path, every=True)
