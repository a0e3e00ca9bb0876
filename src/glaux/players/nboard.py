"""An NBoard engine as a player: ``nboard:edax -nboard``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from glaux.errors import InvalidAction
from glaux.fields import setting
from glaux.players.engines import EnginePlayer, EngineSettings, start_of_match
from glaux.protocols.nboard import VERSION, form_of, parse_answer, read_move, write_ggf
from glaux.protocols.process import EngineProcess
from glaux.protocols.uci import ask
from glaux.rules.game import Game, State


@dataclass(frozen=True)
class NBoardSettings(EngineSettings):
    """What an NBoard engine takes."""

    depth: int = setting(12, "search depth in the midgame", least=1)


class NBoardPlayer(EnginePlayer):
    """Plays what an NBoard engine decides."""

    def __init__(self, game: Game, command: list[str], settings: NBoardSettings) -> None:
        super().__init__(game, command, settings)
        form_of(game)
        self.depth = settings.depth
        self.pings = count(1)

    def greet(self, engine: EngineProcess) -> None:
        """Say which protocol it is, and how deep to search."""
        for line in (f"nboard {VERSION}", f"set depth {self.depth}", *self.setup):
            engine.send(line)
        self._wait(engine)

    def begin_match(self, engine: EngineProcess) -> None:
        """Send the start of the match."""
        engine.send(f"set game {write_ggf(self.game.initial(), [])}")
        self._wait(engine)

    def decide(self, engine: EngineProcess, state: State, history: Sequence[int]) -> int:
        """Send the match so far, and ask for a move."""
        engine.send(f"set game {write_ggf(start_of_match(self.game, state, history), history)}")
        self._wait(engine)
        answer, _ = ask(engine, "go", self.timeout, parse_answer)
        try:
            return read_move(state, answer)
        except InvalidAction:
            raise engine.failure(f"played '{answer[:40]}', which is not legal") from None

    def _wait(self, engine: EngineProcess) -> None:
        """Wait until the engine has done everything it was told to do."""
        number = next(self.pings)
        pong = f"pong {number}"
        ask(engine, f"ping {number}", self.timeout, lambda line: True if line.strip() == pong else None)
