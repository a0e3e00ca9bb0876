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
from glaux.rules.registry import make_named

MakePlayer = Callable[[Game], Player]


class GtpSession:
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

    generated: State | None = None
    """the state to which the player's last move has led"""

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

    def set_komi(self, komi: str) -> None:
        """Go on with another komi, if the game has one; as it was if there is no such komi or no player."""
        if "komi" not in self.game.parameters:
            return
        game = make_named(self.game.name, self.game.parameters | {"komi": komi})
        if game == self.game:
            return
        old, clocks, player = self.record, self.clocks, self.make_player(game)
        self.player.close()
        self._start(game, player)
        if old.start != old.game.initial():
            self.record = Record(game.parse_state(old.game.state_text(old.start)))
        self.record.play_all(old.actions)
        self.clocks = clocks

    def load(self, record: Record) -> None:
        """Take up a match, also of another board; as it was if there is no player for it."""
        if record.game != self.game:
            player = self.make_player(record.game)
            self.player.close()
            self._start(record.game, player)
        else:
            self.clear()
        self.record = record

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
            self.generated = self.state
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

    def seconds_for(self, first: bool, own: float | None) -> float | None:
        """For the next move: what the clock leaves, within the player's own limit."""
        clock = self.clocks.get(first)
        wanted = clock.allowance(self.game, self.state) if clock else None
        return min((limit for limit in (own, wanted) if limit is not None), default=None)

    def spend(self, first: bool, seconds: float) -> None:
        """Count the time of a move."""
        if first in self.clocks:
            self.clocks[first].spend(seconds)

    def _choose(self, first: bool, spend: bool) -> int:
        if isinstance(self.player, SearchPlayer):
            self.player.allowance = self.seconds_for(first, None)
        begun = time.monotonic()
        action = self.player.choose(self.state, self.record.actions)
        if spend:
            self.spend(first, time.monotonic() - begun)
        return action

    def _pass(self) -> None:
        if self.dialect.silent_passes:
            self.record.play_passes()

    def _is_passed_over(self, first: bool) -> bool:
        """Whether the dialect passes a player over who is not next."""
        ended = self.game.terminal(self.state)
        return self.dialect.silent_passes and (ended or self.game.first_player(self.state) != first)
