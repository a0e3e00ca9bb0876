"""Any deterministic, perfect-information OpenSpiel game of one or two players as a Glaux game.

``glaux.make("open_spiel", game="tic_tac_toe")``, or as a text ``open_spiel:game=go(board_size=5)``.
Needs the package ``open_spiel``.

OpenSpiel's states are not of a fixed size, so a state here is the list of the actions that led to
it: right, but two orders of the same moves are two states, and a match is replayed for a state that
was not seen lately. Player 0 is the first player. Cell codes and planes come from OpenSpiel's
observation tensor as player 0 sees it or, in a game that has none, from the list of actions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from glaux.errors import BrokenRules, InvalidParameter, MissingExtra, UnknownName, suggest
from glaux.rules.python import Record, Rules

RECENT_STATES = 4096
CODE_SYMBOLS = ".XO" + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWYZ0123456789"


class OpenSpielRules(Rules):
    """The rules of one OpenSpiel game, named by its OpenSpiel game string."""

    name = "open_spiel"

    def __init__(self, game: str) -> None:
        self.spiel = _load(game)
        self.title = f"OpenSpiel's {self.spiel.get_type().long_name}"
        self.players = self.spiel.num_players()
        self.action_count = self.spiel.num_distinct_actions()
        # Some games play a move or two more than they say (hex with swap).
        self.max_plies = self.spiel.max_game_length() + 2
        self.state = [("length", np.uint32), ("history", np.int32, (self.max_plies,))]
        self._recent: OrderedDict[bytes, Any] = OrderedDict()
        self._observed = self.spiel.get_type().provides_observation_tensor
        shape = tuple(self.spiel.observation_tensor_shape()) if self._observed else (self.max_plies,)
        self._shape = shape if len(shape) == 3 else (1, 1, int(np.prod(shape)))
        self._one_hot = len(shape) == 3 and shape[0] < len(CODE_SYMBOLS)
        self.symbols = CODE_SYMBOLS[: self._shape[0] + 1 if self._one_hot else 2]

    def first_player(self, s: Record) -> bool:
        """Player 0 is the first player; a state that is over counts as the first player's."""
        return bool(self._state(s).current_player() <= 0)

    def actions(self, s: Record) -> Iterable[int]:
        """As OpenSpiel numbers them."""
        legal: list[int] = self._state(s).legal_actions()
        return legal

    def apply(self, s: Record, action: int) -> None:
        """Append the action to the history."""
        child = self._state(s).child(action)
        if s["length"] >= self.max_plies:
            raise BrokenRules(f"{self.title} went on past the longest match it states.")
        s["history"][s["length"]] = action
        s["length"] += 1
        self._remember(s, child)

    def outcome(self, s: Record) -> int | None:
        """Who has the higher return; in a game of one player, the sign of it."""
        state = self._state(s)
        if not state.is_terminal():
            return None
        returns = state.returns()
        return int(np.sign(returns[0] - (returns[1] if self.players == 2 else 0)))

    def cells(self, s: Record) -> npt.ArrayLike:
        """Which plane of the observation is set on each cell (0: none), or each number as 0 or 1."""
        planes = self._observation(s) > 0.5
        if not self._one_hot:
            return planes.reshape(planes.shape[1:])
        return np.where(planes.any(axis=0), planes.argmax(axis=0) + 1, 0)

    def encode(self, s: Record) -> npt.ArrayLike:
        """The observation, and a plane that tells the player to move."""
        observation = self._observation(s)
        to_move = np.full((1, *self._shape[1:]), float(self.first_player(s)))
        return np.concatenate([observation, to_move])

    def action_text(self, s: Record, action: int) -> str:
        """OpenSpiel's own text, without spaces."""
        state = self._state(s)
        text: str = state.action_to_string(state.current_player(), action)
        return text.replace(" ", "_")

    def drawing(self, s: Record) -> str | None:
        """OpenSpiel's own drawing."""
        return str(self._state(s))

    def score(self, s: Record) -> float | None:
        """The first player's return."""
        return float(self._state(s).returns()[0])

    def ply(self, s: Record) -> int | None:
        """The length of the history."""
        return int(s["length"])

    def check(self, s: Record) -> str | None:
        """A history must be playable, with nothing after its end."""
        if s["length"] > self.max_plies or s["history"][s["length"] :].any():
            return f"These bytes are not a history of {self.title}."
        state = self.spiel.new_initial_state()
        for action in s["history"][: s["length"]].tolist():
            if state.is_terminal() or action not in state.legal_actions():
                return f"The history of this state has an action that {self.title} does not allow."
            state.apply_action(action)
        return None

    def _observation(self, s: Record) -> npt.NDArray[np.float32]:
        if self._observed:
            values = self._state(s).observation_tensor(0)
        else:
            values = np.zeros(self.max_plies)
            values[: s["length"]] = 0.5 + (s["history"][: s["length"]] + 1) / (2 * self.action_count)
        return np.asarray(values, dtype=np.float32).reshape(self._shape)

    def _state(self, s: Record) -> Any:
        """OpenSpiel's state at the end of the history, from the recent ones if it is there."""
        key = s.tobytes()
        state = self._recent.get(key)
        if state is None:
            state = self.spiel.new_initial_state()
            for action in s["history"][: s["length"]].tolist():
                state.apply_action(action)
            self._remember(s, state)
        return state

    def _remember(self, s: Record, state: Any) -> None:
        self._recent[s.tobytes()] = state
        if len(self._recent) > RECENT_STATES:
            self._recent.popitem(last=False)


def _load(game: str) -> Any:
    try:
        import pyspiel  # noqa: PLC0415 (an optional dependency)
    except ImportError:
        raise MissingExtra("OpenSpiel's games need the package open_spiel: pip install open_spiel") from None
    name = str(game).partition("(")[0]
    if name not in pyspiel.registered_names():
        raise UnknownName(f"OpenSpiel has no game '{name}'{suggest(name, pyspiel.registered_names())}")
    try:
        spiel = pyspiel.load_game(str(game))
    except (pyspiel.SpielError, ValueError) as error:
        first_line = str(error).splitlines()[0] if str(error) else "unknown"
        raise InvalidParameter(f"OpenSpiel can't load '{game}': {first_line}") from None
    kind = spiel.get_type()
    wrong = [
        reason
        for applies, reason in [
            (kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL, "moves are simultaneous"),
            (kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC, "it has chance"),
            (
                kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION,
                "its information is not perfect",
            ),
            (spiel.num_players() > 2, "it has more than two players"),
        ]
        if applies
    ]
    if wrong:
        raise InvalidParameter(f"OpenSpiel's '{game}' does not fit: {', '.join(wrong)}.")
    return spiel
