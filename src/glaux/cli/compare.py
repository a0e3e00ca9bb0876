"""``glaux compare``: results on several games taken together, with stratified bootstrap intervals."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from glaux.arena.bootstrap import RESAMPLES, Estimate
from glaux.arena.comparison import (
    MEASURES,
    UNITS,
    Estimator,
    GameFiles,
    default_unit,
    read_match_files,
)
from glaux.cli.arguments import Json
from glaux.cli.output import make_console, make_table, print_json

SHOWN = ("wins", "losses", "score")
"""The measures of the table; wins minus losses say the same as the score, and are in the JSON."""

NAME_WIDTH, INTERVAL_WIDTH = 12, len("[75.0%;100.0%]")

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="Output of [bold]glaux match --json[/], one file per repetition of each game; a directory "
        "stands for the .json files in it.",
        show_default=False,
    ),
]
Against = Annotated[
    list[Path] | None,
    typer.Option(
        "--against",
        metavar="FILE",
        help="Results of other players on the same games, to compute the gain. Can be repeated.",
        show_default=False,
    ),
]
Over = Annotated[
    str | None,
    typer.Option(
        "--over",
        metavar="|".join(UNITS),
        help="What the bootstrap resamples. By default repetitions (files) if every game has several.",
        show_default=False,
    ),
]
Resamples = Annotated[int, typer.Option("--resamples", metavar="N", help="Number of bootstrap resamples.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", min=0, help="The random seed of the bootstrap.")]


def compare(
    files: Files,
    against: Against = None,
    over: Over = None,
    resamples: Resamples = RESAMPLES,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Combine match results over several games.

    Prints the mean wins, losses and score of the first player over the games, all weighted equally, with
    95% stratified bootstrap intervals. With --against it also prints the gain, the difference in score.

    \b
    Examples:
      glaux match hex:size=7 ubfms:value=runs/1 mcts --json > ours/hex-1.json
      glaux compare ours
      glaux compare ours --against theirs --json
    """
    mine = read_match_files(files)
    theirs = read_match_files(against) if against else []
    estimator = Estimator(over or default_unit(mine, theirs), seed, resamples)
    estimator.check()
    rows = [_row(estimator, game.game, [game]) for game in mine]
    total = _row(estimator, "mean of the games", mine)
    gain = estimator.gain(mine, theirs) if theirs else None
    if json:
        tail = {"against": _row(estimator, "mean of the others", theirs), "gain": gain} if gain else {}
        print_json(_plain({"over": estimator.unit, "games": rows, "mean": total, **tail}))
        return
    console = make_console()
    rows.append(total)
    if theirs:
        rows.append(_row(estimator, "mean of the others", theirs))
    console.print(_table(rows))
    if gain:
        console.print(f"Gain: {_text(gain, sign='+')}")
    console.print(
        f"95% stratified bootstrap intervals over {estimator.unit}, {resamples:,} resamples.", style="dim"
    )


def _row(estimator: Estimator, name: str, games: list[GameFiles]) -> dict[str, Any]:
    return {
        "game": name,
        "repetitions": sum(len(files.files) for files in games),
        "matches": sum(files.games for files in games),
        **{measure: estimator.mean(games, measure) for measure in MEASURES},
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    table = make_table()
    table.add_column("game", style="bold", overflow="fold", min_width=NAME_WIDTH)
    table.add_column("files", justify="right", no_wrap=True)
    for title in SHOWN:
        table.add_column(title, justify="right", min_width=INTERVAL_WIDTH)
    for row in rows:
        table.add_row(escape(row["game"]), str(row["repetitions"]), *(_text(row[m]) for m in SHOWN))
    return table


def _text(found: Estimate, sign: str = "") -> str:
    # Without a space, the interval stays whole where there is no room for the mean beside it.
    return f"{found.mean:{sign}.1%} [{found.low:{sign}.1%};{found.high:{sign}.1%}]"


def _plain(value: Any) -> Any:
    """Estimates as objects of mean, low and high."""
    if isinstance(value, Estimate):
        return {key: round(figure, 6) for key, figure in asdict(value).items()}
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value
