"""Other implementations of our games, and the comparison of random matches with them.

    python -m tests.games.oracles --matches 2000

plays that many random matches of each game beside its oracle and prints the table of
`docs/oracles.md`. An oracle speaks our action texts: the translations are here.
"""

import argparse
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol

import pyspiel
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import glaux
from tests.reference.outer_open_gomoku import OuterOpenGomoku
from tests.reference.protocol import Reference, State
from tests.reference.santorini import Santorini
from tests.reference.surakarta import Surakarta


class Match(Protocol):
    """A match as an oracle sees it. Actions are in our notation; +1 is the first player's win."""

    def actions(self) -> list[str]: ...
    def apply(self, text: str) -> None: ...
    def first_player(self) -> bool: ...
    def outcome(self) -> int | None: ...
    def score(self) -> int | None: ...
    def copy(self) -> "Match": ...

    def judges(self) -> bool:
        """Whether the oracle plays the same rules as we do in this state and after it."""
        ...


class ReferenceMatch(Generic[State]):
    """A match by one of the plain Python references."""

    def __init__(self, game: Reference[State], s: State | None = None) -> None:
        self.game = game
        self.s = game.initial() if s is None else s

    def actions(self) -> list[str]:
        return self.game.actions(self.s)

    def apply(self, text: str) -> None:
        self.s = self.game.apply(self.s, text)

    def first_player(self) -> bool:
        return self.game.first_player(self.s)

    def outcome(self) -> int | None:
        return self.game.outcome(self.s)

    def score(self) -> int | None:
        return self.game.score(self.s)

    def copy(self) -> "ReferenceMatch[State]":
        return ReferenceMatch(self.game, self.s)

    def judges(self) -> bool:
        return True


class SpielMatch:
    """A match by OpenSpiel."""

    def __init__(self, game: str) -> None:
        self.spiel = pyspiel.load_game(game).new_initial_state()

    def text(self, action: int) -> str:
        """Our text of an action of OpenSpiel's."""
        return self.spiel.action_to_string(action)

    def by_text(self) -> dict[str, int]:
        """OpenSpiel's legal actions by our texts."""
        return {self.text(action): action for action in self.spiel.legal_actions()}

    def actions(self) -> list[str]:
        return list(self.by_text())

    def apply(self, text: str) -> None:
        self.spiel.apply_action(self.by_text()[text])

    def first_player(self) -> bool:
        return self.spiel.current_player() == 0

    def outcome(self) -> int | None:
        return int(self.spiel.returns()[0]) if self.spiel.is_terminal() else None

    def score(self) -> int | None:
        return None

    def copy(self) -> "SpielMatch":
        twin = copy.copy(self)
        twin.spiel = self.spiel.clone()
        return twin

    def judges(self) -> bool:
        return True
