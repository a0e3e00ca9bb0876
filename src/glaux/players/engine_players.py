"""How the PLAYER texts of engines are read: ``gtp:gnugo --mode gtp``.

The text is a command, or settings of which the command is the last and may contain anything:
``gtp:timeout=10,command=gnugo --mode gtp``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from glaux.players.aei import AeiPlayer, AeiSettings
from glaux.players.engines import EnginePlayer, EngineSettings
from glaux.players.gtp import GtpPlayer, GtpSettings
from glaux.players.hub import HubPlayer, HubSettings
from glaux.players.nboard import NBoardPlayer, NBoardSettings
from glaux.players.settings import read_all
from glaux.players.uci import UciPlayer, UciSettings
from glaux.protocols.process import split_command
from glaux.rules.game import Game


class EngineKind(NamedTuple):
    """A protocol: what it is in a line, its settings, and how its player is made from a command."""

    summary: str
    settings: EngineSettings
    make: Callable[[Game, list[str], Any], EnginePlayer]


ENGINES = {
    "aei": EngineKind("an AEI engine, as in aei:bot_sharp", AeiSettings(), AeiPlayer),
    "gtp": EngineKind("a GTP engine, as in gtp:gnugo --mode gtp", GtpSettings(), GtpPlayer),
    "hub": EngineKind("a Hub engine, as in hub:scan hub", HubSettings(), HubPlayer),
    "nboard": EngineKind("an NBoard engine, as in nboard:edax -nboard", NBoardSettings(), NBoardPlayer),
    "uci": EngineKind("a UCI, UCCI or UAI engine, as in uci:fairy-stockfish", UciSettings(), UciPlayer),
}


def split_text(text: str) -> tuple[str, str]:
    """The settings and the command of the text after the name."""
    found = re.fullmatch(r"(?:(.*?),)?command=(.*)", text, flags=re.DOTALL)
    return (found[1] or "", found[2]) if found else ("", text)


def make_engine_player(name: str, game: Game, text: str, _seed: int) -> EnginePlayer:
    """The player of one of ``ENGINES``; chance is the engine's own affair."""
    rest, command = split_text(text)
    kind = ENGINES[name]
    return kind.make(game, split_command(command), read_all(name, rest, kind.settings))
