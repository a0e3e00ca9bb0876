"""A GTP engine as a player: ``gtp:gtp-rhino``.

The engine is kept at the same position as the match: what it has not seen is played, what was taken
back is undone. Passes that the dialect does not say are not asked for either. ``seconds`` tells the
engine by ``time_settings`` how long a move may take; most have settings of their own for it, which
``setup`` can send: ``gtp:setup=param_mohex max_time 5,command=mohex``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glaux.errors import Forfeit, InvalidAction
from glaux.fields import LONGEST, setting
from glaux.players.engines import EnginePlayer, EngineSettings, states_of_match
from glaux.protocols.dialects import JOINT, board_size, dialect_of
from glaux.protocols.gtp import ask
from glaux.protocols.process import EngineProcess
from glaux.rules.game import Game, State


@dataclass(frozen=True)
class GtpSettings(EngineSettings):
    """What a GTP engine takes."""

    seconds: float | None = setting(
        None, "seconds per move, sent as time_settings", kind=float, most=LONGEST, positive=True
    )


class GtpPlayer(EnginePlayer):
    """Plays what a GTP engine decides."""

    def __init__(self, game: Game, command: list[str], settings: GtpSettings) -> None:
        super().__init__(game, command, settings)
        self.seconds = settings.seconds
        self.dialect = dialect_of(game)
        self.commands: set[str] = set()
        self.told: list[int] = []
        """the actions that the engine knows of"""
        self.decided = 1
        """how many of them were its last move"""

    def greet(self, engine: EngineProcess) -> None:
        """Ask what it understands, and choose the game and the board."""
        self.commands = set(self._ask(engine, "list_commands").split())
        for line in self.setup:
            self._ask(engine, line)
        if "set_game" in self.commands:
            self._ask(engine, f"set_game {self.game.spec.title}")
        self._ask(engine, f"boardsize {board_size(self.game)}")
        if "komi" in self.game.parameters:
            self._ask(engine, f"komi {self.game.parameters['komi']}")
        if self.seconds is not None:
            self._ask(engine, f"time_settings 0 {self.seconds:g} 1")

    def begin_match(self, engine: EngineProcess) -> None:
        """Clear the board."""
        self._ask(engine, "clear_board")
        self.told = []

    def decide(self, engine: EngineProcess, state: State, history: Sequence[int]) -> int:
        """Bring the engine to the state, and ask it; its move may be several actions."""
        ahead = self.told[len(history) :]
        if 0 < len(ahead) < self.decided and self.told[: len(history)] == list(history):
            return ahead[0]
        states = states_of_match(self.game, state, history)
        self._catch_up(engine, states, history)
        if self._is_silent(state, self.game.actions(state)[0]):
            return self.game.actions(state)[0]
        first = self.game.first_player(state)
        answer = ask(engine, f"genmove {self.dialect.colour(first)}", self.timeout + (self.seconds or 0))
        if answer.lower() == "resign":
            raise Forfeit(f"{engine.name} resigned.")
        try:
            actions = self._read(state, answer)
        except InvalidAction:
            raise engine.failure(f"played '{answer[:40]}', which is not legal") from None
        self.told, self.decided = [*history, *actions], len(actions)
        return actions[0]

    def _read(self, state: State, answer: str) -> list[int]:
        """The actions of a move."""
        actions: list[int] = []
        for text in self.dialect.parts(answer):
            actions.append(self.dialect.read(state, text))
            state = self.game.apply(state, actions[-1])
        return actions

    def _catch_up(self, engine: EngineProcess, states: list[State], history: Sequence[int]) -> None:
        """Tell the engine what has happened since it was asked last."""
        common = 0
        while common < min(len(self.told), len(history)) and self.told[common] == history[common]:
            common += 1
        if common < len(self.told):
            self._ask(engine, "clear_board")
            self.told, common = [], 0
        moves: list[tuple[str, list[str]]] = []
        for state, action in zip(states[common:], history[common:], strict=False):
            if not self._is_silent(state, action):
                colour = self.dialect.colour(self.game.first_player(state))
                if not moves or moves[-1][0] != colour or len(moves[-1][1]) >= self.dialect.turn:
                    moves.append((colour, []))
                moves[-1][1].append(self.dialect.write(state, action))
        for colour, texts in moves:
            self._ask(engine, f"play {colour} {JOINT.join(texts)}")
        self.told = list(history)

    def _is_silent(self, state: State, action: int) -> bool:
        return self.dialect.silent_passes and self.game.action_text(state, action) == "pass"

    def _ask(self, engine: EngineProcess, command: str) -> str:
        return ask(engine, command, self.timeout)
