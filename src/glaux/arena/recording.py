"""The games of a contest as records, with who played which side."""

from __future__ import annotations

from glaux.arena.contest import Contest
from glaux.arena.match import Record as Played
from glaux.records.record import Record


def record_of(contest: Contest, index: int, played: Played) -> Record:
    """The record of game number ``index``; in odd ones the first PLAYER was the second player."""
    first, second = contest.players if index % 2 == 0 else contest.players[::-1]
    record = Record(
        contest.game.initial(),
        (first, second),
        opening=played.opening,
        tags={"Round": str(index + 1), "Seed": str(contest.seed)},
    )
    record.play_all(played.actions)
    if played.forfeit:
        record.decide(played.outcome, played.forfeit)
    return record
