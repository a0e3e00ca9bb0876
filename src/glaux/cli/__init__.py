"""The command line: ``glaux``, its commands, and how each of them may end.

A mistake of the user ends in one line on stderr and the exit code 2, Ctrl-C in 130 without a word,
and a reader of stdout that goes away is no mistake at all.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import glaux
from glaux.cli import bench, value
from glaux.cli.arguments import print_help_if_bare
from glaux.cli.bench_td import td as bench_td
from glaux.cli.bench_train import train as bench_train
from glaux.cli.bench_values import values
from glaux.cli.compare import compare
from glaux.cli.games import games
from glaux.cli.gtp import gtp
from glaux.cli.match import match
from glaux.cli.output import forget_stdout, print_error
from glaux.cli.perft import perft
from glaux.cli.play import play
from glaux.cli.players import players
from glaux.cli.puzzle import puzzle
from glaux.cli.replay import replay
from glaux.cli.serve import serve
from glaux.cli.solve import solve
from glaux.cli.tournament import tournament
from glaux.cli.train import train
from glaux.errors import GlauxError


class Commands(TyperGroup):
    """The group of all commands: here every error passes."""

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


app = typer.Typer(
    cls=Commands,
    invoke_without_command=True,
    rich_markup_mode="rich",
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

    A GAME is a name with parameters, as [bold]hex:size=7,swap=false[/]; [bold]file.py:ClassName[/]
    for rules written in Python; or [bold]open_spiel:game=tic_tac_toe[/] for a game of OpenSpiel.
    A PLAYER is a name with settings, as [bold]mcts:iterations=1000[/]; glaux players lists them.

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


app.command()(games)
app.command()(players)
app.command()(play)
app.command()(serve)
app.command()(match)
app.command()(tournament)
app.command()(compare)
app.command()(replay)
app.command()(gtp)
app.command()(puzzle)
app.command()(train)
app.command()(solve)
app.command()(perft)
bench.app.command()(values)
bench.app.command("train")(bench_train)
bench.app.command("td")(bench_td)
app.add_typer(bench.app, name="bench")
app.add_typer(value.app, name="value")


def main() -> None:
    """Run the command line of this process."""
    app()
