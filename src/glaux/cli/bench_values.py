"""``glaux bench values``: how fast value functions are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated

import typer
from rich.table import Table

from glaux.bench import values as bench_values
from glaux.bench.values import ValueSpeed
from glaux.cli.arguments import Json
from glaux.cli.figures import Task, check_seconds, figures_table, report
from glaux.rules.registry import make

Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game", metavar="GAME", help="Measure this game. Can be repeated.", show_default="othello, hex"
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--value",
        metavar="NAME",
        help=f"Measure only this value function: {', '.join(bench_values.VALUES)}. Can be repeated.",
        show_default=False,
    ),
]
Seconds = Annotated[float, typer.Option(help="How long to measure each task of each value function.")]


def values(game: Games = None, value: Names = None, seconds: Seconds = 2.0, json: Json = False) -> None:
    """Measure value functions on one core: alone, inside UBFM, next to eager PyTorch, and learning.

    Timed by CPU time, the tasks in turns; the best of several slices counts. n-tuple networks have tuples of
    7 cells; inside a search they are updated from the parent state, which is faster. The columns: states in a
    batch, states per second alone and inside UBFM, the second over the first, the speed relative to eager
    PyTorch, pairs learned per second, and the export after a step.

    \b
    Examples:
      glaux bench values
      glaux bench values --game othello:size=10 --value C --value R --json
    """
    check_seconds(seconds)
    for name in value or []:
        bench_values.value(name)
    pairs: Iterable[tuple[str, str]] = bench_values.default_pairs()
    if game or value:
        pairs = [(g, v) for g in game or bench_values.GAMES for v in value or bench_values.VALUES]
    tasks: list[Task] = [
        (f"{text}, {name}", partial(bench_values.measure, make(text), name, seconds)) for text, name in pairs
    ]
    report(tasks, values_table, json)


def values_table(rows: Iterable[ValueSpeed]) -> Table:
    """The figures as a table for people."""
    columns = ("batch", "alone/s", "UBFM/s", "share", "PyTorch", "pairs/s", "update")
    table = figures_table(("game", "value"), columns)
    for row in rows:
        table.add_row(
            row.game,
            row.value,
            str(row.batch),
            f"{row.states_per_second:,.0f}",
            f"{row.evaluations_per_second:,.0f}",
            f"{row.share:.2f}",
            "" if row.pytorch_ratio is None else f"{row.pytorch_ratio:.2f}x",
            f"{row.pairs_per_second:,.0f}",
            "" if row.update_milliseconds is None else f"{row.update_milliseconds:.1f} ms",
        )
    return table
