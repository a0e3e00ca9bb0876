"""What all commands share about output: the consoles, the line of an error, JSON, help."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

T = TypeVar("T")
PIPE_WIDTH = 120
"""Columns of a table that goes into a file or another program."""


def make_console(stderr: bool = False) -> Console:
    """A console on the present stdout or stderr; without a terminal it has no colours."""
    from rich.console import Console  # noqa: PLC0415 (glaux --help does without)

    console = Console(stderr=stderr, highlight=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    return console


def make_table(title: str | None = None) -> Table:
    """An empty table in the one style that all commands have; its title may have brackets."""
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    written = None if title is None else Text(title, style="bold")
    return Table(title=written, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)


def lines_now_and_then(console: Console, line: Callable[[T], str], every: float) -> Callable[[T], None]:
    """Progress for a file or a pipe: a line of what is going on, at most one in this many seconds."""
    last = 0.0

    def show(going_on: T) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= every:
            last = now
            console.print(line(going_on), soft_wrap=True)

    return show


def print_json(value: Any) -> None:
    """Print figures for a program."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_error(error: BaseException) -> None:
    """Print what went wrong as one line on stderr."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        text = f"'{os.fsdecode(error.filename)}': {error.strerror}."
    sentence = " ".join(text.split()) or type(error).__name__
    sys.stderr.write(f"glaux: {printable(sentence)}\n")


def printable(text: str) -> str:
    """A text of somebody else's without what would speak to the terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def forget_stdout() -> None:
    """Point stdout to nowhere after its reader has gone, so that no later flush complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_help_if_bare(ctx: typer.Context) -> None:
    """Print the help of a group of commands that was called without one."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help(), nl=False)
