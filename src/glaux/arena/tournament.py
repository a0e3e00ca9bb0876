"""Round robins: every player against every other, in a directory that survives a kill.

    tournament.json   what is played
    matches.jsonl     a line for each match that has ended: who, the result, the actions

Each line is written at once when its match ends. A tournament that was stopped, however, goes on where it
was: matches that are there are not played again, and since every match has its own seeds, which follow from
the tournament's, the result is that of one which never stopped (if the players do not think by the
clock). All pairs of players begin with the same openings. What is made of the matches when all are
there stands in ``report.py``.

Who plays what is always what the user asks for. The directory, which may come from a stranger, only says what
was played already, and every match of it is played through by the rules.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from glaux.arena.contest import check_players, pair_job
from glaux.arena.match import PlayedMatch
from glaux.arena.openings import Openings
from glaux.arena.pool import GameJob, Played, derived_seed, play_jobs
from glaux.directories import (
    append_line,
    begun,
    check_head,
    check_same,
    cut_broken_end,
    locked,
    read_lines,
    write_head,
)
from glaux.errors import GlauxError, InvalidParameter
from glaux.rules.game import Game

HEAD, MATCHES = "tournament.json", "matches.jsonl"
KIND, FORMAT = "glaux tournament", 1


class Key(NamedTuple):
    """Which match: the numbers of the two players, the lower first, and the match's between them."""

    a: int
    b: int
    number: int

    @property
    def sides(self) -> tuple[int, int]:
        """The players as they sit: who moves first, then the other. In odd matches that is b."""
        return (self.b, self.a) if self.number % 2 else (self.a, self.b)


@dataclass(frozen=True)
class Tournament:
    """Who plays, how often each pair, and from what."""

    game: Game
    players: tuple[str, ...]
    games: int
    """matches of each pair of players"""
    opening: int = 0
    """random plies before the players take over"""
    book: int | None = None
    """plies of the openings of a book, instead of random ones"""
    seed: int = 0

    def check(self) -> None:
        """Raise an error for what can't be played, before anything is."""
        if len(self.players) < 2:
            raise InvalidParameter("A tournament needs at least two players.")
        for player in self.players:
            if self.players.count(player) > 1:
                raise InvalidParameter(f"The player {player} is listed twice.")
        if self.games < 2 or self.games % 2:
            raise InvalidParameter(
                f"The games per pair must be an even number, half with each colour, not {self.games}."
            )
        check_players(self.game, self.players, self.seed)
        self.openings.check()

    @cached_property
    def openings(self) -> Openings:
        """What the matches of each pair of players begin with."""
        return Openings(self.game, self.opening, self.book, self.seed, self.games // 2)

    def all_keys(self) -> list[Key]:
        """All the matches, in an order in which all the pairs advance together."""
        pairs = list(combinations(range(len(self.players)), 2))
        return [Key(a, b, number) for number in range(self.games) for a, b in pairs]

    def job(self, key: Key) -> GameJob:
        """A match to be played."""
        seed = derived_seed(self.seed, key.a, key.b)
        players = self.players[key.a], self.players[key.b]
        return pair_job(self.game, players, key.number, seed, self.openings)

    def description(self) -> dict[str, Any]:
        """What makes it this tournament and no other, as JSON."""
        return {
            "game": self.game.text,
            "players": list(self.players),
            "games": self.games,
            "opening": self.opening,
            "book": self.book,
            "seed": self.seed,
        }

    @property
    def name(self) -> str:
        """A name for a directory, the same for the same tournament alone."""
        digest = hashlib.sha256(json.dumps(self.description()).encode()).hexdigest()[:8]
        letters = "".join(c if c.isalnum() or c in "-_" else "-" for c in self.game.name)
        return f"{letters}-{digest}"


class TournamentDirectory:
    """The directory of one tournament."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path = path
        self.tournament = tournament

    @classmethod
    def open(cls, path: Path, tournament: Tournament) -> TournamentDirectory:
        """A new directory, or that of the same tournament; InvalidFile if it holds something else."""
        if begun(path, HEAD, "tournament"):
            head = check_head(path / HEAD, "a tournament", KIND, FORMAT)
            check_same(path, "tournament", head, tournament.description())
        else:
            write_head(path / HEAD, {"kind": KIND, "format": FORMAT, **tournament.description()})
        return cls(path, tournament)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """While this lasts no other process plays here; InvalidFile if one does."""
        with locked(self.path, "playing"):
            yield

    def matches(self) -> dict[Key, PlayedMatch]:
        """The matches that have ended. Lines that are not a whole match of this tournament are left out."""
        wanted = set(self.tournament.all_keys())
        found: dict[Key, PlayedMatch] = {}
        for row in read_lines(self.path / MATCHES):
            match = _read_match(self.tournament, row)
            if match and match[0] in wanted:
                found.setdefault(*match)
        return found

    def play(
        self, ended: dict[Key, PlayedMatch], workers: int | None = None, *, on: str | None = None
    ) -> Played[Key]:
        """Play what is not among the ended ones; each match is in the directory when it is given."""
        cut_broken_end(self.path / MATCHES)
        missing = [key for key in self.tournament.all_keys() if key not in ended]
        if not missing:
            return
        jobs = ((key, self.tournament.job(key)) for key in missing)
        for key, record in play_jobs(jobs, workers, on=on, most=len(missing)):
            append_line(self.path / MATCHES, {**key._asdict(), **asdict(record)})
            yield key, record


def _read_match(tournament: Tournament, row: dict[str, Any]) -> tuple[Key, PlayedMatch] | None:
    """The match of a line, if its actions can be played and end as it says."""
    try:
        key = Key(*(int(row[name]) for name in Key._fields))
        first, second = row["seconds"]
        chosen = [int(count) for count in row["choices"]]
        values = {field.name: row[field.name] for field in fields(PlayedMatch)}
        values |= {"seconds": (float(first), float(second)), "choices": (chosen[0], chosen[1])}
        values |= {"actions": list(values["actions"]), "forfeit": str(values["forfeit"])}
        values["score"] = None if values["score"] is None else float(values["score"])
        record = PlayedMatch(**values)
        numbers = (*record.seconds, record.score or 0.0)
        if type(record.outcome) is not int or type(record.opening) is not int:
            return None
        if not all(map(math.isfinite, numbers)) or not record.forfeit.isprintable():
            return None
        state = tournament.game.initial()
        for action in record.actions:
            state = tournament.game.apply(state, action)
    except (GlauxError, KeyError, IndexError, TypeError, ValueError, OverflowError):
        return None
    # A match may have ended by other means than the rules; if by them, then as they say.
    by_rules = tournament.game.outcome(state)
    fits = record.outcome in (-1, 0, 1) and by_rules in (None, record.outcome)
    return (key, record) if fits and 0 <= record.opening <= len(record.actions) else None
