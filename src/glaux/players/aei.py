"""An AEI engine as a player: ``aei:bot_sharp``.

The engine is told every turn of both sides. It has ``seconds`` for a turn, without a reserve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glaux.errors import InvalidAction, InvalidState
from glaux.fields import LONGEST, setting
from glaux.players.engines import EngineSettings, TurnPlayer, states_of_match
from glaux.protocols.aei import form_of, is_over, parse_best_move, read_turn, write_turn
from glaux.protocols.process import EngineProcess
from glaux.protocols.uci import ask, said, wait_until_ready
from glaux.rules.game import Game, State


@dataclass(frozen=True)
class AeiSettings(EngineSettings):
    """What an AEI engine takes."""

    seconds: float = setting(1.0, "seconds per turn", most=LONGEST, positive=True)


class AeiPlayer(TurnPlayer):
    """Plays what an AEI engine decides."""

    def __init__(self, game: Game, command: list[str], settings: AeiSettings) -> None:
        super().__init__(game, command, settings)
        form_of(game)
        self.seconds = settings.seconds
        self.told: list[str] = []
        """the turns that the engine knows of"""

    def greet(self, engine: EngineProcess) -> None:
        """Make sure that it speaks AEI, and say how long a turn may take."""
        ask(engine, "aei", self.timeout, said("aeiok"))
        engine.send(f"setoption name tcmove value {self.seconds:g}")
        for line in self.setup:
            engine.send(line)
        wait_until_ready(engine, self.timeout)

    def begin_match(self, engine: EngineProcess) -> None:
        """Forget the last match."""
        engine.send("newgame")
        self.told, self.planned = [], []
        wait_until_ready(engine, self.timeout)

    def ask_turn(self, engine: EngineProcess, state: State, history: Sequence[int]) -> Sequence[int]:
        """Tell the engine what it has not seen, and ask for a turn."""
        turns = self._turns(states_of_match(self.game, state, history), history)
        if turns[: len(self.told)] != self.told:
            self.begin_match(engine)
        for turn in turns[len(self.told) :]:
            engine.send(f"makemove {turn}")
        self.told = turns
        answer, _ = ask(engine, "go", self.timeout + self.seconds, parse_best_move)
        try:
            return read_turn(state, answer)
        except InvalidAction:
            raise engine.failure(f"played '{answer[:80]}', which is not legal") from None

    def _turns(self, states: list[State], history: Sequence[int]) -> list[str]:
        turns, begun = [], 0
        for ply in range(1, len(states)):
            if is_over(states[begun], states[ply]):
                turns.append(write_turn(states[begun], history[begun:ply]))
                begun = ply
        if begun != len(history):
            raise InvalidState("An AEI engine plays whole turns: an opening can't end in the middle of one.")
        return turns
