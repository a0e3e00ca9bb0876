"""``glaux match``: two players, many games, and how sure the result is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from glaux.arena.contest import Contest, Standing, Tally, play_contest
from glaux.arena.interval import wilson
from glaux.arena.recording import record_of
from glaux.cli.arguments import GameText, Json, Save
from glaux.cli.output import make_console, print_json
from glaux.records.files import add_records, check_format
from glaux.rules.registry import make

PLAYER_HELP = (
    "A name with settings: [bold]random[/], [bold]mcts:iterations=1000[/], "
    "[bold]ubfms:value=playouts,seconds=0.2[/], [bold]alphabeta:depth=4[/]; "
    "or a program of somebody else, [bold]'gtp:gnugo --mode gtp'[/]."
)
First = Annotated[str, typer.Argument(metavar="A", help=PLAYER_HELP, show_default=False)]
Second = Annotated[str, typer.Argument(metavar="B", help="Another PLAYER.", show_default=False)]
Games = Annotated[int, typer.Option("--games", "-n", metavar="N", help="How many games.")]
Opening = Annotated[
    int,
    typer.Option(
        "--opening",
        metavar="K",
        help="Begin each game with K random actions, the same for a pair of games with colours exchanged: "
        "so players without chance play different games.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Repeat a contest: the same games again.")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="W", help="Games at once; all cores by default.", show_default=False),
]


def match(
    game: GameText,
    a: First,
    b: Second,
    games: Games = 20,
    opening: Opening = 0,
    seed: Seed = 0,
    workers: Workers = None,
    save: Save = None,
    json: Json = False,
) -> None:
    """Let the players A and B play games against each other, and show A's result.

    Colours alternate. The score counts a win as 1 and a draw as 1/2; the interval is Wilson's, 95%.

    \b
    Examples:
      glaux match othello mcts:iterations=1000 mcts:iterations=100 --games 50
      glaux match hex:size=7 ubfms:value=playouts,seconds=0.2 mcts:seconds=0.2 --opening 2
      glaux match othello mcts:seconds=0.5 gtp:gtp-rhino --games 10 --save games.txt
    """
    contest = Contest(make(game), (a, b), games, opening, seed)
    contest.check()
    if save:
        check_format(save, contest.game)
        add_records(save, [])  # a place that can't be written to is better known now
    standing = _play(contest, workers, save)
    if json:
        print_json({"game": contest.game.text, "players": [a, b], "seed": seed, **standing.summary()})
    else:
        _print_result(make_console(), contest, standing)


def _play(contest: Contest, workers: int | None, save: Path | None) -> Standing:
    standing = Standing()
    console = make_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("playing", total=contest.games)
        for index, record in play_contest(contest, workers):
            standing.add(index, record)
            if save:
                add_records(save, [record_of(contest, index, record)])
            total = standing.total
            progress.update(
                task, advance=1, description=f"{total.wins} won, {total.draws} drawn, {total.losses} lost"
            )
    return standing


def _print_result(console: Console, contest: Contest, standing: Standing) -> None:
    table = Table(title=f"{contest.players[0]} against {contest.players[1]}: {contest.game.text}")
    for column in ("A plays", "games", "wins", "draws", "losses", "score", "95% interval"):
        table.add_column(column, justify="left" if column == "A plays" else "right")
    for name, tally in (
        ("first", standing.as_first),
        ("second", standing.as_second),
        ("both", standing.total),
    ):
        table.add_row(name, *_cells(tally))
    console.print(table)
    for name, reasons in zip("AB", standing.forfeits, strict=True):
        if reasons:
            console.print(
                f"{name} forfeited {len(reasons)} of the games; the last: {reasons[-1]}",
                soft_wrap=True,
                markup=False,
            )
    summary = standing.summary()
    console.print(
        f"{summary['games_per_second']:.2f} games a second, {summary['mean_plies']:.1f} actions a game; "
        f"a move takes A {standing.seconds_per_move(0):.4f} s and B {standing.seconds_per_move(1):.4f} s."
    )


def _cells(tally: Tally) -> tuple[str, ...]:
    low, high = wilson(tally.score, tally.games)
    score = f"{tally.score:.1%}" if tally.games else "-"
    interval = f"{low:.1%} to {high:.1%}" if tally.games else "-"
    counts = (tally.games, tally.wins, tally.draws, tally.losses)
    return (*(str(n) for n in counts), score, interval)
