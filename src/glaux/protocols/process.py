"""A program of somebody else, spoken to by lines through pipes.

No answer is waited for without a deadline, and no process outlives ours. The program is the child of
a small shell in a session of its own, where a second process waits for the end of a pipe that only we
hold open. When we close it, or die in whatever way, it kills the whole session: the program, what the
program has started, and itself. Ctrl-C at the terminal reaches us alone, and we end the program.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from typing import IO

from glaux.errors import EngineError, InvalidParameter

GAMES_PATH = os.pathsep.join(("/usr/games", "/usr/local/games"))
"""Where Debian keeps programs that play; not everybody has them on the PATH."""
LONGEST_LINE = 1 << 20
WAITING_LINES = 10_000
"""Lines of an answer that nobody has read yet; then the program has to wait."""
KEPT_LINES = 5
"""Of what the program last said on stderr."""
GRACE = 1.0
"""Seconds that a program has to end by itself."""
ENDING = 20.0
"""Seconds in which a program that has closed its output has ended, on a busy machine."""
LAST_WORDS = 20.0
"""Seconds that the reader of stderr has, on a busy machine, for what a program said before it ended."""

GUARD = """\
exec 4<&0
"$@" <&4 3<&- 4<&- &
child=$!
(exec <&- >&- 2>&- 4<&-; read -r _ <&3; kill -s KILL -- -$$) &
exec 4<&- 3<&- 2>&-
wait "$child"
"""
"""Runs the program of its arguments until it ends or file 3 does. $$ leads the session."""


def split_command(text: str) -> list[str]:
    """The words of a command, the program with its path; InvalidParameter if there is no such program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InvalidParameter(f"The command '{text}' can't be read: {error}.") from None
    if not words:
        raise InvalidParameter("The engine's command is missing; write it as in gtp:gnugo --mode gtp.")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES_PATH)
    if program is None:
        raise InvalidParameter(f"There is no program '{words[0]}'.")
    return [program, *words[1:]]


class EngineProcess:
    """A running program. Close it when it is done; a forgotten one is killed."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name = os.path.basename(command[0])  # noqa: PTH119 (a text, not a file of ours)
        if os.name != "posix":
            raise EngineError("Engines can be run on Linux and macOS only.")
        life, held = os.pipe()
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", f"exec 3</dev/fd/{life}\n{GUARD}", "sh", *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[life],
                start_new_session=True,
            )
        except BaseException:
            os.close(held)
            raise
        finally:
            os.close(life)
        self._lines: queue.Queue[bytes | None] = queue.Queue(WAITING_LINES)
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        assert self._process.stdout and self._process.stderr
        self._readers = [
            threading.Thread(target=_read_lines, args=(self._process.stdout, self._lines), daemon=True),
            threading.Thread(target=_keep_last, args=(self._process.stderr, self._said), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._end = weakref.finalize(self, _end_process, self._process, held, self._lines, self._readers)

    @property
    def pid(self) -> int:
        """The process that leads the program's session."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Write a line; EngineError if the program is gone."""
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode("utf-8", "replace") + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, OSError, ValueError):
            raise self.failure(f"was gone when it was told '{line}'{self._status()}") from None

    def read_line(self, deadline: float, question: str) -> str:
        """The next line, without its end; EngineError if none comes until ``deadline``.

        The deadline is one of ``time.monotonic``; ``question`` is what the program was asked.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise self.failure(f"did not answer '{question}' in time") from None
        if line is None:
            self._lines.put(None)
            raise self.failure(f"ended when it was asked '{question}'{self._status()}")
        if len(line) >= LONGEST_LINE:
            raise self.failure(f"answered '{question}' with a line without an end")
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def failure(self, what: str) -> EngineError:
        """The error that says what the program did, with the last lines of its stderr."""
        said = " / ".join(line for line in list(self._said) if line)
        return EngineError(f"The program {self.name} {what}.{f' It last said: {said}' if said else ''}")

    def close(self, farewell: str = "quit") -> None:
        """Ask the program to end, wait a moment, and kill it if it has not."""
        with contextlib.suppress(EngineError, OSError, subprocess.TimeoutExpired):
            if self._end.alive and self._process.poll() is None:
                self.send(farewell)
                assert self._process.stdin
                self._process.stdin.close()
                self._process.wait(GRACE)
        self._end()

    def _status(self) -> str:
        """How the program ended, known together with all that it said: ask it before ``failure``."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self._process.wait(ENDING)
            # What the program wrote is in the pipe, but the thread that reads it may not have had its turn.
            self._readers[1].join(LAST_WORDS)
            # The shell adds 128 to the number of a signal.
            number = -status if status < 0 else status - 128
            with contextlib.suppress(ValueError):
                return f" (by the signal {signal.Signals(number).name})"
            return f" (with the status {status})" if status else ""
        return ""


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Move lines into the queue; None is their end."""
    with contextlib.suppress(ValueError, OSError):
        while line := stream.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(None)


def _keep_last(stream: IO[bytes], said: deque[str]) -> None:
    with contextlib.suppress(ValueError, OSError):
        while line := stream.readline(4096):
            said.append(line.decode("utf-8", "replace").strip())


def _end_process(
    process: subprocess.Popen[bytes],
    held: int,
    lines: queue.Queue[bytes | None],
    readers: Sequence[threading.Thread],
) -> None:
    """Kill the session, and give back what belongs to it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # the guard keeps this number from being given to others
    os.close(held)
    process.wait()
    with contextlib.suppress(queue.Empty):
        while readers[0].is_alive():
            lines.get(timeout=0.1)  # the reader may wait for room in the queue
    for reader, stream in zip(readers, (process.stdout, process.stderr), strict=True):
        reader.join(GRACE)
        if stream and not reader.is_alive():
            stream.close()
    with contextlib.suppress(OSError):
        if process.stdin:
            process.stdin.close()
