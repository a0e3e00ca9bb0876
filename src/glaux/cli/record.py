"""The record of a match that people play, with taking back."""

from __future__ import annotations

from collections.abc import Callable

from glaux.cli.board import changed_cells
from glaux.rules.game import State


class Record:
    """The states of a match so far and the texts of the actions between them."""

    def __init__(self, start: State) -> None:
        self.states = [start]
        self.texts: list[str] = []

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    def play(self, action: int) -> None:
        """Play a legal action."""
        game = self.state.game
        self.texts.append(game.action_text(self.state, action))
        self.states.append(game.apply(self.state, action))

    def undo(self, decides: Callable[[State], bool]) -> bool:
        """Go back to the last earlier state in which somebody decides; False if there is none."""
        earlier = [i for i, state in enumerate(self.states[:-1]) if decides(state)]
        if not earlier:
            return False
        del self.states[earlier[-1] + 1 :]
        del self.texts[earlier[-1] :]
        return True

    def last_turn(self) -> tuple[State, list[str]]:
        """The last actions of one player in a row: the state before them, and their texts.

        Who plays alone has a turn for each action.
        """
        first = len(self.texts)
        if self.state.game.spec.players == 1:
            first = max(0, first - 1)
            return self.states[first], self.texts[first:]
        players = [state.game.first_player(state) for state in self.states[:-1]]
        while first > 0 and players[first - 1] == players[-1]:
            first -= 1
        return self.states[first], self.texts[first:]

    def last_changes(self) -> set[int]:
        """The cells that the last turn changed."""
        return changed_cells(self.last_turn()[0], self.state)
