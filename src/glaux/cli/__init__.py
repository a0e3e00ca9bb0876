"""The command line: ``glaux``."""

from __future__ import annotations

from typing import Annotated

import typer

import glaux
from glaux.cli.commands import Commands
from glaux.cli.output import print_help_if_bare
from glaux.cli.starting import process_began

app = typer.Typer(
    cls=Commands,
    invoke_without_command=True,
    rich_markup_mode=None,  # rich takes longer to import than all the rest of this page
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"glaux {glaux.__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
]


@app.callback()
def commands(ctx: typer.Context, version: Version = False) -> None:  # noqa: ARG001 (the callback reads it)
    """Glaux learns to play any perfect-information board game from its rules alone.

    \b
    Examples:
      glaux train connect_four --minutes 2   learn a game from its rules
      glaux play othello mcts:seconds=1      play in the terminal
      glaux serve                            play in the browser
      glaux match hex:size=7 runs/hex mcts   compare two players
      glaux games                            list the games

    A GAME is a name with parameters, such as hex:size=7,swap=false; file.py:ClassName for rules written in
    Python; or open_spiel:game=tic_tac_toe for an OpenSpiel game.

    A PLAYER is a name with settings, such as mcts:iterations=1000 ('glaux players' lists them), or the
    directory of a training run, such as runs/hex.

    'glaux COMMAND --help' explains a command and shows examples.
    """
    print_help_if_bare(ctx)


def main() -> None:
    """Run the command line of this process."""
    app(obj=process_began())
