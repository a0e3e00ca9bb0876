"""``glaux gtp``: a player for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import glaux
from glaux.cli.arguments import GAME_HELP
from glaux.cli.speaking import EnginePlayer, EngineSeed, Ponder, chosen_player, chosen_seed, speak
from glaux.engine.entering import entrant_maker
from glaux.engine.gtp import GtpEngine
from glaux.engine.olympiad import Entrant
from glaux.engine.serving import LineEngine
from glaux.errors import InvalidParameter
from glaux.players.registry import make_player
from glaux.rules.registry import make

Game = Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
Olympiad = Annotated[
    bool, typer.Option("--olympiad", help="Play as a Computer Olympiad entrant, in all its games.")
]
ValueOption = Annotated[
    Path | None,
    typer.Option(
        "--value",
        metavar="DIR",
        help="For --olympiad: a run or value function, or a directory with one per game, named after the "
        "event or the game (hex11, hex). Without one, the shipped agent or MCTS plays.",
        show_default=False,
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        min=0.01,
        metavar="S",
        help="For --olympiad: the most seconds per move.",
        show_default=False,
    ),
]


def gtp(
    game: Game = None,
    player: EnginePlayer = None,
    olympiad: Olympiad = False,
    value: ValueOption = None,
    seconds: Seconds = None,
    seed: EngineSeed = None,
    ponder: Ponder = False,
) -> None:
    """Run a player as a GTP engine, for GUIs, servers and arbiters.

    Hex uses the conventions of HexGui and MoHex, Othello those of GRhino, and all other games their own
    notation; the first player is black. [bold]boardsize[/] changes the board, [bold]time_settings[/] and
    [bold]time_left[/] limit the time per move, and [bold]glaux-evaluate[/] shows what the player thinks.
    docs/protocols.md lists all commands. With [bold]--olympiad[/] the client chooses the game; see
    docs/olympiad.md.

    \b
    Examples:
      glaux gtp othello                                  the shipped agent
      glaux gtp hex ubfms:value=runs/hex,seconds=5       the command for HexGui
      glaux match othello mcts 'gtp:glaux gtp othello alphabeta:value=playouts'
      printf 'genmove black\\nshowboard\\n' | glaux gtp othello mcts
      glaux gtp --olympiad --value runs                  for the Olympiad
    """
    chosen = chosen_seed(seed)
    alone = value is None and seconds is None
    engine = _entrant(game, value, seconds, chosen) if olympiad else _engine(game, player, alone, chosen)
    speak(engine, ponder)


def _engine(game: str | None, player: str | None, alone: bool, seed: int) -> LineEngine:
    if game is None:
        raise InvalidParameter(
            "Give a game and a player, as in 'glaux gtp hex mcts:seconds=5', or use --olympiad."
        )
    if not alone:
        raise InvalidParameter(
            "--value and --seconds need --olympiad; otherwise set them in PLAYER, as in mcts:seconds=5."
        )
    first = make(game)
    text = chosen_player(player, first)
    return GtpEngine(first, lambda made: make_player(text, made, seed), f"Glaux {text}", glaux.__version__)


def _entrant(game: str | None, value: Path | None, seconds: float | None, seed: int) -> LineEngine:
    if game is not None:
        raise InvalidParameter("With --olympiad the client chooses the game: leave out GAME and PLAYER.")
    return Entrant(entrant_maker(value, seconds, seed), "Glaux", glaux.__version__)
