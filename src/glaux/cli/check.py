"""``glaux check``: do the rules of a game keep the contract?"""

from __future__ import annotations

from typing import Annotated

import typer

from glaux.cli.arguments import GameText
from glaux.cli.contest_options import games_progress
from glaux.cli.output import make_console
from glaux.errors import InvalidParameter
from glaux.rules.contract import check_game
from glaux.rules.registry import make

Matches = Annotated[int, typer.Option("--matches", "-n", metavar="N", help="Number of random matches.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", min=0, help="The random seed of the first match.")]


def check(game: GameText, matches: Matches = 10, seed: Seed = 0) -> None:
    """Check the rules of a game by playing random matches.

    Checks what searches and learners rely on: texts can be read back, symmetries agree, expanding a state
    gives the same children as playing each action, planes and final states are right, and illegal actions are
    refused. All built-in games pass.

    \b
    Examples:
      glaux check my_game.py
      glaux check my_game.py:MyGame:size=5 --matches 100
    """
    if matches < 1:
        raise InvalidParameter(f"--matches must be at least 1, not {matches}.")
    made = make(game)
    with games_progress(make_console(stderr=True)) as progress:
        task = progress.add_task("checking", total=matches)
        for number in range(seed, seed + matches):
            check_game(made, 1, number)
            progress.update(task, advance=1)
    make_console().print(f"{made.text} passed all checks in {matches} random matches.", markup=False)
