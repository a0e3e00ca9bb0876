"""The arguments and options that several commands take, each explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from glaux.rules.game import Game, State

GAME_HELP = (
    "A name with parameters, such as [bold]hex:size=7,swap=false[/] ([bold]glaux games[/] lists them); "
    "[bold]file.py:ClassName[/] for rules written in Python; [bold]open_spiel:game=tic_tac_toe[/] for an "
    "OpenSpiel game."
)

GameText = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
StateText = Annotated[
    str | None,
    typer.Option(
        "--state",
        metavar="TEXT",
        help="Start from this position, in the format that [bold]state[/] prints in glaux play.",
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
        help="Append each match to this file: as SGF or PDN if its name ends in .sgf or .pdn, otherwise "
        "as text. [bold]glaux replay FILE[/] shows it.",
        show_default=False,
    ),
]

Trust = Annotated[
    list[Path] | None,
    typer.Option(
        "--trust",
        metavar="DIR",
        help="Let this run start the programs and read the directories named in its files. Use it only "
        "for your own runs, or for those of people you would let run anything on this machine. Can "
        "be repeated.",
        show_default=False,
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="GAME",
        help="The game, if its rules are a Python file: Glaux runs such a file only if you name it.",
        show_default=False,
    ),
]


def is_trusted(path: Path, trusted: list[Path] | None) -> bool:
    """Whether a --trust option names the directory."""
    return path.resolve() in {one.resolve() for one in trusted or []}


def start_state(game: Game, text: str | None) -> State:
    """The state of a --state option, or the start of a match."""
    return game.initial() if text is None else game.parse_state(text)
