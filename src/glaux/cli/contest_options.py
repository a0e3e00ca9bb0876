"""The options and the progress bar that the commands which play many games share."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from glaux.words import plural

PLAYER_HELP = (
    "A name with settings: [bold]random[/], [bold]mcts:iterations=1000[/], "
    "[bold]ubfms:value=playouts,seconds=0.2[/], [bold]alphabeta:depth=4[/]; the directory of a run, such "
    "as [bold]runs/hex[/] or [bold]runs/hex,seconds=1[/]; or an engine, such as [bold]'gtp:gnugo --mode "
    "gtp'[/]."
)
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="S", min=0, help="The random seed; the same seed repeats the same games."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="W",
        min=1,
        max=1024,
        help="Games played in parallel; by default one per core of this machine or of the cluster.",
        show_default=False,
    ),
]

On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ADDRESS",
        help="Play on a Ray cluster: [bold]ray://HOST:10001[/], [bold]HOST:6379[/], [bold]auto[/] for one "
        "running on this machine, [bold]local[/] to start one. Needs glaux\\[cluster].",
        show_default=False,
    ),
]


def end_interrupted(done: int, wanted: int) -> None:
    """End a contest that Ctrl-C has stopped, after its result so far was printed."""
    sys.stderr.write(f"Stopped after {done} of {plural(wanted, 'game')}; the result covers only these.\n")
    raise typer.Exit(130)


def games_progress(console: Console) -> Progress:
    """A bar of games, shown on a terminal only and removed at its end."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
