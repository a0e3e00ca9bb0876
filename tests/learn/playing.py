"""Matches between players of a test."""

from collections.abc import Sequence

import glaux
from glaux.arena.contest import Contest, Standing, play_contest


def score(game: str, players: Sequence[str], games: int) -> float:
    """Of the first, both colours, openings of two random plies."""
    standing = Standing()
    for index, record in play_contest(
        Contest(glaux.make(game), (players[0], players[1]), games, 2, 1), workers=1
    ):
        standing.add(index, record)
    return standing.total.score
