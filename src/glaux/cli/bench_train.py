"""``glaux bench train``: how fast a training run is, and where its time goes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated

import typer
from rich.table import Table

from glaux.bench import train as bench_train
from glaux.bench.train import TrainSpeed
from glaux.cli.arguments import Json
from glaux.cli.bench_values import Games
from glaux.cli.figures import Task, check_seconds, figures_table, report
from glaux.errors import UnknownName, suggest
from glaux.rules.registry import make

Families = Annotated[
    list[str] | None,
    typer.Option(
        "--family",
        metavar="NAME",
        help="Measure only this family: ntuple, patterns, network, alphazero or exit. Can be repeated.",
        show_default=False,
    ),
]
Lockstep = Annotated[
    list[int] | None,
    typer.Option(
        "--lockstep",
        metavar="M",
        help="Matches played in lock-step, for larger batches. Can be repeated.",
        show_default="1, and 16 for networks, 32 for alphazero; 64 for exit",
    ),
]
Seconds = Annotated[float, typer.Option(help="How long to measure each row.")]


def train(
    game: Games = None,
    family: Families = None,
    lockstep: Lockstep = None,
    seconds: Seconds = 20.0,
    json: Json = False,
) -> None:
    """Measure a training run on one core: states learned and evaluated per second, and where the time goes.

    Uses the laptop preset with one worker, the network small, and the presets alphazero and exit, with one
    match at a time and with several in lock-step (M). Valued/s counts the states that searches evaluate per
    second of self-play, without learning. Raw compares it, by CPU time, with the network alone in batches of
    the same size. The last column has the shares of search, encoding into planes, and learning.

    \b
    Examples:
      glaux bench train
      glaux bench train --game connect_four --family ntuple --seconds 60 --json
    """
    check_seconds(seconds)
    for name in family or []:
        if name not in bench_train.FAMILIES:
            raise UnknownName(f"There is no family '{name}'{suggest(name, list(bench_train.FAMILIES))}")
    tasks: list[Task] = [
        (f"{make(text).spec.title}, {name}, {m}", partial(bench_train.measure, text, name, seconds, m))
        for text in game or bench_train.GAMES
        for name in family or bench_train.FAMILIES
        for m in lockstep or bench_train.LOCKSTEP[name]
    ]
    report(tasks, train_table, json)


def train_table(rows: Iterable[TrainSpeed]) -> Table:
    """The figures as a table for people."""
    rates = ("valued/s", "raw", "learned/s")
    table = figures_table(("game", "family"), ("M", "batch", *rates, "% of time"))
    for row in rows:
        table.add_row(
            row.game,
            row.family,
            str(row.lockstep),
            "" if row.batch is None else f"{row.batch:.1f}",
            f"{row.selfplay_states_per_second:,.0f}",
            "" if row.raw_share is None else f"{row.raw_share:.2f}",
            f"{row.learned_states_per_second:,.0f}",
            "/".join(f"{100 * share:.0f}" for share in (row.search, row.encoding, row.fitting)),
        )
    return table
