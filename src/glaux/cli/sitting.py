"""People at the board: showing it, asking them, and letting the player answer."""

from __future__ import annotations

import contextlib
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from glaux import _core
from glaux.cli.board import draw_board, legal_cells
from glaux.cli.symbols import piece, player_style
from glaux.errors import Forfeit, InvalidAction
from glaux.players.player import Player
from glaux.records.record import Record
from glaux.rules.cells import changed_cells
from glaux.rules.game import Game, State
from glaux.words import plural

HELP = """\
Type a move, or
  moves   list the legal moves
  undo    go back to your previous decision
  state   print this position as text, for --state
  help    show this list
  quit    stop"""


def game_title(game: Game) -> Text:
    """The name of a game and what it is about."""
    title = Text(game.spec.title, style="bold")
    summary = {info.name: info.summary for info in _core.registry()}.get(game.name)
    return title.append(f"  {summary}", style="dim not bold") if summary else title


@dataclass
class Sitting:
    """A match between people and a player at one terminal."""

    record: Record
    people: Mapping[bool, bool]
    """Whether a person decides for the first player (True) and for the second (False)."""
    player: Player
    player_text: str
    console: Console
    delay: float
    resume: Sequence[str]
    """The words of the command that continues the match, except for its state."""
    note: str = ""
    """what is said of the player, if anything"""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.record.state.game

    def run(self) -> None:
        """Play until the match is over or somebody stops it."""
        watching = not any(self.people.values())
        while not self.game.terminal(self.record.state):
            if self.decides(self.record.state):
                self.show()
                if not self.ask():
                    self.stop()
                    return
            else:
                if watching:
                    self.show()
                    time.sleep(self.delay)
                try:
                    self.record.play(self.player.choose(self.record.state, self.record.actions))
                except Forfeit as forfeit:
                    first = self.game.first_player(self.record.state)
                    self.record.decide(-1 if first else 1, str(forfeit))
                    break
        self.show()
        self._print_end()

    def decides(self, state: State) -> bool:
        """Whether a person is to move."""
        return self.people[self.game.first_player(state)]

    # Showing

    def show(self) -> None:
        """Show the board and everything there is to know about it; on a terminal, in place."""
        state = self.record.state
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.console.print()
        self.console.print(game_title(self.game))
        if self.note:
            self.console.print(Text(self.note, style="dim"))
        legal = legal_cells(state) if self.decides(state) else ()
        self.console.print()
        changed = changed_cells(self.record.last_turn()[0], state)
        board = draw_board(state, self.console, changed, legal)
        self.console.print(board, soft_wrap=True)
        self.console.print()
        self.console.print(self._status())

    def _status(self) -> Text:
        game, state = self.game, self.record.state
        if game.spec.players == 1:
            return self._status_alone()
        parts = [Text(f"ply {game.ply(state)}")]
        if game.spec.has_pieces:
            first, second = game.pieces(state)
            parts.append(Text.assemble(self._piece(True), f" {first}  ", self._piece(False), f" {second}"))
        if self.record.texts:
            before, texts = self.record.last_turn()
            mover = self._piece(game.first_player(before))
            parts.append(Text.assemble(mover, " played ", (" ".join(texts), "bold")))
        if not game.terminal(state):
            first = game.first_player(state)
            parts.append(Text.assemble(self._piece(first), f" to move ({self._name(first)})"))
        return Text("   ").join(parts)

    def _status_alone(self) -> Text:
        game, state = self.game, self.record.state
        parts = [Text(f"ply {game.ply(state)} of {game.spec.max_plies}")]
        if self.record.texts:
            parts.append(Text.assemble("played ", (self.record.texts[-1], "bold")))
        if not game.terminal(state):
            parts.append(Text(f"{self._name(True)} to move"))
        return Text("   ").join(parts)

    def _piece(self, first: bool) -> tuple[str, str]:
        return piece(first, self.console.options.ascii_only), player_style(first)

    def _name(self, first: bool) -> str:
        if not self.people[first]:
            return self.player_text
        return "you" if sum(self.people.values()) == 1 else "first" if first else "second"

    # Asking

    def ask(self) -> bool:
        """Let a person play an action or change the record; False if they stop."""
        commands: dict[str, Callable[[], bool | None]] = {
            "moves": self._print_moves,
            "undo": self._undo,
            "state": self._print_state,
            "help": self._print_help,
            "quit": lambda: False,
        }
        while True:
            line = self._read_line()
            if line is None:
                return False
            word = line.strip()
            if not word:
                continue
            try:
                self.record.play(self.game.parse_action(self.record.state, word))
            except InvalidAction as error:
                if word.lower() not in commands:
                    self.console.print(Text(self._hint(word) or str(error), style="red"))
                    continue
                done = commands[word.lower()]()
                if done is not None:
                    return done
            else:
                return True

    def _read_line(self) -> str | None:
        """A line from stdin, or None at its end."""
        first = self.game.first_player(self.record.state)
        prompt = "> " if self.game.spec.players == 1 else f"{self._piece(first)[0]} > "
        if sys.stdin and sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401, PLC0415 (gives input() editing and history)
            try:
                return input(prompt)
            except EOFError:
                self.console.print()
                return None
        # Without a terminal nothing echoes what is typed, so that a transcript needs it from here.
        line = sys.stdin.readline() if sys.stdin else ""
        self.console.print(Text(prompt + line.rstrip("\n")))
        return line or None

    def _hint(self, word: str) -> str | None:
        """A sentence if the word is the beginning of actions."""
        texts = [text for text in self._legal_texts() if text.lower().startswith(word.lower())]
        some = ", ".join(texts[:12]) + (", ..." if len(texts) > 12 else "")
        return f"'{word}' is ambiguous: it could be {some}." if texts else None

    def _legal_texts(self) -> list[str]:
        state = self.record.state
        return [self.game.action_text(state, action) for action in self.game.actions(state)]

    # Commands: True when the record has changed, False to stop, None to ask again

    def _print_moves(self) -> None:
        self.console.print(Columns(map(Text, self._legal_texts()), padding=(0, 2)))

    def _undo(self) -> bool | None:
        if self.record.undo(self.decides):
            return True
        self.console.print(Text("There is nothing to undo.", style="red"))
        return None

    def _print_state(self) -> None:
        self.console.print(Text(self.game.state_text(self.record.state)), soft_wrap=True)

    def _print_help(self) -> None:
        self.console.print(HELP)

    # Ending

    def stop(self) -> None:
        """Say where an unfinished match stands and how to continue it."""
        self._print_record(Text("Stopped"))
        if not self.record.texts:
            return
        state = self.game.state_text(self.record.state)
        command = shlex.join([*self.resume, "--state", state])
        self.console.print(Text(f"Continue with: {command}", style="dim"), soft_wrap=True)

    def _print_end(self) -> None:
        self._print_record(self._result())

    def _result(self) -> Text:
        outcome = self.record.outcome
        if self.game.spec.aim == _core.Aim.score and not self.record.reason:
            won = {1: "Won, ", 0: "", -1: "Lost, "}[outcome or 0]
            return Text(f"{won}score {self.game.score(self.record.state):g}".capitalize())
        if self.game.spec.players == 1:
            text = Text({1: "Won", 0: "Drawn", -1: "Lost"}[outcome or 0])
        elif outcome == 0:
            text = Text("A draw")
        else:
            winner = outcome == 1
            name = self._name(winner)
            text = Text.assemble(self._piece(winner), f" {name} win" if name == "you" else f" {name} wins")
        if self.record.reason:
            return text.append(f" ({self.record.reason.rstrip('.')})")
        if self.game.spec.has_score:
            text.append(f", score {self.game.score(self.record.state):+g}")
        return text

    def _print_record(self, head: Text) -> None:
        count = len(self.record.texts)
        head.append(f" after {plural(count, 'action')}.")
        self.console.print(head)
        if self.record.texts:
            self.console.print(Text(f"Record: {' '.join(self.record.texts)}"), soft_wrap=True)
