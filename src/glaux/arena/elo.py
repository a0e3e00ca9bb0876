"""The Elo scale: a difference of 400 means odds of ten to one."""

from math import log

ELO = 400 / log(10)
"""Elo points of a factor e in the odds."""


def expected_score(elo: float) -> float:
    """The expected share of the points for a player who is this much stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))
