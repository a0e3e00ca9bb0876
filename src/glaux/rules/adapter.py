"""Between rules written in Python and the native contract: all that they answer is checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import BrokenRules, InvalidState
from glaux.rules.batches import Batches
from glaux.rules.cells import cell_names, named_cells
from glaux.rules.python import Player, Rules, StateRecord
from glaux.rules.specs import make_board, make_spec
from glaux.words import plural

PLY = np.dtype(np.uint64)


def native_game(rules: Rules) -> tuple[_core.Game, RulesAdapter]:
    """The native game that calls these rules, and the adapter that must be kept as long as it.

    The native game refers to the adapter weakly: a strong reference would close a cycle through
    native memory, which Python's collector could not see.
    """
    adapter = RulesAdapter(rules)
    return _core.python_game(adapter.spec, adapter), adapter


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
        self.says_player = type(rules).player is not Rules.player
        self.counts_ply = rules.ply(initial) is not None
        rules._board = board = make_board(rules, self.codes(initial, None).shape)
        self.present = np.array([board.has(cell) for cell in range(board.rows * board.columns)]).reshape(
            board.rows, board.columns
        )
        self.spec = make_spec(rules, len(self._bytes(initial, 0)))
        self._add_planes(initial)
        self.batches = Batches(self)

    # The calls of the native contract

    def initial(self) -> bytes:
        """The bytes of the initial state."""
        return self._bytes(self._record(self.rules.initial(), "initial"), ply=0)

    def status(self, data: bytes) -> tuple[int, int]:
        """The number of the player to move, and the result."""
        s = self.read(data)
        result = self.outcome(s)
        return self.player(s), _core.ongoing if result is None else result

    def measures(self, data: bytes) -> tuple[int, float, int, int]:
        """Ply, score and the pieces of both players."""
        s = self.read(data)
        pieces = self.rules.pieces(s) or (0, 0)
        score = self.rules.score(s) if self.outcome(s) is not None else None
        try:
            first, second = map(int, pieces)
        except (TypeError, ValueError):
            raise self._broken("pieces", f"{pieces!r}, not two numbers or None") from None
        try:
            points = float(score or 0)
        except (TypeError, ValueError):
            raise self._broken("score", f"{score!r}, not a number or None") from None
        return self.ply(data), points, first, second

    @property
    def recommended_heuristic(self) -> str:
        """What to learn the game with: as the rules name it, or their own; empty if they have neither."""
        own = type(self.rules).heuristic is not Rules.heuristic
        return self.rules.recommended_heuristic or ("own" if own else "")

    def heuristic(self, data: bytes) -> float:
        """The game's own worth of a terminal state."""
        value: Any = self.rules.heuristic(self.read(data))
        try:
            finite = math.isfinite(value)
        except (TypeError, OverflowError):
            finite = False
        if not finite:
            raise self._broken("heuristic", f"{value!r}, not a finite number")
        return float(value)

    def actions(self, data: bytes) -> list[int]:
        """The legal actions, ascending and checked."""
        s = self.read(data)
        if self.outcome(s) is not None:
            return []
        actions = self._numbers(self.rules.actions(s))
        if not actions:
            raise self._broken("actions", "no actions, but outcome says that the match goes on")
        return actions

    def apply(self, data: bytes, action: int) -> bytes:
        """The bytes after a legal action."""
        s = self.read(data)
        self.apply_to(s, action)
        ply = self.ply(data) + 1
        if ply > self.rules.max_plies:
            raise BrokenRules(
                f"A match of {self.class_name} went on past its max_plies, {self.rules.max_plies}."
            )
        return self._bytes(s, ply)

    def expand(self, data: bytes) -> tuple[list[int], bytes, list[int], list[int]]:
        """Actions, bytes, players and results of all the children."""
        return self.batches.expand(data)

    def cells(self, batch: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """The codes of a batch, uint8[n, rows, columns]."""
        return self.batches.cells(batch)

    def encode(self, batch: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        """The planes of a batch: the user's, and one more for the ply."""
        return self.batches.encode(batch)

    def transform(self, data: bytes, symmetry: int) -> bytes:
        """The bytes seen through a symmetry."""
        s = self.rules.transform(self.read(data), np.asarray(self.spec.symmetries[symmetry]))
        return self._bytes(self._record(s, "transform"), self.ply(data))

    def transform_action(self, action: int, symmetry: int) -> int:
        """The action seen through a symmetry."""
        cell_map = np.asarray(self.spec.symmetries[symmetry])
        return int(self.rules.transform_action(action, cell_map))

    def exchange(self, data: bytes) -> bytes:
        """The bytes with the players exchanged."""
        s = self.rules.exchange(self.read(data), np.asarray(self.spec.exchange[0]))
        return self._bytes(self._record(s, "exchange"), self.ply(data))

    def exchange_action(self, action: int) -> int:
        """The action with the players exchanged."""
        return int(self.rules.exchange_action(action, np.asarray(self.spec.exchange[0])))

    def action_text(self, data: bytes, action: int) -> str:
        """The text of an action."""
        return str(self.rules.action_text(self.read(data), action))

    def action_cells(self, data: bytes, action: int) -> list[int]:
        """The cells that an action touches, as the rules say or as its text does."""
        given = self.rules.action_cells(self.read(data), action)
        if given is None:
            return self._cells_by_text(data, action)
        count = self.spec.board.rows * self.spec.board.columns
        try:
            cells = [int(cell) for cell in given]
        except (TypeError, ValueError):
            raise self._broken("action_cells", f"{given!r}, not a list of numbers or None") from None
        if not all(0 <= cell < count and self.spec.board.has(cell) for cell in cells):
            raise self._broken("action_cells", f"{cells}, but the cells are 0 to {count - 1}")
        return cells

    @cached_property
    def _cell_names(self) -> dict[str, int]:
        return cell_names(self.spec.board)

    def _cells_by_text(self, data: bytes, action: int) -> list[int]:
        board = self.spec.board
        cells = named_cells(self._cell_names, self.action_text(data, action))
        if cells or self.rules.action_count not in (board.columns, board.rows * board.columns):
            return cells
        codes = [self.codes(self.read(one), None) for one in (data, self.apply(data, action))]
        changed: list[int] = np.flatnonzero(codes[0] != codes[1]).tolist()
        return changed if len(changed) == 1 else []

    def drawing(self, data: bytes) -> str | None:
        """The user's own drawing, if there is one."""
        drawn: object = self.rules.drawing(self.read(data))
        if drawn is not None and not isinstance(drawn, str):
            raise self._broken("drawing", f"{drawn!r}, not a text or None")
        return drawn

    def state_text(self, data: bytes) -> str:
        """Write the board for people, then the bytes for :meth:`parse_state`."""
        codes = self.codes(self.read(data), (self.spec.board.rows, self.spec.board.columns))
        board = self.spec.board
        rows = "/".join(
            "".join(self.spec.symbols[code] for c, code in enumerate(row) if board.has(r * board.columns + c))
            for r, row in enumerate(codes)
        )
        return f"{rows.replace(' ', '_')} {data.hex()}"

    def parse_state(self, text: str) -> bytes:
        """The bytes of a text that :meth:`state_text` wrote."""
        word = text.rsplit(maxsplit=1)[-1] if text.split() else ""
        try:
            data = bytes.fromhex(word)
        except ValueError:
            data = b""
        if len(data) != self.spec.state_size:
            raise InvalidState(
                f"Write a state of {self.spec.title} as its board, followed by its "
                f"{plural(self.spec.state_size, 'byte')} in hexadecimal."
            )
        self.validate(data)
        if text.split() != self.state_text(data).split():
            raise InvalidState("The board and the bytes of this text do not match.")
        return data

    def validate(self, data: bytes) -> None:
        """Raise InvalidState for bytes that are not a state."""
        s = self.read(data)
        padding = data[self.dtype.itemsize : self.dtype.itemsize + self.padding]
        if any(padding) or self._bytes(s, self.ply(data)) != data:
            raise InvalidState(f"These bytes are not a state of {self.spec.title}.")
        if self.ply(data) > self.rules.max_plies:
            raise InvalidState(f"The ply is past the longest match, {self.rules.max_plies}.")
        problem = self.rules.check(s)
        if problem:
            raise InvalidState(problem)

    # Between bytes and numpy

    def read(self, data: bytes) -> StateRecord:
        """A copy that the user's methods may change."""
        array = np.frombuffer(data, dtype=self.dtype, count=1).copy()
        # An element of a structured or array dtype is a view that can be changed; a number is not.
        return array[0] if self.dtype.names or self.dtype.subdtype else array.reshape(())

    def _bytes(self, s: StateRecord, ply: int) -> bytes:
        data: bytes = s.tobytes() + bytes(self.padding)
        return data if self.counts_ply else data + np.array(ply, dtype=PLY).tobytes()

    def ply(self, data: bytes) -> int:
        """The number of actions played."""
        if self.counts_ply:
            ply: Any = self.rules.ply(self.read(data))
            try:
                number = int(ply)
            except (TypeError, ValueError, OverflowError):
                number = -1
            if number < 0:
                raise self._broken("ply", f"{ply!r}, not a number of plies")
            return number
        return int(np.frombuffer(data[-PLY.itemsize :], dtype=PLY)[0])

    # Checks of what the user's code returns

    def apply_to(self, s: StateRecord, action: int) -> None:
        """Change a state by an action."""
        returned: object = self.rules.apply(s, action)  # type: ignore[func-returns-value]
        if returned is not None:
            raise self._broken("apply", "a value, but it must change the state in place")

    def _broken(self, method: str, what: str) -> BrokenRules:
        return BrokenRules(f"{self.class_name}.{method} gave {what}.")

    def _state_dtype(self) -> np.dtype[Any]:
        try:
            dtype: np.dtype[Any] = np.dtype(self.rules.state)
        except TypeError as error:
            raise BrokenRules(f"{self.class_name}.state is not a numpy dtype: {error}") from None
        if dtype.hasobject or dtype.itemsize == 0:
            raise BrokenRules(f"{self.class_name}.state must be of a fixed size above 0, without objects.")
        return dtype

    def _add_planes(self, initial: StateRecord) -> None:
        shape = np.asarray(self.rules.encode(initial)).shape
        if len(shape) != 3:
            raise self._broken("encode", f"an array of shape {shape}, not planes, rows, columns")
        self.spec.planes = [f"plane {i}" for i in range(shape[0])] + ["ply / longest match"]
        self.spec.plane_rows, self.spec.plane_columns = shape[1:]

    def _record(self, value: Any, method: str) -> StateRecord:
        base, shape = self.dtype.subdtype or (self.dtype, ())
        try:
            array = np.asarray(value, dtype=base)
        except (TypeError, ValueError):
            raise self._broken(method, f"{value!r}, not a state of its dtype") from None
        if array.shape != shape:
            raise self._broken(method, f"an array of shape {array.shape}, not one state of its dtype")
        return self.read(array.tobytes())

    def outcome(self, s: StateRecord) -> int | None:
        """The result of a state, or None while the match goes on."""
        outcome = self.rules.outcome(s)
        if outcome is None:
            return None
        with suppress(TypeError, ValueError):  # of arrays
            if outcome in (-1, 0, 1):
                return int(outcome)
        raise self._broken("outcome", f"{outcome!r}, not +1, 0, -1 or None")

    def player(self, s: StateRecord) -> int:
        """The number of the player to move."""
        if self.says_player:
            player = self.rules.player(s)
            if player not in list(Player):
                raise self._broken("player", f"{player!r}, not a glaux.Player")
            return int(player)
        if self.rules.players == 1:
            return int(Player.first)
        first = self.rules.first_player(s)
        if first not in (True, False):
            raise self._broken("first_player", f"{first!r}, not True or False")
        return int(Player.first if first else Player.second)

    def _numbers(self, values: Iterable[int]) -> list[int]:
        try:
            actions = sorted(int(value) for value in values)
        except (TypeError, ValueError):
            raise self._broken("actions", f"{values!r}, not a list of numbers") from None
        wrong = [a for a in actions if not 0 <= a < self.rules.action_count]
        if wrong:
            raise self._broken(
                "actions", f"{wrong[0]}, but the actions are 0 to {self.rules.action_count - 1}"
            )
        if len(set(actions)) != len(actions):
            raise self._broken("actions", "the same action twice")
        return actions

    def codes(self, s: StateRecord, shape: tuple[int, int] | None) -> npt.NDArray[np.int64]:
        """The codes of a state; without a shape, of the initial one, which says what shape it is."""
        codes = np.asarray(self.rules.cells(s))
        if codes.ndim != 2 or codes.size == 0 or (shape is not None and codes.shape != shape):
            raise self._broken("cells", f"an array of shape {codes.shape}, not rows and columns")
        return self.checked_codes(codes) if shape is not None else self._whole(codes)

    def checked_codes(self, codes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Codes of one board or of many, [..., rows, columns], that can be."""
        whole = self._whole(codes)
        if whole[..., ~self.present].any():
            raise self._broken("cells", "a code other than 0 for a cell that does not exist")
        return whole

    def _whole(self, codes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        try:
            whole = codes.astype(np.int64)
        except (TypeError, ValueError):
            raise self._broken("cells", "something that is not numbers") from None
        if (whole != codes).any() or whole.min() < 0 or whole.max() >= len(self.rules.symbols):
            raise self._broken("cells", f"a code that is not 0 to {len(self.rules.symbols) - 1}")
        return whole
