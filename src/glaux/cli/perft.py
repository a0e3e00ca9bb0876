"""``glaux perft``: counts that two implementations of the same rules must agree on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated

import typer
from rich.console import Console

from glaux.cli.arguments import GameText, Json, Moves, StateText, start_state
from glaux.cli.output import make_console, print_json
from glaux.errors import InvalidParameter
from glaux.rules.game import Game, State
from glaux.rules.registry import make

Depth = Annotated[
    int, typer.Argument(metavar="DEPTH", help="The longest sequence to count.", show_default=False)
]


@dataclass(frozen=True)
class Count:
    """The ways to play exactly ``depth`` actions, and how fast they were counted."""

    depth: int
    leaves: int
    seconds: float
    leaves_per_second: float


def perft(
    game: GameText, depth: Depth, moves: Moves = "", state: StateText = None, json: Json = False
) -> None:
    """Count the sequences of 1, 2, ... DEPTH actions.

    Two correct implementations of the same rules agree on these counts. Stop with Ctrl-C at any time.

    \b
    Examples:
      glaux perft othello 8
      glaux perft hex:size=5,swap=false 4 --moves "c3 b2"
    """
    if depth < 1:
        raise InvalidParameter(f"The depth must be at least 1, not {depth}.")
    chosen = make(game)
    start = chosen.play(moves, start_state(chosen, state))
    counts = count(chosen, start, depth)
    if json:
        print_json([asdict(row) for row in counts])
    else:
        _print_growing(make_console(), counts)


def count(game: Game, start: State, depth: int) -> Iterator[Count]:
    """The counts of depth 1, 2, ..., each when it is there."""
    for d in range(1, depth + 1):
        begin = time.perf_counter()
        leaves = game.perft(d, start)
        seconds = time.perf_counter() - begin
        yield Count(d, leaves, seconds, leaves / max(seconds, 1e-9))


def _print_growing(console: Console, counts: Iterator[Count]) -> None:
    console.print(f"{'depth':>5} {'leaves':>22} {'seconds':>10} {'leaves/s':>18}", style="bold")
    for row in counts:
        console.print(
            f"{row.depth:>5} {row.leaves:>22,} {row.seconds:>10.3f} {row.leaves_per_second:>18,.0f}"
        )
