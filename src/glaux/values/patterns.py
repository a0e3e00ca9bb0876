"""Pattern networks: a table shared by all cells is asked with each cell's neighbourhood, small layers follow.

The network and its learning steps stand in ``cpp/eval/patterns.h``; docs/algorithms/patterns.md explains
them. Between the other two families: some times slower than an n-tuple network, not linear, and some
hundred times faster than a convolutional network.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from glaux import _core
from glaux.arrays import Arrays, check_array
from glaux.errors import InvalidParameter
from glaux.fields import INT32, setting
from glaux.rules.game import Game
from glaux.values.settings import family_setting
from glaux.values.shapes import check_shapes, default_shapes, table_sizes
from glaux.values.stages import STAGES, check_stages, measured_span
from glaux.values.tables import TableLearning, TableNetwork, TableSettings
from glaux.values.tuples import present_cells
from glaux.words import plural

K, HIDDEN = _core.Patterns.k, _core.Patterns.hidden
"""numbers that a table gives, and units of a layer"""
REGIONS = 8
"""regions a side at most"""
MEMORY = ("tables", "head", "squares", "first", "second")
"""the arrays that learning steps remember: weights before averaging, AdaGrad's sums, Adam's moments"""


@dataclass(frozen=True)
class PatternLearning(TableLearning):
    """How a pattern network follows its errors.

    ``rate`` is AdaGrad's for the tables, shared by the rows that a cell asks for; ``head_rate`` is Adam's
    for the layers. ``minibatch`` pairs share a step. ``average`` is over how many pairs the weights that
    play are averaged. ``symmetric``: a pair is learned as it looks through a random symmetry of the game.
    """

    rate: float = 0.3
    head_rate: float = 0.001
    minibatch: int = 64
    average: float = 50_000
    symmetric: bool = True

    def __post_init__(self) -> None:
        self._check_above_0("rate", "head_rate", "average")
        if not (isinstance(self.minibatch, int) and 1 <= self.minibatch <= 2**16):
            raise InvalidParameter(f"The minibatch must be 1 to {2**16} examples, not {self.minibatch!r}.")
        if not isinstance(self.symmetric, bool):
            raise InvalidParameter(f"The setting symmetric must be true or false, not {self.symmetric!r}.")

    @property
    def native(self) -> _core.PatternLearning:
        """The same for the native core."""
        learning = _core.PatternLearning()
        for field in fields(self):
            setattr(learning, field.name, getattr(self, field.name))
        return learning


@dataclass(frozen=True)
class PatternSettings(TableSettings):
    """The section [value] of a training run with a pattern network."""

    title: ClassVar[str] = "A pattern network"
    learning_type: ClassVar[type[TableLearning]] = PatternLearning

    family: str = family_setting("patterns")
    shapes: Sequence[Sequence[Sequence[int]]] | None = setting(
        None,
        "steps in row and column from a cell to the cells of its pattern; by default the cell and its "
        "neighbours",
        kind=list,
    )
    lines: int = setting(0, "cells per line of additional line patterns; 0: none", least=0, most=16)
    regions: int = setting(
        3, "regions per side of the board, over which cells are summed", least=1, most=REGIONS
    )
    stages: int = setting(1, "sets of layers by number of occupied cells, interpolated", least=1, most=STAGES)
    details: bool = setting(False, "use the finer codes of cells, if the game has them: in Go, liberties")
    mover: bool = setting(True, "see states from the mover's side, if the game allows it")
    rate: float | None = setting(
        None, f"learning rate of the tables; by default {PatternLearning.rate:g}", kind=float
    )
    head_rate: float | None = setting(
        None, f"learning rate of the layers; by default {PatternLearning.head_rate:g}", kind=float
    )
    minibatch: int | None = setting(
        None, f"examples per step; by default {PatternLearning.minibatch}", kind=int, most=INT32
    )
    average: float | None = setting(
        None,
        f"examples over which the weights are averaged; by default {PatternLearning.average:g}",
        kind=float,
    )
    symmetric: bool | None = setting(None, "learn random symmetric copies; by default true", kind=bool)

    def begin(self, game: Game, *, scale: float, bounded: bool, seed: int) -> PatternNetwork:
        """The untrained network."""
        return PatternNetwork(
            game,
            self.shapes,
            lines=self.lines,
            regions=self.regions,
            stages=self.stages,
            details=self.details,
            mover=self.mover,
            **self._common(scale, bounded, seed),
        )


class PatternNetwork(TableNetwork):
    """A pattern network.

    ``shapes`` are steps from a cell to the cells that its tables look at; without them the cell with its
    neighbours, as far as the tables stay small, and straight ``lines`` of that many cells. With ``details``
    they see the finer codes of ``game.details`` instead of those of ``game.cells``. The sums
    over ``regions`` x ``regions`` parts of the board go into the layers. With several ``stages`` the layers
    depend on how far the match is: on how many cells hold something, from the first to the second number of
    ``span``, which are measured in random matches unless they are given. With ``mover`` states are seen from
    the side of the player to move, in games that can exchange their players; otherwise each player has
    tables and layers of its own. ``output`` is ``tanh`` or ``identity``, ``scale`` the unit of the values.
    """

    family: ClassVar[str] = "patterns"
    title: ClassVar[str] = PatternSettings.title
    settings_type: ClassVar[type[TableSettings]] = PatternSettings
    keys: ClassVar[tuple[str, ...]] = (
        "shapes",
        "regions",
        "stages",
        "span",
        "details",
        "mover",
        "output",
        "scale",
    )
    memory: ClassVar[str] = "the weights before averaging, AdaGrad's sums and Adam's moments"
    native: _core.Patterns
    learning: PatternLearning

    def __init__(
        self,
        game: Game,
        shapes: Iterable[Iterable[Sequence[int]]] | None = None,
        *,
        lines: int = 0,
        regions: int = 3,
        stages: int = 1,
        span: Sequence[int] | None = None,
        details: bool = False,
        mover: bool = True,
        output: str = "tanh",
        scale: float = 1.0,
        learning: PatternLearning | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(game, output=output, scale=scale, learning=learning)
        self.shapes = check_shapes(
            default_shapes(game, lines, _check_details(game, details)) if shapes is None else shapes
        )
        if shapes is not None and lines:
            raise InvalidParameter("Give either the shapes or the length of lines, not both.")
        _check_regions(regions)
        check_stages(game, stages, span)
        self.regions, self.mover, self.stages = regions, bool(mover), stages
        self.details = details
        if span is None and stages > 1:
            span = measured_span(game)
        self.span = None if span is None else list(span)
        options, progress = _core.PatternOptions(), _core.PatternProgress()
        progress.stages, (progress.begin, progress.end) = stages, self.span or (0, 0)
        options.mover, options.tanh, options.scale = self.mover, output == "tanh", self.scale
        options.progress = progress
        self.native = _core.Patterns(game.native, self.shapes, regions, options, self.details)
        self._draw(seed)

    def _draw(self, seed: int) -> None:
        """Start with small random rows, units that are active, and layers as PyTorch draws them."""
        rng = np.random.default_rng(seed)
        banks, rows = self.native.bank_count, self.native.row_count
        bound = 0.5 / math.sqrt(len(self.shapes))
        tables = rng.uniform(-bound, bound, (banks, rows, K))
        tables[:, rows - len(present_cells(self.game)) :] = 0.3
        layers = []
        for inputs, outputs in _layers(self.regions):
            bound = 1 / math.sqrt(inputs)
            layers.append(rng.uniform(-bound, bound, (banks, (inputs + 1) * outputs)))
        head = np.tile(np.concatenate(layers, axis=1), self.stages)
        self.native.set_weights(tables.astype(np.float32), head.astype(np.float32))

    def figures(self) -> dict[str, float]:
        """The shares of units above 0 in the examples learned from since the last call."""
        cells, first, second = self.native.active()
        return {"active_cells": cells, "active_first": first, "active_second": second}

    def settings(self) -> dict[str, Any]:
        """What makes an equal network before it has learned."""
        return super().settings() | {"shapes": [[list(step) for step in shape] for shape in self.shapes]}

    @classmethod
    def size(cls, game: Game, settings: Mapping[str, Any]) -> int:
        """The number of weights: the rows of all the tables and positions, and the layers."""
        cls._check_keys(settings)
        regions, stages = settings.get("regions", 3), settings.get("stages", 1)
        _check_regions(regions)
        check_stages(game, stages, settings.get("span"))
        details = _check_details(game, settings.get("details", False))
        tables = table_sizes(game, check_shapes(settings.get("shapes", ())), details)
        rows = sum(tables) + len(present_cells(game))
        head = sum((inputs + 1) * outputs for inputs, outputs in _layers(regions))
        one = game.spec.players == 1 or (bool(settings.get("mover", True)) and game.spec.has_exchange)
        return (1 if one else 2) * int(rows * K + stages * head)

    def weights(self) -> Arrays:
        """The averaged weights: tables float32[bank, row, 16], and layers float32[bank, number]."""
        tables, head = self.native.weights()
        return {"tables": tables, "head": head}

    def learned_weights(self) -> Arrays:
        """The weights; rows that no pair has used are 0 instead of their random initial values."""
        weights, memory = self.weights(), self.optimizer()
        if memory:
            weights["tables"] = weights["tables"] * (memory["squares"] > 0)[:, :, None]
        return weights

    def optimizer(self) -> Arrays:
        """The weights that learn, AdaGrad's sums, Adam's moments, and the steps and pairs so far."""
        *arrays, steps, pairs = self.native.memory()
        if arrays[0].size == 0:
            return {}
        return dict(zip(MEMORY, arrays, strict=True)) | {"counts": np.array([steps, pairs], np.int64)}

    def restore(self, weights: Arrays, optimizer: Arrays) -> None:
        """Take over arrays of a network with the same settings: all of them, or none and InvalidParameter."""
        native = self.native
        shapes = {
            "tables": (native.bank_count, native.row_count, K),
            "head": (native.bank_count, native.head_size),
        }
        if set(weights) != set(shapes) or (optimizer and set(optimizer) != {*MEMORY, "counts"}):
            raise InvalidParameter("These arrays are not those of a pattern network.")
        for name, shape in shapes.items():
            check_array(weights[name], np.float32, shape, f"{name} are")
        if optimizer:
            shapes |= {"squares": shapes["tables"][:2], "first": shapes["head"], "second": shapes["head"]}
            for name, shape in shapes.items():
                check_array(optimizer[name], np.float32, shape, f"{name} to learn on are")
            check_array(optimizer["counts"], np.int64, (2,), "counts are")
            if min(optimizer[name].min() for name in ("squares", "second", "counts")) < 0:
                raise InvalidParameter("Sums of squares and counts can't be negative.")
        native.set_weights(weights["tables"], weights["head"])
        if optimizer:
            steps, pairs = (int(count) for count in optimizer["counts"])
            memory = {name: optimizer[name] for name in MEMORY}
            native.set_memory(**memory, steps=steps, pairs=pairs)

    def describe(self) -> str:
        """What it is in one line."""
        cells = " + ".join(str(len(shape)) for shape in self.shapes)
        details = " with details" if self.details else ""
        banks = "" if self.native.bank_count == 2 else ", seen by the mover"
        sides = banks if self.game.spec.players == 2 else ""
        sides = ", a network for each player to move" if self.native.bank_count == 2 else sides
        stages = f" in {self.stages} stages" if self.stages > 1 else ""
        return (
            f"patterns of {cells} cells{details}, {plural(self.native.row_count, 'row')} of {K}, "
            f"{self.regions} x {self.regions} regions, layers {HIDDEN}-{HIDDEN}-1{stages}{sides}, "
            f"{self.output} output of scale {self.scale:g}"
        )


def _layers(regions: int) -> list[tuple[int, int]]:
    """The inputs and outputs of each layer."""
    return [(regions**2 * K, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 1)]


def _check_details(game: Game, details: object) -> bool:
    if not isinstance(details, bool):
        raise InvalidParameter(f"The setting details must be true or false, not {details!r}.")
    if details and not game.spec.details:
        raise InvalidParameter(f"{game.spec.title} has no details of its cells: leave them out.")
    return details


def _check_regions(regions: object) -> None:
    if not (isinstance(regions, int) and 1 <= regions <= REGIONS):
        raise InvalidParameter(f"A board must have 1 to {REGIONS} regions per side, not {regions!r}.")
