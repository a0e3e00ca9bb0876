"""Glaux speaks GTP 2: the commands and their answers.

All the required commands are here, with the extensions of HexGui (``hexgui-analyze_commands``), of MoHex
(``all_legal_moves``), of GRhino (``set_game``, ``list_games``), of KGS (``kgs-time_settings``), of Leela Zero
and KataGo (``lz-analyze``, ``kata-analyze`` and their ``genmove``), and some of our own that show what the
player thinks. Every command gets an answer, whatever it is: a mistake gets a refusal of one sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from glaux.engine.analysis import ANALYSES, parse_wish, searching
from glaux.engine.gtp_files import SgfCommands
from glaux.engine.serving import LineEngine
from glaux.engine.session import GtpSession, MakePlayer
from glaux.errors import GlauxError, InvalidAction, InvalidParameter
from glaux.players.player import Player
from glaux.players.searching import SearchPlayer
from glaux.protocols.dialects import parse_colour
from glaux.protocols.gtp import Command, Reply, format_reply, parse_command
from glaux.rules.game import Game, State
from glaux.words import plural

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


class GtpEngine(LineEngine):
    """Answers the commands of a controller."""

    def __init__(self, game: Game, make_player: MakePlayer, name: str, version: str) -> None:
        self.session = GtpSession(game, make_player)
        self.files = SgfCommands(self.session)
        self.name, self.version = name, version
        self.commands: dict[str, Callable[[Arguments], str | None]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: self.name,
            "version": lambda _: self.version,
            "known_command": self._known_command,
            "list_commands": lambda _: "\n".join(self._known_commands()),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "rectangular_boardsize": self._boardsize,
            "clear_board": lambda _: self.session.clear(),
            "komi": self._komi,
            "play": self._play,
            "genmove": lambda arguments: self.session.generate(self._player(arguments), keep=True),
            "reg_genmove": lambda arguments: self.session.generate(self._player(arguments), keep=False),
            "undo": lambda _: self.session.undo(),
            "showboard": self._showboard,
            "final_score": self._final_score,
            "final_status_list": self.files.final_status_list,
            "loadsgf": self.files.load,
            "printsgf": self.files.write,
            "fixed_handicap": self.files.fixed_handicap,
            "place_free_handicap": self.files.fixed_handicap,
            "set_free_handicap": self.files.free_handicap,
            "time_settings": self._time_settings,
            "kgs-time_settings": self._kgs_time_settings,
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
        self.streams = {name: partial(self._stream, name) for name in ANALYSES}
        """commands whose answer has an end only when something else is said"""

    def close(self) -> None:
        """End the player."""
        self.session.close()

    def opponents_turn(self) -> tuple[Player, State] | None:
        """The state after our last move, as long as it is the present one."""
        session = self.session
        return (session.player, session.state) if session.state is session.generated else None

    def refuse_long_line(self) -> str:
        """The answer to a line that is too long to be a command."""
        return TOO_LONG

    def answer(self, line: str) -> str | None:
        """The answer to a line, None if it has no command."""
        command = parse_command(line)
        return None if command is None else format_reply(command, self._reply(command))

    def answers(self, line: str) -> Iterator[str]:
        """The answer in parts, where it is one that goes on."""
        command = parse_command(line)
        if command is None or command.name not in self.streams:
            yield from super().answers(line)
            return
        try:
            parts = self.streams[command.name](command.arguments)
            yield f"={command.number}\n"
            yield from parts
        except GlauxError as error:
            yield format_reply(command, Reply(False, " ".join(str(error).split())))

    def _stream(self, name: str, arguments: Arguments) -> Iterator[str]:
        wish, session = parse_wish(arguments), self.session
        searching(session)
        if session.game.terminal(session.state):
            raise InvalidAction("The match is over.")
        if wish.colour:
            first = session.dialect.is_first(wish.colour)
        else:
            first = session.game.first_player(session.state)
        session.restore(session.give_turn(first))  # or it is refused
        return ANALYSES[name](session, first, wish, self.waiting)

    def _reply(self, command: Command) -> Reply:
        if command.name not in self.commands:
            return Reply(False, "unknown command")
        try:
            return Reply(True, self.commands[command.name](command.arguments) or "")
        except GlauxError as error:
            return Reply(False, " ".join(str(error).split()))

    # Administration

    def _known_command(self, arguments: Arguments) -> str:
        return "true" if _words(arguments, 1)[0] in self._known_commands() else "false"

    def _known_commands(self) -> list[str]:
        """Without analysis if there is none: GUIs that see it ask for nothing else."""
        streams = self.streams if isinstance(self.session.player, SearchPlayer) else ()
        return [*self.commands, *streams]

    def _player(self, arguments: Arguments) -> bool:
        """Whether a colour is the first player's."""
        return self.session.dialect.is_first(parse_colour(_words(arguments, 1)[0]))

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
        """Set the komi; where a game has none take any number, since controllers send it."""
        komi = _words(arguments, 1)[0]
        _number(komi, signed=True)
        self.session.set_komi(komi)

    def _play(self, arguments: Arguments) -> None:
        first = self._player(arguments[:1])
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
        colour = session.dialect.colour(session.game.first_player(session.state))
        return f"\n{session.state}\nNext: {colour}"

    def _final_score(self, arguments: Arguments) -> str:
        game, state = self.session.game, self.session.state
        outcome = game.outcome(state)
        if outcome is None:
            raise InvalidParameter("cannot score")
        if outcome == 0:
            return "0"
        score = f"{abs(game.score(state)):g}" if game.spec.has_score else ""
        return f"{self.session.dialect.colour(outcome > 0)[0].upper()}+{score}"

    def _all_legal_moves(self, arguments: Arguments) -> str:
        session = self.session
        actions = session.game.actions(session.state)
        return " ".join(session.dialect.write(session.state, action) for action in actions)

    # Time

    def _time_settings(self, arguments: Arguments) -> None:
        main, period, moves = _words(arguments, 3)
        self.session.set_time(_number(main), _number(period), int(_number(moves)))

    def _kgs_time_settings(self, arguments: Arguments) -> None:
        kind, *numbers = arguments or [""]
        lengths = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
        if kind not in lengths or len(numbers) != lengths[kind]:
            raise InvalidParameter("syntax error: none, absolute T, byoyomi T P N or canadian T P N")
        main, period, moves = [*map(_number, numbers), 0.0, 0.0, 0.0][:3]
        # A period of byoyomi begins anew with every move that is made within it.
        self.session.set_time(main, period, 1 if kind == "byoyomi" else int(moves))

    def _time_left(self, arguments: Arguments) -> None:
        colour, left, *moves = arguments if len(arguments) in (2, 3) else _words(arguments, 3)
        moves_left = int(_number(moves[0])) if moves else 0
        self.session.tell_time(self._player([colour]), _number(left), moves_left)

    # What the player thinks

    def _evaluate(self, arguments: Arguments) -> str:
        found = self.session.evaluate()
        line = " ".join(self.session.texts(found.line[:12]))
        proven = " proven" if found.resolved else ""
        return f"{found.value:+.4f}{proven} for {self.session.dialect.colour(True)}, line {line}"

    def _variation(self, arguments: Arguments) -> str:
        return " ".join(self.session.texts(self.session.evaluate().line))

    def _values(self, arguments: Arguments) -> str:
        rows = self.session.evaluate().rows
        write, state = self.session.dialect.write, self.session.state
        return " ".join(f"{write(state, row.action)} {row.v:+.2f}" for row in rows)


def _words(arguments: Arguments, count: int) -> Arguments:
    if len(arguments) != count:
        raise InvalidParameter(f"syntax error: {plural(count, 'argument')} needed")
    return arguments


def _number(text: str, signed: bool = False) -> float:
    if not re.fullmatch(r"[+-]?[0-9]{1,12}(\.[0-9]{0,12})?", text):
        raise InvalidParameter(f"syntax error: '{text}' is not a number")
    value = float(text)
    if value < 0 and not signed:
        raise InvalidParameter(f"syntax error: {text} is negative")
    assert math.isfinite(value)
    return value
