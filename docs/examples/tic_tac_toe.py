"""Tic-tac-toe, a complete game in Python: see docs/python-games.md."""

import numpy as np

import glaux


class TicTacToe(glaux.Rules):
    """Three in a row wins; a full board is a draw."""

    state = [("board", np.int8, (3, 3)), ("second", np.bool_)]
    action_count = 9  # the cell of the mark
    max_plies = 9
    symmetry = "square"
    exchanged_codes = (0, 2, 1)

    def first_player(self, s):
        """The mark of the first player is 1, that of the second 2."""
        return not s["second"]

    def actions(self, s):
        """Any empty cell."""
        return np.flatnonzero(s["board"] == 0)

    def apply(self, s, action):
        """Set the mark, and give the turn to the other."""
        s["board"].flat[action] = 2 if s["second"] else 1
        s["second"] = not s["second"]

    def outcome(self, s):
        """Look for three in a row of either player."""
        for mark, value in ((1, 1), (2, -1)):
            own = s["board"] == mark
            lines = (*own, *own.T, own.diagonal(), own[::-1].diagonal())
            if any(line.all() for line in lines):
                return value
        return 0 if s["board"].all() else None

    def exchange(self, s, cell_map):
        """Each mark becomes the other, and the other player is to move."""
        s["board"] = np.take(self.exchanged_codes, s["board"])
        s["second"] = not s["second"]
        return s

    def cells(self, s):
        """The board as it is: 0 empty, 1 first, 2 second."""
        return s["board"]
