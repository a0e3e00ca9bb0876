"""n-tuple networks in plain numpy, from the definition: one slot and one weight at a time."""

import numpy as np

import glaux


class ReferenceNTuple:
    """Starts from the tables of a native network, in double precision."""

    def __init__(self, network: glaux.NTupleNetwork) -> None:
        self.game = network.game
        self.tuples = network.tuples
        self.per_player, self.tanh, self.scale = network.per_player, network.output == "tanh", network.scale
        self.learning = network.learning
        self.symmetries, self.reachable = network.symmetries, network.reachable
        self.offsets = np.cumsum([0] + [self.powers(cells)[-1] for cells in self.tuples])
        self.w = network.weights()["weights"].astype(np.float64)
        self.n = np.full_like(self.w, self.learning.init)
        self.a = np.full_like(self.w, self.learning.init)

    def powers(self, cells: list[int]) -> list[int]:
        """What a digit of each cell counts, and then how many weights there are."""
        return np.cumprod([1] + [self.game.spec.code_count(c) + self.reachable for c in cells]).tolist()

    def codes(self, state: glaux.State) -> np.ndarray:
        """The cells, those that an action can fill with one code more than the game has."""
        board = self.game.cells(state).ravel()
        filled = np.zeros(len(board), bool)
        if self.reachable:
            for action in self.game.actions(state):
                filled |= (board == 0) & (self.game.cells(self.game.apply(state, action)).ravel() != 0)
        return np.where(filled, len(self.game.spec.symbols), board)

    def boards(self, state: glaux.State) -> list[list[int]]:
        """The codes of the cells as each symmetry shows them."""
        if maps := self.game.spec.symmetries:
            board = self.codes(state)
            return [board[m].tolist() for m in maps[: self.symmetries]]
        images = [self.game.transform(state, k) for k in range(self.symmetries)]
        return [self.game.cells(image).ravel().tolist() for image in images]

    def indices(self, state: glaux.State) -> list[list[int]]:
        """For each tuple, its index through each symmetry."""
        boards = self.boards(state)
        return [
            [
                int(offset) + sum(b[c] * p for c, p in zip(cells, self.powers(cells), strict=False))
                for b in boards
            ]
            for offset, cells in zip(self.offsets, self.tuples, strict=False)
        ]

    def bank(self, state: glaux.State) -> int:
        return 1 if self.per_player and not self.game.first_player(state) else 0

    def unit(self, state: glaux.State) -> float:
        """The value, in units of the scale."""
        total = sum(self.w[self.bank(state), i] for row in self.indices(state) for i in row)
        return float(np.tanh(total)) if self.tanh else float(total)

    def value(self, state: glaux.State) -> float:
        return self.scale * self.unit(state)

    def slope(self, state: glaux.State) -> float:
        return 1 - self.unit(state) ** 2 if self.tanh else 1.0

    def learn(self, state: glaux.State, target: float) -> None:
        self.change(state, (target / self.scale - self.unit(state)) * self.slope(state))

    def change(self, state: glaux.State, recommended: float) -> None:
        bank, rows = self.bank(state), self.indices(state)
        step = self.learning.alpha / (len(rows) * len(rows[0])) * recommended
        for i in {i for row in rows for i in row}:
            self.w[bank, i] += step * self.rate(bank, i)
            self.n[bank, i] += recommended
            self.a[bank, i] += abs(recommended)

    def rate(self, bank: int, i: int) -> float:
        if self.learning.rule == "sgd":
            return 1.0
        coherence = abs(self.n[bank, i]) / self.a[bank, i]
        if self.learning.rule == "coherence_identity":
            return float(coherence)
        return float(np.exp(self.learning.beta * (coherence - 1)))
