"""``glaux hub``: a player for the GUIs of draughts."""

from __future__ import annotations

import glaux
from glaux.cli.arguments import GameText
from glaux.cli.speaking import EnginePlayer, EngineSeed, Ponder, chosen_player, engine_player, speak
from glaux.engine.hub import HubEngine
from glaux.rules.registry import make


def hub(game: GameText, player: EnginePlayer = None, seed: EngineSeed = None, ponder: Ponder = False) -> None:
    """Run a player as a Hub engine, for draughts GUIs.

    Hub is the protocol of Scan, for draughts on boards of any size. The GUI sets the time; PLAYER's own limit
    also applies. The GUI's depth and node limits are ignored.

    \b
    Examples:
      glaux hub international_draughts runs/international_draughts,seconds=10
      glaux match international_draughts mcts 'hub:scan hub'
    """
    made = make(game)
    text = chosen_player(player, made)
    speak(HubEngine(made, engine_player(text, made, seed), "Glaux", glaux.__version__), ponder)
