"""A command line that can't be understood, told as every other mistake is: in one sentence.

Typer has words of its own, which differ from version to version and stand below two more lines. Its errors
are known by their classes and fields where they have some, and by their words where they have not; words
that nobody foresaw are passed on as they are.
"""

from __future__ import annotations

import difflib
import re
from typing import Any

import typer

from glaux.errors import InvalidParameter
from glaux.fields import shortened

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""what typer raises for a command line that it can't read, and has no public name for"""

_COMMAND = re.compile(r"No such command '(.*?)'")
_EXTRA = re.compile(r"unexpected extra arguments?(?:\(s\))? \((.*)\)")
_LIMITS = {
    "at least": re.compile(r"greater than or equal to (\S+)"),
    "at most": re.compile(r"less than or equal to (\S+)"),
}
_CHOICES = re.compile(r"is not one of (.+?)\.?$")


def name_of(parameter: Any) -> str:
    """How a parameter is written: the longest name of an option, or what stands for an argument."""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper()).removesuffix("...")


def refused(parameter: Any, given: Any, reason: str) -> InvalidParameter:
    """The sentence about a value that a parameter can't have."""
    name, shown = name_of(parameter), shortened(str(given))
    return InvalidParameter(
        f"{name} {_must(reason)}, not '{shown}'." if _must(reason) else f"{name}: {reason}"
    )


def _must(reason: str) -> str:
    """What a value must be, from typer's words about one that is not; nothing if these are new."""
    for words, pattern in _LIMITS.items():
        if found := pattern.search(reason):
            return f"must be {words} {found[1]}"
    if found := _CHOICES.search(reason):
        *others, last = (choice.strip("' ") for choice in found[1].split(","))
        return f"must be {', '.join(others)} or {last}" if others else f"must be {last}"
    if "integer" in reason:
        return "must be a whole number"
    return "must be a number" if "number" in reason or "float" in reason else ""


def sentence(error: Any) -> str:
    """What is wrong with a command line, and where to read how it is written."""
    hint = f" See '{error.ctx.command_path} --help'." if error.ctx else ""
    return _wrong(error) + hint


def _wrong(error: Any) -> str:
    message = error.format_message()
    command: Any = error.ctx.command if error.ctx else None
    if hasattr(error, "possibilities"):
        options = [name for parameter in command.params for name in parameter.opts] if command else []
        return f"There is no option '{shortened(error.option_name)}'{_nearest(error.option_name, options)}"
    if hasattr(error, "option_name"):
        return f"The option {error.option_name} needs a value."
    if found := _COMMAND.search(message):
        commands = list(getattr(command, "commands", {}))
        return f"There is no command '{shortened(found[1])}'{_nearest(found[1], commands)}"
    if found := _EXTRA.search(message):
        return f"Unexpected argument '{shortened(found[1])}'."
    if getattr(error, "param", None) is not None and message.startswith("Missing"):
        return f"{name_of(error.param)} is missing."
    return str(message)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f": did you mean '{near[0]}'?" if near else "."
