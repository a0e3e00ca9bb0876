"""``glaux nboard``: a player for the GUIs of Othello."""

from __future__ import annotations

from glaux.cli.arguments import GameText
from glaux.cli.speaking import EnginePlayer, EngineSeed, Ponder, chosen_player, engine_player, speak
from glaux.engine.nboard import NBoardEngine
from glaux.rules.registry import make


def nboard(
    game: GameText, player: EnginePlayer = None, seed: EngineSeed = None, ponder: Ponder = False
) -> None:
    """Run a player as an NBoard engine, for Othello GUIs.

    NBoard and other GUIs send whole matches in GGF and ask for moves, hints and analyses. The depth they
    set is ignored; PLAYER has its own limits.

    \b
    Examples:
      glaux nboard othello runs/othello,seconds=5
      glaux match othello mcts 'nboard:glaux nboard othello mcts:iterations=1000'
    """
    made = make(game)
    text = chosen_player(player, made)
    speak(NBoardEngine(made, engine_player(text, made, seed), f"Glaux {text}"), ponder)
