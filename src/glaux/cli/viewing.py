"""A match on the screen that is stepped through by keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import typer
from rich.console import Console
from rich.text import Text

from glaux.cli.board import draw_board
from glaux.cli.output import printable
from glaux.cli.sitting import game_title
from glaux.cli.symbols import piece, player_style
from glaux.errors import InvalidParameter
from glaux.players.evaluation import Evaluation, evaluate
from glaux.players.player import Player
from glaux.players.searching import SearchPlayer
from glaux.records.record import Record
from glaux.rules.cells import changed_cells
from glaux.rules.game import State

KEYS = "n next   p previous   f first   l last   q quit"
LINE_LENGTH = 8
"""Actions of the player's line that are shown."""


def action_name(state: State, action: int) -> str:
    """An action as the game writes it."""
    return state.game.action_text(state, action)


def player_name(record: Record, state: State, console: Console) -> Text:
    """Who moves in a state: the piece and the name."""
    first = state.game.first_player(state)
    name = printable(record.players[0 if first else 1])
    return Text.assemble((piece(first, console.options.ascii_only), player_style(first)), f" {name}".rstrip())


@dataclass
class Viewing:
    """A record, where one stands in it, and the player who judges it."""

    record: Record
    judge: Player | None
    judge_text: str
    console: Console
    ply: int = 0
    _found: dict[int, Evaluation | None] = field(default_factory=dict)

    def check(self) -> None:
        """InvalidParameter if the player can't judge."""
        if self.judge is not None and not isinstance(self.judge, SearchPlayer):
            raise InvalidParameter(f"The player {self.judge_text} does not search, so it has no evaluations.")

    def evaluation(self, ply: int) -> Evaluation | None:
        """What the player thinks of a state; thought about once."""
        state = self.record.states[ply]
        if self.judge is None or state.game.terminal(state):
            return None
        if ply not in self._found:
            self._found[ply] = evaluate(self.judge, state)
        return self._found[ply]

    def go_to(self, ply: int) -> None:
        """Stand at a ply, or at the end that is next to it."""
        self.ply = min(max(ply, 0), len(self.record.actions))

    def run(self) -> None:
        """Step through the match until somebody quits."""
        keys: dict[str, Callable[[], None]] = {}
        for names, step in (
            (("n", " ", "\r", "\n", "\x1b[C", "\x1bOC"), lambda: self.go_to(self.ply + 1)),
            (("p", "\x7f", "\b", "\x1b[D", "\x1bOD"), lambda: self.go_to(self.ply - 1)),
            (("f", "<", "\x1b[H", "\x1bOH", "\x1b[1~"), lambda: self.go_to(0)),
            (("l", ">", "\x1b[F", "\x1bOF", "\x1b[4~"), lambda: self.go_to(len(self.record.actions))),
        ):
            keys |= dict.fromkeys(names, step)
        while True:
            self.show()
            try:
                typed = typer.getchar()
            except EOFError:
                return
            # Keys that were typed quickly come together.
            for key in [typed] if typed in keys else typed:
                if key in ("q", "Q", "\x1b"):
                    return
                if key in keys:
                    keys[key]()

    def show(self) -> None:
        """Show the board, what was played and what the player thinks; on a terminal, in place."""
        record, state = self.record, self.record.states[self.ply]
        if self.console.is_terminal:
            self.console.clear()
        self.console.print(game_title(record.game))
        self.console.print(self._players())
        self.console.print()
        before = record.states[record.turn(self.ply)[0]]
        self.console.print(draw_board(state, self.console, changed_cells(before, state)), soft_wrap=True)
        self.console.print()
        self.console.print(self._status())
        if self.judge is not None:
            self._print_evaluation()
        if self.console.is_terminal:
            self.console.print(Text(KEYS, style="dim"))

    def _players(self) -> Text:
        names = [
            Text.assemble(
                (piece(first, self.console.options.ascii_only), player_style(first)), f" {name or '?'}"
            )
            for first, name in zip((True, False), map(printable, self.record.players), strict=True)
        ]
        result = f"   {self.record.result}"
        if self.record.reason:
            result += f" ({printable(self.record.reason).rstrip('.')})"
        return Text("   ").join(names).append(result, style="bold")

    def _status(self) -> Text:
        record = self.record
        text = Text(f"ply {self.ply} of {len(record.actions)}")
        if self.ply:
            first, end = record.turn(self.ply)
            mover = player_name(record, record.states[first], self.console)
            text.append("   ").append_text(mover).append(" played ")
            text.append(" ".join(record.texts[first:end]), style="bold")
            if self.ply <= record.opening:
                text.append(" (opening)")
        if self.ply < len(record.actions):
            text.append("   next ").append(record.texts[self.ply], style="bold")
        return text

    def _print_evaluation(self) -> None:
        state = self.record.states[self.ply]
        if state.game.terminal(state):
            return
        if self.console.is_terminal:
            self.console.print(Text(f"{self.judge_text} is thinking ...", style="dim"), end="\r")
        found = self.evaluation(self.ply)
        assert found is not None
        line, texts = state, []
        for action in found.line[:LINE_LENGTH]:
            texts.append(action_name(line, action))
            line = state.game.apply(line, action)
        proven = " (proven)" if found.resolved else ""
        first_piece = piece(True, self.console.options.ascii_only)
        text = Text(f"{self.judge_text}: {found.value:+.3f}{proven} for {first_piece}, would play ")
        text.append(action_name(state, found.action), style="bold").append(
            f"   line {' '.join(texts)}", style="dim"
        )
        self.console.print(text, soft_wrap=True)
