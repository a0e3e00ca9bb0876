"""Trainings with several workers and with networks that are killed again and again lose nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from glaux.soak.kinds import NETWORK, kinds

ALWAYS, NIGHTLY = 2, 200


def check(kind: str, count: int, folder: Path) -> None:
    command = [sys.executable, "-m", "tests.learn.kills", kind, str(count), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["kills"], found["faults"]) == (count, []), found


def both(kind: str) -> bool:
    """A network in several processes: each alone is enough by day."""
    return NETWORK in kind and "processes" in kind


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.nightly if both(kind) else ()) for kind in kinds()]
)
def test_some_kills(kind: str, tmp_path: Path) -> None:
    check(kind, ALWAYS, tmp_path)


@pytest.mark.nightly
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("kind", kinds())
def test_a_thousand_kills(kind: str, tmp_path: Path) -> None:
    check(kind, NIGHTLY, tmp_path)
