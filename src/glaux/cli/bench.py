"""``glaux bench``: how fast things are, and whether they do the same as before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any

import typer
from rich.table import Table

from glaux.bench import playouts as bench_playouts
from glaux.bench import search as bench_search
from glaux.bench.playouts import PlayoutSpeed
from glaux.bench.search import GrowthSpeed, Overhead, SearchSpeed
from glaux.cli.arguments import Json
from glaux.cli.bench_signature import signature
from glaux.cli.bench_td import td
from glaux.cli.bench_train import train
from glaux.cli.bench_values import values
from glaux.cli.figures import Task, check_seconds, figures_table, report
from glaux.cli.output import print_help_if_bare
from glaux.errors import InvalidParameter, UnknownName, suggest
from glaux.rules.registry import games, make

app = typer.Typer(invoke_without_command=True, add_completion=False)

GameTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--game", metavar="GAME", help="Measure only this game. Can be repeated.", show_default=False
    ),
]
Seconds = Annotated[float, typer.Option(help="How long to measure each row.")]
NoOpenSpiel = Annotated[bool, typer.Option("--no-open-spiel", help="Skip OpenSpiel.")]
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help=f"Measure only this search: {', '.join(bench_search.algorithms())}. Can be repeated.",
        show_default=False,
    ),
]
Measurement = Annotated[
    str,
    typer.Option(
        metavar="WHAT",
        help="What to measure: speed; overhead, the cost of UBFM around a Python value function; growth, "
        "whether a search slows down as its tree grows.",
    ),
]
States = Annotated[
    list[int] | None,
    typer.Option(
        metavar="N",
        help="For growth: a tree size in states; by default 100,000 and 10,000,000. Can be repeated.",
        show_default=False,
    ),
]


@app.callback()
def bench(ctx: typer.Context) -> None:
    """Measure speed on this machine, and print the behaviour signature."""
    print_help_if_bare(ctx)


@app.command()
def playouts(
    game: GameTexts = None, seconds: Seconds = 2.0, json: Json = False, no_open_spiel: NoOpenSpiel = False
) -> None:
    """Measure random matches per second on one core, next to OpenSpiel's in a plain Python loop.

    Both are timed by CPU time in alternating slices; the best slice of each counts. OpenSpiel is measured at
    default parameters only, and its columns are empty where it lacks the game.

    \b
    Examples:
      glaux bench playouts
      glaux bench playouts --game hex --game othello --seconds 5 --json
    """
    check_seconds(seconds)
    chosen = [make(text) for text in game or games()]
    report(
        [
            (one.spec.title, partial(bench_playouts.measure, one, seconds, open_spiel=not no_open_spiel))
            for one in chosen
        ],
        playouts_table,
        json,
    )


@app.command()
def search(
    game: GameTexts = None,
    algorithm: Algorithms = None,
    seconds: Seconds = 2.0,
    measure: Measurement = "speed",
    states: States = None,
    json: Json = False,
) -> None:
    """Measure the searches on one core: evaluations, expansions and iterations per second, and memory.

    The value functions cost next to nothing: a number drawn from the hash of the state, and for mcts one
    random match. Timed by CPU time; the best of several slices counts.

    \b
    Examples:
      glaux bench search
      glaux bench search --game othello --algorithm ubfm --algorithm mcts --json
      glaux bench search --measure overhead
      glaux bench search --measure growth --game hex --states 1000000
    """
    check_seconds(seconds)
    if measure not in SEARCH_MEASUREMENTS:
        raise UnknownName(f"There is no measurement '{measure}'{suggest(measure, list(SEARCH_MEASUREMENTS))}")
    for name in algorithm or []:
        bench_search.algorithm(name)
    tasks, table = SEARCH_MEASUREMENTS[measure](game, algorithm, seconds, states)
    report(tasks, table, json)


app.command()(values)
app.command()(train)
app.command()(td)
app.command()(signature)


def playouts_table(rows: Iterable[PlayoutSpeed]) -> Table:
    """The figures as a table for people."""
    table = figures_table(("game",), ("playouts/s", "OpenSpiel's", "ratio", "mean plies", "state bytes"))
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


def search_table(rows: Iterable[SearchSpeed]) -> Table:
    """The speed of the searches as a table for people."""
    columns = ("evaluations/s", "expansions/s", "iterations/s", "bytes/state", "depth")
    table = figures_table(("game", "algorithm", "value"), columns)
    for row in rows:
        table.add_row(
            row.game,
            row.algorithm,
            row.value,
            f"{row.evaluations_per_second:,.0f}",
            f"{row.expansions_per_second:,.0f}",
            f"{row.iterations_per_second:,.0f}",
            f"{row.bytes_per_state:.1f}",
            str(row.depth),
        )
    return table


def overhead_table(rows: Iterable[Overhead]) -> Table:
    """What a search costs in front of a Python function, as a table for people."""
    table = figures_table(("game", "algorithm", "input"), ("µs/state", "states/call", "µs in the function"))
    for row in rows:
        table.add_row(
            row.game,
            row.algorithm,
            row.input,
            f"{row.microseconds_per_state:.3f}",
            f"{row.states_per_call:.1f}",
            f"{row.function_microseconds_per_call:.3f}",
        )
    return table


def growth_table(rows: Iterable[GrowthSpeed]) -> Table:
    """The speed of searches by the size of their trees, as a table for people."""
    columns = ("states", "evaluations/s", "ratio", "expansions/s", "an expansion")
    table = figures_table(("game", "algorithm", "value"), columns)
    for row in rows:
        table.add_row(
            row.game,
            row.algorithm,
            row.value,
            f"{row.states:,}",
            f"{row.evaluations_per_second:,.0f}",
            "" if row.ratio is None else f"{row.ratio:.2f}",
            f"{row.expansions_per_second:,.0f}",
            f"{row.evaluations_per_expansion:.1f}",
        )
    return table


Plan = tuple[list[Task], Callable[[Any], Table]]


def _plan_speed(
    texts: list[str] | None, algorithms: list[str] | None, seconds: float, _: list[int] | None
) -> Plan:
    tasks: list[Task] = [
        (f"{one.spec.title}, {name}", partial(bench_search.measure, one, name, seconds))
        for one in [make(text) for text in texts or games()]
        for name in algorithms or bench_search.algorithms()
    ]
    return tasks, search_table


def _plan_overhead(
    texts: list[str] | None, algorithms: list[str] | None, seconds: float, _: list[int] | None
) -> Plan:
    if algorithms not in (None, [], ["ubfm"]):
        raise InvalidParameter("--measure overhead always uses ubfm: leave out --algorithm.")
    tasks: list[Task] = [
        (one.spec.title, partial(bench_search.measure_overhead, one, seconds))
        for one in [make(text) for text in texts or games()]
    ]
    return tasks, overhead_table


def _plan_growth(
    texts: list[str] | None, algorithms: list[str] | None, _: float, states: list[int] | None
) -> Plan:
    pairs: Iterable[tuple[str, str]] = bench_search.GROWTH_SEARCHES
    if texts or algorithms:
        pairs = [(t, a) for t in texts or ["othello", "hex"] for a in algorithms or ["ubfm", "descent"]]
    sizes = states or bench_search.GROWTH_SIZES
    tasks: list[Task] = [
        (f"{text}, {name}", partial(bench_search.measure_growth, make(text), name, sizes))
        for text, name in pairs
    ]
    return tasks, growth_table


SEARCH_MEASUREMENTS = {"speed": _plan_speed, "overhead": _plan_overhead, "growth": _plan_growth}
