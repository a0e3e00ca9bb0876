"""Games written in Python: subclass :class:`Rules`, and all of the package works on it.

Slower than the games in C++, and otherwise the same: searches, learners and commands see a game only
through the native contract, which these rules are given by an adapter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import BrokenRules

Player = _core.Player

StateRecord = Any
"""A state inside rules: a numpy array or record of the dtype ``Rules.state``."""


class Rules:
    """The rules of a game. Subclass, set the attributes, and write the first six methods.

    A state ``s`` is a numpy value of the dtype ``state``: ``s["board"]`` for a field of a structured
    dtype, ``s[...]`` for a plain one. ``docs/python-games.md`` has a complete example.
    """

    state: Any
    """The dtype of a state, as ``[("board", "i1", (3, 3)), ("second", "?")]``: of fixed size."""
    action_count: int
    """Actions are numbers from 0 to ``action_count - 1``."""
    max_plies: int
    """The length of the longest possible match in actions, or an upper bound."""
    name: ClassVar[str] = ""
    """The name in the registry; the class's own in snake_case by default."""
    title: str = ""
    """What people call the game; made from the name by default."""
    players: int = 2
    """1 or 2. In a one-player game the first player is always to move."""
    symbols: Sequence[str] = ".XO"
    """How each cell code is printed: texts of one width."""
    aim: str = "result"
    """What a match is played for: its result or, in a one-player game, the ``score``."""
    look: str | None = None
    """A TOML file beside this one that says how the game looks: ``docs/looks.md``."""
    symmetry: str = "none"
    """Symmetries of board and rules: none, mirror (left and right), half_turn, square (all 8, or as many
    as the board has) or hexagonal (12 of a hexagon, 4 of a rhombus)."""
    exchanged_codes: Sequence[int] = ()
    """What each code becomes when the two players are exchanged, such as ``(0, 2, 1)``, if the rules are the
    same for both: value functions can then see every state from the side of the player to move."""
    exchanged_cells: str = "identity"
    """Where the cells go when the players are exchanged: identity, mirror_rows, half_turn or transposed."""
    hexagonal: bool = False
    """Whether the cells are hexagons: each row leans half a cell to the right of the one above."""
    present: npt.ArrayLike | None = None
    """Which cells the board has, bool[rows, columns]: all by default. Absent cells have the code 0."""
    boards: Sequence[tuple[int, int, int, int]] = ()
    """The row, column, rows and columns of each board, if ``cells`` shows several on one rectangle."""
    recommended_heuristic: str = ""
    """The reinforcement heuristic to learn with, such as ``additive_depth:longest=50``: by default the
    method ``heuristic`` if there is one, otherwise chosen by what the game has."""

    def initial(self) -> StateRecord:
        """Return the initial state; all zeros by default."""
        return np.zeros((), dtype=self.state)

    def first_player(self, s: StateRecord) -> bool:
        """Return whether the first player is to move; always True in a game for one player."""
        if self.players == 1:
            return True
        raise BrokenRules(f"{type(self).__name__} needs a method first_player(s).")

    def player(self, s: StateRecord) -> Player:
        """Return whose turn it is, in games of chance; by default what ``first_player`` says."""
        return Player.first if self.first_player(s) else Player.second

    def actions(self, s: StateRecord) -> Iterable[int]:
        """Return the legal actions of a non-terminal state."""
        raise BrokenRules(f"{type(self).__name__} needs a method actions(s).")

    def apply(self, s: StateRecord, action: int) -> None:
        """Play a legal action by changing ``s`` in place; it is a copy made for you."""
        raise BrokenRules(f"{type(self).__name__} needs a method apply(s, action).")

    def outcome(self, s: StateRecord) -> int | None:
        """Return +1, 0 or -1 for the first player, or None while the match goes on."""
        raise BrokenRules(f"{type(self).__name__} needs a method outcome(s).")

    def cells(self, s: StateRecord) -> npt.ArrayLike:
        """Return the board as codes, int[rows, columns], each an index into ``symbols``."""
        raise BrokenRules(f"{type(self).__name__} needs a method cells(s).")

    # The rest has defaults that fit many games.

    def action_text(self, s: StateRecord, action: int) -> str:
        """Return the text of an action: a cell's name if actions are cells, otherwise its number."""
        board = self._board
        cells = board.rows * board.columns
        return board.cell_text(action) if cells == self.action_count else str(action)

    def action_cells(self, s: StateRecord, action: int) -> Iterable[int] | None:
        """Return the cells that an action touches, in order: from and to for a move, none for a pass.

        A cell's number is row * columns + column. None takes them from the text of the
        action, which mostly names its cells: ``a2a3``. If it names none and there are as many actions as
        cells or columns, it is the one cell that the action changes.
        """
        return None

    def drawing(self, s: StateRecord) -> str | None:
        """Return the drawing for ``print(state)``; None draws the cells with their symbols."""
        return None

    def encode(self, s: StateRecord) -> npt.ArrayLike:
        """Return float[planes, rows, columns]: one for each code but the first, one for the player to move.

        A board with absent cells has one more plane, with the cells that it has. A game whose state
        holds more than the board shows should override this.
        """
        codes = np.asarray(self.cells(s))
        planes = [codes == code for code in range(1, len(self.symbols))]
        planes.append(np.full(codes.shape, self.player(s) == Player.first))
        if self.present is not None:
            planes.append(np.asarray(self.present, dtype=bool))
        return np.stack(planes).astype(np.float32)

    def transform(self, s: StateRecord, cell_map: npt.NDArray[np.intp]) -> StateRecord:
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
        """Move an action in the same way: numbers below the number of cells are taken as cells."""
        return int(cell_map[action]) if action < len(cell_map) else action

    def exchange(self, s: StateRecord, cell_map: npt.NDArray[np.intp]) -> StateRecord:
        """Return the state with the two players exchanged; needed with ``exchanged_codes``.

        The other player is to move, and what stood on cell i stands on ``cell_map[i]`` with the code given by
        ``exchanged_codes``.
        """
        raise BrokenRules(
            f"{type(self).__name__} has exchanged_codes: it needs a method exchange(s, cell_map)."
        )

    def exchange_action(self, action: int, cell_map: npt.NDArray[np.intp]) -> int:
        """Return the action with the players exchanged: it moves as by a symmetry."""
        return self.transform_action(action, cell_map)

    def score(self, s: StateRecord) -> float | None:
        """Return the score of a terminal state for the first player, if the game has one."""
        return None

    def heuristic(self, s: StateRecord) -> float | None:
        """Return what a terminal state is worth to the first player, if learning should use the game's own
        measure: every win above every draw, every draw above every loss.
        """
        return None

    def pieces(self, s: StateRecord) -> tuple[int, int] | None:
        """Return the numbers of pieces of both players, if the game has pieces."""
        return None

    def ply(self, s: StateRecord) -> int | None:
        """Return the number of actions played; by default it is counted outside your state."""
        return None

    def check(self, s: StateRecord) -> str | None:
        """Return a sentence about what is impossible in a state that came from outside, if anything."""
        return None

    # For speed: the same for many states at once. ``s`` has one more axis in front, as in
    # ``s["board"].shape == (n, 3, 3)``. Offer some or all; what is not offered is asked state by state.

    def batch_actions(self, s: StateRecord) -> npt.ArrayLike:
        """Return for each state which actions are legal, bool[n, action_count]."""
        raise NotImplementedError

    def batch_apply(self, s: StateRecord, actions: npt.NDArray[np.int64]) -> None:
        """Play a legal action in each state, by changing ``s`` in place."""
        raise NotImplementedError

    def batch_outcome(self, s: StateRecord) -> npt.ArrayLike:
        """Return +1, 0, -1 or ``glaux.ONGOING`` for each state, int[n]."""
        raise NotImplementedError

    def batch_first_player(self, s: StateRecord) -> npt.ArrayLike:
        """Return for each state whether the first player is to move, bool[n]."""
        raise NotImplementedError

    def batch_cells(self, s: StateRecord) -> npt.ArrayLike:
        """Return the codes of each board, int[n, rows, columns]."""
        raise NotImplementedError

    def batch_encode(self, s: StateRecord) -> npt.ArrayLike:
        """Return the planes of each state, float[n, planes, rows, columns]; the same as your ``encode``."""
        raise NotImplementedError

    @classmethod
    def registry_name(cls) -> str:
        """The name under which the game is registered."""
        return cls.name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()

    _board: _core.Board  # set by the adapter, from the shape of cells()
