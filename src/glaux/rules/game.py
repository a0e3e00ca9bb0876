"""A game and its states: the contract of ``cpp/core/game.h`` with Python's manners.

Everything here checks what it is given. So does ``game.native``, which takes a State, plain bytes or an
array: bytes and arrays are validated at every call, unless the caller gives the word ``_core.trusted`` that
it has done so, as a trainer does over its own replay buffer. A State has been validated when it was made.

Outcomes, scores and values are always from the first player's point of view.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import GlauxError, InvalidAction, InvalidParameter, InvalidState
from glaux.rules.drawing import draw
from glaux.words import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from glaux.rules.adapter import RulesAdapter

Spec = _core.Spec
State = _core.State
StateArray = npt.NDArray[np.uint8]
"""A batch of states: uint8[n, state_size]."""


def _picture(state: State) -> str:
    # By name: pictures are made from the looks, which stand above the rules.
    drawn: str = import_module("glaux.looks.svg").board_svg(state)
    return drawn


State._repr_svg_ = _picture  # type: ignore[attr-defined]


class Expansion(NamedTuple):
    """All children of a state, in ascending order of actions."""

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


def written(parameter: _core.Parameter, value: int) -> int | float:
    """A value of a parameter as people write it: the native core counts halves as whole numbers."""
    number = value / parameter.scale
    return int(number) if number.is_integer() else number


class Game(_core.GameCalls):
    """A game with its parameters. Made by :func:`glaux.make`.

    ``spec`` holds the facts: board, number of actions, longest match, planes, symmetries. A game does not
    change: any number of threads may use one.

    ``initial``, ``actions``, ``apply``, ``terminal``, ``outcome``, ``first_player`` and ``player`` are
    native (``_core.GameCalls``), so that loops in Python are fast.
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
        super().__init__(native)
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
        """Whether it is a built-in game with default parameters."""
        known = {info.name: info.parameters for info in _core.registry()}.get(self.name, [])
        return {p.name: written(p, p.default_value) for p in known if not p.encoding} == self.parameters

    @property
    def label(self) -> str:
        """The game's name with default parameters, otherwise its full text."""
        return self.name if self.at_defaults else self.text

    @property
    def rules_text(self) -> str:
        """The text without the parameters that change neither rules nor planes: the start, and mobility."""
        kept = {key: value for key, value in self.parameters.items() if key not in self._no_rules}
        settings = ",".join(f"{key}={value}" for key, value in kept.items())
        return f"{self.name}:{settings}" if settings else self.name

    @property
    def _rules(self) -> tuple[object, dict[str, Any]]:
        other = self._no_rules | self.encoding.keys()
        return self._source, {key: value for key, value in self.parameters.items() if key not in other}

    @property
    def _states_of(self) -> tuple[object, dict[str, Any]]:
        plain = {key: value for key, value in self.parameters.items() if key not in self.encoding}
        return self._source, plain

    def _shares_states_with(self, other: Game) -> bool:
        """Whether states of the other are states of this one."""
        return self._states_of == other._states_of

    def __repr__(self) -> str:
        return f"<Game {self.text}>"

    def _repr_html_(self) -> str:
        facts = {
            "players": self.spec.players,
            "actions": self.spec.action_count,
            "longest match": plural(self.spec.max_plies, "action"),
            "symmetries": self.spec.symmetry_count,
            "bytes of a state": self.spec.state_size,
        }
        rows = "".join(f"<tr><th>{name}</th><td>{fact}</td></tr>" for name, fact in facts.items())
        text = escape(self.text)
        head = f"<b>{escape(self.spec.title)}</b> <code>{text}</code>"
        return f"<div>{head}<br>{_picture(self.initial())}<table>{rows}</table></div>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self._source, self.text) == (other._source, other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def same_rules(self, other: Game) -> bool:
        """Whether the other is this game, apart from its start, its count of mobility and its planes."""
        return self._rules == other._rules

    def encoded_as(self, other: Game) -> Game:
        """This game with the planes of the other, if the rules are the same: for networks that need those."""
        if self.encoding == other.encoding or not self.same_rules(other):
            return self
        return self._remake(self._source, self._states_of[1] | other.encoding)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Any, ...]]:
        return self._remake, (self._source, self.parameters)

    # One state

    def scramble(self, n: int, seed: int = 0) -> State:
        """A random start, n steps from the initial state; the same seed gives the same start.

        It is the state after n uniformly random actions, and never terminal; for the cubes, the solved
        cube after n random twists of which no two in a row turn the same face.
        """
        if not 0 <= n < 2**31:
            raise InvalidParameter(f"The number of random steps must be from 0 to 2^31 - 1, not {n}.")
        return State(self, self.native.scramble(int(n), _core.Rng(check_seed(seed))))

    def state(self, data: bytes) -> State:
        """The state with these bytes; InvalidState if there is no such state."""
        return State(self, bytes(memoryview(data)))

    def expand(self, state: State) -> Expansion:
        """All children at once, as arrays."""
        return Expansion(*self.native.expand(self.own(state)))

    def hash(self, state: State) -> int:
        """A 64-bit hash of the state's bytes that is the same in every run."""
        return self.native.hash(self.own(state))

    # What the reinforcement heuristics read

    def ply(self, state: State) -> int:
        """The number of actions since the start of the match."""
        return self.native.measures(self.own(state)).ply

    def score(self, state: State) -> float:
        """The score of a terminal state, in games that have one."""
        self._require(self.spec.has_score, "score")
        return self.native.measures(self.own(state)).score

    def pieces(self, state: State) -> tuple[int, int]:
        """The numbers of pieces of the first and the second player, in games with pieces."""
        self._require(self.spec.has_pieces, "piece count")
        return self.native.measures(self.own(state)).pieces

    def mobility(self, state: State) -> tuple[float, float]:
        """Mean number of actions at each player's decisions; needs ``mobility=True`` in make."""
        self._require(self.spec.has_mobility, "mobility (make the game with mobility=True)")
        return self.native.measures(self.own(state)).mobility

    # Texts

    def action_text(self, state: State, action: int) -> str:
        """A legal action in the game's usual notation."""
        return self.native.action_text(self.own(state), action)

    def action_cells(self, state: State, action: int) -> list[int]:
        """The cells that a legal action touches, in order: from and to for a move, none for a pass."""
        return self.native.action_cells(self.own(state), action)

    def parse_action(self, state: State, text: str) -> int:
        """The legal action with this text; InvalidAction if there is none."""
        wanted = text.strip().lower()
        texts = {self.action_text(state, a).lower(): a for a in self.actions(state)}
        if wanted in texts:
            return texts[wanted]
        if not texts:
            raise InvalidAction("The match is over: there is no action to play.")
        some = ", ".join(list(texts)[:8]) + (f" and {len(texts) - 8} more" if len(texts) > 8 else "")
        raise InvalidAction(f"'{text}' is not a legal action here; legal actions are {some}.")

    def play(self, texts: str | Iterable[str], state: State | None = None) -> State:
        """The state after actions given by their texts, from the start or from a state."""
        state = self.initial() if state is None else state
        for text in texts.split() if isinstance(texts, str) else texts:
            state = self.apply(state, self.parse_action(state, text))
        return state

    def state_text(self, state: State) -> str:
        """The state on one line; :meth:`parse_state` reads it back."""
        return self.native.state_text(self.own(state))

    def parse_state(self, text: str) -> State:
        """The state with this text; InvalidState with the reason if there is no such state."""
        return State(self, self.native.parse_state(text))

    # Boards, planes and symmetries

    def drawing(self, state: State) -> str:
        """The board as ``print(state)`` shows it."""
        drawn = self.native.drawing(self.own(state))
        return draw(self.spec, self.cells(state)) if drawn is None else drawn

    def cells(self, state: State) -> npt.NDArray[np.uint8]:
        """The code of each cell, uint8[rows, columns]; ``spec.symbols`` has their texts."""
        codes: npt.NDArray[np.uint8] = self.native.cells(self._one(state), _core.trusted)[0]
        return codes

    def details(self, state: State) -> npt.NDArray[np.uint8]:
        """The finer code of each cell, uint8[rows, columns]; ``spec.details`` has their meanings.

        Go knows the liberties of each stone's chain. Games that know no more have the codes of :meth:`cells`.
        """
        codes: npt.NDArray[np.uint8] = self.native.details(self._one(state), _core.trusted)[0]
        return codes

    def encode(self, states: State | StateArray | Iterable[State]) -> npt.NDArray[np.float32]:
        """States as the input of a network, float32[n, planes, rows, columns]."""
        return self.native.encode(self.array(states), _core.trusted)

    def transform(self, state: State, symmetry: int) -> State:
        """The state under a symmetry, 0 (the identity) to ``spec.symmetry_count`` - 1."""
        self._check_symmetry(symmetry)
        return State(self, self.native.transform(self._one(state), symmetry, _core.trusted)[0].tobytes())

    def transform_action(self, state: State, action: int, symmetry: int) -> int:
        """A legal action under a symmetry: it is legal in ``transform(state, symmetry)``."""
        self._check_symmetry(symmetry)
        return self.native.transform_action(self.own(state), action, symmetry)

    def exchange(self, state: State) -> State:
        """The state with the two players exchanged, in games whose rules are the same for both.

        The other player is to move, and the outcome is the other player's. The state need not be
        reachable: in Hex the second player has made the first move. ``spec.has_exchange`` says whether
        the game has it.
        """
        return State(self, self.native.exchange(self._one(state), _core.trusted)[0].tobytes())

    def exchange_action(self, state: State, action: int) -> int:
        """A legal action with the players exchanged: it is legal in ``exchange(state)``."""
        return self.native.exchange_action(self.own(state), action)

    # Many states

    def array(self, states: State | StateArray | Iterable[State]) -> StateArray:
        """States as uint8[n, state_size], checked: a copy."""
        if isinstance(states, State):
            return self._one(states)
        if isinstance(states, np.ndarray):
            array: StateArray = np.array(states, order="C", copy=True, subok=False)
            self._check_array(array)
            return array
        if not isinstance(states, Iterable):
            raise InvalidState(f"A State, several, or an array is needed, not {type(states).__name__}.")
        data = b"".join(self.own(state).data for state in states)
        return np.frombuffer(data, dtype=np.uint8).reshape(-1, self.spec.state_size)

    def states(self, array: StateArray) -> list[State]:
        """The states of a uint8[n, state_size] array."""
        return self.own_states(self.array(array))

    def playouts(self, state: State, n: int = 1, seed: int = 0) -> StateArray:
        """The final states of n matches of uniformly random actions, uint8[n, state_size]."""
        one = self._one(state)
        if not 0 <= n < 2**40 // self.spec.state_size:
            raise InvalidParameter(f"There can't be {n} playouts.")
        states = np.repeat(one, int(n), axis=0)
        batches = self.adapter.batches if self.adapter is not None else None
        if batches is not None and batches.offers_playouts and not self.spec.has_mobility:
            return batches.playouts(states, check_seed(seed))
        return self.native.playouts(states, _core.Rng(check_seed(seed)), _core.trusted)

    def perft(self, depth: int, state: State | None = None) -> int:
        """The number of sequences of exactly ``depth`` actions."""
        if not 0 <= depth < 2**31:
            raise InvalidParameter(f"The depth can't be {depth}.")
        return self.native.perft(self.own(self.initial() if state is None else state), int(depth))

    # Checks

    def _one(self, state: State) -> StateArray:
        return np.frombuffer(self.own(state).data, dtype=np.uint8).reshape(1, -1)

    def _check_array(self, array: StateArray) -> None:
        if array.dtype != np.uint8 or array.ndim != 2:
            raise InvalidState(
                f"States must be an array uint8[n, {self.spec.state_size}], not "
                f"{array.dtype}{list(array.shape)}."
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


def check_seed(seed: int) -> int:
    """A seed as the native generator takes it."""
    if not 0 <= seed < 2**64:
        raise InvalidParameter(f"A seed must be a whole number from 0 to 2^64 - 1, not {seed}.")
    return int(seed)
