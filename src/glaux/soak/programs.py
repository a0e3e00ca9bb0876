"""Programs that the soak starts, and what they use.

Each is a session of its own, so that all it starts can be found, whoever has died meanwhile: a worker
that outlives its training is still of the training's session. What a session uses is read from /proc.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
START = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from glaux.cli import main
main()
"""
PROGRAM = (sys.executable, "-c", START)
"""``glaux`` of this interpreter, with Ctrl-C, which a soak in the background may have been told to ignore"""
WATCH = 'read -r _; kill -s KILL -- "-$1"'
"""A shell that waits until the pipe of its stdin is closed, as it is when we die, and ends a session."""
LAST_LINES = 5


@dataclass(frozen=True)
class Usage:
    """What the processes of a session use together."""

    processes: int = 0
    memory: int = 0
    """bytes in memory (RSS); what processes share counts for each of them"""
    descriptors: int = 0
    threads: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.processes + other.processes,
            self.memory + other.memory,
            self.descriptors + other.descriptors,
            self.threads + other.threads,
        )


def sessions() -> Iterator[tuple[int, int]]:
    """The session and number of each process that is alive; not those that nobody has waited for."""
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            if fields[0] not in "ZX":
                yield int(fields[3]), int(entry.name)


def members(session: int) -> list[int]:
    """The processes of a session."""
    return [process for leader, process in sessions() if leader == session]


def usage(process: int) -> Usage:
    """What a process uses; nothing if it has ended."""
    folder = PROC / str(process)
    try:
        lines = (folder / "status").read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        descriptors = len(list((folder / "fd").iterdir()))
        memory = int(fields.get("VmRSS", "0 kB").split()[0]) << 10
        return Usage(1, memory, descriptors, int(fields["Threads"]))
    except (OSError, KeyError, ValueError):
        return Usage()


def folder_bytes(path: Path) -> int:
    """The bytes of all files below a directory, or of a file."""
    total = 0
    try:
        if not path.is_dir():
            return path.stat().st_size
        with os.scandir(path) as entries:
            for entry in entries:
                inside = entry.is_dir(follow_symlinks=False)
                total += folder_bytes(Path(entry.path)) if inside else entry.stat().st_size
    except OSError:
        pass  # checkpoints come and go
    return total


class Program:
    """``glaux`` with some arguments; what it says goes into files, and it never outlives us."""

    def __init__(self, arguments: Sequence[str], log: Path, temporary: Path | None = None) -> None:
        """``log`` is for what it says on stderr, ``temporary`` for files that should not stay."""
        self.log = log
        variables = os.environ | {"SKBUILD_EDITABLE_VERBOSE": "0", "TERM": "dumb", "COLUMNS": "120"}
        if temporary is not None:
            temporary.mkdir(parents=True, exist_ok=True)
            variables["TMPDIR"] = str(temporary)
        log.parent.mkdir(parents=True, exist_ok=True)
        self.begun = time.monotonic()
        with log.with_suffix(".out").open("wb") as out, log.open("wb") as err:
            self.process = subprocess.Popen(
                [*PROGRAM, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                env=variables,
            )
        self._watch = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "sh", str(self.process.pid)],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    @property
    def session(self) -> int:
        """The session that it leads."""
        return self.process.pid

    @property
    def seconds(self) -> float:
        """Since it was started."""
        return time.monotonic() - self.begun

    def ended(self) -> int | None:
        """Its exit code, if it has ended."""
        return self.process.poll()

    def output(self) -> str:
        """What it has printed so far."""
        return self.log.with_suffix(".out").read_text(errors="replace")

    def said(self, but: str | None = None) -> str:
        """The last lines of its stderr, as one, without those with the word ``but``."""
        lines = self.log.read_text(errors="replace").splitlines()
        lines = [line for line in lines if but is None or but not in line]
        return " / ".join(line.strip() for line in lines[-LAST_LINES:])

    def wait(self, patience: float) -> int | None:
        """Its exit code when it has ended, None if it does not within this many seconds."""
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, number: int, patience: float) -> int | None:
        """Send it a signal and wait; its exit code, None if it did not end in time."""
        if self.ended() is None:
            self.process.send_signal(number)
        return self.wait(patience)

    def close(self, patience: float = 0.0) -> list[int]:
        """End what is left of it; the processes that were still there after this many seconds."""
        self.stop(signal.SIGKILL, 60.0)
        deadline = time.monotonic() + patience
        while (left := members(self.session)) and time.monotonic() < deadline:
            time.sleep(0.05)
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._watch.kill()
        self._watch.wait()
        assert self._watch.stdin is not None
        self._watch.stdin.close()
        return left
