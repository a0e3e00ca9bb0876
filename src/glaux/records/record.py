"""The record of a match: all its states, who played, and how it ended.

A record grows by playing and shrinks by taking back; the commands that play at the terminal, the files
of matches and the protocols all keep this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from glaux.errors import InvalidParameter
from glaux.rules.game import Game, State

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1", None: "*"}
"""An outcome for the first player as records write it; None: the match goes on."""
RESIGNATION, TIME = "resignation", "time"
"""reasons why matches between people end"""


@dataclass
class Record:
    """A match from its start so far."""

    start: State
    players: tuple[str, str] = ("", "")
    """the PLAYER texts or names of the first and the second player, empty if they are not known"""
    verdict: int | None = None
    """+1, 0 or -1 for the first player, if the match was ended by other means than the rules"""
    reason: str = ""
    """why it was ended that way: RESIGNATION, TIME, or a sentence"""
    opening: int = 0
    """how many of the actions nobody chose"""
    tags: Mapping[str, str] = field(default_factory=dict)
    """what else is known, such as the number of the match"""
    actions: list[int] = field(default_factory=list, init=False)
    texts: list[str] = field(default_factory=list, init=False)
    """the actions in the game's notation"""
    states: list[State] = field(init=False)
    """the start and the state after each action"""
    variations: dict[int, list[Record]] = field(default_factory=dict, init=False)
    """other continuations: records that start at ``states[ply]``, by ply"""

    def __post_init__(self) -> None:
        self.states = [self.start]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.start.game

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None if the match is not over."""
        return self.verdict if self.verdict is not None else self.game.outcome(self.state)

    @property
    def result(self) -> str:
        """The outcome as records write it: 1-0, 1/2-1/2, 0-1 or *."""
        return RESULTS[self.outcome]

    def play(self, action: int) -> None:
        """Play a legal action; InvalidAction otherwise."""
        following = self.game.apply(self.state, action)
        self.texts.append(self.game.action_text(self.state, action))
        self.actions.append(action)
        self.states.append(following)

    def branch(self, ply: int) -> Record:
        """A new variation, which begins at the state after this many actions."""
        variation = Record(self.states[ply])
        self.variations.setdefault(ply, []).append(variation)
        return variation

    def play_all(self, actions: Iterable[int]) -> Record:
        """Play several actions, and return the record itself."""
        for action in actions:
            self.play(action)
        return self

    def play_passes(self) -> None:
        """Play the passes of players who have no other action: many programs leave them out."""
        while not self.game.terminal(self.state):
            action, *others = self.game.actions(self.state)
            if others or self.game.action_text(self.state, action) != "pass":
                return
            self.play(action)

    def decide(self, verdict: int, reason: str) -> None:
        """End the match by other means than the rules."""
        if self.outcome is not None:
            raise InvalidParameter("A finished match can't be decided again.")
        self.verdict, self.reason = verdict, reason

    def undo(self, decides: Callable[[State], bool] = lambda _: True) -> bool:
        """Go back to the last earlier state in which somebody decides; False if there is none."""
        earlier = [i for i, state in enumerate(self.states[:-1]) if decides(state)]
        if not earlier:
            return False
        del self.states[earlier[-1] + 1 :]
        del self.texts[earlier[-1] :]
        del self.actions[earlier[-1] :]
        self.variations = {ply: others for ply, others in self.variations.items() if ply <= earlier[-1]}
        self.verdict, self.reason = None, ""
        return True

    def turn(self, ply: int) -> tuple[int, int]:
        """The actions of one player in a row that end with action ``ply - 1``: from, to.

        In a one-player game each action is a turn.
        """
        if self.game.spec.players == 1:
            return max(0, ply - 1), ply
        first = ply
        players = [self.game.first_player(state) for state in self.states[:ply]]
        while first > 0 and players[first - 1] == players[ply - 1]:
            first -= 1
        return first, ply

    def last_turn(self) -> tuple[State, list[str]]:
        """The last actions of one player in a row: the state before them, and their texts."""
        first, end = self.turn(len(self.actions))
        return self.states[first], self.texts[first:end]
