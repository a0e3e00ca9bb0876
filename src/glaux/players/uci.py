"""A UCI engine as a player: ``uci:fairy-stockfish``, for the games of ``glaux.protocols.uci``.

``dialect=ucci`` and ``dialect=uai`` are for engines of Xiangqi and of Ataxx that speak so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glaux.errors import Forfeit, InvalidAction, InvalidParameter, InvalidState, suggest
from glaux.fields import LONGEST, setting
from glaux.players.engines import EnginePlayer, EngineSettings, start_of_match
from glaux.protocols.process import EngineProcess
from glaux.protocols.uci import (
    DIALECTS,
    RESIGN,
    UCCI,
    UCI,
    ask,
    notation_of,
    parse_best_move,
    say_hello,
    wait_until_ready,
)
from glaux.rules.game import Game, State

DEFAULT_SECONDS = 1.0


@dataclass(frozen=True)
class UciSettings(EngineSettings):
    """What a UCI engine takes; it thinks for 1 second if nothing limits it."""

    dialect: str = setting(UCI.name, "protocol: uci, ucci (Xiangqi) or uai (Ataxx)")
    seconds: float | None = setting(None, "seconds per move", kind=float, most=LONGEST, positive=True)
    nodes: int | None = setting(None, "nodes per move", kind=int, least=1)
    depth: int | None = setting(None, "search depth", kind=int, least=1)


class UciPlayer(EnginePlayer):
    """Plays what a UCI engine decides."""

    def __init__(self, game: Game, command: list[str], settings: UciSettings) -> None:
        super().__init__(game, command, settings)
        name = settings.dialect
        if name not in DIALECTS:
            raise InvalidParameter(f"There is no dialect '{name}'{suggest(name, list(DIALECTS))}")
        self.dialect = DIALECTS[name]
        self.notation = notation_of(game, self.dialect)
        seconds, nodes, depth = settings.seconds, settings.nodes, settings.depth
        if seconds is None and nodes is None and depth is None:
            seconds = DEFAULT_SECONDS
        time = None if seconds is None else max(1, round(seconds * 1000))
        timed = "time {} movestogo 1" if self.dialect is UCCI else "movetime {}"
        limits = {timed: time, "nodes {}": nodes, "depth {}": depth}
        self.limits = " ".join(text.format(value) for text, value in limits.items() if value is not None)
        """the arguments of ``go``"""
        self.seconds = seconds or 0
        """how long a move may take by these limits, 0 if they do not say"""

    def greet(self, engine: EngineProcess) -> None:
        """Make sure that it speaks the dialect, and choose the game."""
        say_hello(engine, self.game, self.timeout, self.dialect)
        for line in self.setup:
            engine.send(line)

    def begin_match(self, engine: EngineProcess) -> None:
        """Forget the last match."""
        engine.send(self.dialect.new_match)
        wait_until_ready(engine, self.timeout)

    def decide(self, engine: EngineProcess, state: State, history: Sequence[int]) -> int:
        """Send the match, or the position if it began elsewhere, and ask for a move."""
        engine.send(f"position fen {self._position(state, history)}")
        move, _ = ask(engine, f"go {self.limits}", self.timeout + self.seconds, parse_best_move)
        if move == RESIGN:
            raise Forfeit(f"{engine.name} resigned.")
        action = self.notation.moves(state).get(move)
        if action is None:
            raise engine.failure(f"played '{move[:40]}', which is not legal")
        return action

    def _position(self, state: State, history: Sequence[int]) -> str:
        """FEN with the moves since: where a position may come back, they count."""
        try:
            start = start_of_match(self.game, state, history)
        except (InvalidAction, InvalidState):
            return self.notation.write_position(state)
        moves = self.notation.write_line(start, list(history))
        return f"{self.notation.write_position(start)}{f' moves {moves}' if moves else ''}"
