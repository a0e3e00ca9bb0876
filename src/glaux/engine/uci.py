"""Glaux speaks UCI, UCCI and UAI: an engine for the GUIs of Xiangqi, Ataxx, Breakthrough and Clobber.

The first word of the GUI says which of them it is. ``go`` thinks as long as the GUI says, within the
player's own limit, and tells what it finds by ``info``; ``go infinite`` and ``go ponder`` go on until
``stop`` or ``ponderhit``, after which the time that the GUI has given is used. A mistake is a remark,
``info string``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from glaux.engine.clock import time_for_move
from glaux.engine.listening import ListeningEngine
from glaux.engine.thinking import PAUSE, Thinker, line_of
from glaux.errors import Forfeit, InvalidParameter
from glaux.players.player import Player
from glaux.protocols.uci import (
    DIALECTS,
    UCCI,
    UCI,
    Dialect,
    Go,
    Position,
    dialects_of,
    notation_of,
    parse_go,
    parse_position,
    variant_of,
)
from glaux.records.record import Record
from glaux.rules.game import Game
from glaux.search.tree import Tree

TOLD_EVERY = 0.5
"""seconds between two lines of what is found"""
PROVEN = 30_000
"""the score of a win that is proven, where there is no word for it, less its plies"""

Words = Sequence[str]


class UciEngine(ListeningEngine):
    """Answers the lines of a GUI."""

    def __init__(self, game: Game, player: Player, name: str) -> None:
        super().__init__()
        self.game, self.player, self.name = game, player, name
        self.thinker = Thinker(player)
        self._speak(dialects_of(game)[0])
        self.record, self._told = Record(game.initial()), Position("", [])
        self.milliseconds = True
        self.commands: dict[str, Callable[[Words], Iterator[str]]] = {
            **{name: self._hello(dialect) for name, dialect in DIALECTS.items()},
            **{
                dialect.new_match: lambda _: self._new_match()
                for dialect in DIALECTS.values()
                if " " not in dialect.new_match
            },
            "isready": lambda _: iter(["readyok"]),
            "setoption": self._set_option,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: iter([]),
            "ponderhit": lambda _: iter([]),
            "quit": lambda _: self._quit(),
        }
        player.begin()

    def lines(self, line: str) -> Iterator[str]:
        """The lines of an answer."""
        word, *words = line.split() or [""]
        if word and word not in self.commands:
            raise InvalidParameter(f"There is no command '{word[:40]}'.")
        return self.commands[word](words) if word else iter(())

    def remark(self, sentence: str) -> str:
        """A line for people."""
        return f"{self.dialect.remark} {sentence}"

    def close(self) -> None:
        """End the player."""
        self.player.close()

    # Before a match

    def _speak(self, dialect: Dialect) -> None:
        self.dialect, self.notation = dialect, notation_of(self.game, dialect)

    def _hello(self, dialect: Dialect) -> Callable[[Words], Iterator[str]]:
        def answer(_: Words) -> Iterator[str]:
            self._speak(dialect)
            yield f"id name {self.name}"
            yield "id author Glaux"
            if dialect is UCI:
                variant = variant_of(self.game, dialect)
                yield dialect.option("UCI_Variant", f"type combo default {variant} var {variant}")
            if dialect is UCCI:
                self.milliseconds = False
                yield dialect.option("usemillisec", "type check default false")
                yield dialect.option("newgame", "type button")
            yield dialect.option("Ponder" if dialect.named else "ponder", "type check default false")
            yield f"{dialect.name}ok"

        return answer

    def _set_option(self, words: Words) -> Iterator[str]:
        name, value = self.dialect.parse_option(words)
        if name == "uci_variant" and self.dialect is UCI:
            variant = variant_of(self.game)
            if value != variant:
                yield self.remark(f"This engine plays {variant}, not {value[:40]}.")
        elif name == "usemillisec" and self.dialect is UCCI:
            self.milliseconds = value == "true"
        elif name == "newgame" and self.dialect is UCCI:
            yield from self._new_match()
        elif name != "ponder":  # which the GUI then asks for by go ponder
            yield self.remark(f"There is no option '{name[:40]}'.")

    def _new_match(self) -> Iterator[str]:
        self.record, self._told = Record(self.game.initial()), Position("", [])
        self.player.begin()
        return iter(())

    def _position(self, words: Words) -> Iterator[str]:
        position, known = parse_position(words), len(self._told.moves)
        if position.fen != self._told.fen or position.moves[:known] != self._told.moves:
            start = self.notation.read_position(position.fen) if position.fen else self.game.initial()
            record, known = Record(start), 0
        else:  # the match has gone on
            record = Record(self.record.start).play_all(self.record.actions)
        for move in position.moves[known:]:
            record.play(self.notation.read_move(record.state, move))
        self.record, self._told = record, position
        return iter(())

    def _quit(self) -> Iterator[str]:
        self.ended = True
        if self.dialect.farewell:
            yield self.dialect.farewell

    # Thinking

    def _go(self, words: Words) -> Iterator[str]:
        state, go, begun = self.record.state, parse_go(words), time.monotonic()
        if self.game.terminal(state):
            yield self.dialect.nothing
            return
        self.stop_word, line = "", []
        nodes, told = 0, 0.0
        tree: Tree | None = None
        try:
            for thought in self._thoughts(go):
                yield from self.take_asides()
                if thought is None:
                    continue
                tree = thought
                nodes += tree.statistics.evaluations
                passed = time.monotonic() - begun
                if passed - told > TOLD_EVERY:
                    told = passed
                    yield self._info(tree, nodes, passed)
        except Forfeit as error:
            yield self.remark(str(error))
            yield self.dialect.nothing
            return
        if tree is not None:
            line = line_of(tree)
            yield self._info(tree, nodes, time.monotonic() - begun)
        yield from self.take_asides()
        move = self.thinker.choice
        expected = ""
        if line[:1] == [move] and len(line) > 1:
            expected = f" ponder {self.notation.write_move(self.game.apply(state, move), line[1])}"
        self.after = self.game.apply(state, move)
        yield f"bestmove {self.notation.write_move(state, move)}{expected}"

    def _thoughts(self, go: Go) -> Iterator[Tree | None]:
        """What is found; None: nothing more, while the GUI may ask for something."""

        def thoughts(seconds: float | None, stopped: Callable[[], bool]) -> Iterator[Tree]:
            limits = (go.numbers.get("nodes"), go.numbers.get("depth"))
            history = self.record.actions
            return self.thinker.think(self.record.state, history, seconds, stopped, *limits)

        if not go.endless:
            yield from thoughts(self._seconds(go), self.is_stopped)
            return
        yield from thoughts(None, self.is_interrupted)
        while not self.stop_word and not self.is_interrupted():  # solved, or as deep as was wanted
            yield None
            time.sleep(PAUSE)
        if self.stop_word == "ponderhit":
            yield from thoughts(self._seconds(go), self.is_stopped)

    def _seconds(self, go: Go) -> float | None:
        """For a move, by what the GUI says and the player's own limit."""
        unit = 0.001 if self.milliseconds else 1.0
        clock = go.clock(self.dialect.side(self.game.first_player(self.record.state)))
        wanted = None
        if "movetime" in go.numbers:
            wanted = go.numbers["movetime"] * unit
        elif clock:
            left, added, moves = clock
            wanted = time_for_move(self.record.state, left * unit, added * unit, moves)
        return min((limit for limit in (self.thinker.seconds, wanted) if limit is not None), default=None)

    def _info(self, tree: Tree, nodes: int, seconds: float) -> str:
        milliseconds = round(1000 * seconds)
        line = line_of(tree)
        return (
            f"info depth {tree.statistics.depth} score {self._score(tree, len(line))} nodes {nodes} "
            f"nps {round(nodes / max(seconds, 0.001))} time {milliseconds} "
            f"pv {self.notation.write_line(tree.root, line)}"
        )

    def _score(self, tree: Tree, plies: int) -> str:
        """For the mover: hundredths of the value's unit, or the moves to an end that is proven."""
        sign = 1 if self.game.first_player(tree.root) else -1
        best = next(row for row in tree.children() if row.action == tree.action)
        proven = sign * best.c if tree.resolved else 0
        if proven and self.dialect is UCI:
            return f"mate {proven * ((plies + 1) // 2)}"
        return f"{self.dialect.score}{proven * (PROVEN - plies) or round(100 * sign * tree.value)}"
