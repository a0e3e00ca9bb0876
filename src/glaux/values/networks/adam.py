"""How a network learns: Adam on the mean squared error, with L2 regularization.

One step minimizes over a batch of pairs (s, v)

    mean over the pairs of (f(s) - v)^2  +  l2 * sum of w^2 over the weights that are no biases

all divided by ``scale``^2, where ``scale`` is the network's: for Adam's step the unit does not matter, but
beside a loss of values from -1 to 1 the same L2 pulls ``scale``^2 times as hard, and the papers' networks
learned values from -64 to 64 and from -121 to 121 as they are (section 2.6 of the appendix of Minimax
Strikes Back). This reads the paper's "L2 regularization with 0.001 as parameter"
as TensorFlow's own (``kernel_regularizer=l2(0.001)``): added to the loss, biases left out, and so
part of the gradient that Adam scales. It is not the decoupled decay of AdamW. Algorithm 7 writes
the sum over the batch where TensorFlow takes the mean; Adam makes them the same but for the weight
of the L2 term, which with the sum would be a batch size smaller.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from glaux.errors import InvalidParameter
from glaux.fields import check_types, from_mapping


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

    def __post_init__(self) -> None:
        check_types(self, "Adam")
        if self.rate <= 0 or self.epsilon <= 0:
            raise InvalidParameter("Adam's rate and epsilon must be above 0.")
        if not (0 <= self.beta1 < 1 and 0 <= self.beta2 < 1):
            raise InvalidParameter("Adam's beta1 and beta2 must be at least 0 and below 1.")
        if self.l2 < 0:
            raise InvalidParameter(f"Adam's l2 can't be negative: {self.l2:g}.")

    @classmethod
    def from_json(cls, settings: object) -> Adam:
        """The parameters that :meth:`to_json` has written; InvalidParameter if there are none."""
        return from_mapping(cls, settings, "Adam")

    def to_json(self) -> dict[str, Any]:
        """All the fields, as plain JSON."""
        return asdict(self)
