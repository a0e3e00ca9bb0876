"""``glaux play``: a match in the terminal."""

from __future__ import annotations

import io
import secrets
import sys
from enum import StrEnum
from typing import Annotated

import typer

from glaux.cli.arguments import GameText, Moves, Save, StateText, start_state
from glaux.cli.output import make_console
from glaux.cli.sitting import Sitting
from glaux.cli.speaking import agent_words
from glaux.errors import InvalidParameter
from glaux.players.registry import RANDOM, default_player, make_player
from glaux.records.files import add_records, check_format
from glaux.records.record import Record
from glaux.rules.registry import make

WATCHING_DELAY = 0.5
PERSON = "a person"
"""The name of somebody at the keyboard in a record."""


class Side(StrEnum):
    """Whose actions you choose."""

    first = "first"
    second = "second"
    both = "both"
    none = "none"


PlayerText = Annotated[
    str | None,
    typer.Argument(
        metavar="PLAYER",
        help="Your opponent, such as [bold]zoo:level=3[/], [bold]mcts:seconds=1[/] or [bold]runs/hex[/]. "
        "By default the game's shipped agent ([bold]glaux zoo[/]), or [bold]random[/] if it has none.",
        show_default=False,
    ),
]
SideOption = Annotated[
    Side, typer.Option(help="The side you play: both for two people, none to watch PLAYER.")
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="S", help="PLAYER's random seed; by default a new one each time."),
]
Delay = Annotated[
    float | None,
    typer.Option(
        min=0,
        metavar="S",
        help=f"Seconds between moves while you watch; by default {WATCHING_DELAY} on a terminal.",
    ),
]


def play(
    game: GameText,
    player: PlayerText = None,
    *,
    side: SideOption = Side.first,
    seed: Seed = None,
    delay: Delay = None,
    moves: Moves = "",
    state: StateText = None,
    save: Save = None,
) -> None:
    """Play a game in the terminal, against a player or alone.

    Type a move such as [bold]d3[/], or [bold]moves[/], [bold]undo[/], [bold]state[/], [bold]help[/] or
    [bold]quit[/].

    \b
    Examples:
      glaux play othello
      glaux play othello zoo:level=3                     easier
      glaux play othello mcts:seconds=1
      glaux play connect_four runs/connect_four
      glaux play hex:size=7 random --side second
      glaux play breakthrough --side none --delay 1      watch
      glaux play my_game.py:MyGame --side both           two people
      glaux play rubik2:twists=4,seed=7                  a cube to solve
      glaux play rubik2 ubfm:seconds=1 --side none       watch it being solved
    """
    chosen = make(game)
    if chosen.spec.players == 1 and side in (Side.second, Side.both):
        raise InvalidParameter(
            f"{chosen.spec.title} is a game for one player: use --side first to play, or --side none to "
            "watch."
        )
    start = start_state(chosen, state)
    if save:
        check_format(save, start)
    note = ""
    if player is None:
        player = default_player(chosen) or RANDOM
        alone = side is Side.both or (chosen.spec.players == 1 and side is Side.first)
        note = f"Your opponent is {agent_words(player)}." if player != RANDOM and not alone else ""
    person = {Side.first: (PERSON, player), Side.second: (player, PERSON), Side.both: (PERSON, PERSON)}
    record = Record(start, person.get(side, (player, player)))
    for text in moves.split():
        record.play(chosen.parse_action(record.state, text))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what can't be read is not an action
    console = make_console()
    if delay is None:
        delay = WATCHING_DELAY if console.is_terminal else 0
    opponent = make_player(player, chosen, secrets.randbits(32) if seed is None else seed)
    sitting = Sitting(
        record=record,
        people={True: side in (Side.first, Side.both), False: side in (Side.second, Side.both)},
        player=opponent,
        player_text=player,
        note=note,
        resume=("glaux", "play", game, player, "--side", side.value),
        console=console,
        delay=delay,
    )
    try:
        sitting.run()
    except KeyboardInterrupt:
        console.print()
        sitting.stop()
        raise
    finally:
        opponent.close()
        if save and record.actions:
            add_records(save, [record])
