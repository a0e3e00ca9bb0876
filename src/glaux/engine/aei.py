"""Glaux speaks AEI: an engine for the controllers of Arimaa.

A turn is found action by action, each with its share of the turn's time; what one of them has found stays
in the table for the next. The time of a turn comes from ``tcmove`` and the reserve, within the player's
own limit. Pondering goes on until the controller says something; after ``stop`` the best turn is told.
The specification wants an engine to end at a message that it does not know; ours says so and goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from glaux.engine.clock import time_for_move
from glaux.engine.listening import ListeningEngine
from glaux.engine.thinking import Thinker, line_of
from glaux.errors import InvalidAction, InvalidParameter
from glaux.players.player import Player
from glaux.protocols.aei import (
    PIECES,
    STEPS,
    VERSION,
    form_of,
    is_over,
    is_placing,
    read_position,
    read_turn,
    write_line,
    write_turn,
)
from glaux.records.record import Record
from glaux.rules.game import Game, State
from glaux.search.tree import Tree

TOLD_EVERY = 0.5
"""seconds between two times that what is found is told"""
TIMES = ("tcmove", "tcreserve", "tcpercent", "tcmax", "tctotal", "tcturns", "tcturntime", "moveused")
OTHERS = ("wused", "bused", "gused", "sused", "lastmoveused", "opponent", "opponent_rating", "rated", "event")
"""options that change nothing here"""
RESERVES = {True: ("greserve", "wreserve"), False: ("sreserve", "breserve")}
"""of the first and the second player, with their names in older versions"""


class AeiEngine(ListeningEngine):
    """Answers the messages of a controller."""

    stops = ("stop",)

    def __init__(self, game: Game, player: Player, name: str, version: str) -> None:
        super().__init__()
        form_of(game)
        self.game, self.player, self.thinker = game, player, Thinker(player)
        self.identity = [VERSION, f"id name {name}", "id author Glaux", f"id version {version}", "aeiok"]
        self.record = Record(game.initial())
        self.options: dict[str, float] = {}
        self.commands: dict[str, Callable[[str], Iterator[str]]] = {
            "aei": lambda _: iter(self.identity),
            "isready": lambda _: iter(["readyok"]),
            "newgame": self._new_game,
            "setposition": self._set_position,
            "setoption": self._set_option,
            "makemove": self._make_move,
            "go": self._go,
            "stop": lambda _: iter([]),
            "quit": self._quit,
        }
        player.begin()

    def lines(self, line: str) -> Iterator[str]:
        """The lines of an answer."""
        word, _, rest = line.strip().partition(" ")
        if word and word not in self.commands:
            raise InvalidParameter(f"There is no message '{word[:40]}'.")
        return self.commands[word](rest) if word else iter(())

    def remark(self, sentence: str) -> str:
        """A line for people."""
        return f"log Error: {sentence}"

    def close(self) -> None:
        """End the player."""
        self.player.close()

    def _new_game(self, rest: str) -> Iterator[str]:
        self.record = Record(self.game.initial())
        for reserve in (*RESERVES[True], *RESERVES[False]):
            self.options.pop(reserve, None)
        self.player.begin()
        return iter(())

    def _set_position(self, rest: str) -> Iterator[str]:
        self.record = Record(read_position(self.game, rest))
        return iter(())

    def _set_option(self, rest: str) -> Iterator[str]:
        words = rest.split()
        if words[:1] != ["name"] or len(words) < 2:
            raise InvalidParameter("An option is set by 'setoption name NAME value VALUE'.")
        name, value = words[1], " ".join(words[3:])
        if name in (*TIMES, *RESERVES[True], *RESERVES[False]):
            try:
                self.options[name] = min(max(0.0, float(value)), 1e9)
            except ValueError:
                raise InvalidParameter(f"'{value[:40]}' is not a number.") from None
        elif name not in OTHERS:
            yield f"log Warning: There is no option '{name[:40]}'."

    def _make_move(self, rest: str) -> Iterator[str]:
        if self.game.terminal(self.record.state):
            raise InvalidAction("The match is over.")
        self.record.play_all(read_turn(self.record.state, rest))
        return iter(())

    def _quit(self, rest: str) -> Iterator[str]:
        self.ended = True
        return iter(())

    def _go(self, rest: str) -> Iterator[str]:
        start, begun = self.record.state, time.monotonic()
        if self.game.terminal(start):
            raise InvalidAction("The match is over.")
        endless = rest.split() == ["ponder"]
        stopped = self.is_interrupted if endless else self.is_stopped
        seconds = None if endless else self._seconds()
        self.stop_word, state, turn = "", start, list[int]()
        nodes, told = 0, 0.0
        while not is_over(start, state):
            history = [*self.record.actions, *turn]
            left = self._share(start, len(turn), seconds, begun)
            for tree in self.thinker.think(state, history, left, stopped):
                yield from self.take_asides()
                nodes += tree.statistics.evaluations
                passed = time.monotonic() - begun
                if passed - told > TOLD_EVERY:
                    told = passed
                    yield from self._infos(tree, start, turn, nodes, passed)
            turn.append(self.thinker.choice)
            state = self.game.apply(state, turn[-1])
        if endless and not self.stop_word:  # solved, or as far as the player's limits go
            yield from self.wait()
        yield from self.take_asides()
        if not endless or self.stop_word == self.stops[0]:
            self.after = state
            yield f"bestmove {write_turn(start, turn)}"

    def _share(self, start: State, played: int, seconds: float | None, begun: float) -> float | None:
        """Seconds for the next action of a turn: what is left is shared among those that may follow."""
        if self.stop_word:
            return 0.0
        if seconds is None:
            return None
        most = PIECES if is_placing(start) else STEPS
        return (begun + seconds - time.monotonic()) / max(1, most - played)

    def _seconds(self) -> float | None:
        """For a turn, by the options and the player's own limit."""
        first = self.game.first_player(self.record.state)
        per_move = self.options.get("tcmove", 0.0)
        start = self.options.get("tcreserve", 0.0)
        reserve = next((self.options[name] for name in RESERVES[first] if name in self.options), start)
        limits = [self.thinker.seconds]
        if per_move or reserve:
            left = max(0.0, per_move + reserve - self.options.get("moveused", 0.0))
            limits.append(time_for_move(self.record.state, left, per_move, 0))
        limits.append(self.options.get("tcturntime") or None)
        return min((limit for limit in limits if limit is not None), default=None)

    def _infos(self, tree: Tree, start: State, turn: list[int], nodes: int, seconds: float) -> Iterator[str]:
        sign = 1 if self.game.first_player(start) else -1
        yield f"info time {seconds:.0f}"
        yield f"info score {round(100 * sign * tree.value)}"
        yield f"info depth {tree.statistics.depth}"
        yield f"info nodes {nodes}"
        yield f"info pv {write_line(start, [*turn, *line_of(tree)])}"
