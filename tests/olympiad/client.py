"""The client of the Computer Olympiad, as far as an entrant sees it: an engine on a terminal with echo.

Where the terminal is not what is tested, an entrant that moves at random is asked in this process.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from types import TracebackType
from typing import Self

from glaux.engine.olympiad import Entered, Entrant
from glaux.players.random import RandomPlayer
from glaux.rules.game import Game


class Terminal:
    """An entrant in a process of its own, on a terminal that repeats what is sent."""

    def __init__(self, *options: str) -> None:
        ours, theirs = pty.openpty()
        self._stream = os.fdopen(ours, "r+b", buffering=0)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "glaux", "gtp", "--olympiad", *options], stdin=theirs, stdout=theirs
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._stream.close()

    def ask(self, command: str) -> str:
        """The answer to a command, without its sign and its remark."""
        self._stream.write(command.encode() + b"\n")
        lines = [self._line(), self._line()]
        assert lines[0] == command, lines  # the echo
        assert lines[1].startswith("="), (command, lines)
        assert self._line() == ""
        return lines[1][1:].partition("#")[0].strip()

    def quit(self) -> int:
        """How it ends."""
        self.ask("quit")
        return self._process.wait(timeout=240)

    def _line(self) -> str:
        line = bytearray()
        while not line.endswith(b"\n"):
            line += self._stream.read(1)
        return line.decode().rstrip("\r\n")


def at_random(event: str, game: Game) -> Entered:
    return Entered(RandomPlayer(game, 1), f"{event} is played at random")


def entrant(event: str = "") -> Entrant:
    made = Entrant(at_random, "Glaux", "1.0")
    if event:
        ask(made, f"game {event}")
    return made


def ask(engine: Entrant, *lines: str) -> str:
    """The answer to the last line, without its remark."""
    answer = ""
    for line in lines:
        answer = engine.answer(line) or ""
        assert answer.startswith("=") and answer.endswith("\n\n"), (line, answer)
    return answer[1:].partition("#")[0].strip()
