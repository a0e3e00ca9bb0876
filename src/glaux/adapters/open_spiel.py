"""Our games inside OpenSpiel: ``load("hex:size=7")`` is a game for its algorithms and bots.

A game has a Python class of its own there, registered under ``glaux_NAME``; OpenSpiel's serialization, its
tests and its MCTS bot take it as any other. Player 0 is the first player.
"""

from __future__ import annotations

import atexit
import re
from typing import Any

import numpy as np

from glaux import _core
from glaux.errors import InvalidParameter, MissingExtra
from glaux.rules.game import Game, State
from glaux.rules.registry import make

try:
    import pyspiel
except ImportError:
    raise MissingExtra("This adapter needs OpenSpiel: pip install 'glaux[adapters]'") from None

_games: dict[str, Game] = {}
"""ours by the short names that OpenSpiel has for them: it keeps classes for ever, so that these hold none"""
atexit.register(_games.clear)


def load(game: str | Game) -> Any:
    """The game as a ``pyspiel.Game``."""
    ours = make(game) if isinstance(game, str) else game
    short = name = "glaux_" + re.sub(r"\W+", "_", ours.text)
    number = 1
    while _games.get(name, ours) != ours:  # komi=1 and komi=-1 have the same short name
        number += 1
        name = f"{short}_{number}"
    if name not in _games:
        _register(name, ours)
        _games[name] = ours
    return pyspiel.load_game(name)


def _register(name: str, game: Game) -> None:
    spec = game.spec
    if spec.aim == _core.Aim.score:
        raise InvalidParameter(
            f"{spec.title} is played for its score, and OpenSpiel needs a range of scores."
        )
    two = spec.players == 2
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"{spec.title} of Glaux",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if two else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=spec.players,
        min_num_players=spec.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=spec.action_count,
        max_chance_outcomes=0,
        num_players=spec.players,
        min_utility=-1.0,
        max_utility=1.0,
        **({"utility_sum": 0.0} if two else {}),
        max_game_length=spec.max_plies,
    )

    class GlauxGame(pyspiel.Game):  # type: ignore[misc]
        """One of our games, as OpenSpiel makes it."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:
            """Where a match begins."""
            return SpielState(self, _games[name])

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """What learners of OpenSpiel see: our planes."""
            return Observer(_games[name])

    pyspiel.register_game(kind, GlauxGame)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of ours with OpenSpiel's methods."""

    def __init__(self, spiel: Any, game: Game) -> None:
        super().__init__(spiel)
        self.game = game
        self.state: State = game.initial()

    def current_player(self) -> int:
        """0 or 1, or that the match is over."""
        if self.game.terminal(self.state):
            return int(pyspiel.PlayerId.TERMINAL)
        return 0 if self.game.first_player(self.state) else 1

    def _legal_actions(self, player: int) -> list[int]:
        return self.game.actions(self.state) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.state = self.game.apply(self.state, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.action_text(self.state, action)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.game.terminal(self.state)

    def returns(self) -> list[float]:
        """The outcome for each player; 0 while the match goes on."""
        outcome = float(self.game.outcome(self.state) or 0)
        return [outcome, -outcome][: self.game.spec.players]

    def __str__(self) -> str:
        return str(self.state)


class Observer:
    """The planes of a state for OpenSpiel's learners; both players see the same."""

    def __init__(self, game: Game) -> None:
        spec = game.spec
        shape = (len(spec.planes), spec.plane_rows, spec.plane_columns)
        self.game = game
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the planes of a state into the tensor."""
        self.dict["planes"][:] = self.game.encode(state.state)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """The state as a line of text."""
        return self.game.state_text(state.state)
