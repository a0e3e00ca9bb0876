"""What the measurements share: slices of CPU time, the best of which counts."""

from __future__ import annotations

from glaux.errors import InvalidParameter

SLICES = 5


def check_seconds(seconds: float) -> float:
    """Seconds to measure for."""
    if not seconds > 0:
        raise InvalidParameter(f"The seconds to measure must be more than 0, not {seconds}.")
    return seconds


def rate(count: float, seconds: float) -> float:
    """So many a second, even if the clock did not move."""
    return count / max(seconds, 1e-9)
