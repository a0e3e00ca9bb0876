"""Games written in Python: subclass :class:`Rules`, and all of the package works on it.

Slower than the games in C++, and otherwise the same: searches, learners and commands see a game only
through the native contract, which these rules are given by an adapter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import BrokenRules, InvalidParameter, InvalidState

Record = Any
"""A state inside rules: a numpy array or record of the dtype ``Rules.state``."""

PLY = np.dtype(np.uint64)


class Rules:
    """The rules of a game. Subclass, set the attributes, and write the first six methods.

    A state ``s`` is a numpy value of the dtype ``state``: ``s["board"]`` for a field of a structured
    dtype, ``s[...]`` for a plain one. ``docs/python-games.md`` has a complete example.
    """

    state: ClassVar[Any]
    """The dtype of a state, as ``[("board", "i1", (3, 3)), ("second", "?")]``: of fixed size."""
    action_count: int
    """Actions are numbers from 0 to ``action_count - 1``."""
    max_plies: int
    """The longest possible match, or a bound of it, in actions."""
    name: ClassVar[str] = ""
    """The name in the registry; the class's own in snake_case by default."""
    title: str = ""
    """How people call the game; made from the name by default."""
    players: int = 2
    """1 or 2. In a game of one player the first player is always to move."""
    symbols: Sequence[str] = ".XO"
    """How each cell code is printed: texts of one width."""
    symmetry: str = "none"
    """Symmetries of board and rules: none, mirror (left and right), half_turn or square (all 8)."""

    def initial(self) -> Record:
        """Give the state in which a match starts: all zeros unless you say otherwise."""
        return np.zeros((), dtype=self.state)

    def first_player(self, s: Record) -> bool:
        """Tell whether the first player is to move."""
        raise NotImplementedError(f"{type(self).__name__} needs a method first_player(s).")

    def actions(self, s: Record) -> Iterable[int]:
        """List the legal actions of a state that is not terminal."""
        raise NotImplementedError(f"{type(self).__name__} needs a method actions(s).")

    def apply(self, s: Record, action: int) -> None:
        """Play a legal action by changing ``s`` in place; it is a copy made for you."""
        raise NotImplementedError(f"{type(self).__name__} needs a method apply(s, action).")

    def outcome(self, s: Record) -> int | None:
        """Give +1, 0 or -1 for the first player, or None while the match goes on."""
        raise NotImplementedError(f"{type(self).__name__} needs a method outcome(s).")

    def cells(self, s: Record) -> npt.ArrayLike:
        """Give the board as codes, int[rows, columns], each an index into ``symbols``."""
        raise NotImplementedError(f"{type(self).__name__} needs a method cells(s).")

    # The rest has defaults that fit many games.

    def action_text(self, s: Record, action: int) -> str:
        """Write an action: a cell's name if actions are cells, else its number."""
        board = self._board
        cells = board.rows * board.columns
        return board.cell_text(action) if cells == self.action_count else str(action)

    def encode(self, s: Record) -> npt.ArrayLike:
        """Give float[planes, rows, columns]: a plane a code but the first, and the player to move.

        A game whose state holds more than the board shows should override this.
        """
        codes = np.asarray(self.cells(s))
        planes = [codes == code for code in range(1, len(self.symbols))]
        return np.stack([*planes, np.full(codes.shape, bool(self.first_player(s)))]).astype(np.float32)

    def transform(self, s: Record, cell_map: npt.NDArray[np.intp]) -> Record:
        """Move what stands on cell i to ``cell_map[i]``, in every field shaped like the board."""
        shape = (self._board.rows, self._board.columns)
        result = s.copy()
        fields = [s[key] for key in s.dtype.names] if s.dtype.names else [s]
        targets = [result[key] for key in s.dtype.names] if s.dtype.names else [result]
        for field, target in zip(fields, targets, strict=True):
            if field.shape[:2] == shape:
                cells = field.reshape(shape[0] * shape[1], -1)
                moved = np.empty_like(cells)
                moved[cell_map] = cells
                target[...] = moved.reshape(field.shape)
        return result

    def transform_action(self, action: int, cell_map: npt.NDArray[np.intp]) -> int:
        """Move an action likewise: those below the number of cells are taken for cells."""
        return int(cell_map[action]) if action < len(cell_map) else action

    def score(self, s: Record) -> float | None:
        """Give the score of a terminal state for the first player, if the game has one."""
        return None

    def pieces(self, s: Record) -> tuple[int, int] | None:
        """Give the numbers of pieces of both players, if the game has pieces."""
        return None

    def ply(self, s: Record) -> int | None:
        """Give the number of actions played; without this it is counted beside your state."""
        return None

    def check(self, s: Record) -> str | None:
        """Say in a sentence what is impossible about a state that came from outside, if anything."""
        return None

    @classmethod
    def registry_name(cls) -> str:
        """The name under which the game is registered."""
        return cls.name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()

    _board: _core.Board  # set by the adapter, from the shape of cells()


