"""The command line: ``glaux``."""

from __future__ import annotations

from typing import Annotated

import typer

import glaux
from glaux.cli.commands import Commands
from glaux.cli.output import print_help_if_bare

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

    A GAME is a name with parameters, as hex:size=7,swap=false; file.py:ClassName
    for rules written in Python; or open_spiel:game=tic_tac_toe for a game of OpenSpiel.
    A PLAYER is a name with settings, as mcts:iterations=1000; glaux players lists them.

    \b
    Examples:
      glaux games                          what there is
      glaux play othello mcts:seconds=1    you against MCTS
      glaux serve                          the same in the browser
      glaux match hex:size=7 mcts ubfms:value=playouts
      glaux tournament hex:size=7 random mcts ubfms:value=playouts
      glaux replay games.txt               step through a match that was saved
      glaux gtp hex mcts:seconds=5         a player for other programs
      glaux puzzle rubik2 ubfm:seconds=1   scrambles that a player solves
      glaux solve othello:size=4 --score   prove what best play leads to
      glaux perft connect_four 8           count the ways to play 8 actions
      glaux bench playouts --game hex      random matches a second
    """
    print_help_if_bare(ctx)


def main() -> None:
    """Run the command line of this process."""
    app()
