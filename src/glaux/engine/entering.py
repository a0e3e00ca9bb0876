"""The players for the Computer Olympiad: in each event an agent that has learned its game, otherwise MCTS."""

from __future__ import annotations

from pathlib import Path

from glaux.engine.olympiad import Entered, MakeEntrant
from glaux.errors import GlauxError, InvalidParameter
from glaux.machine import free_memory
from glaux.players.registry import search_of
from glaux.players.search_players import search_player
from glaux.rules.game import Game
from glaux.values.zoo import WORD, find_agent, has_agent

UNTRAINED = "mcts"
MOST_SECONDS = 3600.0
"""for an action: the client's clock is what counts"""
MEMORY_SHARE = 0.6
"""of the memory that is free: a match has a tree of many minutes"""


def entrant_maker(directory: Path | None, seconds: float | None, seed: int) -> MakeEntrant:
    """Makes the players of the events from a run, a value function, or a directory of them.

    An event that has none there is played by the agent of its game in the box, and if that has none by MCTS.
    ``seconds`` is the most for an action. InvalidParameter if the directory is not there.
    """
    if directory is not None and not directory.is_dir():
        raise InvalidParameter(f"There is no directory '{directory}' with value functions.")
    limits = {"memory": str(_memory()), "seconds": str(MOST_SECONDS if seconds is None else seconds)}

    def make_entrant(event: str, game: Game) -> Entered:
        reasons = []
        places = {} if directory is None else _places(directory, event, game)
        if has_agent(game):
            places[f"{WORD}:{game.name}"] = find_agent(WORD, game)
        for name, path in places.items():
            try:
                agent = search_of(path)
                player = search_player(agent, game, limits | {"value": str(path)}, seed)
            except GlauxError as error:
                reasons.append(str(error))
            else:
                return Entered(player, f"{event} is played by {agent} with {name}")
        why = f" ({reasons[0]})" if reasons else ""
        player = search_player(UNTRAINED, game, limits, seed)
        return Entered(player, f"{event} is played by {UNTRAINED}: no value function for it{why}")

    return make_entrant


def _places(directory: Path, event: str, game: Game) -> dict[str, Path]:
    """Where a value function may be, by what the operator is told, the most special first."""
    paths = directory / event, directory / game.name, directory
    return {str(path): path for path in paths if path.is_dir()}


def _memory() -> int:
    return max(1 << 28, int(free_memory() * MEMORY_SHARE))
