"""What all commands share about output: the consoles, the line of an error, JSON, help."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 120
"""Columns of a table that goes into a file or another program."""


def make_console(stderr: bool = False) -> Console:
    """A console on the present stdout or stderr; without a terminal it has no colours."""
    from rich.console import Console  # noqa: PLC0415 (glaux --help does without)

    console = Console(stderr=stderr, highlight=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    return console


def print_json(value: Any) -> None:
    """Print figures for a program."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_error(error: BaseException) -> None:
    """Print what went wrong as one line on stderr."""
    sentence = " ".join(str(error).split()) or type(error).__name__
    sys.stderr.write(f"glaux: {sentence}\n")


def forget_stdout() -> None:
    """Point stdout to nowhere after its reader has gone, so that no later flush complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_help_if_bare(ctx: typer.Context) -> None:
    """Print the help of a group of commands that was called without one."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help(), nl=False)
