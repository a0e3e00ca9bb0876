"""The arguments and options that several commands take, each explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from glaux.rules.game import Game, State

GAME_HELP = (
    "A name with parameters, as [bold]hex:size=7,swap=false[/] ([bold]glaux games[/] lists them); "
    "[bold]file.py:ClassName[/] for rules written in Python; "
    "[bold]open_spiel:game=tic_tac_toe[/] for a game of OpenSpiel."
)

GameText = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program instead of a table.")]
StateText = Annotated[
    str | None,
    typer.Option(
        "--state",
        metavar="TEXT",
        help="Start from this state, in the text that [bold]state[/] prints in glaux play.",
        show_default=False,
    ),
]
Moves = Annotated[
    str,
    typer.Option(
        "--moves",
        metavar="TEXTS",
        help='Play these actions first, separated by spaces: "d3 c3".',
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Add the record of each match to this file: SGF for Hex and Othello if it ends in .sgf, else "
        "text. [bold]glaux replay FILE[/] shows it.",
        show_default=False,
    ),
]


def start_state(game: Game, text: str | None) -> State:
    """The state of a --state option, or the start of a match."""
    return game.initial() if text is None else game.parse_state(text)
