"""The options and the progress bar that the commands which play many games share."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PLAYER_HELP = (
    "A name with settings: [bold]random[/], [bold]mcts:iterations=1000[/], "
    "[bold]ubfms:value=playouts,seconds=0.2[/], [bold]alphabeta:depth=4[/]; "
    "or a program of somebody else, [bold]'gtp:gnugo --mode gtp'[/]."
)
Seed = Annotated[
    int, typer.Option("--seed", metavar="S", min=0, help="Repeat a contest: the same games again.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="W", min=1, help="Games at once; all cores by default.", show_default=False
    ),
]


def games_progress(console: Console) -> Progress:
    """A bar of games, shown on a terminal only and removed at its end."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
