"""What a network looks like, as plain data: the papers' families C, R1 and R2 and what they combine.

::

    planes -> trunk -> [1x1 convolution] -> flat, or global pooling -> dense layers -> one neuron

The trunk is a stack of 3x3 convolutions (C), or one convolution and residual blocks (R1, R2), with
F filters each. A residual block adds to its input x what comes out of ReLU, convolution, ReLU,
convolution and, if wanted, squeeze-and-excitation; then comes a ReLU. Each block has two
convolutions with biases; a squeeze-and-excitation layer has F // 16 hidden neurons and no biases:
with these choices the published weight counts come out to the last weight (``presets.py``).

A network may have a policy besides, a number for each action, which begins where the trunk ends:

- ``dense``: flat, as many dense layers as the value has, of their own, and the actions
  (Polygames' dense policy network);
- ``direct``: flat, and the actions (its direct one);
- ``convolutional``: a 3x3 convolution whose planes are the actions, by kind and cell (its convolutional
  one). Actions without a cell, such as a pass, are a dense layer behind the mean of the trunk;
- ``pointwise``: a 1x1 convolution of ``policy_filters`` filters, flat, and the actions (ExIt with one
  filter, AlphaGo Zero with two).

With these choices the networks of Table 4 of the supplement of Minimax Strikes Back have the "analogous
number of weights" that is said of them, 5.0 to 5.15 million: hence the reading that a dense policy has dense
layers of its own, and that the values are flat. (The direct one of Othello takes two planes of actions.)

Every layer but the last is followed by a ReLU. The value is ``scale`` times the output, from the
first player's point of view: with a scale, scores and depths beyond [-1, 1] are learned as easily
as the gain of the game.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_keys, check_types, from_mapping
from glaux.words import plural

KERNEL = 3
SQUEEZE_RATIO = 16
OUTPUTS = ("tanh", "linear")
NO_POLICY = "none"
POLICIES = (NO_POLICY, "dense", "direct", "convolutional", "pointwise")
LIMITS = {"depth": 1_000, "filters": 100_000, "pointwise": 100_000, "dense": 100_000, "dense_layers": 100}
LIMITS |= {"policy_filters": 100_000}
"""the largest that is taken for meant"""


@dataclass(frozen=True)
class ActionShape:
    """What a policy is over: the actions of a game, and how many of them lie on the cells."""

    count: int
    """actions"""
    channels: int
    """planes of actions, of one action for each cell"""
    rest: int
    """actions without a cell"""


NO_ACTIONS = ActionShape(0, 0, 0)
"""of a network without a policy"""


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """The layers of a network. The papers' letters: F is ``filters``, D is ``dense``."""

    residual: bool = False
    """residual blocks (R1, R2) instead of plain convolutions (C)"""
    depth: int = 3
    """number of convolutions, or of residual blocks after the first convolution"""
    filters: int = 64
    """F, of each 3x3 convolution"""
    padding: bool = False
    """zeros around the board, so that a convolution does not shrink it; always with residual blocks"""
    squeeze: bool = False
    """squeeze-and-excitation at the end of each residual block"""
    pointwise: int = 0
    """filters of the 1x1 convolution behind the trunk; 0 for none"""
    pooling: bool = False
    """global sum pooling instead of flat: the weights then do not depend on the board's size"""
    average: bool = False
    """pooling takes the mean instead of the sum, as Polygames does"""
    dense: int = 100
    """D, neurons of each dense hidden layer"""
    dense_layers: int = 1
    """number of dense hidden layers"""
    output: str = "tanh"
    """``tanh`` for values that stay within the scale, ``linear`` for others"""
    scale: float = 1.0
    """the value is this times the output"""
    policy: str = NO_POLICY
    """``dense``, ``direct``, ``convolutional`` or ``pointwise``; ``none``: there is no policy"""
    policy_filters: int = 1
    """filters of the 1x1 convolution of a pointwise policy"""

    def __post_init__(self) -> None:
        check_types(self, "A network")
        for name, high in LIMITS.items():
            low = 0 if name in ("pointwise", "dense_layers") else 1
            if not low <= getattr(self, name) <= high:
                raise InvalidParameter(
                    f"A network's {name} must be {low} to {high}, not {getattr(self, name)}."
                )
        if self.output not in OUTPUTS:
            raise InvalidParameter(f"There is no output '{self.output}'{suggest(self.output, OUTPUTS)}")
        if self.policy not in POLICIES:
            raise InvalidParameter(f"There is no policy '{self.policy}'{suggest(self.policy, POLICIES)}")
        if self.policy == "convolutional" and not self.padding:
            raise InvalidParameter("A convolutional policy needs padding=True.")
        if self.average and not self.pooling:
            raise InvalidParameter("Averaging needs global pooling: set pooling=True.")
        if self.scale <= 0:
            raise InvalidParameter(f"A network's scale must be above 0, not {self.scale:g}.")
        if self.residual and not self.padding:
            raise InvalidParameter("Residual blocks need padding=True.")
        if self.squeeze and not self.residual:
            raise InvalidParameter("Squeeze-and-excitation needs residual=True.")
        if self.squeeze and self.filters < SQUEEZE_RATIO:
            raise InvalidParameter(
                f"Squeeze-and-excitation needs at least {SQUEEZE_RATIO} filters, not {self.filters}."
            )

    @classmethod
    def from_json(cls, settings: object) -> Architecture:
        """The architecture that :meth:`to_json` has written; InvalidParameter if there is none."""
        return from_mapping(cls, settings, "A network")

    def to_json(self) -> dict[str, Any]:
        """All the fields, as plain JSON."""
        return asdict(self)

    def with_changes(self, **changes: Any) -> Architecture:
        """This architecture with some fields changed."""
        check_keys(changes, list(asdict(self)), "A network")
        return replace(self, **changes)

    # Sizes

    def board(self, rows: int, columns: int) -> tuple[int, int]:
        """Rows and columns behind the trunk; InvalidParameter if nothing of the board is left."""
        shrunk = 0 if self.padding else (KERNEL - 1) * self.depth
        if min(rows, columns) <= shrunk:
            fit = (min(rows, columns) - 1) // (KERNEL - 1)
            fewer = f", or depth={fit}" if fit > 0 else ""
            raise InvalidParameter(
                f"A {rows} x {columns} board is too small for {plural(self.depth, 'convolution')} without "
                f"padding: use padding=True{fewer}."
            )
        return rows - shrunk, columns - shrunk

    def dense_inputs(self, rows: int, columns: int) -> list[int]:
        """The number of inputs of each dense layer, the output's last."""
        rows, columns = self.board(rows, columns)
        channels = self.pointwise or self.filters
        first = channels if self.pooling else channels * rows * columns
        return [first, *[self.dense] * self.dense_layers]

    def weight_count(self, planes: int, rows: int, columns: int, actions: ActionShape = NO_ACTIONS) -> int:
        """The number of weights, biases included, for such an input and, of a policy, such actions."""
        f, area = self.filters, KERNEL * KERNEL
        more = 2 * self.depth if self.residual else self.depth - 1
        count = _layer(planes * area, f) + more * _layer(f * area, f)
        if self.squeeze:
            count += self.depth * 2 * f * (f // SQUEEZE_RATIO)
        if self.pointwise:
            count += _layer(f, self.pointwise)
        *hidden, last = self.dense_inputs(rows, columns)
        count += sum(_layer(inputs, self.dense) for inputs in hidden) + _layer(last, 1)
        return count + self._policy_count(rows, columns, actions)

    def policy_inputs(self, rows: int, columns: int) -> list[int]:
        """The number of inputs of each dense layer of a policy, that of the actions last."""
        cells = math.prod(self.board(rows, columns))
        if self.policy == "pointwise":
            return [self.policy_filters * cells]
        hidden = self.dense_layers if self.policy == "dense" else 0
        return [self.filters * cells, *[self.dense] * hidden]

    def _policy_count(self, rows: int, columns: int, actions: ActionShape) -> int:
        if self.policy == NO_POLICY:
            return 0
        if self.policy == "convolutional":
            planes = _layer(KERNEL * KERNEL * self.filters, actions.channels)
            return planes + _layer(self.filters, actions.rest)
        *hidden, last = self.policy_inputs(rows, columns)
        count = sum(_layer(inputs, self.dense) for inputs in hidden) + _layer(last, actions.count)
        return count + (_layer(self.filters, self.policy_filters) if self.policy == "pointwise" else 0)

    def describe(self) -> str:
        """The layers in one line."""
        trunk = plural(self.depth, "residual block" if self.residual else "convolution")
        parts = [f"{trunk} of {plural(self.filters, 'filter')}"]
        if self.squeeze:
            parts.append("squeeze-and-excitation")
        if not self.padding:
            parts.append("no padding")
        if self.pointwise:
            parts.append(f"1x1 convolution of {self.pointwise}")
        if self.pooling:
            parts.append("global average pooling" if self.average else "global sum pooling")
        if self.dense_layers:
            parts.append("dense " + " and ".join([str(self.dense)] * self.dense_layers))
        parts.append(self.output if self.scale == 1 else f"{self.scale:g} times {self.output}")
        if self.policy != NO_POLICY:
            filters = f" of {self.policy_filters}" if self.policy == "pointwise" else ""
            parts.append(f"{self.policy} policy{filters}")
        return ", ".join(parts)


def _layer(inputs: int, outputs: int) -> int:
    return inputs * outputs + outputs
