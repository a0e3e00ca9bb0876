"""The commands of ``glaux``, each imported when it is called, and how each of them may end.

``glaux --help`` needs no more of a command than its name and what it does in a line, so that is all
that is kept here. The rest is in the command's module, with numpy, rich and what else it takes.

A mistake of the user ends in one line on stderr and the exit code 2, Ctrl-C in 130 without a word,
and a reader of stdout that goes away is not a mistake.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from glaux.cli.output import forget_stdout, print_error
from glaux.cli.usage import UsageError, name_of, refused, sentence
from glaux.errors import GlauxError, InvalidParameter
from glaux.fields import INT64, LONGEST, shortened

SUMMARIES = {
    "train": "Learn to play a game from its rules alone, by playing against itself.",
    "play": "Play a game in the terminal, against a player or alone.",
    "serve": "Play in the browser, see what the opponent thinks, and follow your training runs.",
    "match": "Play a match between two players, and report the first player's score.",
    "games": "List the games with their boards and parameters.",
    "players": "List the players with their settings.",
    "zoo": "List the agents that ship with Glaux, and make new ones.",
    "runs": "List your training runs, newest first.",
    "tournament": "Play a round-robin tournament, and rate the players on the Elo scale.",
    "experiment": "Repeat an experiment from the papers, and say which of its findings hold.",
    "compare": "Combine match results over several games.",
    "puzzle": "Let a player solve scrambled puzzles, and count how many it solves.",
    "solve": "Prove the result of perfect play from the start or from a position.",
    "replay": "Step through a saved match, with a player's evaluation of each position.",
    "check": "Check the rules of a game by playing random matches.",
    "value": "Inspect and export trained value functions.",
    "gtp": "Run a player as a GTP engine, for GUIs, servers and arbiters.",
    "uci": "Run a player as a UCI, UCCI or UAI engine, for Xiangqi and Ataxx GUIs.",
    "aei": "Run a player as an AEI engine, for Arimaa controllers.",
    "hub": "Run a player as a Hub engine, for draughts GUIs.",
    "nboard": "Run a player as an NBoard engine, for Othello GUIs.",
    "perft": "Count the sequences of 1, 2, ... DEPTH actions.",
    "bench": "Measure speed on this machine, and print the behaviour signature.",
    "soak": "Train, play, serve and kill for hours, and check that nothing is lost or leaks.",
}
"""All commands in the order of the help, what people want first: the first lines of their docstrings, as a
test says."""


class LazyCommand(TyperCommand):
    """What is shown of a command until it is called.

    Its module ``glaux.cli.NAME`` has a function of that name, or ``app`` with commands of its own.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name=name, short_help=SUMMARIES[name])

    def load(self) -> Any:
        """The command itself."""
        module = import_module(f"glaux.cli.{self.name}")
        app = getattr(module, "app", None)
        if app is None:
            app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            app.command(self.name)(getattr(module, str(self.name)))
        command = get_command(app)
        command.name = self.name
        for each in (command, *getattr(command, "commands", {}).values()):
            each.help = unbroken(each.help or "")
            each.collect_usage_pieces = partial(_plain_pieces, each.collect_usage_pieces)
            each.get_help_option = partial(_untyped, each.get_help_option)
            for parameter in each.params:
                _untype(parameter)
        _bound_numbers(command)
        return command

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """The context of the command itself, with which it is then invoked."""
        return self.load().make_context(*args, **extra)


def unbroken(text: str) -> str:
    """A help text without the line breaks of its source, but for paragraphs that begin with a backspace."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(one if one.startswith("\b") else " ".join(one.split()) for one in paragraphs)


def _plain_pieces(pieces: Callable[[Any], list[str]], ctx: Any) -> list[str]:
    """What a line of usage says: GAME for what typer writes as {GAME}."""
    return [piece.replace("{", "").replace("}", "").replace("......", "...") for piece in pieces(ctx)]


def _untyped(option: Callable[[Any], Any], ctx: Any) -> Any:
    """The option --help, without a type."""
    return _untype(option(ctx))


def _untype(parameter: Any) -> Any:
    """Let a help text not say of a flag that it is a <bool>."""
    if getattr(parameter, "is_flag", False):
        parameter.metavar = ""
    return parameter


def _bound_numbers(command: Any) -> None:
    """Let every number of a command, and of those below it, be one that a computer counts or waits with."""
    for parameter in command.params:
        parameter.process_value = partial(_bounded, parameter, parameter.process_value)
    for inner in getattr(command, "commands", {}).values():
        _bound_numbers(inner)


def _bounded(parameter: Any, process: Callable[[Any, Any], Any], ctx: Any, given: Any) -> Any:
    """The value of a parameter; InvalidParameter for what it can't be, nan, inf and numbers beyond INT64 and
    LONGEST."""
    try:
        value = process(ctx, given)
    except typer.BadParameter as error:
        if given is None:
            raise  # it is missing
        raise refused(parameter, given, str(error.message)) from None
    most = int(LONGEST) if isinstance(value, float) else INT64
    if isinstance(value, int | float) and not abs(value) <= most:
        name = name_of(parameter)
        raise InvalidParameter(f"{name} must be a number up to {most:,}, not '{shortened(str(given))}'.")
    return value


class Commands(TyperGroup):
    """The group of all commands: here every error passes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: LazyCommand(name) for name in SUMMARIES}

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read what stands before the command."""
        with _exits():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and turn what it raises into an exit code."""
        with _exits():
            result = super().invoke(ctx)
            sys.stdout.flush()
        return result


@contextmanager
def _exits() -> Iterator[None]:
    """Turn what is raised into an exit code, and a line that says why."""
    try:
        yield
    except BrokenPipeError:
        forget_stdout()
        raise typer.Exit(1) from None
    except (GlauxError, OSError) as error:
        print_error(error)
        raise typer.Exit(2) from None
    except UsageError as error:
        print_error(GlauxError(sentence(error)))
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except RuntimeError as error:  # Python 3.11 hides an interrupt in the making of a class behind one
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        raise typer.Exit(130) from None
    except MemoryError:
        print_error(GlauxError("This needs more memory than the computer has."))
        raise typer.Exit(2) from None
