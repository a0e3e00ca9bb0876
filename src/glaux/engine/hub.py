"""Glaux speaks Hub 2: an engine for the GUIs of draughts.

``hub`` is answered by who we are and ``wait``, ``init`` by ``ready``. The GUI then sends a position with
the moves since, ``pos``, how long to think, ``level``, and ``go think``, ``go ponder`` or ``go
analyze``. We tell what is found by ``info``, and the move by ``done``. Pondering and analysis go on
until ``stop`` or ``ponder-hit``, at which the move is told, and so does thinking at ``level infinite``. The
depth or nodes of a ``level`` are not ours: our players are limited by time, or as their text says.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

from glaux.engine.clock import time_for_move
from glaux.engine.listening import ListeningEngine
from glaux.engine.thinking import Thinker, line_of
from glaux.looks.turns import Turn
from glaux.players.player import Player
from glaux.protocols.hub import HubLine, letters_of, move_text, parse_line, read_move, read_position
from glaux.records.record import Record
from glaux.rules.game import Game
from glaux.search.tree import Tree

TOLD_EVERY = 0.5
"""seconds between two lines of what is found"""
NUMBERS = ("move-time", "time", "moves", "inc", "depth", "nodes")
"""what a ``level`` may say; anything else is to be passed over"""
INFINITE = "infinite"


class HubEngine(ListeningEngine):
    """Answers the lines of a GUI."""

    alive = ("ping", "pong")
    stops = ("stop", "ponder-hit")

    def __init__(self, game: Game, player: Player, name: str, version: str) -> None:
        super().__init__()
        letters_of(game)
        self.game, self.player, self.thinker = game, player, Thinker(player)
        self.identity = HubLine("id", {"name": name, "version": version, "author": "Glaux"})
        self.record = Record(game.initial())
        self.level: dict[str, float] = {}
        self.infinite = False
        self.commands: dict[str, Callable[[HubLine], Iterator[HubLine]]] = {
            "hub": lambda _: iter([self.identity, HubLine("wait")]),
            "init": lambda _: iter([HubLine("ready")]),
            "ping": lambda _: iter([HubLine("pong")]),
            "new-game": self._new_game,
            "pos": self._pos,
            "level": self._level,
            "go": self._go,
            "quit": self._quit,
        }
        player.begin()

    def lines(self, line: str) -> Iterator[str]:
        """The lines of an answer."""
        parsed = parse_line(line)
        if parsed is not None and parsed.word in self.commands:
            # Others are parameters that we don't have, stop when nothing goes on, and what is yet to come.
            yield from map(str, self.commands[parsed.word](parsed))

    def remark(self, sentence: str) -> str:
        """A line for people."""
        return str(_error(sentence))

    def close(self) -> None:
        """End the player."""
        self.player.close()

    def _new_game(self, line: HubLine) -> Iterator[HubLine]:
        self.record = Record(self.game.initial())
        self.player.begin()
        return iter(())

    def _pos(self, line: HubLine) -> Iterator[HubLine]:
        text = line.arguments.get("pos")
        record = Record(self.game.initial() if text is None else read_position(self.game, text))
        for move in line.arguments.get("moves", "").split():
            record.play_all(read_move(record.state, move))
        self.record = record
        return iter(())

    def _level(self, line: HubLine) -> Iterator[HubLine]:
        self.level, self.infinite = {}, INFINITE in line.arguments
        for key in NUMBERS:
            text = line.arguments.get(key, "0")
            number = _number(text)
            if number is None:
                yield _error(f"'{text[:40]}' is not a number.")
            elif key in line.arguments:
                self.level[key] = number

    def _go(self, line: HubLine) -> Iterator[HubLine]:
        state, begun, told = self.record.state, time.monotonic(), 0.0
        if self.game.terminal(state):
            yield _error("The match is over.")
            return
        endless = self.infinite or "think" not in line.arguments
        seconds = None if endless else self._seconds()
        turn, nodes = Turn.begin(state), 0
        self.stop_word, stopped = "", self.is_interrupted if endless else self.is_stopped
        while not turn.over:
            history = [*self.record.actions, *turn.actions]
            left = 0.0 if self.stop_word else seconds
            tree = None
            for tree in self.thinker.think(turn.now, history, left, stopped):
                yield from self._aside_lines()
                nodes += tree.statistics.evaluations
                if time.monotonic() - begun - told > TOLD_EVERY and not turn.actions:
                    told = time.monotonic() - begun
                    yield self._info(tree, nodes, told)
            if tree is not None and not turn.actions:
                yield self._info(tree, nodes, time.monotonic() - begun)
            turn = turn.played(self.thinker.choice)
        yield from self._aside_lines()
        self.after = turn.now
        yield HubLine("done", {"move": move_text(turn)})

    def _aside_lines(self) -> Iterator[HubLine]:
        return map(HubLine, self.take_asides())

    def _seconds(self) -> float | None:
        """For a move, by the level and the player's own limit."""
        wanted = self.level.get("move-time")
        if wanted is None and "time" in self.level:
            moves = int(self.level.get("moves", 0))
            wanted = time_for_move(self.record.state, self.level["time"], self.level.get("inc", 0.0), moves)
        return min((limit for limit in (self.thinker.seconds, wanted) if limit is not None), default=None)

    def _info(self, tree: Tree, nodes: int, seconds: float) -> HubLine:
        sign = 1 if self.game.first_player(tree.root) else -1
        return HubLine(
            "info",
            {
                "depth": str(tree.statistics.depth),
                "score": f"{sign * tree.value:.2f}",
                "nodes": str(nodes),
                "time": f"{seconds:.2f}",
                "pv": self._variation(tree),
            },
        )

    def _variation(self, tree: Tree) -> str:
        names, turn = [], Turn.begin(tree.root)
        for action in line_of(tree):
            turn = turn.played(action)
            if turn.over:
                names.append(move_text(turn))
                turn = Turn.begin(turn.now)
        return " ".join(names)

    def _quit(self, line: HubLine) -> Iterator[HubLine]:
        self.ended = True
        return iter(())


def _number(text: str) -> float | None:
    """A number that is not below 0, as which any such counts; None of what is no finite number."""
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _error(sentence: str) -> HubLine:
    return HubLine("error", {"message": " ".join(sentence.replace('"', "'").split())})
