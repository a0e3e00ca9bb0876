"""A pattern network in plain Python and PyTorch, written from docs/algorithms/patterns.md alone."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import torch

import glaux
from glaux.rules.game import State

K, HIDDEN, LEAK = 16, 32, 0.01


class ReferencePatterns:
    """The network's weights as tensors with gradients; rows are found cell by cell."""

    def __init__(self, network: glaux.PatternNetwork) -> None:
        self.network, self.game = network, network.game
        spec = self.game.spec
        self.board = spec.board
        self.places = [c for c in range(self.board.rows * self.board.columns) if self.board.has(c)]
        finer = len(spec.details) if network.details else 0
        self.counts = {c: finer or spec.code_count(c) for c in self.places}
        self.exchanges = network.mover and spec.has_exchange
        weights = network.weights()
        self.tables = torch.tensor(weights["tables"], dtype=torch.float64, requires_grad=True)
        self.head = torch.tensor(weights["head"], dtype=torch.float64, requires_grad=True)
        self.around = {
            (cell, number): self._around(cell, shape)
            for cell in self.places
            for number, shape in enumerate(network.shapes)
        }
        self.first_rows = self._first_rows()
        regions = network.regions
        self.norm = 1 / math.sqrt(len(self.places) / regions**2)
        self.region = [
            c // self.board.columns * regions // self.board.rows * regions
            + c % self.board.columns * regions // self.board.columns
            for c in self.places
        ]

    def _around(self, cell: int, shape: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The steps of a shape that stay on the board of the cell, and the cells that they lead to."""
        row, column = divmod(cell, self.board.columns)
        found = []
        for i, (down, right) in enumerate(shape):
            r, c = row + down, column + right
            if 0 <= r < self.board.rows and 0 <= c < self.board.columns:
                other = r * self.board.columns + c
                if self.board.has(other) and self.board.board_of(other) == self.board.board_of(cell):
                    found.append((i, other))
        return found

    def _first_rows(self) -> dict[tuple[int, int], int]:
        """Where the table of each cell and shape begins: in the order in which surroundings are met."""
        tables: dict[object, int] = {}
        first, rows = {}, 0
        for cell in self.places:
            for number in range(len(self.network.shapes)):
                around = self.around[cell, number]
                counts = tuple(self.counts[other] for _, other in around)
                key = (number, tuple(i for i, _ in around), counts)
                if key not in tables:
                    tables[key] = rows
                    rows += math.prod(counts)
                first[cell, number] = tables[key]
        self.positions = rows
        return first

    def rows(self, state: State) -> list[list[int]]:
        """The rows of each cell, that of its position last."""
        read = self.game.details if self.network.details else self.game.cells
        codes = read(state).ravel().astype(int)
        if self.exchanges and not self.game.first_player(state):
            spec = self.game.spec
            cells = np.asarray(spec.exchange[0])
            exchanged = np.asarray(spec.exchange_details if self.network.details else spec.exchange[1])
            seen = np.empty_like(codes)
            seen[cells] = exchanged[codes]
            codes = seen
        found = []
        for place, cell in enumerate(self.places):
            of_cell = []
            for number in range(len(self.network.shapes)):
                row, power = self.first_rows[cell, number], 1
                for _, other in self.around[cell, number]:
                    row += int(codes[other]) * power
                    power *= self.counts[other]
                of_cell.append(row)
            found.append([*of_cell, self.positions + place])
        return found

    def layers(self, bank: int, state: State) -> torch.Tensor:
        """The layers of a state: a stage's, or those half-way between two."""
        stages = self.head[bank].reshape(self.network.stages, -1)
        if self.network.stages == 1:
            return stages[0]
        assert self.network.span is not None
        begin, end = self.network.span
        way = (np.count_nonzero(self.game.cells(state)) - begin) / (end - begin)
        place = math.floor(min(max(way, 0), 1) * (len(stages) - 1) * 2 + 0.5) / 2
        before, after = math.floor(place), math.ceil(place)
        return stages[before] + (place - before) * (stages[after] - stages[before])

    def unit(self, state: State) -> torch.Tensor:
        """The value in units of the scale, from the side that the state is seen from."""
        second = not self.game.first_player(state)
        two = self.game.spec.players == 2 and not self.exchanges
        bank = 1 if two and second else 0
        h = self.tables[bank][torch.tensor(self.rows(state))].sum(dim=1)
        inputs = self.network.regions**2 * K
        x = torch.zeros(inputs // K, K, dtype=torch.float64)
        x = x.index_add(0, torch.tensor(self.region), torch.relu(h)) * self.norm
        sizes = [(inputs, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 1)]
        values, at, layers = x.ravel(), 0, self.layers(bank, state)
        for i, (n, m) in enumerate(sizes):
            layer = layers[at : at + (n + 1) * m].reshape(n + 1, m)
            at += (n + 1) * m
            values = values @ layer[:n] + layer[n]
            if i < 2:
                values = torch.nn.functional.leaky_relu(values, LEAK)
        return torch.tanh(values[0]) if self.network.output == "tanh" else values[0]

    def sign(self, state: State) -> int:
        """-1 where the state is seen with its players exchanged."""
        return -1 if self.exchanges and not self.game.first_player(state) else 1

    def value(self, state: State) -> float:
        """What the state is worth to the first player."""
        return self.sign(state) * self.network.scale * float(self.unit(state).detach())

    def gradient(self, states: list[State], targets: list[float]) -> tuple[torch.Tensor, torch.Tensor]:
        """Of the mean of half the squared errors in units of the scale."""
        loss = torch.stack(
            [
                (self.unit(state) - self.sign(state) * target / self.network.scale) ** 2 / 2
                for state, target in zip(states, targets, strict=True)
            ]
        ).mean()
        tables, head = torch.autograd.grad(loss, (self.tables, self.head))
        return tables, head


def check_gradient(
    network: glaux.PatternNetwork, states: list[State], targets: npt.NDArray[np.float32]
) -> None:
    """Whether the native gradient is the one that PyTorch gives."""
    found = network.native.gradient(network.game.native, network.game.array(states), targets)
    wanted = ReferencePatterns(network).gradient(states, targets.tolist())
    for ours, theirs in zip(found, wanted, strict=True):
        largest = float(theirs.abs().max())
        assert largest > 1e-3
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=0, atol=1e-5 * max(largest, 1))
