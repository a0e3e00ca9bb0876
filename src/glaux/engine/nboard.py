"""Glaux speaks NBoard 2: an engine for the GUIs of Othello.

The evaluation is in pieces where the ends of matches are worth their score, else in hundredths of a win.
The depth that a GUI sets is not ours: our players are limited by time or evaluations, as their text says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from glaux.engine.serving import LineEngine
from glaux.errors import GlauxError
from glaux.players.evaluation import evaluate
from glaux.players.player import Player
from glaux.protocols.nboard import form_of, parse_ggf, read_move, start_of, write_move
from glaux.records.record import Record
from glaux.rules.game import Game, State


class NBoardEngine(LineEngine):
    """Answers the lines of a GUI."""

    def __init__(self, game: Game, player: Player, name: str) -> None:
        form_of(game)
        self.game, self.player, self.name = game, player, name
        self.record = Record(game.initial())
        self.after: State | None = None
        """the state to which our last move leads, until the match goes on"""
        self.commands: dict[str, Callable[[str], Iterator[str]]] = {
            "nboard": lambda _: iter([f"set myname {self.name}"]),
            "set": self._set,
            "move": self._move,
            "go": lambda _: self._go(),
            "hint": self._hint,
            "analyze": lambda _: self._analyze(),
            "ping": lambda number: iter([f"pong {number}"]),
            "learn": lambda _: iter(["learned"]),
            "quit": lambda _: self._quit(),
        }
        player.begin()

    def answer(self, line: str) -> str | None:
        """The lines of the answer; None if there are none."""
        return "".join(self.answers(line)) or None

    def answers(self, line: str) -> Iterator[str]:
        """The lines of the answer as they are found: that we think is said before we do."""
        word, _, rest = line.strip().partition(" ")
        if word not in self.commands:
            return
        if word != "ping":
            self.after = None
        try:
            for told in self.commands[word](rest.strip()):
                yield f"{told}\n"
        except GlauxError as error:
            yield f"status {' '.join(str(error).split())}\n"

    def opponents_turn(self) -> tuple[Player, State] | None:
        """The state after our last move."""
        return None if self.after is None else (self.player, self.after)

    def refuse_long_line(self) -> str:
        """The answer to a line that is too long to be a command."""
        return "status The line is too long.\n"

    def close(self) -> None:
        """End the player."""
        self.player.close()

    def _set(self, rest: str) -> Iterator[str]:
        what, _, value = rest.partition(" ")
        if what == "game":
            match = parse_ggf(value)
            record = Record(start_of(match, self.game))
            for move in match.moves:
                record.play(read_move(record.state, move))
            if not self._continues(record):
                self.player.begin()
            self.record = record
        return iter(())

    def _continues(self, record: Record) -> bool:
        old = self.record
        return record.start == old.start and record.actions[: len(old.actions)] == old.actions

    def _move(self, rest: str) -> Iterator[str]:
        self.record.play(read_move(self.record.state, rest))
        return iter(())

    def _go(self) -> Iterator[str]:
        state = self.record.state
        if self.game.terminal(state):
            yield "status The match is over."
            return
        yield "status thinking"
        begun = time.monotonic()
        action = self.player.choose(state, self.record.actions)
        self.after = self.game.apply(state, action)
        # The GUI sends the move back by move or set game, so that it is not played here.
        yield f"=== {write_move(state, action)}//{time.monotonic() - begun:.2f}"
        yield "status"

    def _hint(self, rest: str) -> Iterator[str]:
        state = self.record.state
        found = None if self.game.terminal(state) else evaluate(self.player, state)
        if found is None:
            yield "status There is nothing to hint at."
            return
        sign = 1 if self.game.first_player(state) else -1
        wanted = int(rest[:9]) if rest.isdecimal() else 1
        for row in sorted(found.rows, key=lambda row: -sign * row.v)[:wanted]:
            line = found.line if row.action == found.action else [row.action]
            yield f"search {self._line(line)} {sign * row.v:+.2f} 0 {len(line)}"
        yield "status"

    def _analyze(self) -> Iterator[str]:
        for made, state in enumerate(self.record.states):
            found = None if self.game.terminal(state) else evaluate(self.player, state)
            value = self.game.score(state) if found is None else found.value
            yield f"analysis {made} {value:+.2f}"
        yield "status"

    def _line(self, actions: list[int]) -> str:
        state, texts = self.record.state, []
        for action in actions:
            texts.append(write_move(state, action))
            state = self.game.apply(state, action)
        return "".join(texts)

    def _quit(self) -> Iterator[str]:
        self.ended = True
        return iter(())
