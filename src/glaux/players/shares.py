"""Values as shares of a win, whatever their unit: for the eye, and for levels."""

from __future__ import annotations

import math

STEEPNESS = 2.5
"""of the curve that converts values in units other than wins to shares of a win"""


def share_of(value: float, scale: float) -> float:
    """A value as a share of a win, -1 to 1, where ``scale`` is the largest value that ends have."""
    if not math.isfinite(value):
        return 0.0
    return max(-1.0, min(1.0, value)) if scale <= 1 else math.tanh(STEEPNESS * value / scale)
