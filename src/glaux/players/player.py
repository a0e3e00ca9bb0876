"""What a match needs to know of a player."""

from typing import Protocol

from glaux.rules.game import State


class Player(Protocol):
    """Somebody who chooses an action in a state that is not terminal."""

    def begin(self) -> None:
        """Be told that a new match begins."""
        ...

    def choose(self, state: State) -> int:
        """Choose a legal action."""
        ...
