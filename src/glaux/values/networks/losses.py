"""What a network with a policy learns: the loss of its values plus that of its policy.

One step minimizes over a batch of examples (s, z, P), with (v, p) the network's value and policy of s, and v
and z in units of its scale,

    mean over the examples of  (z - v)^2  -  sum over the legal actions of P(a) log p(a)

plus the L2 regularization of ``adam.py``: the loss of AlphaGo Zero and AlphaZero. The softmax of p is over
the legal actions of s alone. An example without a policy, a row of zeros, has no second term.

ExIt has the same second term. Its first is at the beginning none, and then - z log v - (1 - z) log(1 - v)
with z and v as chances to win, from 0 to 1 (section 8.1 of the reference).

Importing this file needs the extra ``deep``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor


@dataclass(frozen=True)
class PolicyTargets:
    """The policies of a batch over the legal actions of its states, width as that of the most actions."""

    places: npt.NDArray[np.int64]
    """int64[n, width]: where the logits of the actions are; anything where there is no action"""
    legal: npt.NDArray[np.bool_]
    """bool[n, width]"""
    policies: npt.NDArray[np.float32]
    """float32[n, width]: the probabilities to learn"""


class Terms(NamedTuple):
    """The two parts of a loss, float32[n] each, of which the sum of the means is minimized."""

    value: Tensor
    policy: Tensor


def masked_log_softmax(logits: Tensor, places: Tensor, legal: Tensor) -> Tensor:
    """log p over the legal actions, and 0 where there is none."""
    chosen = logits.gather(1, places).masked_fill(~legal, -torch.inf)
    # A terminal state has no action at all: its row would be NaN, and NaN has no gradient worth having.
    chosen = chosen.masked_fill(~legal.any(1, keepdim=True), 0.0)
    return torch.log_softmax(chosen, 1).masked_fill(~legal, 0.0)


def cross_entropy(logits: Tensor, places: Tensor, legal: Tensor, policies: Tensor) -> Tensor:
    """- sum P log p, float32[n]."""
    return -(policies * masked_log_softmax(logits, places, legal)).sum(1)


def squares(values: Tensor, targets: Tensor, policy: Tensor) -> Terms:
    """AlphaZero's: the squared error of the value and the cross-entropy of the policy."""
    return Terms(torch.square(values - targets), policy)


def likelihood(values: Tensor, targets: Tensor, policy: Tensor) -> Terms:
    """ExIt's: - z log v - (1 - z) log(1 - v) of the chances to win, and the cross-entropy of the policy."""
    v, z = (1 + values.clamp(-1 + 1e-6, 1 - 1e-6)) / 2, (1 + targets.clamp(-1, 1)) / 2
    return Terms(-z * torch.log(v) - (1 - z) * torch.log(1 - v), policy)


def policy_alone(values: Tensor, _: Tensor, policy: Tensor) -> Terms:
    """ExIt's before its value phase: the values are not learned."""
    return Terms(torch.zeros_like(values), policy)


Loss: TypeAlias = Callable[[Tensor, Tensor, Tensor], Terms]
"""(values, their targets, both in units of the scale; cross-entropies) -> the terms"""
LOSSES: dict[str, Loss] = {"squares": squares, "likelihood": likelihood, "policy": policy_alone}
