"""Every registered game on a small board, worked out from what the registry says of its parameters.

No test has a list of games: a new game is in all of them as soon as it is registered.
"""

from __future__ import annotations

import glaux
from glaux import Game, _core


def _boards(**wanted: int) -> dict[str, str]:
    """The text of each game with these parameters, as far as it has them and takes such values."""
    found = {}
    for info in _core.registry():
        sizes = {p.name: min(max(wanted[p.name], p.low), p.high) for p in info.parameters if p.name in wanted}
        found[info.name] = glaux.make(info.name, **sizes).text
    return found


SMALL = _boards(size=4, rows=5, columns=4, length=3, twists=2, limit=8, sheet=9, plies=14)
"""matches of about ten actions where the game can be that short"""
DECISIVE = _boards(size=4, rows=5, columns=4, length=3, twists=1, limit=8, plies=14, olympiad=1)
"""where late positions have small trees: by the Olympiad's rules a lone king of draughts is drawn at once"""
LONGER = _boards(size=4, rows=5, columns=4, length=3, limit=150, plies=14, olympiad=1)
MEDIUM = _boards(size=6, rows=6, columns=6)
GAMES = list(SMALL)
TWO_PLAYERS = [name for name in GAMES if glaux.make(name).spec.players == 2]


def small_game(name: str) -> Game:
    """The game of this name on a small board."""
    return glaux.make(SMALL[name])
