"""Domineering with calls for many states at once: see docs/python-games.md."""

import numpy as np

import glaux

SIZE = 6


class Domineering(glaux.Rules):
    """The first player lays dominoes upright, the second flat; whoever can't lay one loses."""

    state = [("board", np.int8, (SIZE, SIZE)), ("second", np.bool_)]
    action_count = SIZE * SIZE  # the upper or the left cell of the domino
    max_plies = SIZE * SIZE // 2

    def first_player(self, s):
        """Upright is 1, flat 2."""
        return not s["second"]

    def actions(self, s):
        """Where the cell and the next one are empty."""
        return np.flatnonzero(self.batch_actions(s[None])[0])

    def apply(self, s, action):
        """Cover two cells, and give the turn to the other."""
        row, column = divmod(action, SIZE)
        flat = int(s["second"])
        s["board"][row, column] = s["board"][row + 1 - flat, column + flat] = 1 + flat
        s["second"] = not s["second"]

    def outcome(self, s):
        """Whoever has no room left has lost."""
        if len(self.actions(s)):
            return None
        return 1 if s["second"] else -1

    def cells(self, s):
        """The board as it is."""
        return s["board"]

    # The same for many states at once: s["board"] is int8[n, SIZE, SIZE] here.

    def batch_actions(self, s):
        """All the places for a domino of the player to move, bool[n, action_count]."""
        empty = s["board"] == 0
        room = np.zeros((2, *empty.shape), dtype=bool)
        room[0, :, :-1] = empty[:, :-1] & empty[:, 1:]
        room[1, :, :, :-1] = empty[:, :, :-1] & empty[:, :, 1:]
        return np.where(s["second"][:, None, None], room[1], room[0]).reshape(len(s), -1)

    def batch_apply(self, s, actions):
        """A domino in each state."""
        n, flat = np.arange(len(s)), s["second"].astype(int)
        rows, columns = np.divmod(actions, SIZE)
        s["board"][n, rows, columns] = s["board"][n, rows + 1 - flat, columns + flat] = 1 + flat
        s["second"] ^= True

    def batch_outcome(self, s):
        """+1, -1, or glaux.ONGOING while there is room."""
        return np.where(self.batch_actions(s).any(axis=1), glaux.ONGOING, np.where(s["second"], 1, -1))

    def batch_first_player(self, s):
        """Whose turn it is."""
        return ~s["second"]

    def batch_cells(self, s):
        """The boards as they are."""
        return s["board"]
