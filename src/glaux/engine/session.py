"""A match as a controller leads it: the record, the player and the clocks behind the commands of GTP."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from glaux.engine.clock import Clock
from glaux.errors import Forfeit, GlauxError, InvalidAction
from glaux.players.evaluation import Evaluation, evaluate
from glaux.players.player import Player
from glaux.players.searching import SearchPlayer
from glaux.protocols.dialects import JOINT, dialect_of, resized
from glaux.records.record import Record
from glaux.rules.game import Game, State
from glaux.rules.positions import state_without_past, symbols_of
from glaux.rules.registry import make_named

MakePlayer = Callable[[Game], Player]


class Past(NamedTuple):
    """A match so far."""

    start: State
    actions: tuple[int, ...]


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
        self._before: list[Past] = []
        """what there was before each move, to which ``undo`` goes back"""
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
        old, clocks, before, player = self.record, self.clocks, self._before, self.make_player(game)
        self.player.close()
        self._start(game, player)

        def there(start: State) -> State:
            initial = start == start.game.initial()
            return game.initial() if initial else game.parse_state(start.game.state_text(start))

        self.record = Record(there(old.start)).play_all(old.actions)
        self.clocks = clocks
        self._before = [Past(there(past.start), past.actions) for past in before]

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

    def play(self, first: bool, moves: Sequence[str]) -> None:
        """Play the moves of a player; none of them if one is not legal."""
        past, count = self.past, len(self._before)
        try:
            for move in moves:
                self._play(first, move)
        except GlauxError:
            self.restore(past)
            del self._before[count:]
            raise

    def _play(self, first: bool, move: str) -> None:
        if move.lower() == "resign":
            return  # as MoHex: the board stays
        if self._is_passed_over(first) and move.lower() == "pass":
            return
        before = self.past
        if not (move.lower() == "pass" and self._passes_anyway(first)):
            self.give_turn(first)
            for text in self.dialect.parts(move):
                self.dialect.check_colour(self.state, first)
                self.record.play(self.dialect.read(self.state, text))
            self._pass()
        self._before.append(before)

    def generate(self, first: bool, keep: bool) -> str:
        """What the player plays; with ``keep``, it is played."""
        if self.game.terminal(self.state):
            if self.dialect.after_the_end:
                return self.dialect.after_the_end
            raise InvalidAction("The match is over.")
        if self._is_passed_over(first):
            return "pass"
        before = self.give_turn(first)
        try:
            move = self._move(first, keep)
        except Forfeit:
            self.restore(before)
            return "resign"
        except GlauxError:
            self.restore(before)
            raise
        if keep:
            self._before.append(before)
            self._pass()
            self.generated = self.state
        else:
            self.restore(before)
        return move

    def _move(self, first: bool, spend: bool) -> str:
        """Play what the player chooses: an action, or as many of the turn as make one move."""
        texts: list[str] = []
        begun, seconds = time.monotonic(), self.seconds_for(first, None)
        allowance = None if seconds is None else seconds / max(1, self.dialect.turn)
        if isinstance(self.player, SearchPlayer):
            self.player.allowance = allowance
        while True:
            action = self.player.choose(self.state, self.record.actions)
            texts.append(self.dialect.write(self.state, action))
            self.record.play(action)
            ended = self.game.terminal(self.state) or self.game.first_player(self.state) != first
            if ended or len(texts) >= self.dialect.turn:
                break
        if spend:
            self.spend(first, time.monotonic() - begun)
        return JOINT.join(texts)

    def give_turn(self, first: bool) -> Past:
        """Let a player be next, if the dialect allows it; what there was before, for ``restore``.

        The player's last pass is taken back; if there was none, the position is set up anew. A pass of
        the other would be wrong: with another one the match would be over.
        """
        past = self.past
        if self.dialect.out_of_turn:
            while self.record.texts[-1:] == ["pass"] and self._passes_anyway(first):
                self.record.undo()
            if self._passes_anyway(first) and not self.game.terminal(self.state):
                self.record = Record(state_without_past(self.game, symbols_of(self.state), first))
        self.dialect.check_colour(self.state, first)
        return past

    @property
    def past(self) -> Past:
        """What has led to the present state."""
        return Past(self.record.start, tuple(self.record.actions))

    def restore(self, past: Past) -> None:
        """Go back to an earlier time."""
        start, actions = past
        if start != self.record.start:
            self.record = Record(start)
        pairs = zip(self.record.actions, actions, strict=False)
        common = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        while len(self.record.actions) > common:
            self.record.undo()
        self.record.play_all(actions[common:])

    def undo(self) -> None:
        """Take the last move back, with passes that nobody said."""
        if self._before:
            self.restore(self._before.pop())
            return
        # What was played in a file.
        while self.dialect.silent_passes and self.record.texts[-1:] == ["pass"]:
            self.record.undo()
        if not self.record.undo():
            raise InvalidAction("There is nothing to undo.")

    def evaluate(self) -> Evaluation:
        """What the player thinks of the state."""
        if self.game.terminal(self.state):
            raise InvalidAction("The match is over.")
        if isinstance(self.player, SearchPlayer):
            self.player.allowance = None  # what the clock left for the last move is not about this
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

    def _pass(self) -> None:
        if self.dialect.silent_passes:
            self.record.play_passes()

    def _passes_anyway(self, first: bool) -> bool:
        """Whether the dialect lets a player who is not next play, or play after the end."""
        ended = self.game.terminal(self.state)
        return self.dialect.out_of_turn and (ended or self.game.first_player(self.state) != first)

    def _is_passed_over(self, first: bool) -> bool:
        """Whether the dialect skips a player who is not next."""
        ended = self.game.terminal(self.state)
        return self.dialect.silent_passes and (ended or self.game.first_player(self.state) != first)
