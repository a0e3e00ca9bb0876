"""Many states of rules in Python at once.

The native core asks for all the children of a state in one call, and for the cells and planes of a whole
batch. Rules that offer the methods ``batch_...`` answer with numpy for all states together; the others
are asked state by state, without going back to native code in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import BrokenRules
from glaux.rules.python import Player, Rules, StateRecord

if TYPE_CHECKING:
    from glaux.rules.adapter import RulesAdapter

Bytes = npt.NDArray[np.uint8]
"""uint8[n, state_size]"""
Records = npt.NDArray[Any]
"""n states of the dtype of the rules, the first axis being theirs"""


class Batches:
    """What an adapter does with many states; all that the rules return is checked."""

    def __init__(self, adapter: RulesAdapter) -> None:
        self.adapter, self.rules = adapter, adapter.rules
        self.offers_playouts = self._offers("actions", "apply", "outcome")
        """whether random matches can be played together"""

    def _offers(self, *methods: str) -> bool:
        names = [f"batch_{method}" for method in methods]
        return all(getattr(type(self.rules), name) is not getattr(Rules, name) for name in names)

    # The calls of the adapter

    def expand(self, data: bytes) -> tuple[list[int], bytes, list[int], list[int]]:
        """Of each child of a state: its action, its bytes, the player to move and the result."""
        actions = self.adapter.actions(data)
        if not actions:
            return [], b"", [], []
        one = np.frombuffer(data, dtype=np.uint8).reshape(1, -1)
        children = self.records(np.repeat(one, len(actions), axis=0))
        self._apply(children, np.array(actions))
        following = self._check_ply(self.adapter.ply(data) + 1)
        plies = np.full(len(actions), following, dtype=np.uint64)
        results = self._outcomes(children)
        return actions, self.bytes(children, plies).tobytes(), self._players(children), results.tolist()

    def playouts(self, states: Bytes, seed: int) -> Bytes:
        """The ends of random matches that are played together, one of each state."""
        rng = np.random.default_rng(seed)
        records = self.records(states)
        plies = np.array([self.adapter.ply(row.tobytes()) for row in states], dtype=np.uint64)
        on = np.flatnonzero(self._outcomes(records) == _core.ongoing)
        while len(on):
            moved = records[on]
            legal = self._array("actions", moved, bool, self.rules.action_count)
            if not legal.any(axis=1).all():
                raise self._broken("batch_actions", "no actions for a state whose match goes on")
            self._apply(moved, (legal * (1 - rng.random(legal.shape))).argmax(axis=1))
            records[on] = moved
            plies[on] += np.uint64(1)
            self._check_ply(int(plies[on].max()))
            on = on[self._outcomes(moved) == _core.ongoing]
        return self.bytes(records, plies)

    def cells(self, states: Bytes) -> Bytes:
        """The codes, uint8[n, rows, columns]."""
        adapter, board = self.adapter, self.adapter.spec.board
        shape = (board.rows, board.columns)
        if not self._offers("cells"):
            rows = [adapter.codes(adapter.read(row.tobytes()), shape) for row in states]
            return np.ascontiguousarray(np.stack(rows).astype(np.uint8))
        records = self.records(states)
        return adapter.checked_codes(self._codes(records, shape)).astype(np.uint8)

    def encode(self, states: Bytes) -> npt.NDArray[np.float32]:
        """The planes: those of the rules, and one more for the ply."""
        adapter, spec = self.adapter, self.adapter.spec
        shape = (len(spec.planes) - 1, spec.plane_rows, spec.plane_columns)
        planes = np.empty((len(states), shape[0] + 1, *shape[1:]), dtype=np.float32)
        planes[:, :-1] = self._encoded(states, shape)
        for i, row in enumerate(states):
            planes[i, -1] = adapter.ply(row.tobytes()) / self.rules.max_plies
        if not adapter.present.all() and shape[1:] == adapter.present.shape:
            planes[:, :, ~adapter.present] = 0
        return planes

    # Between bytes and numpy

    def records(self, states: Bytes) -> Records:
        """A copy that the methods of the rules may change."""
        dtype, n = self.adapter.dtype, len(states)
        base, shape = dtype.subdtype or (dtype, ())
        data = states[:, : dtype.itemsize].tobytes()
        return np.frombuffer(data, dtype=base).reshape(n, *shape).copy()

    def bytes(self, records: Records, plies: npt.NDArray[np.uint64]) -> Bytes:
        """The bytes of states after this many plies."""
        size = self.adapter.dtype.itemsize
        result = np.zeros((len(records), self.adapter.spec.state_size), dtype=np.uint8)
        result[:, :size] = np.frombuffer(records.tobytes(), dtype=np.uint8).reshape(-1, size)
        if not self.adapter.counts_ply:
            result[:, -8:] = plies.view(np.uint8).reshape(-1, 8)
        return result

    @staticmethod
    def _each(records: Records) -> list[StateRecord]:
        """The states as views that can be changed."""
        if records.dtype.names or records.ndim > 1:
            return list(records)
        return [records[i : i + 1].reshape(()) for i in range(len(records))]

    # What the rules say

    def _apply(self, records: Records, actions: npt.NDArray[np.int64]) -> None:
        if self._offers("apply"):
            before = records.shape
            returned: object = self.rules.batch_apply(records, actions)  # type: ignore[func-returns-value]
            if returned is not None or records.shape != before:
                raise self._broken("batch_apply", "a value, but it must change the states in place")
            return
        for record, action in zip(self._each(records), actions.tolist(), strict=True):
            self.adapter.apply_to(record, action)

    def _outcomes(self, records: Records) -> npt.NDArray[np.int64]:
        if self._offers("outcome"):
            results = self._array("outcome", records, np.int64)
            if len(results) and not np.isin(results, (-1, 0, 1, _core.ongoing)).all():
                raise self._broken("batch_outcome", "a number that is not +1, 0, -1 or glaux.ONGOING")
            return results.astype(np.int64)
        found = [self.adapter.outcome(record) for record in self._each(records)]
        return np.array([_core.ongoing if one is None else one for one in found], dtype=np.int64)

    def _players(self, records: Records) -> list[int]:
        if self.rules.players == 2 and self._offers("first_player") and not self.adapter.says_player:
            first = self._array("first_player", records, bool)
            return [int(Player.first if one else Player.second) for one in first.tolist()]
        return [self.adapter.player(record) for record in self._each(records)]

    def _codes(self, records: Records, shape: tuple[int, int]) -> npt.NDArray[Any]:
        return self._array("cells", records, None, *shape)

    def _encoded(self, states: Bytes, shape: tuple[int, int, int]) -> npt.NDArray[np.float32]:
        records = self.records(states)
        if self._offers("encode"):
            planes = self._array("encode", records, None, *shape)
        elif type(self.rules).encode is Rules.encode and self._offers("cells", "first_player"):
            planes = self._usual_planes(records, shape)
        else:
            return np.stack([self._planes(record, shape) for record in self._each(records)])
        planes = planes.astype(np.float32)
        if not np.isfinite(planes).all():
            raise self._broken("batch_encode", "NaN")
        return planes

    def _usual_planes(self, records: Records, shape: tuple[int, int, int]) -> npt.NDArray[Any]:
        """What ``Rules.encode`` gives, for all states together."""
        codes = self._codes(records, shape[1:])
        planes = np.zeros((len(records), *shape), dtype=np.float32)
        symbols = len(self.rules.symbols)
        for code in range(1, symbols):
            planes[:, code - 1] = codes == code
        first = np.array(self._players(records)) == int(Player.first)
        planes[:, symbols - 1] = first[:, None, None]
        if self.rules.present is not None:
            planes[:, symbols] = np.asarray(self.rules.present, dtype=bool)
        return planes

    def _planes(self, record: StateRecord, shape: tuple[int, int, int]) -> npt.NDArray[np.float32]:
        encoded = np.asarray(self.rules.encode(record), dtype=np.float32)
        if encoded.shape != shape or not np.isfinite(encoded).all():
            raise self._broken("encode", f"an array of shape {encoded.shape}, not {shape}, or NaN")
        return encoded

    # Checks

    def _array(self, method: str, records: Records, dtype: Any, *rest: int) -> npt.NDArray[Any]:
        """What a method says of these states, as an array with a place for each."""
        name = f"batch_{method}"
        value, shape = getattr(self.rules, name)(records), (len(records), *rest)
        try:
            array = np.asarray(value)
            array = array if dtype is None else array.astype(dtype, casting="same_kind")
        except (TypeError, ValueError):
            raise self._broken(name, "something that is not an array of the right type") from None
        if array.shape != shape:
            raise self._broken(name, f"an array of shape {array.shape}, not {shape}")
        return array

    def _check_ply(self, ply: int) -> int:
        if ply > self.rules.max_plies:
            raise BrokenRules(
                f"A match of {self.adapter.class_name} went on past its max_plies, {self.rules.max_plies}."
            )
        return ply

    def _broken(self, method: str, what: str) -> BrokenRules:
        return BrokenRules(f"{self.adapter.class_name}.{method} gave {what}.")
