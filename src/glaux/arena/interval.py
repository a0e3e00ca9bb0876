"""How sure a score is."""

from math import sqrt

Z_95 = 1.959964
"""The 97.5% point of the normal distribution."""


def wilson(score: float, games: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share, the score of a number of games.

    A drawn game counts as half a win; its variance is smaller than that of a won or lost one, so
    the interval is then wider than it need be.
    """
    if games == 0:
        return 0.0, 1.0
    spread = Z_95 * Z_95 / games
    centre = (score + spread / 2) / (1 + spread)
    half = Z_95 * sqrt((score * (1 - score) + spread / 4) / games) / (1 + spread)
    # The score lies inside, and the interval between 0 and 1; rounding must not put them outside.
    return max(0.0, min(score, centre - half)), min(1.0, max(score, centre + half))
