"""``glaux aei``: a player for the controllers of Arimaa."""

from __future__ import annotations

import glaux
from glaux.cli.arguments import GameText
from glaux.cli.speaking import EnginePlayer, EngineSeed, Ponder, chosen_player, engine_player, speak
from glaux.engine.aei import AeiEngine
from glaux.rules.registry import make


def aei(game: GameText, player: EnginePlayer = None, seed: EngineSeed = None, ponder: Ponder = False) -> None:
    """Run a player as an AEI engine, for Arimaa controllers.

    AEI is the protocol of the Arimaa game room and its bots. The controller sets the time per turn
    ([bold]tcmove[/] and the reserves); PLAYER's own limit also applies.

    \b
    Examples:
      glaux aei arimaa ubfms:value=runs/arimaa,seconds=60
      glaux match arimaa mcts 'aei:glaux aei arimaa mcts'
    """
    made = make(game)
    text = chosen_player(player, made)
    speak(AeiEngine(made, engine_player(text, made, seed), "Glaux", glaux.__version__), ponder)
