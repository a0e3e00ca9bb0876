"""The exceptions of the package: what a user can get wrong, each with one sentence that says so."""

import difflib
from collections.abc import Sequence

LONGEST = 2000
"""characters of a sentence: it may repeat a text of somebody else"""


class GlauxError(Exception):
    """The base of all: catch this one at the border of a program."""

    def __str__(self) -> str:
        text = super().__str__()
        half = LONGEST // 2 - 2
        return text if len(text) <= LONGEST else f"{text[:half]}...{text[-half:]}"


class UnknownName(GlauxError):
    """A game, parameter, player or other thing was asked for by a name that does not exist."""


class InvalidParameter(GlauxError):
    """A parameter of a game has an impossible value."""


class InvalidState(GlauxError):
    """Bytes or a text that are not a state of the game."""


class InvalidAction(GlauxError):
    """An action that is not legal in the state, or a text that names none."""


class BrokenRules(GlauxError):
    """A game written in Python returned something that no rules can return."""


class ChanceState(GlauxError):
    """A search, a learner or a match came to a state in which chance is to move."""


class Busy(GlauxError):
    """An object that works for one caller at a time was asked by another: a thread, or a value function."""


class BrokenValue(GlauxError):
    """A value function returned something that is not a value for each state."""


class InvalidFile(GlauxError):
    """A file or directory that should hold something of Glaux's, and does not."""


class Untrusted(InvalidFile):
    """A file names rules in Python, a program or a place elsewhere, and nobody has allowed it to."""


class EngineError(GlauxError):
    """A program of somebody else that plays did not start, died, fell silent or broke its protocol."""


class Forfeit(GlauxError):
    """A player lost a match by other means than the rules: it resigned, or could not go on."""


class MissingExtra(GlauxError):
    """A part of the package needs an optional dependency that is not installed."""


LISTED = 30
"""names that one sentence lists"""


def suggest(name: str, known: Sequence[str]) -> str:
    """The end of a sentence about a name that is not known: the nearest one, or those there are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f": did you mean '{near[0]}'?"
    more = f" and {len(known) - LISTED} more" if len(known) > LISTED else ""
    return f": there are {', '.join(known[:LISTED])}{more}." if known else "."
