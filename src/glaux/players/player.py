"""What a match needs to know of a player."""

from collections.abc import Sequence
from typing import Protocol

from glaux.rules.game import State


class Player(Protocol):
    """Somebody who chooses an action in a state that is not terminal."""

    def begin(self) -> None:
        """Be told that a new match begins."""
        ...

    def choose(self, state: State, history: Sequence[int] = ()) -> int:
        """Choose a legal action; Forfeit to give the match up.

        ``history`` has the actions that led from the start of the game to the state. A program of
        somebody else needs them; a player of ours knows all from the state.
        """
        ...

    def close(self) -> None:
        """Give back what the player holds, such as the process of a program. It plays no more."""
        ...
