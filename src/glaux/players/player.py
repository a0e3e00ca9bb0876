"""What a match needs from a player."""

from collections.abc import Sequence
from typing import Protocol

from glaux.rules.game import State


class Player(Protocol):
    """Somebody who chooses an action in a state that is not terminal."""

    def begin(self) -> None:
        """Prepare for a new match."""
        ...

    def choose(self, state: State, history: Sequence[int] = ()) -> int:
        """Choose a legal action; raise Forfeit to resign.

        ``history`` has the actions that led from the start of the game to the state. Other programs
        need them; our own players only need the state.
        """
        ...

    def close(self) -> None:
        """Release what the player holds, such as the process of a program. It can't play after that."""
        ...
