"""Glaux speaks GTP 2: the commands, and the loop that answers them.

All the required commands are here, with the extensions of HexGui (``hexgui-analyze_commands``), of MoHex
(``all_legal_moves``), of GRhino (``set_game``, ``list_games``), and some of our own that show what the
player thinks. Every command gets an answer, whatever it is: a mistake gets a refusal of one sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO

from glaux.engine.session import MakePlayer, Session
from glaux.errors import GlauxError, InvalidParameter
from glaux.protocols.dialects import parse_colour
from glaux.protocols.gtp import Command, Reply, format_reply, parse_command
from glaux.rules.game import Game

LONGEST_LINE = 1 << 16
TOO_LONG = format_reply(Command("", "", []), Reply(False, "the line is too long"))
ANALYZE_COMMANDS = """\
string/Evaluation/glaux-evaluate
var/Principal Variation/glaux-variation
pspairs/Values of Moves/glaux-values
plist/All Legal Moves/all_legal_moves
varc/Suggest Move/reg_genmove %c
string/Show Board/showboard
string/Final Score/final_score"""
"""Kind of answer, label and command, as HexGui reads them."""

Arguments = Sequence[str]


class GtpEngine:
    """Answers the commands of a controller."""

    def __init__(self, game: Game, make_player: MakePlayer, name: str, version: str) -> None:
        self.session = Session(game, make_player)
        self.name, self.version = name, version
        self.ended = False
        self.commands: dict[str, Callable[[Arguments], str | None]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: self.name,
            "version": lambda _: self.version,
            "known_command": self._known_command,
            "list_commands": lambda _: "\n".join(self.commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": lambda _: self.session.clear(),
            "komi": self._komi,
            "play": self._play,
            "genmove": lambda arguments: self.session.generate(_colour(arguments), keep=True),
            "reg_genmove": lambda arguments: self.session.generate(_colour(arguments), keep=False),
            "undo": lambda _: self.session.undo(),
            "showboard": self._showboard,
            "final_score": self._final_score,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "set_game": self._set_game,
            "list_games": lambda _: self.session.game.spec.title,
            "all_legal_moves": self._all_legal_moves,
            "hexgui-analyze_commands": lambda _: ANALYZE_COMMANDS,
            "glaux-state": lambda _: self.session.game.state_text(self.session.state),
            "glaux-evaluate": self._evaluate,
            "glaux-variation": self._variation,
            "glaux-values": self._values,
        }

    def serve(self, commands: IO[bytes], replies: IO[bytes]) -> None:
        """Answer commands until ``quit`` or until there are no more."""
        try:
            for line in _lines(commands):
                reply = TOO_LONG if line is None else self.answer(line)
                if reply is not None:
                    replies.write(reply.encode("utf-8", "replace"))
                    replies.flush()
                if self.ended:
                    break
        finally:
            self.session.close()

    def answer(self, line: str) -> str | None:
        """The answer to a line, None if it has no command."""
        command = parse_command(line)
        return None if command is None else format_reply(command, self._reply(command))

    def _reply(self, command: Command) -> Reply:
        if command.name not in self.commands:
            return Reply(False, "unknown command")
        try:
            return Reply(True, self.commands[command.name](command.arguments) or "")
        except GlauxError as error:
            return Reply(False, " ".join(str(error).split()))

    # Administration

    def _known_command(self, arguments: Arguments) -> str:
        return "true" if _words(arguments, 1)[0] in self.commands else "false"

    def _quit(self, arguments: Arguments) -> None:
        self.ended = True

    def _set_game(self, arguments: Arguments) -> None:
        game = self.session.game
        if " ".join(arguments).lower() not in (game.spec.title.lower(), game.name):
            raise InvalidParameter("unsupported game")

    # The match

    def _boardsize(self, arguments: Arguments) -> None:
        try:
            self.session.resize(arguments)
        except GlauxError as error:
            raise InvalidParameter(f"unacceptable size: {error}") from None

    def _komi(self, arguments: Arguments) -> None:
        """Take any number: none of the games has komi, but controllers send it."""
        _number(_words(arguments, 1)[0], signed=True)

    def _play(self, arguments: Arguments) -> None:
        first = _colour(arguments[:1])
        if len(arguments) < 2:
            raise InvalidParameter("A colour and an action are needed.")
        try:
            self.session.play(first, arguments[1:])
        except GlauxError as error:
            raise InvalidParameter(f"illegal move: {error}") from None

    def _showboard(self, arguments: Arguments) -> str:
        session = self.session
        if session.game.terminal(session.state):
            return f"\n{session.state}\nThe match is over: {self._final_score(())}"
        colour = "black" if session.game.first_player(session.state) else "white"
        return f"\n{session.state}\nNext: {colour}"

    def _final_score(self, arguments: Arguments) -> str:
        game, state = self.session.game, self.session.state
        outcome = game.outcome(state)
        if outcome is None:
            raise InvalidParameter("cannot score")
        if outcome == 0:
            return "0"
        score = f"{abs(game.score(state)):g}" if game.spec.has_score else ""
        return f"{'B' if outcome > 0 else 'W'}+{score}"

    def _all_legal_moves(self, arguments: Arguments) -> str:
        session = self.session
        actions = session.game.actions(session.state)
        return " ".join(session.dialect.write(session.state, action) for action in actions)

    # Time

    def _time_settings(self, arguments: Arguments) -> None:
        main, period, moves = _words(arguments, 3)
        self.session.set_time(_number(main), _number(period), int(_number(moves)))

    def _time_left(self, arguments: Arguments) -> None:
        colour, left, *moves = arguments if len(arguments) in (2, 3) else _words(arguments, 3)
        self.session.tell_time(parse_colour(colour), _number(left), int(_number(moves[0] if moves else "0")))

    # What the player thinks

    def _evaluate(self, arguments: Arguments) -> str:
        found = self.session.evaluate()
        line = " ".join(self.session.texts(found.line[:12]))
        proven = " proven" if found.resolved else ""
        return f"{found.value:+.4f}{proven} for black, line {line}"

    def _variation(self, arguments: Arguments) -> str:
        return " ".join(self.session.texts(self.session.evaluate().line))

    def _values(self, arguments: Arguments) -> str:
        rows = self.session.evaluate().rows
        write, state = self.session.dialect.write, self.session.state
        return " ".join(f"{write(state, row.action)} {row.v:+.2f}" for row in rows)


def _lines(stream: IO[bytes]) -> Iterator[str | None]:
    """The lines of a stream; None for one that is too long to be a command."""
    while line := stream.readline(LONGEST_LINE):
        if line.endswith(b"\n") or len(line) < LONGEST_LINE:
            yield line.decode("utf-8", "replace")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)
        yield None


def _words(arguments: Arguments, count: int) -> Arguments:
    if len(arguments) != count:
        raise InvalidParameter(f"syntax error: {count} argument{'s' if count > 1 else ''} needed")
    return arguments


def _colour(arguments: Arguments) -> bool:
    return parse_colour(_words(arguments, 1)[0])


def _number(text: str, signed: bool = False) -> float:
    if not re.fullmatch(r"[+-]?[0-9]{1,12}(\.[0-9]{0,12})?", text):
        raise InvalidParameter(f"syntax error: '{text}' is not a number")
    value = float(text)
    if value < 0 and not signed:
        raise InvalidParameter(f"syntax error: {text} is negative")
    assert math.isfinite(value)
    return value
