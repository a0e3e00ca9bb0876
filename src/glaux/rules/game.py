"""A game and its states: the contract of ``cpp/core/game.h`` with Python's manners.

Everything here checks what it is given, so that no mistake of a caller reaches the native core.
Code that has checked already, such as a trainer over its own replay buffer, calls ``game.native``
with plain bytes and arrays instead.

Outcomes, scores and values are always from the first player's point of view.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import ChanceState, GlauxError, InvalidAction, InvalidParameter, InvalidState
from glaux.rules.drawing import draw

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from glaux.rules.adapter import RulesAdapter

Spec = _core.Spec
StateArray = npt.NDArray[np.uint8]
"""A batch of states: uint8[n, state_size]."""


@dataclass(frozen=True, slots=True)
class State:
    """A state of a game: plain bytes with value semantics, hashable, printed as a board."""

    game: Game
    data: bytes

    def __bytes__(self) -> bytes:
        return self.data

    def __str__(self) -> str:
        return self.game.drawing(self)

    def __repr__(self) -> str:
        return f"<State of {self.game.text}: {self.game.state_text(self)}>"


class Expansion(NamedTuple):
    """All the children of a state, in ascending order of the actions."""

    actions: npt.NDArray[np.int32]
    """int32[n]"""
    children: StateArray
    """uint8[n, state_size]"""
    results: npt.NDArray[np.int8]
    """int8[n]: +1, 0, -1, or ``glaux.ONGOING``"""
    first_player: npt.NDArray[np.uint8]
    """uint8[n]: 1 where the first player is to move in the child"""
    hashes: npt.NDArray[np.uint64]
    """uint64[n]: stable across runs"""


ONGOING: int = _core.ongoing
Player = _core.Player


class Game:
    """A game at one setting. Made by :func:`glaux.make`.

    ``spec`` holds the facts: board, number of actions, longest match, planes, symmetries.
    """

    def __init__(
        self,
        native: _core.Game,
        remake: Callable[..., Game],
        source: object,
        parameters: Mapping[str, Any],
        starts: Collection[str] = (),
        encoding: Mapping[str, Any] | None = None,
    ):
        self.native = native
        self.spec: Spec = native.spec
        self.parameters = dict(parameters)
        self._remake = remake  # remake(source, parameters) makes this game again
        self._source = source
        self.encoding = dict(encoding or {})  # the unusual parameters that change nothing but the planes
        self._no_rules = {"mobility", *starts}  # parameters that leave rules and planes as they are
        self.adapter: RulesAdapter | None = None  # keeps rules written in Python alive

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self._source if isinstance(self._source, str) else self.spec.name

    @property
    def text(self) -> str:
        """The name with its parameters, as commands take it: ``hex:size=7,swap=1``."""
        settings = ",".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.name}:{settings}" if settings else self.name

    @property
    def at_defaults(self) -> bool:
        """Whether it is a game in the box with the parameters that it has if none are given."""
        known = {info.name: info.parameters for info in _core.registry()}.get(self.name, [])
        return {p.name: p.default_value for p in known if not p.encoding} == self.parameters

    @property
    def label(self) -> str:
        """The name of the game at its default parameters, and its full text at others."""
        return self.name if self.at_defaults else self.text

    @property
    def rules_text(self) -> str:
        """The text without what changes neither rules nor planes: the start, and the count of mobility."""
        kept = {key: value for key, value in self.parameters.items() if key not in self._no_rules}
        settings = ",".join(f"{key}={value}" for key, value in kept.items())
        return f"{self.name}:{settings}" if settings else self.name

    @property
    def _rules(self) -> tuple[object, dict[str, Any]]:
        other = self._no_rules | self.encoding.keys()
        return self._source, {key: value for key, value in self.parameters.items() if key not in other}

    @property
    def _states(self) -> tuple[object, dict[str, Any]]:
        plain = {key: value for key, value in self.parameters.items() if key not in self.encoding}
        return self._source, plain

    def __repr__(self) -> str:
        return f"<Game {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self._source, self.text) == (other._source, other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def same_rules(self, other: Game) -> bool:
        """Whether the other is this game, but for its start, its count of mobility and its planes."""
        return self._rules == other._rules

    def encoded_as(self, other: Game) -> Game:
        """This game with the planes of the other, if it is the same: for what has learned with those."""
        if self.encoding == other.encoding or not self.same_rules(other):
            return self
        return self._remake(self._source, self._states[1] | other.encoding)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Any, ...]]:
        return self._remake, (self._source, self.parameters)

    # One state

    def initial(self) -> State:
        """The state in which a match starts."""
        return State(self, self.native.initial())

    def scramble(self, n: int, seed: int = 0) -> State:
        """A random start at n steps from the initial state, the same for the same seed.

        It is the state after n uniformly random actions that leave a match to play; of the cubes, the
        solved cube after n random twists of which no two in a row turn the same face.
        """
        if not 0 <= n < 2**31:
            raise InvalidParameter(f"A start can't be at {n} steps.")
        if not 0 <= seed < 2**64:
            raise InvalidParameter(f"A seed is a number from 0 to 2^64 - 1, not {seed}.")
        return State(self, self.native.scramble(n, _core.Rng(seed)))

    def state(self, data: bytes) -> State:
        """The state with these bytes; InvalidState if there is none."""
        array = np.frombuffer(data, dtype=np.uint8)
        self._check_array(array.reshape(1, -1))
        return State(self, bytes(data))

    def player(self, state: State) -> Player:
        """Who is to move: ``Player.first``, ``Player.second`` or ``Player.chance``."""
        return self.native.status(self._data(state)).player

    def first_player(self, state: State) -> bool:
        """Whether the first player is to move and not the second; ChanceState if neither is."""
        status = self.native.status(self._data(state))
        if status.player == Player.chance and not status.terminal:
            raise ChanceState("Chance is to move in this state, neither the first player nor the second.")
        return status.first_player

    def terminal(self, state: State) -> bool:
        """Whether the match is over."""
        return self.native.status(self._data(state)).terminal

    def outcome(self, state: State) -> int | None:
        """+1, 0 or -1 for the first player, or None while the match goes on."""
        result = self.native.status(self._data(state)).result
        return None if result == ONGOING else result

    def actions(self, state: State) -> list[int]:
        """The legal actions, ascending; none in a terminal state."""
        return self.native.actions(self._data(state))

    def apply(self, state: State, action: int) -> State:
        """The state after a legal action; InvalidAction otherwise."""
        return State(self, self.native.apply(self._data(state), _as_action(action)))

    def expand(self, state: State) -> Expansion:
        """All the children at once, as arrays."""
        return Expansion(*self.native.expand(self._data(state)))

    def hash(self, state: State) -> int:
        """A 64-bit hash of the state's bytes that is the same in every run."""
        return self.native.hash(self._data(state))

    # What the reinforcement heuristics read

    def ply(self, state: State) -> int:
        """The number of actions since the start of the match."""
        return self.native.measures(self._data(state)).ply

    def score(self, state: State) -> float:
        """The score of a terminal state, in games that have one."""
        self._require(self.spec.has_score, "score")
        return self.native.measures(self._data(state)).score

    def pieces(self, state: State) -> tuple[int, int]:
        """The numbers of pieces of the first and the second player, in games with pieces."""
        self._require(self.spec.has_pieces, "piece count")
        return self.native.measures(self._data(state)).pieces

    def mobility(self, state: State) -> tuple[float, float]:
        """Mean number of actions at each player's decisions; needs ``mobility=True`` in make."""
        self._require(self.spec.has_mobility, "mobility (make the game with mobility=True)")
        return self.native.measures(self._data(state)).mobility

    # Texts

    def action_text(self, state: State, action: int) -> str:
        """A legal action in the game's usual notation."""
        return self.native.action_text(self._data(state), _as_action(action))

    def action_cells(self, state: State, action: int) -> list[int]:
        """The cells that a legal action touches, in order: from and to of a move, none of a pass."""
        return self.native.action_cells(self._data(state), _as_action(action))

    def parse_action(self, state: State, text: str) -> int:
        """The legal action that is written like this; InvalidAction if there is none."""
        wanted = text.strip().lower()
        texts = {self.action_text(state, a).lower(): a for a in self.actions(state)}
        if wanted in texts:
            return texts[wanted]
        if not texts:
            raise InvalidAction("The match is over: there is no action to play.")
        some = ", ".join(list(texts)[:8]) + (f" and {len(texts) - 8} more" if len(texts) > 8 else "")
        raise InvalidAction(f"'{text}' is not a legal action here; legal are {some}.")

    def play(self, texts: str | Iterable[str], state: State | None = None) -> State:
        """The state after actions given by their texts, from the start or from a state."""
        state = self.initial() if state is None else state
        for text in texts.split() if isinstance(texts, str) else texts:
            state = self.apply(state, self.parse_action(state, text))
        return state

    def state_text(self, state: State) -> str:
        """The state on one line; :meth:`parse_state` reads it back."""
        return self.native.state_text(self._data(state))

    def parse_state(self, text: str) -> State:
        """The state written like this; InvalidState with a reason if there is none."""
        return State(self, self.native.parse_state(text))

    # Boards, planes and symmetries

    def drawing(self, state: State) -> str:
        """The board as ``print(state)`` shows it."""
        drawn = self.native.drawing(self._data(state))
        return draw(self.spec, self.cells(state)) if drawn is None else drawn

    def cells(self, state: State) -> npt.NDArray[np.uint8]:
        """The code of each cell, uint8[rows, columns]; ``spec.symbols`` has their texts."""
        codes: npt.NDArray[np.uint8] = self.native.cells(self._one(state))[0]
        return codes

    def encode(self, states: State | StateArray | Iterable[State]) -> npt.NDArray[np.float32]:
        """States as the input of a network, float32[n, planes, rows, columns]."""
        return self.native.encode(self.array(states))

    def transform(self, state: State, symmetry: int) -> State:
        """The state seen through a symmetry, 0 (the identity) to ``spec.symmetry_count`` - 1."""
        self._check_symmetry(symmetry)
        return State(self, self.native.transform(self._one(state), symmetry)[0].tobytes())

    def transform_action(self, state: State, action: int, symmetry: int) -> int:
        """A legal action seen through a symmetry: one that is legal in ``transform(state, symmetry)``."""
        self._check_symmetry(symmetry)
        return self.native.transform_action(self._data(state), _as_action(action), symmetry)

    # Many states

    def array(self, states: State | StateArray | Iterable[State]) -> StateArray:
        """Checked states as uint8[n, state_size]."""
        if isinstance(states, State):
            return self._one(states)
        if isinstance(states, np.ndarray):
            array: StateArray = np.ascontiguousarray(states)
            self._check_array(array)
            return array
        data = b"".join(self._data(state) for state in states)
        return np.frombuffer(data, dtype=np.uint8).reshape(-1, self.spec.state_size)

    def states(self, array: StateArray) -> list[State]:
        """The states of a uint8[n, state_size] array."""
        return [State(self, row.tobytes()) for row in self.array(array)]

    def playouts(self, state: State, n: int = 1, seed: int = 0) -> StateArray:
        """The ends of n matches of uniformly random actions, uint8[n, state_size]."""
        if n < 0:
            raise InvalidParameter(f"The number of playouts can't be negative: {n}.")
        return self.native.playouts(np.repeat(self._one(state), n, axis=0), _core.Rng(seed))

    def perft(self, depth: int, state: State | None = None) -> int:
        """The number of ways to play exactly ``depth`` actions."""
        if depth < 0:
            raise InvalidParameter(f"The depth can't be negative: {depth}.")
        return self.native.perft(self._data(self.initial() if state is None else state), depth)

    # Checks

    def _data(self, state: State) -> bytes:
        if not isinstance(state, State):
            raise InvalidState(f"A State of {self.text} is needed, not {type(state).__name__}.")
        if state.game is not self and state.game._states != self._states:
            raise InvalidState(f"This state belongs to {state.game.text}, not to {self.text}.")
        return state.data

    def _one(self, state: State) -> StateArray:
        return np.frombuffer(self._data(state), dtype=np.uint8).reshape(1, -1)

    def _check_array(self, array: StateArray) -> None:
        if array.dtype != np.uint8 or array.ndim != 2:
            raise InvalidState(
                f"States are an array uint8[n, {self.spec.state_size}], not {array.dtype}{list(array.shape)}."
            )
        self.native.validate(array)

    def _check_symmetry(self, symmetry: int) -> None:
        if not 0 <= symmetry < self.spec.symmetry_count:
            raise InvalidParameter(
                f"{self.spec.title} has the symmetries 0 to {self.spec.symmetry_count - 1}, not {symmetry}."
            )

    def _require(self, there: bool, what: str) -> None:
        if not there:
            raise GlauxError(f"{self.spec.title} has no {what}.")


def _as_action(action: int) -> int:
    if not -(2**31) <= action < 2**31:
        raise InvalidAction(f"Action {action} is not legal in this state.")
    return int(action)
