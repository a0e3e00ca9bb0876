"""``glaux uci``: a player for the GUIs of Xiangqi, Ataxx, Breakthrough and Clobber."""

from __future__ import annotations

from glaux.cli.arguments import GameText
from glaux.cli.speaking import EnginePlayer, EngineSeed, Ponder, chosen_player, engine_player, speak
from glaux.engine.uci import UciEngine
from glaux.rules.registry import make


def uci(game: GameText, player: EnginePlayer = None, seed: EngineSeed = None, ponder: Ponder = False) -> None:
    """Run a player as a UCI, UCCI or UAI engine, for Xiangqi and Ataxx GUIs.

    The GUI's first word selects the protocol: UCI as in Fairy-Stockfish (Xiangqi, Ataxx, Breakthrough,
    Clobber), UCCI (Xiangqi) or UAI (Ataxx). The GUI sets the time; PLAYER's own limit also applies.
    docs/protocols.md lists all commands.

    \b
    Examples:
      glaux uci xiangqi ubfms:value=runs/xiangqi,seconds=10
      glaux match ataxx mcts 'uci:dialect=uai,command=glaux uci ataxx mcts'
    """
    made = make(game)
    text = chosen_player(player, made)
    speak(UciEngine(made, engine_player(text, made, seed), f"Glaux {text}"), ponder)
