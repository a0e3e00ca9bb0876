"""``glaux runs``: the training runs in a directory."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from glaux.cli.arguments import Json
from glaux.cli.output import make_console, make_table, print_json
from glaux.cli.train_display import clock
from glaux.errors import InvalidParameter
from glaux.learn.listing import RUNS, Listed, find_runs
from glaux.learn.run import Run
from glaux.learn.training import strength_points

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of the runs.")]


def runs(folder: Folder = RUNS, json: Json = False) -> None:
    """List your training runs, newest first.

    A run is a player: [bold]glaux play hex runs/hex[/], [bold]glaux match hex runs/hex random[/].

    \b
    Examples:
      glaux runs
      glaux runs experiments/monday --json
    """
    if not folder.is_dir():
        raise InvalidParameter(f"There is no directory '{folder}': 'glaux train GAME' creates it.")
    rows = [_row(listed) for listed in find_runs(folder)]
    if json:
        print_json(rows)
        return
    console = make_console()
    if not rows:
        console.print(f"No runs in '{folder}' yet: 'glaux train GAME' starts one.", markup=False)
        return
    table = make_table()
    table.add_column("run", style="bold", overflow="fold")
    table.add_column("game", overflow="fold")
    for title in ("matches", "trained", "strength"):
        table.add_column(title, justify="right")
    table.add_column("changed", no_wrap=True)
    for row in rows:
        score = "" if row["score"] is None else row["strength"]
        when = "now" if row["live"] else f"{_ago(row['changed'])} ago"
        trained = clock(row["seconds"])
        table.add_row(escape(row["run"]), escape(row["game"]), f"{row['matches']:,}", trained, score, when)
    console.print(table)


def _row(listed: Listed) -> dict[str, Any]:
    matches, seconds, strength = 0, 0.0, None
    for row in Run.open(listed.path).metrics():
        points = strength_points(row)
        if points:
            strength = points[0][1]
        matches, seconds = max(matches, row["match"]), max(seconds, float(row.get("elapsed", 0.0)))
    return {
        "run": str(listed.path),
        "game": listed.game,
        "matches": matches,
        "seconds": seconds,
        "score": strength and strength.score,
        "strength": strength.text(strength.score) if strength else "",
        "live": listed.live,
        "changed": listed.changed,
    }


def _ago(changed: float) -> str:
    passed = max(0.0, time.time() - changed)
    for unit, seconds in (("d", 86400), ("h", 3600), ("min", 60)):
        if passed >= seconds:
            return f"{passed / seconds:.0f} {unit}"
    return f"{passed:.0f} s"
