"""An entrant of the Computer Olympiad: the dialogue of its client, which is a little of GTP.

The client sends ``game EVENT``, ``clear_board``, ``play``, ``time_left``, ``genmove``, ``undo``, ``player``
and ``quit``. It ends the match at the first refusal and fails at a resignation, so there is neither: a
line that makes no sense is answered with ``=`` and a remark, which the client shows to its operator. The
colour of a ``play`` says nothing, since replays send all moves with one; moves are played in turn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from glaux.engine.clock import thinking_time
from glaux.engine.olympiad_moves import OlympiadNotation, move_of
from glaux.engine.serving import LineEngine
from glaux.errors import GlauxError, InvalidAction
from glaux.players.player import Player
from glaux.players.searching import SearchPlayer
from glaux.protocols.gtp import Command, Reply, format_reply, parse_command
from glaux.protocols.olympiad import PLAYERS, OlympiadDialect, game_of, parse_move, write_move
from glaux.records.record import Record
from glaux.rules.game import Game, State

NO_CLOCK = 5.0
"""seconds for an action if the client has not said how much time is left"""
LATENCY = 1.0
"""seconds that an action takes besides our thinking, on the way to the client and back"""

Arguments = Sequence[str]


class Entered(NamedTuple):
    """Who plays, and what the operator should know about it."""

    player: Player
    remark: str


MakeEntrant = Callable[[str, Game], Entered]
"""The player of an event."""


class Entrant(LineEngine):
    """Answers the client."""

    def __init__(self, make_entrant: MakeEntrant, name: str, version: str) -> None:
        self.make_entrant = make_entrant
        self.event = ""
        self.player: Player | None = None
        self.left: dict[str, float] = {}
        """seconds of each player, by what the client calls them"""
        self.generated: State | None = None
        """the state to which our last move has led"""
        self.lengths: list[int] = []
        """how many actions each of the client's moves has"""
        self.commands: dict[str, Callable[[Arguments], str | None]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: name,
            "version": lambda _: version,
            "known_command": lambda words: "true" if words[0] in self.commands else "false",
            "list_commands": lambda _: "\n".join(self.commands),
            "game": self._game,
            "clear_board": lambda _: self._clear(),
            "play": self._play,
            "genmove": self._genmove,
            "undo": lambda _: self._undo(),
            "time_left": self._time_left,
            "player": lambda _: self._mover(),
            "quit": self._quit,
        }

    def answer(self, line: str) -> str | None:
        """The answer to a line, None if it has no command."""
        command = parse_command(line)
        return None if command is None else format_reply(command, Reply(True, self._reply(command)))

    def refuse_long_line(self) -> str:
        """The answer to a line that is too long to be a command."""
        return format_reply(Command("", "", []), Reply(True, "# the line is too long"))

    def opponents_turn(self) -> tuple[Player, State] | None:
        """The state after our last move, as long as it is the present one."""
        if self.player is None or self.generated is None or self.record.state is not self.generated:
            return None
        return self.player, self.generated

    def close(self) -> None:
        """End the player."""
        if self.player:
            self.player.close()
            self.player = None

    def _reply(self, command: Command) -> str:
        if command.name not in self.commands:
            return f"# unknown command {command.name}"
        try:
            return self.commands[command.name](command.arguments) or ""
        except (GlauxError, IndexError, ValueError) as error:
            return f"# {' '.join(str(error).split())}"

    def _game(self, arguments: Arguments) -> str:
        event = arguments[0].lower()
        if event == self.event:
            self._clear()
            return ""
        game = game_of(event)
        self.close()
        entered = self.make_entrant(event, game)
        self.game, self.player, self.event = game, entered.player, event
        self._clear()
        return f"# {entered.remark}"

    def _clear(self) -> None:
        self._entered().begin()
        self.record = Record(self.game.initial())
        self.notation = OlympiadNotation(self.record)
        self.lengths, self.left = [], {}

    def _entered(self) -> Player:
        if self.player is None:
            raise InvalidAction("no game was chosen")
        return self.player

    def _play(self, arguments: Arguments) -> None:
        self._entered()
        for text in arguments[1:]:
            move = parse_move(text)
            actions = self.notation.legal().get(move)
            if actions is None and move == ("pass",):
                continue  # where there is no such action, the turn has passed already
            while actions is None and self._is_pass():  # of somebody whose passes are not said
                self._keep(self.game.actions(self.record.state))
                actions = self.notation.legal().get(move)
            if actions is None:
                raise InvalidAction(f"{text} is not legal here")
            self._keep(actions)

    def _genmove(self, arguments: Arguments) -> str:
        asked = arguments[0].lower() if arguments else "0"
        dialect = PLAYERS.get(asked, OlympiadDialect.PLAIN)
        player = self._entered()
        if self.game.terminal(self.record.state):
            return "pass"
        actions: list[int] = []
        state = self.record.state
        for _ in range(self.notation.length()):
            legal = self.game.actions(state)
            if isinstance(player, SearchPlayer):
                player.allowance = self._allowance(asked)
            begun = time.monotonic()
            history = [*self.record.actions, *actions]
            action = legal[0] if len(legal) == 1 else player.choose(state, history)
            if asked in self.left:
                self.left[asked] -= time.monotonic() - begun
            actions.append(action)
            state = self.game.apply(state, action)
        move = move_of(self.notation, actions)
        self._keep(actions)
        self.generated = self.record.state
        return write_move(move, dialect)

    def _undo(self) -> None:
        if not self.lengths:
            raise InvalidAction("there is nothing to undo")
        for _ in range(self.lengths.pop()):
            self.record.undo()

    def _time_left(self, arguments: Arguments) -> None:
        seconds = float(arguments[1])
        if math.isfinite(seconds):
            self.left[arguments[0].lower()] = max(0.0, seconds)

    def _mover(self) -> str:
        self._entered()
        if self.game.terminal(self.record.state):
            return "-1"
        return "0" if self.game.first_player(self.record.state) else "1"

    def _quit(self, arguments: Arguments) -> None:
        self.ended = True

    def _keep(self, actions: Sequence[int]) -> None:
        self.record.play_all(actions)
        self.lengths.append(len(actions))

    def _is_pass(self) -> bool:
        state = self.record.state
        actions = self.game.actions(state)
        return len(actions) == 1 and self.game.action_text(state, actions[0]) == "pass"

    def _allowance(self, asked: str) -> float:
        left = self.left.get(asked)
        return NO_CLOCK if left is None else thinking_time(self.record.state, left, LATENCY)
