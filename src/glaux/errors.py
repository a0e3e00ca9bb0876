"""The exceptions of the package: what a user can get wrong, each with one sentence that says so."""

import difflib
from collections.abc import Sequence

LONGEST = 2000
"""the longest message in characters: it may quote a text from outside"""


class GlauxError(Exception):
    """The base class of all errors of Glaux: catch this one in a program."""

    def __str__(self) -> str:
        text = super().__str__()
        half = LONGEST // 2 - 2
        return text if len(text) <= LONGEST else f"{text[:half]}...{text[-half:]}"


class UnknownName(GlauxError):
    """There is no game, parameter, player or other thing with this name."""


class InvalidParameter(GlauxError):
    """A parameter or setting has an impossible value."""


class InvalidState(GlauxError):
    """Bytes or a text that are not a state of the game."""


class InvalidAction(GlauxError):
    """An action that is not legal in the state, or a text that does not name an action."""


class BrokenRules(GlauxError):
    """A game written in Python returned something that no rules can return."""


class ChanceState(GlauxError):
    """A search, learner or match reached a state in which chance is to move."""


class Busy(GlauxError):
    """An object that serves one caller at a time was called by another thread or its own value function."""


class BrokenValue(GlauxError):
    """A value function returned something other than one value per state."""


class InvalidFile(GlauxError):
    """A file or directory does not hold what it should."""


class Untrusted(InvalidFile):
    """A file names Python rules, a program or a path elsewhere, and the user has not allowed it."""


class EngineError(GlauxError):
    """An engine did not start, died, stopped answering or broke its protocol."""


class Forfeit(GlauxError):
    """A player lost a match other than by the rules: it resigned or failed."""


class MissingExtra(GlauxError):
    """A part of the package needs an optional dependency that is not installed."""


LISTED = 30
"""names that one sentence lists"""


def suggest(name: str, known: Sequence[str]) -> str:
    """The end of a sentence about an unknown name: the nearest name, or those that exist."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f": did you mean '{near[0]}'?"
    more = f" and {len(known) - LISTED} more" if len(known) > LISTED else ""
    return f": there are {', '.join(known[:LISTED])}{more}." if known else "."