def native_game(rules: Rules) -> _core.Game:
    """The native game that calls these rules."""
    adapter = RulesAdapter(rules)
    return _core.python_game(adapter.spec, adapter)


class RulesAdapter:
    """Turns rules over numpy values into the calls of the native contract, over bytes.

    All that a user's method returns is checked here: what is wrong becomes BrokenRules with the
    name of the method. The bytes are the state's, padded to a multiple of eight, and then, unless
    the rules count plies themselves, the ply.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.class_name = type(rules).__name__
        for attribute in ("state", "action_count", "max_plies"):
            if not hasattr(rules, attribute):
                raise BrokenRules(f"{self.class_name} needs the attribute {attribute}.")
        self.dtype = self._state_dtype()
        self.padding = -self.dtype.itemsize % 8
        initial = self._record(rules.initial(), "initial")
        self.counts_ply = rules.ply(initial) is not None
        rules._board = self._board(initial)
        self.spec = self._spec(initial)

    # The calls of the native contract

    def initial(self) -> bytes:
        return self._bytes(self._record(self.rules.initial(), "initial"), ply=0)

    def status(self, data: bytes) -> tuple[bool, int]:
        s = self._read(data)
        result = self._outcome(s)
        return self._first_player(s), _core.ongoing if result is None else result

    def measures(self, data: bytes) -> tuple[int, float, int, int]:
        s = self._read(data)
        pieces = self.rules.pieces(s) or (0, 0)
        score = self.rules.score(s) if self._outcome(s) is not None else None
        return self._ply(data), float(score or 0), int(pieces[0]), int(pieces[1])

    def actions(self, data: bytes) -> list[int]:
        s = self._read(data)
        if self._outcome(s) is not None:
            return []
        actions = self._numbers(self.rules.actions(s))
        if not actions:
            raise self._broken("actions", "no action, but outcome says that the match goes on")
        return actions

    def apply(self, data: bytes, action: int) -> bytes:
        s = self._read(data)
        returned: object = self.rules.apply(s, action)  # type: ignore[func-returns-value]
        if returned is not None:
            raise self._broken("apply", "a value, but it must change the state in place")
        ply = self._ply(data) + 1
        if ply > self.rules.max_plies:
            raise BrokenRules(
                f"A match of {self.class_name} went on past its max_plies, {self.rules.max_plies}."
            )
        return self._bytes(s, ply)

    def cells(self, batch: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        shape = (self.spec.board.rows, self.spec.board.columns)
        codes = np.stack([self._codes(self._read(row.tobytes()), shape) for row in batch])
        return np.ascontiguousarray(codes.astype(np.uint8))

    def encode(self, batch: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        shape = (len(self.spec.planes) - 1, self.spec.plane_rows, self.spec.plane_columns)
        planes = np.empty((len(batch), shape[0] + 1, *shape[1:]), dtype=np.float32)
        for i, row in enumerate(batch):
            data = row.tobytes()
            encoded = np.asarray(self.rules.encode(self._read(data)), dtype=np.float32)
            if encoded.shape != shape or not np.isfinite(encoded).all():
                raise self._broken("encode", f"an array of shape {encoded.shape}, not {shape}, or NaN")
            planes[i, :-1] = encoded
            planes[i, -1] = self._ply(data) / self.rules.max_plies
        return planes

    def transform(self, data: bytes, symmetry: int) -> bytes:
        s = self.rules.transform(self._read(data), np.asarray(self.spec.symmetries[symmetry]))
        return self._bytes(self._record(s, "transform"), self._ply(data))

    def transform_action(self, action: int, symmetry: int) -> int:
        cell_map = np.asarray(self.spec.symmetries[symmetry])
        return int(self.rules.transform_action(action, cell_map))

    def action_text(self, data: bytes, action: int) -> str:
        return str(self.rules.action_text(self._read(data), action))

    def state_text(self, data: bytes) -> str:
        """Write the board for people, then the bytes for :meth:`parse_state`."""
        codes = self._codes(self._read(data), (self.spec.board.rows, self.spec.board.columns))
        rows = "/".join("".join(self.spec.symbols[code] for code in row) for row in codes)
        return f"{rows.replace(' ', '_')} {data.hex()}"

    def parse_state(self, text: str) -> bytes:
        word = text.split()[-1] if text.split() else ""
        try:
            data = bytes.fromhex(word)
        except ValueError:
            data = b""
        if len(data) != self.spec.state_size:
            raise InvalidState(
                f"A state of {self.spec.title} is written as its board and then its "
                f"{self.spec.state_size} bytes in hexadecimal."
            )
        self.validate(data)
        if text.split() != self.state_text(data).split():
            raise InvalidState("The board and the bytes of this text do not belong together.")
        return data

    def validate(self, data: bytes) -> None:
        s = self._read(data)
        padding = data[self.dtype.itemsize : self.dtype.itemsize + self.padding]
        if any(padding) or self._bytes(s, self._ply(data)) != data:
            raise InvalidState(f"These bytes are not a state of {self.spec.title}.")
        if self._ply(data) > self.rules.max_plies:
            raise InvalidState(f"The ply is past the longest match, {self.rules.max_plies}.")
        problem = self.rules.check(s)
        if problem:
            raise InvalidState(problem)

    # Between bytes and numpy

    def _read(self, data: bytes) -> Record:
        """A copy that the user's methods may change."""
        return np.frombuffer(data, dtype=self.dtype, count=1).copy().reshape(())[()].copy()

    def _bytes(self, s: Record, ply: int) -> bytes:
        data: bytes = s.tobytes() + bytes(self.padding)
        return data if self.counts_ply else data + np.array(ply, dtype=PLY).tobytes()

    def _ply(self, data: bytes) -> int:
        if self.counts_ply:
            ply = self.rules.ply(self._read(data))
            if ply is None or not 0 <= ply:
                raise self._broken("ply", f"{ply!r}, not a number of plies")
            return int(ply)
        return int(np.frombuffer(data[-PLY.itemsize :], dtype=PLY)[0])

    # Checks of what the user's code returns

    def _broken(self, method: str, what: str) -> BrokenRules:
        return BrokenRules(f"{self.class_name}.{method} gave {what}.")

    def _state_dtype(self) -> np.dtype[Any]:
        try:
            dtype = np.dtype(self.rules.state)
        except TypeError as error:
            raise BrokenRules(f"{self.class_name}.state is not a numpy dtype: {error}") from None
        if dtype.hasobject or dtype.itemsize == 0:
            raise BrokenRules(f"{self.class_name}.state must be of a fixed size above 0, without objects.")
        return dtype

    def _record(self, value: Any, method: str) -> Record:
        try:
            array = np.asarray(value, dtype=self.dtype)
        except (TypeError, ValueError):
            raise self._broken(method, f"{value!r}, not a state of its dtype") from None
        if array.shape != ():
            raise self._broken(method, f"an array of shape {array.shape}, not one state of its dtype")
        return array.copy()[()].copy()

    def _outcome(self, s: Record) -> int | None:
        outcome = self.rules.outcome(s)
        if outcome is None:
            return None
        if outcome not in (-1, 0, 1):
            raise self._broken("outcome", f"{outcome!r}, not +1, 0, -1 or None")
        return int(outcome)

    def _first_player(self, s: Record) -> bool:
        if self.rules.players == 1:
            return True
        first = self.rules.first_player(s)
        if first not in (True, False):
            raise self._broken("first_player", f"{first!r}, not True or False")
        return bool(first)

    def _numbers(self, values: Iterable[int]) -> list[int]:
        try:
            actions = sorted(int(value) for value in values)
        except (TypeError, ValueError):
            raise self._broken("actions", f"{values!r}, not a list of numbers") from None
        wrong = [a for a in actions if not 0 <= a < self.rules.action_count]
        if wrong:
            raise self._broken(
                "actions", f"{wrong[0]}, but actions are 0 to {self.rules.action_count - 1}"
            )
        if len(set(actions)) != len(actions):
            raise self._broken("actions", "the same action twice")
        return actions

    def _codes(self, s: Record, shape: tuple[int, int] | None) -> npt.NDArray[np.int64]:
        codes = np.asarray(self.rules.cells(s))
        if codes.ndim != 2 or codes.size == 0 or (shape is not None and codes.shape != shape):
            raise self._broken("cells", f"an array of shape {codes.shape}, not rows and columns")
        try:
            whole = codes.astype(np.int64)
        except (TypeError, ValueError):
            raise self._broken("cells", "something that is not numbers") from None
        if (whole != codes).any() or whole.min() < 0 or whole.max() >= len(self.rules.symbols):
            raise self._broken("cells", f"a code that is not 0 to {len(self.rules.symbols) - 1}")
        return whole

    def _board(self, initial: Record) -> _core.Board:
        board = _core.Board()
        board.rows, board.columns = self._codes(initial, None).shape
        return board

    def _spec(self, initial: Record) -> _core.Spec:
        rules = self.rules
        if rules.players not in (1, 2):
            raise BrokenRules(f"{self.class_name}.players must be 1 or 2, not {rules.players!r}.")
        if rules.action_count < 1 or rules.max_plies < 1:
            raise BrokenRules(f"{self.class_name} needs action_count and max_plies of at least 1.")
        if len({len(symbol) for symbol in rules.symbols}) != 1:
            raise BrokenRules(f"{self.class_name}.symbols must all have the same width.")
        spec = _core.Spec()
        spec.name = rules.registry_name()
        spec.title = rules.title or spec.name.replace("_", " ").title()
        spec.players = rules.players
        spec.board = rules._board
        spec.state_size = len(self._bytes(initial, 0))
        spec.action_count = spec.max_actions = rules.action_count
        spec.max_plies = rules.max_plies
        spec.max_plies_exact = False
        spec.symbols = list(rules.symbols)
        shape = np.asarray(rules.encode(initial)).shape
        if len(shape) != 3:
            raise self._broken("encode", f"an array of shape {shape}, not planes, rows, columns")
        spec.planes = [f"plane {i}" for i in range(shape[0])] + ["ply / longest match"]
        spec.plane_rows, spec.plane_columns = shape[1:]
        spec.symmetries = self._symmetries()
        spec.has_score = type(rules).score is not Rules.score
        spec.has_pieces = type(rules).pieces is not Rules.pieces
        return spec

    def _symmetries(self) -> list[list[int]]:
        board = self.rules._board
        kinds: dict[str, Callable[[], list[list[int]]]] = {
            "none": lambda: [board.identity()],
            "mirror": lambda: [board.identity(), board.mirror_columns()],
            "half_turn": lambda: [board.identity(), board.half_turn()],
            "square": board.square_symmetries,
        }
        if self.rules.symmetry not in kinds:
            raise InvalidParameter(
                f"{self.class_name}.symmetry must be one of {', '.join(kinds)}, "
                f"not '{self.rules.symmetry}'."
            )
        return kinds[self.rules.symmetry]()
