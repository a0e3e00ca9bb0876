"""Matches between players of a test."""

import glaux
from glaux.arena.contest import Contest, Standing, play_contest


def score(game: str, first: str, second: str, games: int) -> float:
    """Of the first, both colours, openings of two random plies."""
    standing = Standing()
    for index, record in play_contest(Contest(glaux.make(game), (first, second), games, 2, 1), workers=1):
        standing.add(index, record)
    return standing.total.score
