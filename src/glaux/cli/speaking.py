"""What the commands share that make an engine for other programs of a player."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

import typer

from glaux.engine.serving import LineEngine, serve
from glaux.errors import InvalidParameter
from glaux.players.levels import FULL
from glaux.players.player import Player
from glaux.players.registry import default_player, make_player
from glaux.rules.game import Game

EnginePlayer = Annotated[
    str | None,
    typer.Argument(
        metavar="PLAYER",
        help="The player, such as [bold]mcts:seconds=5[/]. By default the game's shipped agent, if it has "
        "one ([bold]glaux zoo[/]).",
        show_default=False,
    ),
]
EngineSeed = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="PLAYER's random seed; by default a new one each time."),
]

Ponder = Annotated[bool, typer.Option("--ponder", help="Ponder: think during the opponent's turn too.")]


def chosen_seed(seed: int | None) -> int:
    """The seed of an option, or another one each time."""
    return secrets.randbits(32) if seed is None else seed


def chosen_player(text: str | None, game: Game) -> str:
    """The PLAYER of an engine: the agent in the box if none is named, and a line on stderr says so."""
    if text is not None:
        return text
    found = default_player(game)
    if found is None:
        raise InvalidParameter(
            f"No agent for {game.label} ships with Glaux: name a player after it, such as mcts:seconds=5."
        )
    sys.stderr.write(f"glaux: {game.spec.title} is played by {agent_words(found)}.\n")
    return found


def agent_words(text: str) -> str:
    """The agent in the box, where nobody has named a player."""
    return f"the shipped agent ({text}; {text}:level=1 to {text}:level={FULL - 1} are easier)"


def engine_player(text: str, game: Game, seed: int | None) -> Player:
    """The player behind an engine."""
    return make_player(text, game, chosen_seed(seed))


def speak(engine: LineEngine, ponder: bool) -> None:
    """Let an engine answer on stdin and stdout until it is told to quit."""
    engine.ponders = ponder
    if sys.stdin is None or sys.stdout is None:
        raise InvalidParameter("An engine needs open stdin and stdout.")
    # Without Python's buffer, whose lock a thread that waits for a line would hold when the process ends.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as commands:
        serve(engine, commands, sys.stdout.buffer)
