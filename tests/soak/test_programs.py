"""Programs of the soak are found with all that they start, and never outlive it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from glaux.soak import programs
from glaux.soak.programs import Program, folder_bytes, members, usage

PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("ready", flush=True)
time.sleep(600)
"""
OWNER = """
import sys, time
from pathlib import Path
from glaux.soak import programs
programs.PROGRAM = (sys.executable, "-c", "import time; time.sleep(600)")
print(programs.Program([], Path(sys.argv[1])).session, flush=True)
time.sleep(600)
"""


def until(condition, seconds: float = 240.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def parent(tmp_path: Path, monkeypatch) -> Iterator[Program]:
    """A program that has started another one, which does not end with it."""
    monkeypatch.setattr(programs, "PROGRAM", (sys.executable, "-c", PARENT))
    program = Program([], tmp_path / "log.log")
    until(lambda: "ready" in program.output())
    yield program
    program.close()


def test_all_processes_of_a_session_are_found(parent: Program) -> None:
    both = members(parent.session)
    assert len(both) == 2 and parent.process.pid in both
    used = sum((usage(process) for process in both), programs.Usage())
    assert used.processes == 2 and used.memory > 1 << 20 and used.descriptors >= 6 and used.threads >= 2


def test_what_a_killed_program_leaves_is_found_and_ended(parent: Program) -> None:
    assert parent.stop(signal.SIGKILL, 60) == -signal.SIGKILL
    [orphan] = members(parent.session)
    assert parent.close(patience=0.2) == [orphan]
    until(lambda: usage(orphan).processes == 0)


def test_nothing_outlives_the_soak(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OWNER, str(tmp_path / "log.log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        session = int(owner.stdout.readline())
        assert members(session)
        owner.kill()
    until(lambda: not members(session))


def test_a_soak_in_the_background_can_stop_its_programs(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for a job in the background
    try:
        program = Program(["serve", "--port", "0", "--no-browser"], tmp_path / "log.log")
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        until(lambda: "Press Ctrl-C to stop" in program.output(), 120)
        assert program.stop(signal.SIGINT, 120) == 130
    finally:
        program.close()


def test_usage_of_nobody() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert usage(process.pid).processes == 0
    assert usage(os.getpid()).processes == 1


def test_folder_bytes(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "file").write_bytes(b"12345")
    (tmp_path / "other").write_bytes(b"123")
    assert (folder_bytes(tmp_path), folder_bytes(tmp_path / "other"), folder_bytes(tmp_path / "none")) == (
        8,
        3,
        0,
    )
