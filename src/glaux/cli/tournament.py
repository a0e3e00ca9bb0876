"""``glaux tournament``: a round robin with ratings, in a directory that survives a kill."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from glaux.arena.chart import write_chart
from glaux.arena.match import PlayedMatch
from glaux.arena.report import RESULT, TEXT, CrossTable, CrossTableRow, make_cross_table, write_report
from glaux.arena.tournament import Key, Tournament, TournamentDirectory
from glaux.cli.arguments import GameText, Json
from glaux.cli.contest_options import PLAYER_HELP, On, Seed, Workers, games_progress
from glaux.cli.output import make_console, make_table, print_json
from glaux.errors import MissingExtra
from glaux.rules.registry import make
from glaux.words import plural

DEFAULT_BOOK = 2
FOLDER = Path("tournaments")
TABLE_SECONDS = 1.0
"""How often the table is drawn anew while games are played."""
RATING_COLUMNS = len("│ 10 │  │ -1463 │ +252 to +383 │ 94.5% │   300 │")
NAME_WIDTH = 24
"""Columns that a player's text needs at the least; a longer one may take several lines."""

Players = Annotated[list[str], typer.Argument(metavar="PLAYER...", help=PLAYER_HELP, show_default=False)]
Games = Annotated[
    int, typer.Option("--games", "-n", metavar="N", help="Games per pair of players, half with each colour.")
]
Opening = Annotated[
    int | None,
    typer.Option(
        "--opening",
        metavar="K",
        help="Start each game with K random actions instead of an opening book.",
        show_default=False,
    ),
]
Book = Annotated[
    int | None,
    typer.Option(
        "--book",
        metavar="K",
        help=f"Play every opening of K actions ({DEFAULT_BOOK} by default), once up to symmetry, with both "
        "colours. All pairs play the same openings.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help=f"The directory of the tournament; by default {FOLDER}/GAME-HASH.",
        show_default=False,
    ),
]


def tournament(
    game: GameText,
    players: Players,
    games: Games = 20,
    opening: Opening = None,
    book: Book = None,
    seed: Seed = 0,
    out: Out = None,
    workers: Workers = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Play a round-robin tournament, and rate the players on the Elo scale.

    Every match is saved as it ends. To continue a stopped tournament, run the same command again. The
    directory holds the results as JSON, a chart as PNG and SVG, and all matches as text.

    Ratings follow the Bradley-Terry model with 95% intervals; a draw counts as half a win.

    \b
    Examples:
      glaux tournament connect_four random mcts:iterations=100 --games 100
      glaux tournament hex:size=7 mcts ubfms:value=runs/hex7 --out hex7
      glaux tournament othello alphabeta:depth=2 alphabeta:depth=4 --book 4
    """
    if opening is None and book is None:
        book = DEFAULT_BOOK
    asked = Tournament(make(game), tuple(players), games, opening or 0, book, seed)
    asked.check()
    directory = TournamentDirectory.open(out or FOLDER / asked.name, asked)
    with directory.locked():
        matches = _play(directory, workers, on)
        table = make_cross_table(asked, matches)
        write_report(directory.path, table, matches)
        files, trouble = _chart(directory.path, table)
    if json:
        print_json({**table.summary(), "directory": str(directory.path), "chart": [str(f) for f in files]})
        return
    console = make_console()
    console.print(cross_table(table, console.width))
    for note in table.notes:
        console.print(f"[dim]{note}[/]")
    shown = ", ".join([RESULT, TEXT, *(file.name for file in files)])
    console.print(f"In {directory.path}: {shown}.", soft_wrap=True)
    if trouble:
        console.print(f"No chart: {trouble}", markup=False)


def _play(directory: TournamentDirectory, workers: int | None, on: str | None) -> dict[Key, PlayedMatch]:
    """Play what is missing, with the table so far before the eyes; all the matches."""
    matches = directory.matches()
    total = len(directory.tournament.all_keys())
    console = make_console(stderr=True)
    if matches and len(matches) < total:
        console.print(
            f"Continuing after {len(matches)} of {plural(total, 'game')} in {directory.path}.", soft_wrap=True
        )
    progress = games_progress(console)
    task = progress.add_task("playing", total=total, completed=len(matches))
    drawn = 0.0
    try:
        with Live(console=console, transient=True, auto_refresh=False) as live:
            for key, record in directory.play(dict(matches), workers, on=on):
                matches[key] = record
                progress.advance(task)
                if console.is_terminal and time.monotonic() - drawn > TABLE_SECONDS:
                    table = make_cross_table(directory.tournament, matches)
                    live.update(
                        Group(cross_table(table, console.width), progress.get_renderable()), refresh=True
                    )
                    drawn = time.monotonic()
    except KeyboardInterrupt:
        sys.stderr.write(
            f"Stopped after {len(matches)} of {plural(total, 'game')}: "
            "run the same command again to continue.\n"
        )
        raise
    return matches


def _chart(path: Path, table: CrossTable) -> tuple[list[Path], str]:
    """The files of the chart, and why there are none."""
    try:
        return write_chart(path, table), ""
    except MissingExtra as error:
        return [], str(error)


def cross_table(table: CrossTable, width: int) -> RenderableType:
    """The players with ratings and scores against each other, for a terminal of this width.

    Beside the ratings if there is room, else below them, else not at all: ``result.json`` has them.
    """
    asked, places = table.tournament, range(len(table.rows))
    cells = [
        ["·" if other == place else _points(row, other) for other in places]
        for place, row in enumerate(table.rows)
    ]
    grid = sum(3 + max(len(row[place]) for row in [*cells, [str(n + 1) for n in places]]) for place in places)
    beside = RATING_COLUMNS + grid + min(NAME_WIDTH, max(len(row.player) for row in table.rows)) <= width
    ratings = make_table(f"{asked.game.text}: {plural(asked.games, 'game')} per pair")
    ratings.add_column("", justify="right", no_wrap=True)
    ratings.add_column("player", overflow="fold")
    for column in ("Elo", "95% interval", "score", "games"):
        ratings.add_column(column, justify="right", no_wrap=True)
    below = make_table()
    below.add_column("", justify="right", no_wrap=True)
    for place in places:
        (ratings if beside else below).add_column(f"{place + 1}", justify="right", no_wrap=True)
    for place, row in enumerate(table.rows):
        figures = [
            f"{row.rating.elo:+.0f}",
            row.rating.interval,
            f"{row.tally.score:.1%}",
            f"{row.tally.games}",
        ]
        ratings.add_row(f"{place + 1}", Text(row.player), *figures, *(cells[place] if beside else []))
        below.add_row(f"{place + 1}", *cells[place])
    return ratings if beside or grid + 6 > width else Group(ratings, below)


def _points(row: CrossTableRow, other: int) -> str:
    tally = row.against[other]
    return f"{tally.wins + tally.draws / 2:g}" if tally.games else "-"
