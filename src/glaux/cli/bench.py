"""``glaux bench``: how fast things are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated

import typer
from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from glaux.bench.playouts import PlayoutSpeed, measure
from glaux.cli.arguments import Json, print_help_if_bare
from glaux.cli.output import make_console, print_json
from glaux.errors import InvalidParameter
from glaux.rules.registry import games, make

app = typer.Typer(invoke_without_command=True)

GameTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--game", metavar="GAME", help="Only this game; can be given several times.", show_default=False
    ),
]
Seconds = Annotated[float, typer.Option(help="How long to measure each game.")]
NoOpenSpiel = Annotated[bool, typer.Option("--no-open-spiel", help="Leave OpenSpiel's figures out.")]


@app.callback()
def bench(ctx: typer.Context) -> None:
    """Measure speed on this machine."""
    print_help_if_bare(ctx)


@app.command()
def playouts(
    game: GameTexts = None, seconds: Seconds = 2.0, json: Json = False, no_open_spiel: NoOpenSpiel = False
) -> None:
    """Random matches a second on one core, beside OpenSpiel's in its plain Python loop.

    Both are timed in alternating slices by CPU time, and the best slice of each counts. OpenSpiel
    is compared with at default parameters only; where it lacks the game its columns are empty.

    \b
    Examples:
      glaux bench playouts
      glaux bench playouts --game hex --game othello --seconds 5 --json
    """
    if not seconds > 0:
        raise InvalidParameter(f"--seconds must be more than 0, not {seconds:g}.")
    chosen = [make(text) for text in game or games()]
    rows = []
    with _progress() as progress:
        task = progress.add_task("", total=len(chosen))
        for one in chosen:
            progress.update(task, description=one.spec.title)
            rows.append(measure(one, seconds, open_spiel=not no_open_spiel))
            progress.advance(task)
    if json:
        print_json([_rounded(row) for row in rows])
    else:
        make_console().print(playouts_table(rows))


def playouts_table(rows: Iterable[PlayoutSpeed]) -> Table:
    """The figures as a table for people."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("game", style="bold", no_wrap=True)
    for title in ("playouts/s", "OpenSpiel's", "ratio", "mean plies", "state bytes"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        theirs, ratio = row.open_spiel_playouts_per_second, row.ratio
        table.add_row(
            row.game,
            f"{row.playouts_per_second:,.0f}",
            "" if theirs is None else f"{theirs:,.0f}",
            "" if ratio is None else f"{ratio:,.0f}x",
            f"{row.mean_plies:.1f}",
            str(row.state_bytes),
        )
    return table


def _rounded(row: PlayoutSpeed) -> dict[str, object]:
    """The JSON of a row, without digits that mean nothing."""
    return {key: round(v, 2) if isinstance(v, float) else v for key, v in asdict(row).items()}


def _progress() -> Progress:
    """A bar on stderr, shown on a terminal only."""
    console = make_console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
