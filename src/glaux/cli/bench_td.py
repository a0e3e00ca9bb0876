"""``glaux bench td``: how fast temporal differences learn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated

import typer
from rich.table import Table

from glaux.bench import td as bench_td
from glaux.bench.td import TDSpeed
from glaux.cli.arguments import Json
from glaux.cli.bench_values import Games
from glaux.cli.figures import Task, check_seconds, figures_table, report
from glaux.rules.registry import make

Seconds = Annotated[float, typer.Option(help="How long to measure each row.")]


def td(game: Games = None, seconds: Seconds = 5.0, json: Json = False) -> None:
    """Measure matches per second of temporal-difference learning, on one core and on two.

    Uses the preset tcl of each game, with and without the paper's eligibility traces.

    \b
    Examples:
      glaux bench td
      glaux bench td --game othello --seconds 20 --json
    """
    check_seconds(seconds)
    tasks: list[Task] = [
        (f"{make(text).spec.title}, TD({lambda_:g})", partial(bench_td.measure, text, lambda_, seconds))
        for text in game or bench_td.GAMES
        for lambda_ in bench_td.lambdas(text)
    ]
    report(tasks, td_table, json)


def td_table(rows: Iterable[TDSpeed]) -> Table:
    """The figures as a table for people."""
    columns = ("lambda", "threads", "matches/s", "actions", "learned/s", "evaluations/s")
    table = figures_table(("game",), columns)
    for row in rows:
        table.add_row(
            row.game,
            f"{row.lambda_:g}",
            str(row.threads),
            f"{row.matches_per_second:,.0f}",
            f"{row.plies:.1f}",
            f"{row.learned_states_per_second:,.0f}",
            f"{row.evaluations_per_second:,.0f}",
        )
    return table
