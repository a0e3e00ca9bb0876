"""A Hub engine as a player: ``hub:scan hub``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glaux.errors import InvalidAction
from glaux.fields import LONGEST, setting
from glaux.looks.turns import Turn
from glaux.players.engines import EngineSettings, TurnPlayer, states_of_match
from glaux.protocols.hub import HubLine, letters_of, move_text, parse_line, read_move, write_position
from glaux.protocols.process import EngineProcess
from glaux.protocols.uci import ask
from glaux.rules.game import Game, State


@dataclass(frozen=True)
class HubSettings(EngineSettings):
    """What a Hub engine takes."""

    seconds: float = setting(1.0, "seconds per move", most=LONGEST, positive=True)


class HubPlayer(TurnPlayer):
    """Plays what a Hub engine decides."""

    def __init__(self, game: Game, command: list[str], settings: HubSettings) -> None:
        super().__init__(game, command, settings)
        letters_of(game)
        self.seconds = settings.seconds

    def greet(self, engine: EngineProcess) -> None:
        """Learn who it is, set what was asked for, and let it get ready."""
        self._wait(engine, "hub", "wait")
        for line in self.setup:
            engine.send(line)
        self._wait(engine, "init", "ready")

    def begin_match(self, engine: EngineProcess) -> None:
        """Forget the last match."""
        engine.send("new-game")
        self.planned = []
        self._wait(engine, "ping", "pong")

    def ask_turn(self, engine: EngineProcess, state: State, history: Sequence[int]) -> Sequence[int]:
        """Send the match, and ask for a move."""
        states = states_of_match(self.game, state, history)
        turn, names = Turn.begin(states[0]), []
        for action in history:
            turn = turn.played(action)
            if turn.over:
                names.append(move_text(turn))
                turn = Turn.begin(turn.now)
        engine.send(str(HubLine("pos", {"pos": write_position(states[0]), "moves": " ".join(names)})))
        engine.send(str(HubLine("level", {"move-time": f"{self.seconds:g}"})))
        move, _ = ask(engine, "go think", self.timeout + self.seconds, _done)
        try:
            return read_move(turn.start, move)[len(turn.actions) :]
        except InvalidAction:
            raise engine.failure(f"played '{move[:40]}', which is not legal") from None

    def _wait(self, engine: EngineProcess, command: str, word: str) -> None:
        def said(line: str) -> bool | None:
            parsed = parse_line(line)
            return True if parsed and parsed.word == word else None

        ask(engine, command, self.timeout, said)


def _done(line: str) -> str | None:
    parsed = parse_line(line)
    return parsed.arguments.get("move", "") if parsed and parsed.word == "done" else None
