"""``glaux puzzle``: one player, many scrambles, and how many it solves."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import Annotated

import typer
from rich.console import Console

from glaux.arena.puzzle import Attempts, Trial
from glaux.cli.arguments import GameText, Json
from glaux.cli.contest_options import PLAYER_HELP, Seed, Workers, end_interrupted, games_progress
from glaux.cli.output import make_console, make_table, print_json
from glaux.errors import InvalidParameter
from glaux.rules.registry import make

MOST_NUMBERS = 1000

PlayerText = Annotated[str, typer.Argument(metavar="PLAYER", help=PLAYER_HELP, show_default=False)]
Twists = Annotated[
    str,
    typer.Option(
        "--twists",
        metavar="NUMBERS",
        help="Random twists (or other actions) per scramble: [bold]7[/], [bold]1..13[/], "
        "[bold]5,9,11..13[/].",
    ),
]
Games = Annotated[int, typer.Option("--games", "-n", metavar="N", help="Scrambles per number of twists.")]


def puzzle(
    game: GameText,
    player: PlayerText,
    twists: Twists = "1..8",
    games: Games = 20,
    seed: Seed = 0,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Let a player solve scrambled puzzles, and count how many it solves.

    The game's parameter [bold]limit[/] is the longest solution allowed. The table has 95% Wilson intervals,
    the mean length of the solutions, and the mean time over all scrambles. For a game played for its score,
    it has the scores instead, and [bold]--twists 0[/] starts from the usual position.

    \b
    Examples:
      glaux puzzle rubik2 alphabeta:seconds=1 --twists 1..6
      glaux puzzle rubik3:limit=20 ubfm:value=runs/cube,seconds=1 --twists 9
    """
    trial = Trial(make(game), player, read_numbers(twists), games, seed)
    trial.check()
    rows, whole = _play(trial, workers)
    total = Attempts([attempt for row in rows.values() for attempt in row.attempts])
    if not total.attempts:
        raise KeyboardInterrupt
    if json:
        head = {"game": trial.game.text, "player": player, "seed": seed}
        by_twists = [{"twists": n, **row.summary()} for n, row in rows.items()]
        print_json({**head, **total.summary(), "by_twists": by_twists})
    else:
        _print_result(make_console(), trial, rows, total)
    if not whole:
        end_interrupted(len(total.attempts), trial.games * len(trial.twists))


def read_numbers(text: str) -> tuple[int, ...]:
    """The numbers of ``5,9,11..13``, ascending, each once."""
    numbers: set[int] = set()
    for part in text.split(","):
        first, dots, last = part.strip().partition("..")
        try:
            low, high = int(first), int(last if dots else first)
        except ValueError:
            raise InvalidParameter(f"Write --twists as 7, 1..13 or 5,9, not '{text}'.") from None
        if low > high or high - low >= MOST_NUMBERS:
            raise InvalidParameter(f"'{part}' is not a range of at most {MOST_NUMBERS} numbers.")
        numbers.update(range(low, high + 1))
    return tuple(sorted(numbers))


def _play(trial: Trial, workers: int | None) -> tuple[dict[int, Attempts], bool]:
    """The attempts, and whether they are all: Ctrl-C ends it before."""
    rows, whole = {n: Attempts() for n in trial.twists}, False
    played = trial.played(workers)
    with closing(played), suppress(KeyboardInterrupt), games_progress(make_console(stderr=True)) as progress:
        task = progress.add_task("solving", total=trial.games * len(trial.twists))
        for n, attempts in played:
            rows[n].attempts += attempts
            solved = sum(len(row.solved) for row in rows.values())
            scores = [score for row in rows.values() for score in row.scores]
            so_far = f"best score {max(scores):g}" if scores else f"{solved} solved"
            progress.update(task, advance=len(attempts), description=so_far)
        whole = True
    return {n: row for n, row in rows.items() if row.attempts}, whole


def _print_result(console: Console, trial: Trial, rows: dict[int, Attempts], total: Attempts) -> None:
    table = make_table(f"{trial.player}: {trial.game.text}")
    found = ("mean score", "best score") if total.scores else ("solved", "share", "95% interval")
    for column in ("twists", "scrambles", *found, "length", "seconds"):
        table.add_column(column, justify="right")
    for n, row in rows.items():
        table.add_row(str(n), *_cells(row))
    if len(rows) > 1:
        table.add_section()
        table.add_row("all", *_cells(total))
    console.print(table)


def _cells(row: Attempts) -> tuple[str, ...]:
    figures = row.summary()
    if row.scores:
        scores = (f"{figures['mean_score']:.2f}", f"{figures['best_score']:g}")
        spent = (f"{figures['mean_length']:.1f}", f"{row.seconds_per_game:.3f}")
        return (str(figures["games"]), *scores, *spent)
    length = "-" if row.mean_length is None else f"{row.mean_length:.1f}"
    interval = f"{figures['low']:.1%} to {figures['high']:.1%}"
    counts = (str(figures["games"]), str(figures["solved"]))
    return (*counts, f"{row.share:.1%}", interval, length, f"{row.seconds_per_game:.3f}")
