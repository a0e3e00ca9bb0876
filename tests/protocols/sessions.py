"""Whether processes are left behind, read from /proc; and the engines that may be installed."""

import shutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from glaux.protocols.process import GAMES_PATH

FAKE = f"{sys.executable} {Path(__file__).with_name('fake_engine.py')}"

on_linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")


def is_installed(program: str) -> bool:
    return bool(shutil.which(program) or shutil.which(program, path=GAMES_PATH))


needs_rhino = pytest.mark.skipif(not is_installed("gtp-rhino"), reason="gtp-rhino is missing (grhino)")
needs_gnu_go = pytest.mark.skipif(not is_installed("gnugo"), reason="gnugo is missing")
needs_fairy = pytest.mark.skipif(not is_installed("fairy-stockfish"), reason="fairy-stockfish is missing")


def members(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        state, session_of = fields[0], int(fields[3])
        if session_of == session and state not in "ZX":
            found.append(int(stat.parent.name))
    return found


def marked(mark: str) -> list[int]:
    """The living processes that have this mark in their command."""
    return [pid for pid in (int(path.name) for path in Path("/proc").glob("[0-9]*")) if mark in command(pid)]


def command(pid: int) -> str:
    """The command of a process, empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        return ""


def running_engines(pids: Iterable[int]) -> list[int]:
    """Those of the processes that are the fake engine, without the shells around it."""
    return [pid for pid in pids if command(pid).startswith(FAKE)]


def assert_ends(session: int) -> None:
    """All the processes of a session are gone, at once or in a moment."""
    deadline = time.monotonic() + 240
    while members(session):
        assert time.monotonic() < deadline, f"left behind: {members(session)}"
        time.sleep(0.01)
