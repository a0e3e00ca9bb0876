"""The games of contests and tournaments as records, with who played which side."""

from __future__ import annotations

from collections.abc import Mapping

from glaux.arena.contest import Contest
from glaux.arena.match import PlayedMatch
from glaux.records.record import Record
from glaux.rules.game import Game


def record_of(contest: Contest, index: int, played: PlayedMatch) -> Record:
    """The record of game number ``index``; in odd ones the first PLAYER was the second player."""
    first, second = contest.players if index % 2 == 0 else contest.players[::-1]
    tags = {"Round": str(index + 1), "Seed": str(contest.seed)}
    return make_record(contest.game, (first, second), played, tags)


def make_record(game: Game, players: tuple[str, str], played: PlayedMatch, tags: Mapping[str, str]) -> Record:
    """The record of a game that the first of the players began."""
    record = Record(game.initial(), players, opening=played.opening, tags=tags)
    record.play_all(played.actions)
    if played.forfeit:
        record.decide(played.outcome, played.forfeit)
    return record
