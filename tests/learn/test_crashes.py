"""A training that is broken at any file operation loses nothing: resumed, it is the same to the last bit.

With several workers it can't be the same, and only the matches that were being played are others.
"""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.learn.crashes import CASES, GOALS, HOWS, KILLED, contiguous, exact

SAMPLE = {"kill": 4, "tear": 2, "interrupt": 2}
SAMPLE_OF_SLOW = 1
ENDS = {"kill": KILLED, "tear": -signal.SIGXFSZ, "interrupt": 128 + signal.SIGINT}
LEAST = 50
"""operations of a training, at the least"""


def crashes(case: str, how: str, folder: Path, count: int) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.learn.crashes", case, how, str(folder), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Python says that it frees the semaphores of a process that was killed.
    said = [line for line in done.stderr.splitlines() if "resource_tracker" not in line]
    assert (done.returncode, said) == (0, [])
    return [json.loads(line) for line in done.stdout.splitlines()]


def slow(case: str) -> bool:
    """With a network or processes a training takes seconds."""
    return "network" in case or "processes" in case


def sampled() -> list[Any]:
    """Every case that is fast in all ways; of the slow ones each in one way, and the others at night."""
    ways = {case: HOWS[number % len(HOWS)] for number, case in enumerate(filter(slow, CASES))}
    return [
        pytest.param(case, how, marks=pytest.mark.nightly if ways.get(case, how) != how else ())
        for case in CASES
        for how in HOWS
    ]


def check(case: str, how: str, folder: Path, every: bool) -> None:
    count = 0 if every else SAMPLE_OF_SLOW if slow(case) else SAMPLE[how]
    whole, *found = crashes(case, how, folder, count)
    assert (whole["code"], whole["after"]) == (0, 0), whole
    assert whole["count"] > LEAST // (2 if how == "tear" else 1)
    assert len(found) == (count or whole["count"])
    if every or how != "tear":  # no later file may be large enough to be torn
        assert ENDS[how] in {one["code"] for one in found}
    for one in found:
        assert one["after"] == 0, one
        if how == "kill" and exact(case) and contiguous(case):
            # Otherwise the number of operations depends on time, and it may come to its end before.
            assert one["code"] == KILLED, one
        after = one["found"]
        assert after["faults"] == [], one
        assert after["checkpoints"][-1].partition(".")[0] == f"{GOALS[-1]:08d}", one
        for rows in (after["matches"], after["rows"]):
            assert rows[-1] == GOALS[-1] and rows == sorted(set(rows)), one
            if contiguous(case):
                assert rows == list(range(1, GOALS[-1] + 1)), one
        assert after["curves"]["training/loss"] == after["rows"], one
        if exact(case):
            assert after["digest"] == whole["found"]["digest"], one


@pytest.mark.slow
@pytest.mark.parametrize("case, how", sampled())
def test_a_sample_of_the_crash_points(case: str, how: str, tmp_path: Path) -> None:
    check(case, how, tmp_path, every=False)


@pytest.mark.nightly
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("case", CASES)
def test_every_crash_point(case: str, how: str, tmp_path: Path) -> None:
    check(case, how, tmp_path, every=True)
