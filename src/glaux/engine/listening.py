"""Engines that listen while they think: what UCI, AEI and Hub share.

A GUI may ask whether the engine is alive, or stop it. A search that has an end of its own is ended by
``stop``, ``quit`` and the end of the GUI; other lines wait for their turn. One without an end is ended by
whatever the GUI says.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator

from glaux.engine.serving import LineEngine
from glaux.engine.thinking import PAUSE
from glaux.errors import GlauxError
from glaux.players.player import Player
from glaux.rules.game import State

END = "end"
"""the word of a GUI that is gone"""


class ListeningEngine(LineEngine):
    """An engine that answers by lines, and hears what is said while it thinks."""

    player: Player
    alive = ("isready", "readyok")
    """a question that is answered at once, and its answer"""
    stops: tuple[str, ...] = ("stop", "ponderhit")
    """the words that are about the search itself"""

    def __init__(self) -> None:
        self.stop_word = ""
        """what has ended the search"""
        self.after: State | None = None
        """the state to which our last move leads, until something new is said"""
        self._asides: list[str] = []
        """answers to what was asked while it thought"""

    @abstractmethod
    def lines(self, line: str) -> Iterator[str]:
        """The lines of an answer, without their ends; GlauxError for a mistake."""

    @abstractmethod
    def remark(self, sentence: str) -> str:
        """A line for people."""

    def answer(self, line: str) -> str | None:
        """All the lines of the answer; None if there are none."""
        return "".join(self.answers(line)) or None

    def answers(self, line: str) -> Iterator[str]:
        """The lines of the answer as they are found."""
        if line.split() not in ([], [self.alive[0]]):
            self.after = None
        try:
            for told in self.lines(line):
                yield f"{told}\n"
        except GlauxError as error:
            yield f"{self.remark(' '.join(str(error).split()))}\n"

    def refuse_long_line(self) -> str:
        """The answer to a line that is too long to be a command."""
        return f"{self.remark('The line is too long.')}\n"

    def opponents_turn(self) -> tuple[Player, State] | None:
        """The state after our last move."""
        return None if self.after is None else (self.player, self.after)

    def is_stopped(self) -> bool:
        """Whether the GUI wants the move at once."""
        line = self._heard()
        return line is not None and self._word(line) in (self.stops[0], "quit", END) and self._stop(line)

    def is_interrupted(self) -> bool:
        """Whether the GUI has said anything: for thinking that has no other end."""
        line = self._heard()
        return line is not None and self._stop(line)

    def wait(self) -> Iterator[str]:
        """Wait until the GUI says something; the answers to what it asks meanwhile."""
        while not self.is_interrupted():
            yield from self.take_asides()
            time.sleep(PAUSE)

    def take_asides(self) -> Iterator[str]:
        """The answers that were found on the way."""
        told, self._asides = self._asides, []
        return iter(told)

    def _stop(self, line: str) -> bool:
        self.stop_word = self._word(line)
        if self.stop_word in self.stops:
            self.take()
        return True

    def _word(self, line: str) -> str:
        return "".join(line.split()[:1]) or END

    def _heard(self) -> str | None:
        """What the GUI has said meanwhile, without what was answered on the way."""
        question, answer = self.alive
        line = self.waiting()
        while line and line.split() in ([], [question]):
            self.take()
            self._asides += [answer] if line.split() else []
            line = self.waiting()
        return line
