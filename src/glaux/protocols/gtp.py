"""GTP 2, the text protocol of Go that other games have adopted: its grammar, and asking an engine.

A command is a line: an optional number that its answer repeats, a word, and arguments; ``#`` begins a
comment, and control characters do not count. An answer begins with ``=``, or with ``?`` for a refusal,
and ends with an empty line.
"""

from __future__ import annotations

import re
import time
from typing import NamedTuple

from glaux.errors import EngineError
from glaux.protocols.process import EngineProcess

MOST_LINES = 100_000
"""Lines of an answer; an engine that says more has lost its mind."""

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_NUMBER = re.compile(r"[0-9]+")


class Command(NamedTuple):
    """A command as a controller sends it."""

    number: str
    """what the answer repeats, empty if there is none"""
    name: str
    arguments: list[str]


class Reply(NamedTuple):
    """An answer as an engine sends it."""

    accepted: bool
    text: str


class Refusal(EngineError):
    """An engine answered with ``?``."""


def parse_command(line: str) -> Command | None:
    """The command of a line, or None if the line has none."""
    words = _CONTROL.sub("", line).partition("#")[0].split()
    number = words.pop(0) if words and _NUMBER.fullmatch(words[0]) else ""
    if not words:
        return Command(number, "", []) if number else None
    return Command(number, words[0], words[1:])


def format_reply(command: Command, reply: Reply) -> str:
    """The answer to a command with the empty line at its end; inside it has none.

    A text that begins with a line end, as a board does, begins below the sign.
    """
    first, *others = (_CONTROL.sub("", line).rstrip() for line in reply.text.split("\n"))
    head = f"{'=' if reply.accepted else '?'}{command.number} {first}".rstrip()
    return "\n".join([head, *filter(None, others)]) + "\n\n"


class ReplyReader:
    """Puts an answer together from its lines; what stands before it is passed over.

    We send no numbers, so that answers have none.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []

    def feed(self, line: str) -> Reply | None:
        """Take a line; the answer, if it was the line behind its end."""
        line = _CONTROL.sub("", line).rstrip()
        if not self._lines:
            if line.startswith(("=", "?")):
                self._lines.append(line)
            return None
        if line:
            if len(self._lines) < MOST_LINES:
                self._lines.append(line)
            return None
        sign, text = self._lines[0][0], "\n".join([self._lines[0][1:], *self._lines[1:]])
        self._lines = []
        return Reply(sign == "=", text.strip())


def ask(engine: EngineProcess, command: str, timeout: float) -> str:
    """The answer of an engine; Refusal if it says ``?``, EngineError if it says nothing in time."""
    engine.send(command)
    deadline = time.monotonic() + timeout
    reader = ReplyReader()
    while True:
        reply = reader.feed(engine.read_line(deadline, command))
        if reply is not None:
            break
        if time.monotonic() > deadline:
            raise engine.failure(f"did not end its answer to '{command}' in time")
    if not reply.accepted:
        raise Refusal(str(engine.failure(f"refused '{command}': {reply.text.rstrip('.')}")))
    return reply.text
