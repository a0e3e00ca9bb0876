"""Any deterministic, perfect-information OpenSpiel game of one or two players as a Glaux game.

``glaux.make("open_spiel", game="tic_tac_toe")``, or as a text ``open_spiel:game=go(board_size=5)``.
Needs the package ``open_spiel``.

A match that is longer than ``longest`` actions is a draw. By default no match is, in a game whose longest
match has at most 512 actions; others, as chess with its 17,695, are drawn there, because each of millions of
states has room for all the actions before it.

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
from glaux.rules.python import Rules, StateRecord

RECENT_STATES = 4096
LONGEST = 512
"""actions after which a match of a game that can be longer is a draw, unless another number is given"""
CODE_SYMBOLS = ".XO" + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWYZ0123456789"


class OpenSpielRules(Rules):
    """The rules of one OpenSpiel game, named by its OpenSpiel game string."""

    name = "open_spiel"

    def __init__(self, game: str, longest: int | str = 0) -> None:
        self.spiel = _load(game)
        self.title = f"OpenSpiel's {self.spiel.get_type().long_name}"
        self.players = self.spiel.num_players()
        self.action_count = self.spiel.num_distinct_actions()
        # Some games play a move or two more than they say (hex with swap).
        possible = self.spiel.max_game_length() + 2
        self.max_plies = min(possible, _longest(longest) or LONGEST)
        number = np.uint16 if self.action_count <= 2**16 else np.int32
        self.state = [("length", np.uint32), ("history", number, (self.max_plies,))]
        self._cut = self.max_plies < possible
        self._recent: OrderedDict[bytes, Any] = OrderedDict()
        self._observed = self.spiel.get_type().provides_observation_tensor
        shape = tuple(self.spiel.observation_tensor_shape()) if self._observed else (self.max_plies,)
        self._shape = shape if len(shape) == 3 else (1, 1, int(np.prod(shape)))
        self._one_hot = len(shape) == 3 and shape[0] < len(CODE_SYMBOLS)
        self.symbols = CODE_SYMBOLS[: self._shape[0] + 1 if self._one_hot else 2]

    def first_player(self, s: StateRecord) -> bool:
        """Player 0 is the first player; a state that is over counts as the first player's."""
        return bool(self._state(s).current_player() <= 0)

    def actions(self, s: StateRecord) -> Iterable[int]:
        """As OpenSpiel numbers them."""
        legal: list[int] = self._state(s).legal_actions()
        return legal

    def apply(self, s: StateRecord, action: int) -> None:
        """Append the action to the history."""
        child = self._state(s).child(action)
        if s["length"] >= self.max_plies:
            raise BrokenRules(f"{self.title} went on past its stated longest match.")
        s["history"][s["length"]] = action
        s["length"] += 1
        self._remember(s, child)

    def outcome(self, s: StateRecord) -> int | None:
        """The player with the higher return; in a one-player game, the sign of the return."""
        state = self._state(s)
        if not state.is_terminal():
            return 0 if self._cut and s["length"] >= self.max_plies else None
        returns = state.returns()
        return int(np.sign(returns[0] - (returns[1] if self.players == 2 else 0)))

    def cells(self, s: StateRecord) -> npt.ArrayLike:
        """Which plane of the observation is set on each cell (0: none), or each number as 0 or 1."""
        codes: npt.NDArray[np.intp] = self._codes(self._observation(s)[None])[0]
        return codes

    def batch_cells(self, s: StateRecord) -> npt.ArrayLike:
        """The same for many states."""
        return self._codes(np.stack([self._observation(one) for one in s]))

    def _codes(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
        planes = observations > 0.5
        if not self._one_hot:
            return planes.reshape(len(planes), *self._shape[1:]).astype(np.intp)
        return np.where(planes.any(axis=1), planes.argmax(axis=1) + 1, 0)

    def encode(self, s: StateRecord) -> npt.ArrayLike:
        """The observation, and a plane that tells the player to move."""
        observation = self._observation(s)
        to_move = np.full((1, *self._shape[1:]), float(self.first_player(s)))
        return np.concatenate([observation, to_move])

    def action_text(self, s: StateRecord, action: int) -> str:
        """OpenSpiel's own text, without spaces."""
        state = self._state(s)
        text: str = state.action_to_string(state.current_player(), action)
        return text.replace(" ", "_")

    def drawing(self, s: StateRecord) -> str | None:
        """OpenSpiel's own drawing."""
        return str(self._state(s))

    def score(self, s: StateRecord) -> float | None:
        """The first player's return."""
        return float(self._state(s).returns()[0])

    def ply(self, s: StateRecord) -> int | None:
        """The length of the history."""
        return int(s["length"])

    def check(self, s: StateRecord) -> str | None:
        """A history must be playable, with nothing after its end."""
        if s["length"] > self.max_plies or s["history"][s["length"] :].any():
            return f"These bytes are not a history of {self.title}."
        state = self.spiel.new_initial_state()
        for action in s["history"][: s["length"]].tolist():
            if state.is_terminal() or action not in state.legal_actions():
                return f"The history of this state has an action that {self.title} does not allow."
            state.apply_action(action)
        return None

    def _observation(self, s: StateRecord) -> npt.NDArray[np.float32]:
        if self._observed:
            values = self._state(s).observation_tensor(0)
        else:
            values = np.zeros(self.max_plies)
            values[: s["length"]] = 0.5 + (s["history"][: s["length"]] + 1.0) / (2 * self.action_count)
        return np.asarray(values, dtype=np.float32).reshape(self._shape)

    def _state(self, s: StateRecord) -> Any:
        """OpenSpiel's state at the end of the history, from the recent ones if it is there."""
        state = self._recent.get(self._key(s))
        if state is None:
            state = self.spiel.new_initial_state()
            for action in s["history"][: s["length"]].tolist():
                state.apply_action(action)
            self._remember(s, state)
        return state

    @staticmethod
    def _key(s: StateRecord) -> bytes:
        """The actions so far: what follows them is empty."""
        actions: bytes = s["history"][: s["length"]].tobytes()
        return actions

    def _remember(self, s: StateRecord, state: Any) -> None:
        self._recent[self._key(s)] = state
        if len(self._recent) > RECENT_STATES:
            self._recent.popitem(last=False)


def _longest(text: int | str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < 2**20:
        raise InvalidParameter(f"The parameter longest must be a number of actions, not '{text}'.")
    return number


def _load(game: str) -> Any:
    try:
        import pyspiel  # noqa: PLC0415 (an optional dependency)
    except ImportError:
        raise MissingExtra("OpenSpiel games need the package open_spiel: pip install open_spiel") from None
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
            (kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC, "it has chance events"),
            (
                kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION,
                "it has hidden information",
            ),
            (spiel.num_players() > 2, "it has more than two players"),
        ]
        if applies
    ]
    if wrong:
        raise InvalidParameter(f"Glaux can't play OpenSpiel's '{game}': {', '.join(wrong)}.")
    return spiel
