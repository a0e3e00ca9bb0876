"""How a network learns: Adam on the mean squared error, with L2 regularization.

One step minimizes over a batch of pairs (s, v)

    mean over the pairs of (f(s) - v)^2  +  l2 * sum of w^2 over the weights that are not biases

all divided by ``scale``^2, where ``scale`` is the network's: for Adam's step the unit does not matter, but
beside a loss of values from -1 to 1 the same L2 pulls ``scale``^2 times as hard, and the papers' networks
learned values from -64 to 64 and from -121 to 121 as they are (section 2.6 of the appendix of Minimax
Strikes Back). This reads the paper's "L2 regularization with 0.001 as parameter"
as TensorFlow's own (``kernel_regularizer=l2(0.001)``): added to the loss, biases left out, and so
part of the gradient that Adam scales. It is not the decoupled decay of AdamW. Algorithm 7 writes
the sum over the batch where TensorFlow takes the mean; Adam makes them the same but for the weight
of the L2 term, which with the sum would be a batch size smaller.

Two things are not the papers', and off by default. The rate can fall during a training run (``schedule``):
along a cosine, from the whole at its beginning to the share ``rate_end`` at its end. And what evaluates can
be a moving average of the weights that learn (``averaging``, after Polyak and Ruppert), as pattern networks
have it: the weights of single steps go back and forth around what they have learned.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_types, from_mapping

CONSTANT, COSINE = SCHEDULES = ("constant", "cosine")


@dataclass(frozen=True, kw_only=True)
class Adam:
    """The parameters of section 3.3.1 by default; a preset may have its own."""

    rate: float = 0.001
    """the paper's lambda of Adam"""
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-7
    l2: float = 0.001
    """of the L2 regularization, beside the loss of the values in their own unit"""
    schedule: str = CONSTANT
    """the learning-rate schedule: ``constant`` or ``cosine``"""
    rate_end: float = 0.1
    """the share of the rate that is left at the end, if it falls"""
    averaging: float = 0.0
    """examples over which the weights that evaluate are averaged; 0: they are those that learn"""

    def __post_init__(self) -> None:
        check_types(self, "Adam")
        if self.rate <= 0 or self.epsilon <= 0:
            raise InvalidParameter("Adam's rate and epsilon must be above 0.")
        if not (0 <= self.beta1 < 1 and 0 <= self.beta2 < 1):
            raise InvalidParameter("Adam's beta1 and beta2 must be at least 0 and below 1.")
        if self.l2 < 0:
            raise InvalidParameter(f"Adam's l2 can't be negative: {self.l2:g}.")
        if self.schedule not in SCHEDULES:
            there = suggest(self.schedule, SCHEDULES)
            raise InvalidParameter(f"There is no schedule '{self.schedule}'{there}")
        if not 0 <= self.rate_end <= 1:
            raise InvalidParameter(
                f"Adam's rate_end must be a share of its rate, from 0 to 1, not {self.rate_end:g}."
            )
        if self.averaging < 0:
            raise InvalidParameter(f"Adam's averaging can't be negative: {self.averaging:g}.")

    def rate_at(self, progress: float) -> float:
        """The rate after this share of a training run, 0 to 1."""
        if self.schedule == CONSTANT:
            return self.rate
        left = (1 + math.cos(math.pi * min(max(progress, 0.0), 1.0))) / 2
        return self.rate * (self.rate_end + (1 - self.rate_end) * left)

    def averaged(self, examples: int, seen: int) -> float:
        """The share of the newest weights in their average after a step of this many examples, of all so far.

        At first it is the mean of all the weights that there were.
        """
        return min(1.0, examples / min(self.averaging, seen))

    @classmethod
    def from_json(cls, settings: object) -> Adam:
        """The parameters that :meth:`to_json` has written; InvalidParameter if there are none."""
        return from_mapping(cls, settings, "Adam")

    def to_json(self) -> dict[str, Any]:
        """All the fields, as plain JSON."""
        return asdict(self)
