"""A UCI engine as a player: ``uci:fairy-stockfish``, for the games of ``glaux.protocols.uci``."""

from __future__ import annotations

from collections.abc import Sequence

from glaux.players.engines import EnginePlayer, EngineSettings, read_engine_settings
from glaux.players.settings import Settings
from glaux.protocols.process import EngineProcess
from glaux.protocols.uci import ask, fen, moves, parse_best_move, say_hello, variant_of, wait_until_ready
from glaux.rules.game import Game, State

DEFAULT_SECONDS = 1.0


class UciPlayer(EnginePlayer):
    """Plays what a UCI engine decides."""

    def __init__(self, game: Game, settings: EngineSettings, limits: str, seconds: float = 0) -> None:
        super().__init__(game, settings)
        variant_of(game)
        self.limits = limits
        """the arguments of ``go``"""
        self.seconds = seconds
        """how long a move may take by these limits, 0 if they do not say"""

    def greet(self, engine: EngineProcess) -> None:
        """Make sure that it speaks UCI, and choose the game."""
        say_hello(engine, self.game, self.settings.timeout)
        for line in self.settings.setup:
            engine.send(line)

    def begin_match(self, engine: EngineProcess) -> None:
        """Forget the last match."""
        engine.send("ucinewgame")
        wait_until_ready(engine, self.settings.timeout)

    def decide(self, engine: EngineProcess, state: State, history: Sequence[int]) -> int:
        """Send the position, and ask for a move."""
        engine.send(f"position fen {fen(state)}")
        move, _ = ask(engine, f"go {self.limits}", self.settings.timeout + self.seconds, parse_best_move)
        action = moves(state).get(move)
        if action is None:
            raise engine.failure(f"played '{move[:40]}', which is not legal")
        return action


def read_uci_player(game: Game, settings: Settings, command: list[str]) -> UciPlayer:
    """The player with the settings of its text."""
    seconds = settings.optional("seconds")
    nodes = settings.optional_integer("nodes")
    depth = settings.optional_integer("depth")
    if seconds is None and nodes is None and depth is None:
        seconds = DEFAULT_SECONDS
    limits = {
        "movetime": None if seconds is None else max(1, round(seconds * 1000)),
        "nodes": nodes,
        "depth": depth,
    }
    words = " ".join(f"{key} {value}" for key, value in limits.items() if value is not None)
    return UciPlayer(game, read_engine_settings(settings, command), words, seconds or 0)
