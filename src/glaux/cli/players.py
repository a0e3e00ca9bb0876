"""``glaux players``: who can play, and with which settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from rich.table import Table

from glaux.cli.arguments import Json
from glaux.cli.output import make_console, print_json
from glaux.players.engine_players import ENGINES, known_engine_settings
from glaux.players.search_players import DEFAULT_SECONDS, known_settings
from glaux.search.registry import SEARCHES

LIMITS = ("seconds", "iterations", "evaluations")


@dataclass(frozen=True)
class Row:
    """A player of the list."""

    name: str
    summary: str
    settings: dict[str, str]


def players(json: Json = False) -> None:
    """List the players: what each is, and its settings with their defaults.

    A PLAYER is written as its name, a colon, and settings: [bold]mcts:iterations=1000,c=0.7[/].

    \b
    Examples:
      glaux match othello mcts:iterations=1000 alphabeta:depth=4,value=playouts
      glaux play hex:size=7 ubfms:value=playouts,seconds=2
    """
    rows = [Row("random", "any legal action", {"seed": "0"})]
    rows += [Row(name, entry.summary, known_settings(entry)) for name, entry in SEARCHES.items()]
    rows += [Row(name, kind.summary, known_engine_settings(name)) for name, kind in ENGINES.items()]
    if json:
        print_json([asdict(row) for row in rows])
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("player", style="bold")
    table.add_column("what it is")
    table.add_column("settings and their defaults", overflow="fold")
    for row in rows:
        shown = row.name in ENGINES
        texts = [f"{key}={value}" for key, value in row.settings.items() if shown or key not in LIMITS]
        table.add_row(row.name, row.summary, " ".join(texts))
    console = make_console()
    console.print(table)
    console.print(
        f"\nThe searches take seconds, iterations and evaluations: what a decision may cost; "
        f"{DEFAULT_SECONDS:g} second if none is given.\n"
        "value is zero (only ends have a value), playouts (the mean of as many random matches), noise, or "
        "the directory of a value function that has learned.\n"
        "With settings, the command of a program comes last: gtp:timeout=10,command=gnugo --mode gtp."
    )
