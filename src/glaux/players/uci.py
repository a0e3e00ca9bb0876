"""A UCI engine as a player: ``uci:fairy-stockfish``, for the games of ``glaux.protocols.uci``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glaux.fields import setting
from glaux.players.engines import EnginePlayer, EngineSettings
from glaux.protocols.process import EngineProcess
from glaux.protocols.uci import ask, fen, moves, parse_best_move, say_hello, variant_of, wait_until_ready
from glaux.rules.game import Game, State

DEFAULT_SECONDS = 1.0


@dataclass(frozen=True)
class UciSettings(EngineSettings):
    """What a UCI engine takes; it thinks for 1 second if nothing limits it."""

    seconds: float | None = setting(None, "seconds of a move", kind=float)
    nodes: int | None = setting(None, "nodes of a move", kind=int)
    depth: int | None = setting(None, "depth of a move", kind=int)


class UciPlayer(EnginePlayer):
    """Plays what a UCI engine decides."""

    def __init__(self, game: Game, command: list[str], settings: UciSettings) -> None:
        super().__init__(game, command, settings)
        variant_of(game)
        seconds, nodes, depth = settings.seconds, settings.nodes, settings.depth
        if seconds is None and nodes is None and depth is None:
            seconds = DEFAULT_SECONDS
        time = None if seconds is None else max(1, round(seconds * 1000))
        limits = {"movetime": time, "nodes": nodes, "depth": depth}
        self.limits = " ".join(f"{key} {value}" for key, value in limits.items() if value is not None)
        """the arguments of ``go``"""
        self.seconds = seconds or 0
        """how long a move may take by these limits, 0 if they do not say"""

    def greet(self, engine: EngineProcess) -> None:
        """Make sure that it speaks UCI, and choose the game."""
        say_hello(engine, self.game, self.timeout)
        for line in self.setup:
            engine.send(line)

    def begin_match(self, engine: EngineProcess) -> None:
        """Forget the last match."""
        engine.send("ucinewgame")
        wait_until_ready(engine, self.timeout)

    def decide(self, engine: EngineProcess, state: State, history: Sequence[int]) -> int:
        """Send the position, and ask for a move."""
        engine.send(f"position fen {fen(state)}")
        move, _ = ask(engine, f"go {self.limits}", self.timeout + self.seconds, parse_best_move)
        action = moves(state).get(move)
        if action is None:
            raise engine.failure(f"played '{move[:40]}', which is not legal")
        return action
