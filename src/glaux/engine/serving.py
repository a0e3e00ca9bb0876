"""The loop of an engine that speaks by lines, whatever its protocol.

A thread reads ahead, so that an engine sees while it thinks that somebody waits: `stop`, the next command,
or the end of whoever spoke.
"""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import IO, Protocol

from glaux.engine.thinking import ponder
from glaux.players.player import Player
from glaux.rules.game import State

LONGEST_LINE = 1 << 16
READ_AHEAD = 1000
"""lines; then whoever writes them has to wait"""


class LineEngine(ABC):
    """An engine that answers lines."""

    ended = False
    """whether it was told to quit"""
    waiting: Callable[[], str | None] = staticmethod(lambda: None)
    """the next line if it has come already, empty at the end of them; None: nobody waits"""
    ponders = False
    """whether it thinks in the opponent's time"""
    take: Callable[[], None] = staticmethod(lambda: None)
    """pass over the line that waits, because it was understood"""

    @abstractmethod
    def answer(self, line: str) -> str | None:
        """What to write, with its line ends; None: nothing."""

    def answers(self, line: str) -> Iterator[str]:
        """The same in parts, as they are found: for who answers while it thinks."""
        reply = self.answer(line)
        if reply is not None:
            yield reply

    def opponents_turn(self) -> tuple[Player, State] | None:
        """Who may think about which state while nobody asks for anything; None: there is nothing to think."""
        return None

    @abstractmethod
    def refuse_long_line(self) -> str:
        """The answer to a line that is too long to be a command."""

    @abstractmethod
    def close(self) -> None:
        """Give back what it holds."""


class Lines(Protocol):
    """What lines are read from."""

    def readline(self, size: int = -1, /) -> bytes | None:
        """The next line, or so much of it."""


def serve(engine: LineEngine, commands: Lines, replies: IO[bytes]) -> None:
    """Answer lines until the engine has ended or until there are no more."""
    inbox = Inbox(commands)
    engine.waiting, engine.take = inbox.waiting, inbox.take
    try:
        for line in inbox:
            for reply in [engine.refuse_long_line()] if line is None else engine.answers(line):
                replies.write(reply.encode("utf-8", "replace"))
                replies.flush()
            if engine.ended:
                break
            if engine.ponders and (turn := engine.opponents_turn()):
                ponder(*turn, lambda: inbox.waiting() is not None)
    finally:
        engine.close()


class Inbox:
    """The lines of a stream, read ahead; None for one that is too long to be a command."""

    def __init__(self, stream: Lines) -> None:
        self._queue: queue.Queue[tuple[bool, str | None]] = queue.Queue(READ_AHEAD)
        self._next: tuple[bool, str | None] | None = None
        """what was looked at before its turn"""
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def waiting(self) -> str | None:
        """The next line if it is there already, empty at the end of them; None: nobody waits."""
        if self._next is None:
            try:
                self._next = self._queue.get_nowait()
            except queue.Empty:
                return None
        return self._next[1] or ""

    def take(self) -> None:
        """Pass over the line that was looked at; the end stays."""
        if self._next is not None and self._next[0]:
            self._next = None

    def __iter__(self) -> Iterator[str | None]:
        while True:
            there, line = self._next or self._queue.get()
            self._next = None
            if not there:
                return
            yield line

    def _read(self, stream: Lines) -> None:
        try:
            for line in _lines(stream):
                self._queue.put((True, line))
        except (OSError, ValueError):
            pass  # a stream that breaks has come to its end
        self._queue.put((False, None))


def _lines(stream: Lines) -> Iterator[str | None]:
    while line := stream.readline(LONGEST_LINE):
        if line.endswith(b"\n") or len(line) < LONGEST_LINE:
            yield line.decode("utf-8", "replace")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)
        yield None
