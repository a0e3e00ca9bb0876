"""The commands of ``glaux``, each imported when it is called, and how each of them may end.

``glaux --help`` needs no more of a command than its name and what it does in a line, so that is all
that is kept here. The rest is in the command's module, with numpy, rich and what else it takes.

A mistake of the user ends in one line on stderr and the exit code 2, Ctrl-C in 130 without a word,
and a reader of stdout that goes away is no mistake at all.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from glaux.cli.output import forget_stdout, print_error
from glaux.errors import GlauxError

SUMMARIES = {
    "games": "List the games: board, players, bytes of a state, parameters with their ranges.",
    "players": "List the players: what each is, and its settings with their defaults.",
    "play": "Play GAME against PLAYER in the terminal, or alone if it is for one player.",
    "serve": "Play in the browser, watch what the opponent thinks, and follow your training runs.",
    "match": "Let the players A and B play games against each other, and show A's result.",
    "tournament": "Let every PLAYER play every other, and rate them on the Elo scale.",
    "compare": "Take the results of matches on several games together.",
    "replay": "Step through a match that was saved, with PLAYER's evaluation of each state.",
    "gtp": "Speak GTP 2 on stdin and stdout, so that GUIs, servers and arbiters can use PLAYER.",
    "puzzle": "Let a PLAYER solve scrambles of a game of one player, and show how many it solves.",
    "train": "Learn to play a game from its rules alone, by playing against itself.",
    "solve": "Prove the value of a game, or of a position of it, with its principal variation.",
    "perft": "Count the ways to play 1, 2, ... DEPTH actions from the start or from a position.",
    "bench": "Measure speed on this machine, and take the signature of what Glaux does.",
    "value": "Look at value functions that have learned.",
}
"""All commands in the order of the help: the first lines of their docstrings, as a test says."""


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
        return command

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """The context of the command itself, with which it is then invoked."""
        return self.load().make_context(*args, **extra)


class Commands(TyperGroup):
    """The group of all commands: here every error passes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: LazyCommand(name) for name in SUMMARIES}

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and turn what it raises into an exit code."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            forget_stdout()
            raise typer.Exit(1) from None
        except (GlauxError, OSError) as error:
            print_error(error)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        return result
