"""The player that everyone should beat."""

from collections.abc import Sequence
from random import Random

from glaux.rules.game import Game, State


class RandomPlayer:
    """Chooses uniformly among the legal actions; the same seed gives the same choices."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = Random(seed)

    def begin(self) -> None:
        """Begin a match: nothing is kept from the last."""

    def choose(self, state: State, history: Sequence[int] = ()) -> int:
        """Choose any legal action."""
        return self.random.choice(self.game.actions(state))

    def close(self) -> None:
        """Hold nothing."""
