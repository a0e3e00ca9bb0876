"""How the PLAYER texts of engines are read: ``gtp:gnugo --mode gtp``.

The text is a command, or settings of which the command is the last and may contain anything:
``gtp:timeout=10,command=gnugo --mode gtp``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from glaux.players.engines import EnginePlayer
from glaux.players.gtp import read_gtp_player
from glaux.players.settings import Settings
from glaux.players.uci import read_uci_player
from glaux.protocols.process import split_command
from glaux.rules.game import Game
from glaux.rules.registry import make

SHARED_GAME = "breakthrough"
"""One that all the protocols have."""


class Kind(NamedTuple):
    """A protocol: what it is in a line, and how its player is made from a command."""

    summary: str
    read: Callable[[Game, Settings, list[str]], EnginePlayer]


ENGINES = {
    "gtp": Kind("a program that speaks GTP, as in gtp:gnugo --mode gtp", read_gtp_player),
    "uci": Kind("a program that speaks UCI, as in uci:fairy-stockfish", read_uci_player),
}


def split_text(text: str) -> tuple[str, str]:
    """The settings and the command of the text after the name."""
    found = re.fullmatch(r"(?:(.*?),)?command=(.*)", text, flags=re.DOTALL)
    return (found[1] or "", found[2]) if found else ("", text)


def make_engine_player(name: str, game: Game, text: str, _seed: int) -> EnginePlayer:
    """The player of one of ``ENGINES``; chance is the engine's own affair."""
    rest, command = split_text(text)
    settings = Settings(name, rest)
    player = ENGINES[name].read(game, settings, split_command(command))
    settings.finish()
    return player


def known_engine_settings(name: str) -> dict[str, str]:
    """The settings of a protocol's players with their defaults."""
    settings = Settings(name, "")
    ENGINES[name].read(make(SHARED_GAME), settings, [])
    return settings.known | {"command": ""}
