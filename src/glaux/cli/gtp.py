"""``glaux gtp``: a player for other programs."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

import typer

import glaux
from glaux.cli.arguments import GameText
from glaux.engine.gtp import GtpEngine
from glaux.errors import InvalidParameter
from glaux.players.registry import make_player
from glaux.rules.registry import make

PlayerText = Annotated[
    str, typer.Argument(metavar="PLAYER", help="Who plays, as [bold]mcts:seconds=5[/].", show_default=False)
]
Seed = Annotated[
    int | None,
    typer.Option(help="The same seed gives the same player; another one each time by default."),
]


def gtp(game: GameText, player: PlayerText, seed: Seed = None) -> None:
    """Speak GTP 2 on stdin and stdout, so that GUIs, servers and arbiters can use PLAYER.

    Hex is spoken as HexGui and MoHex do, Othello as GRhino does, all other games with their own
    notation; the first player is black. [bold]boardsize[/] makes another board, [bold]time_settings[/]
    and [bold]time_left[/] shorten the time for a move, [bold]glaux-evaluate[/] tells what the player
    thinks. docs/protocols.md has all the commands.

    \b
    Examples:
      glaux gtp hex ubfms:value=runs/hex,seconds=5       the command for HexGui
      glaux match othello mcts 'gtp:glaux gtp othello alphabeta:value=playouts'
      printf 'genmove black\\nshowboard\\n' | glaux gtp othello mcts
    """
    if sys.stdin is None or sys.stdout is None:
        raise InvalidParameter("GTP is spoken on stdin and stdout: both must be open.")
    chosen_seed = secrets.randbits(32) if seed is None else seed
    engine = GtpEngine(
        make(game), lambda made: make_player(player, made, chosen_seed), f"Glaux {player}", glaux.__version__
    )
    engine.serve(sys.stdin.buffer, sys.stdout.buffer)
