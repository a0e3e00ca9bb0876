"""A match as a controller leads it: the record, the player and the clocks behind the commands of GTP."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from glaux.engine.clock import Clock
from glaux.errors import Forfeit, GlauxError, InvalidAction
from glaux.players.evaluation import Evaluation, evaluate
from glaux.players.player import Player
from glaux.players.searching import SearchPlayer
from glaux.protocols.dialects import check_colour, dialect_of, resized
from glaux.records.record import Record
from glaux.rules.game import Game, State

MakePlayer = Callable[[Game], Player]


class Session:
    """A match between a player of ours and whoever is behind the controller."""

    def __init__(self, game: Game, make_player: MakePlayer) -> None:
        self.make_player = make_player
        self.time: tuple[float, float, int] | None = None
        self._start(game, make_player(game))

    def _start(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self.dialect = dialect_of(game)
        self.clear()

    @property
    def state(self) -> State:
        """The present state."""
        return self.record.state

    def clear(self) -> None:
        """Begin a new match."""
        self.record = Record(self.game.initial())
        self.clocks: dict[bool, Clock] = {}
        if self.time:
            self.set_time(*self.time)
        self.player.begin()

    def close(self) -> None:
        """End the player."""
        self.player.close()

    def resize(self, arguments: Sequence[str]) -> None:
        """Begin a new match on another board; the old one goes on if there is no such board."""
        game = resized(self.game, arguments)
        if game is self.game:
            self.clear()
            return
        player = self.make_player(game)
        self.player.close()
        self._start(game, player)

    def set_time(self, main: float, period: float, moves: int) -> None:
        """Set both clocks."""
        self.time = (main, period, moves)
        self.clocks = {}
        for first in (True, False):
            clock = Clock.set(main, period, moves)
            if clock:
                self.clocks[first] = clock

    def tell_time(self, first: bool, left: float, moves_left: int) -> None:
        """Set a clock to what is left."""
        self.clocks.setdefault(first, Clock(left)).tell(left, moves_left)

    def play(self, first: bool, texts: Sequence[str]) -> None:
        """Play the actions of a player; none of them if one is not legal."""
        before = len(self.record.actions)
        try:
            for text in texts:
                self._play(first, text)
        except GlauxError:
            while len(self.record.actions) > before:
                self.record.undo()
            raise

    def _play(self, first: bool, text: str) -> None:
        if text.lower() == "resign":
            return  # as MoHex: the board stays
        if self._is_passed_over(first) and text.lower() == "pass":
            return
        check_colour(self.state, first)
        self.record.play(self.dialect.read(self.state, text))
        self._pass()

    def generate(self, first: bool, keep: bool) -> str:
        """What the player plays; with ``keep``, it is played."""
        if self.game.terminal(self.state):
            if self.dialect.after_the_end:
                return self.dialect.after_the_end
            raise InvalidAction("The match is over.")
        if self._is_passed_over(first):
            return "pass"
        check_colour(self.state, first)
        try:
            action = self._choose(first, keep)
        except Forfeit:
            return "resign"
        text = self.dialect.write(self.state, action)
        if keep:
            self.record.play(action)
            self._pass()
        return text

    def undo(self) -> None:
        """Take the last action back, with passes that nobody said."""
        while self.dialect.silent_passes and self.record.texts[-1:] == ["pass"]:
            self.record.undo()
        if not self.record.undo():
            raise InvalidAction("There is nothing to undo.")

    def evaluate(self) -> Evaluation:
        """What the player thinks of the state."""
        if self.game.terminal(self.state):
            raise InvalidAction("The match is over.")
        found = evaluate(self.player, self.state)
        if found is None:
            raise GlauxError("This player does not search: it has no evaluation.")
        return found

    def texts(self, actions: Sequence[int]) -> list[str]:
        """A line of actions from the present state."""
        state, texts = self.state, []
        for action in actions:
            texts.append(self.dialect.write(state, action))
            state = self.game.apply(state, action)
        return texts

    def _choose(self, first: bool, spend: bool) -> int:
        clock = self.clocks.get(first)
        if isinstance(self.player, SearchPlayer):
            self.player.allowance = clock.allowance(self.game, self.state) if clock else None
        begun = time.monotonic()
        action = self.player.choose(self.state, self.record.actions)
        if clock and spend:
            clock.spend(time.monotonic() - begun)
        return action

    def _pass(self) -> None:
        if self.dialect.silent_passes:
            self.record.play_passes()

    def _is_passed_over(self, first: bool) -> bool:
        """Whether the dialect passes a player over who is not next."""
        ended = self.game.terminal(self.state)
        return self.dialect.silent_passes and (ended or self.game.first_player(self.state) != first)
