"""What a tournament says: the cross table, the ratings, and the files that keep them.

    result.json     ratings with intervals, results of every pair
    matches.txt     all the matches as text
    ratings.png, ratings.svg   the chart

The files follow from the matches alone: made again, they are the same but for thinking times.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from glaux.arena.contest import Tally
from glaux.arena.match import PlayedMatch
from glaux.arena.ratings import PRIOR_ELO, Rating, fit_ratings
from glaux.arena.recording import make_record
from glaux.arena.tournament import Key, Tournament
from glaux.directories import replace_file
from glaux.records.text import write_text

RESULT, TEXT = "result.json", "matches.txt"


@dataclass(frozen=True)
class CrossTableRow:
    """A player of the cross table."""

    player: str
    rating: Rating
    tally: Tally
    against: list[Tally]
    """the results against each player, in the order of the rows; empty against itself"""
    seconds_per_move: float


@dataclass(frozen=True)
class CrossTable:
    """The players, the strongest first, with their results against each other."""

    tournament: Tournament
    rows: list[CrossTableRow]
    groups: list[list[str]]
    """players whose distances the results bound on both sides; see ``Ratings.groups``"""
    first: Tally
    """the results of whoever moved first"""
    mean_plies: float

    @property
    def notes(self) -> list[str]:
        """What one should know about the ratings, in whole sentences."""
        sentences = []
        for stronger, weaker in zip(self.groups, self.groups[1:], strict=False):
            names, others = _listed(stronger), _listed(weaker)
            sentences.append(
                f"{names} lost no points to {others}: the results do not bound the difference, and the "
                f"rating shown depends on the prior ({PRIOR_ELO:g} Elo)."
            )
        return sentences

    def summary(self) -> dict[str, Any]:
        """The figures that ``glaux tournament --json`` prints and ``result.json`` holds."""
        rows = self.rows
        return {
            **self.tournament.description(),
            "ratings": [
                {
                    "player": row.player,
                    "elo": round(row.rating.elo, 2),
                    "low": round(row.rating.low, 2),
                    "high": round(row.rating.high, 2),
                    "open_below": row.rating.open_below,
                    "open_above": row.rating.open_above,
                    **_counted(row.tally),
                    "seconds_per_move": row.seconds_per_move,
                }
                for row in rows
            ],
            "pairs": [
                {"players": [rows[i].player, rows[j].player], **_counted(rows[i].against[j])}
                for i in range(len(rows))
                for j in range(i + 1, len(rows))
            ],
            "first_player": _counted(self.first),
            "mean_plies": self.mean_plies,
            "groups": self.groups,
            "notes": self.notes,
        }


def make_cross_table(tournament: Tournament, matches: Mapping[Key, PlayedMatch]) -> CrossTable:
    """Count the matches and rate the players."""
    size = len(tournament.players)
    against = [[Tally() for _ in range(size)] for _ in range(size)]
    first, thinking, choices, plies = Tally(), np.zeros(size), np.zeros(size), 0
    for key, record in sorted(matches.items()):
        one, other = key.sides
        against[one][other].add(record.outcome)
        against[other][one].add(-record.outcome)
        first.add(record.outcome)
        plies += len(record.actions)
        for side, player in enumerate(key.sides):
            thinking[player] += record.seconds[side]
            choices[player] += record.choices[side]
    wins = np.array([[tally.wins for tally in row] for row in against])
    draws = np.array([[tally.draws for tally in row] for row in against])
    ratings = fit_ratings(wins, draws)
    order = sorted(range(size), key=lambda player: -ratings.players[player].elo)
    rows = [
        CrossTableRow(
            tournament.players[player],
            ratings.players[player],
            _sum(against[player]),
            [against[player][other] for other in order],
            float(thinking[player] / max(1, choices[player])),
        )
        for player in order
    ]
    groups = [[tournament.players[player] for player in group] for group in ratings.groups]
    return CrossTable(tournament, rows, groups, first, plies / max(1, len(matches)))


def write_report(path: Path, table: CrossTable, matches: Mapping[Key, PlayedMatch]) -> None:
    """Write the figures and the texts of the matches into the directory of a tournament."""
    tournament = table.tournament
    texts = []
    for number, (key, record) in enumerate(sorted(matches.items()), start=1):
        players = tournament.players[key.sides[0]], tournament.players[key.sides[1]]
        tags = {"Match": str(number), "Round": f"{key.a + 1}.{key.b + 1}.{key.number + 1}"}
        texts.append(write_text(make_record(tournament.game, players, record, tags)))
    replace_file(path / TEXT, "".join(texts).encode())
    content = json.dumps(table.summary(), indent=2, ensure_ascii=False) + "\n"
    replace_file(path / RESULT, content.encode())


def _sum(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.wins += tally.wins
        total.draws += tally.draws
        total.losses += tally.losses
    return total


def _counted(tally: Tally) -> dict[str, Any]:
    return {"games": tally.games, **asdict(tally), "score": tally.score}


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
