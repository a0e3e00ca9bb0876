"""``glaux match``: two players, many games, and how sure the result is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from glaux.arena.contest import Contest, Side, Standing, Tally, play_contest, play_until_decided
from glaux.arena.interval import wilson
from glaux.arena.recording import record_of
from glaux.arena.sprt import Hypotheses, SequentialTest
from glaux.cli.arguments import GameText, Json, Save
from glaux.cli.contest_options import PLAYER_HELP, Seed, Workers, games_progress
from glaux.cli.output import make_console, print_json
from glaux.errors import InvalidParameter
from glaux.records.files import add_records, check_format
from glaux.rules.registry import make

DEFAULT_GAMES = 20
BOOK_PAIRS = 500
"""Openings of a book that are played if nobody says how many."""
SEQUENTIAL_GAMES = 10_000
"""Games after which a sequential test gives up if nobody says how many."""

First = Annotated[str, typer.Argument(metavar="A", help=PLAYER_HELP, show_default=False)]
Second = Annotated[str, typer.Argument(metavar="B", help="Another PLAYER.", show_default=False)]
Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        metavar="N",
        help=f"How many games: {DEFAULT_GAMES} by default, two for each opening with --book (of {BOOK_PAIRS} "
        f"openings at the most), and at the most {SEQUENTIAL_GAMES} with --sprt.",
        show_default=False,
    ),
]
Opening = Annotated[
    int,
    typer.Option(
        "--opening",
        metavar="K",
        help="Begin each game with K random actions, the same for a pair of games with colours exchanged: "
        "so players without chance play different games.",
    ),
]
Book = Annotated[
    int | None,
    typer.Option(
        "--book",
        metavar="K",
        help="Begin with all the openings of K actions, each up to symmetry once and with both colours; "
        "with a sample of them, which --seed decides, if there are more than N games need.",
        show_default=False,
    ),
]
SideOption = Annotated[
    Side,
    typer.Option("--side", help="A's colour: both in turn, or only one."),
]
Sprt = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop as soon as it is decided whether A is at most ELO0 stronger than B, or at least ELO1: "
        "a sequential probability ratio test on pairs of games.",
        show_default=False,
    ),
]
Alpha = Annotated[float, typer.Option("--alpha", metavar="P", help="Accepted risk of a wrong ELO1.")]
Beta = Annotated[float, typer.Option("--beta", metavar="P", help="Accepted risk of a wrong ELO0.")]


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
    save: Save = None,
    json: Json = False,
) -> None:
    """Let the players A and B play games against each other, and show A's result.

    Colours alternate unless --side says otherwise. The score counts a win as 1 and a draw as 1/2;
    the interval is Wilson's, 95%.

    \b
    Examples:
      glaux match othello mcts:iterations=1000 mcts:iterations=100 --games 50
      glaux match hex:size=7 ubfms:value=playouts,seconds=0.2 mcts:seconds=0.2 --opening 2
      glaux match connect_four alphabeta:depth=4 alphabeta:depth=2 --book 3
      glaux match othello mcts:c=0.7 mcts:c=1.4 --book 4 --sprt 0,40
      glaux match othello mcts:seconds=0.5 gtp:gtp-rhino --games 10 --save games.txt
    """
    test = SequentialTest(_hypotheses(sprt, alpha, beta)) if sprt is not None else None
    contest = _make_contest(Contest(make(game), (a, b), games or 0, opening, seed, book, side), games, test)
    contest.check()
    if save:
        check_format(save, contest.game)
        add_records(save, [])  # a place that can't be written to is better known now
    standing = _play(contest, test, workers, save)
    if json:
        head = {"game": contest.game.text, "players": [a, b], "seed": seed, "opening": opening, "book": book}
        head["side"] = side.value
        tail = {"sprt": test.summary()} if test else {}
        print_json({**head, **standing.summary(), **tail})
    else:
        _print_result(make_console(), contest, standing, test)


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


def _play(contest: Contest, test: SequentialTest | None, workers: int | None, save: Path | None) -> Standing:
    standing = Standing()
    played = play_until_decided(contest, test, workers) if test else play_contest(contest, workers)
    with games_progress(make_console(stderr=True)) as progress:
        task = progress.add_task("playing", total=contest.games)
        for index, record in played:
            standing.add(index, record)
            if save:
                add_records(save, [record_of(contest, index, record)])
            total = standing.total
            text = f"{total.wins} won, {total.draws} drawn, {total.losses} lost"
            progress.update(task, advance=1, description=f"{text}; {_test_state(test)}" if test else text)
    return standing


def _print_result(
    console: Console, contest: Contest, standing: Standing, test: SequentialTest | None
) -> None:
    table = Table(title=f"{contest.players[0]} against {contest.players[1]}: {contest.game.text}")
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
                f"{name} forfeited {len(reasons)} of the games; the last: {reasons[-1]}",
                soft_wrap=True,
                markup=False,
            )
    summary = standing.summary()
    console.print(
        f"{summary['games_per_second']:.2f} games a second, {summary['mean_plies']:.1f} actions a game; "
        f"a move takes A {standing.seconds_per_move(0):.4f} s and B {standing.seconds_per_move(1):.4f} s."
    )
    if contest.book is not None:
        played = min(max(standing.as_first.games, standing.as_second.games), len(contest.openings.book))
        console.print(f"Openings of the book, of length {contest.book}: {played}.")
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
