"""``glaux match``: two players, many games, and how sure the result is."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from glaux.arena.contest import Contest, Side, Standing, Tally, play_contest, play_until_decided
from glaux.arena.interval import wilson
from glaux.arena.recording import record_of
from glaux.arena.sprt import Hypotheses, SequentialTest
from glaux.cli.arguments import GameText, Json, Save
from glaux.cli.contest_options import PLAYER_HELP, On, Seed, Workers, end_interrupted, games_progress
from glaux.cli.output import make_console, make_table, print_json
from glaux.errors import InvalidParameter
from glaux.records.files import add_records, check_format
from glaux.rules.registry import make
from glaux.words import plural

DEFAULT_GAMES = 20
BOOK_PAIRS = 500
"""Openings of a book that are played if nobody says how many."""
SEQUENTIAL_GAMES = 10_000
"""Games after which a sequential test gives up if nobody says how many."""

First = Annotated[str, typer.Argument(metavar="A", help=PLAYER_HELP, show_default=False)]
Second = Annotated[str, typer.Argument(metavar="B", help="The second PLAYER.", show_default=False)]
Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        metavar="N",
        help=f"Number of games. By default {DEFAULT_GAMES}; with --book, two per opening (at most "
        f"{BOOK_PAIRS} openings); with --sprt, at most {SEQUENTIAL_GAMES}.",
        show_default=False,
    ),
]
Opening = Annotated[
    int,
    typer.Option(
        "--opening",
        metavar="K",
        help="Start each pair of games with the same K random actions, colours swapped, so that "
        "deterministic players do not repeat one game.",
    ),
]
Book = Annotated[
    int | None,
    typer.Option(
        "--book",
        metavar="K",
        help="Play every opening of K actions, once up to symmetry, with both colours; if N games do not "
        "cover them all, a sample chosen by --seed.",
        show_default=False,
    ),
]
SideOption = Annotated[
    Side,
    typer.Option("--side", help="The side A plays: both in turn, or only one."),
]
Sprt = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop once it is clear whether A is ELO0 or ELO1 stronger than B: a sequential probability "
        "ratio test on pairs of games.",
        show_default=False,
    ),
]
Alpha = Annotated[float, typer.Option("--alpha", metavar="P", help="Risk of wrongly accepting ELO1.")]
Beta = Annotated[float, typer.Option("--beta", metavar="P", help="Risk of wrongly accepting ELO0.")]


def match(
    game: GameText,
    a: First,
    b: Second,
    games: Games = None,
    opening: Opening = 0,
    book: Book = None,
    side: SideOption = Side.both,
    sprt: Sprt = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    on: On = None,
    save: Save = None,
    json: Json = False,
) -> None:
    """Play a match between two players, and report the first player's score.

    Colours alternate unless --side says otherwise. A win counts 1 and a draw 1/2. The interval is a 95%
    Wilson interval.

    \b
    Examples:
      glaux match othello mcts:iterations=1000 mcts:iterations=100 --games 50
      glaux match hex:size=7 runs/hex,seconds=0.2 mcts:seconds=0.2 --opening 2
      glaux match connect_four alphabeta:depth=4 alphabeta:depth=2 --book 3
      glaux match othello mcts:c=0.7 mcts:c=1.4 --book 4 --sprt 0,40
      glaux match othello mcts:seconds=0.5 gtp:gtp-rhino --save games.txt
      glaux match hex:size=7 mcts runs/hex7 --games 1000 --on ray://cluster:10001
    """
    test = SequentialTest(_hypotheses(sprt, alpha, beta)) if sprt is not None else None
    contest = _make_contest(Contest(make(game), (a, b), games or 0, opening, seed, book, side), games, test)
    contest.check()
    if save:
        check_format(save, contest.game.initial())
        add_records(save, [])  # a place that can't be written to is better known now
    standing, whole = _play(contest, test, workers, on, save)
    if not standing.total.games:
        raise KeyboardInterrupt
    if json:
        head = {"game": contest.game.text, "players": [a, b], "seed": seed, "opening": opening, "book": book}
        head["side"] = side.value
        tail = {"sprt": test.summary()} if test else {}
        print_json({**head, **standing.summary(), **tail})
    else:
        _print_result(make_console(), contest, standing, test)
    if not whole:
        end_interrupted(standing.total.games, contest.games)


def _hypotheses(text: str, alpha: float, beta: float) -> Hypotheses:
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise InvalidParameter(f"--sprt takes two numbers, as in --sprt 0,20, not '{text}'.") from None
    return Hypotheses(elo0, elo1, alpha, beta)


def _make_contest(contest: Contest, games: int | None, test: SequentialTest | None) -> Contest:
    """The contest with its number of games, if nobody has said it."""
    if games is not None:
        return contest
    if test:
        return replace(contest, games=SEQUENTIAL_GAMES)
    if contest.book is not None:
        each = 2 if contest.side is Side.both else 1
        most = replace(contest, games=each * BOOK_PAIRS)
        most.check()
        return replace(contest, games=each * len(most.openings.book))
    return replace(contest, games=DEFAULT_GAMES)


def _play(
    contest: Contest, test: SequentialTest | None, workers: int | None, on: str | None, save: Path | None
) -> tuple[Standing, bool]:
    """What came of it, and whether it is all: Ctrl-C ends it before."""
    standing, whole = Standing(), False
    played = (
        play_until_decided(contest, test, workers, on=on) if test else play_contest(contest, workers, on=on)
    )
    with closing(played), suppress(KeyboardInterrupt), games_progress(make_console(stderr=True)) as progress:
        task = progress.add_task("playing", total=contest.games)
        for index, record in played:
            standing.add(index, record)
            if save:
                add_records(save, [record_of(contest, index, record)])
            total = standing.total
            text = f"{total.wins} won, {total.draws} drawn, {total.losses} lost"
            progress.update(task, advance=1, description=f"{text}; {_test_state(test)}" if test else text)
        whole = True
    return standing, whole


def _print_result(
    console: Console, contest: Contest, standing: Standing, test: SequentialTest | None
) -> None:
    table = make_table(f"{contest.players[0]} against {contest.players[1]}: {contest.game.text}")
    for column in ("A plays", "games", "wins", "draws", "losses", "score", "95% interval"):
        table.add_column(column, justify="left" if column == "A plays" else "right")
    tallies = {"first": standing.as_first, "second": standing.as_second, "both": standing.total}
    for name, tally in tallies.items():
        if contest.side not in (Side.both, name):
            continue
        table.add_row(name, *_cells(tally))
    console.print(table)
    for name, reasons in zip("AB", standing.forfeits, strict=True):
        if reasons:
            console.print(
                f"{name} forfeited {plural(len(reasons), 'game')}; the last: {reasons[-1]}",
                soft_wrap=True,
                markup=False,
            )
    summary = standing.summary()
    console.print(
        f"{summary['games_per_second']:.2f} games/s, {summary['mean_plies']:.1f} actions per game; A takes "
        f"{standing.seconds_per_move(0):.4f} s per move, B {standing.seconds_per_move(1):.4f} s."
    )
    if contest.book is not None:
        played = min(max(standing.as_first.games, standing.as_second.games), len(contest.openings.book))
        console.print(f"Book openings of {plural(contest.book, 'action')}: {played}.")
    if test:
        console.print(_test_sentence(test))


def _test_state(test: SequentialTest) -> str:
    lower, upper = test.hypotheses.bounds
    return f"LLR {test.llr:+.2f} ({lower:.2f} to {upper:.2f})"


def _test_sentence(test: SequentialTest) -> str:
    elo0, elo1 = f"{test.hypotheses.elo0:+g}", f"{test.hypotheses.elo1:+g}"
    sentence = {
        "H0": f"H0: A is ahead of B by {elo0} Elo rather than by {elo1}",
        "H1": f"H1: A is ahead of B by {elo1} Elo rather than by {elo0}",
        "undecided": f"Undecided: A is ahead of B by {elo0} Elo or by {elo1}",
    }[test.verdict]
    counts = ", ".join(str(count) for count in test.counts)
    return f"{sentence}. {_test_state(test)}; pairs with 0, 1/2, 1, 3/2, 2 points: {counts}."


def _cells(tally: Tally) -> tuple[str, ...]:
    low, high = wilson(tally.score, tally.games)
    score = f"{tally.score:.1%}" if tally.games else "-"
    interval = f"{low:.1%} to {high:.1%}" if tally.games else "-"
    counts = (tally.games, tally.wins, tally.draws, tally.losses)
    return (*(str(n) for n in counts), score, interval)
