"""What the games of a play say: how often each row has won, by game, repetition, stage and opponent.

A game between two who are both measured counts for both of them, one with itself for either colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from glaux.arena.bootstrap import RESAMPLES, Estimate, Stratum, estimate
from glaux.arena.comparison import MEASURES
from glaux.arena.ratings import Ratings, fit_ratings
from glaux.experiments.pairings import Contestant, GameKey, measured, opponents
from glaux.experiments.plan import Plan
from glaux.experiments.spec import Play, rows_of
from glaux.words import plural

Counts = npt.NDArray[np.int64]
"""int64[3]: wins, draws, losses"""
Floats = npt.NDArray[np.float64]


class Cell(NamedTuple):
    """Whose games, and which of them."""

    game: str
    row: str
    stage: int
    condition: str | None
    """the opponent, if it is the same for all, or the twists; None: all of them"""


@dataclass
class Times:
    """Thinking times of a row."""

    seconds: float = 0.0
    choices: int = 0

    @property
    def mean(self) -> float:
        """Seconds for a move."""
        return self.seconds / max(1, self.choices)


@dataclass
class Results:
    """The games of one play, counted."""

    plan: Plan
    play: Play
    counts: dict[Cell, dict[int, Counts]] = field(default_factory=dict)
    """by repetition"""
    direct: dict[tuple[str, str, str], Counts] = field(default_factory=dict)
    """by game and two rows: what the first did against the second"""
    times: dict[tuple[str, str], Times] = field(default_factory=dict)
    """by game and row"""
    games: dict[str, int] = field(default_factory=dict)
    """how many were played of each game"""

    @property
    def rows(self) -> dict[str, str]:
        """The rows that have games, with their titles."""
        there = {cell.row for cell in self.counts}
        known = rows_of(self.play, self.plan.experiment.combinations)
        return {name: title for name, title in known.items() if name in there}

    @property
    def played(self) -> list[str]:
        """The games in which something was played."""
        return [game for game in self.plan.games if game in self.games]

    @property
    def conditions(self) -> list[str]:
        """Opponents or twists, in the order of the file."""
        there = {cell.condition for cell in self.counts}
        known = [name for name, _ in self.play.opponents] or [twists_text(n) for n in self.play.twists]
        return [name for name in known if name in there]

    def repetitions(
        self, game: str, row: str, stage: int | None = None, condition: str | None = None
    ) -> dict[int, float]:
        """The measure of a row in a game by repetition; at a stage, by default the last."""
        at = self.plan.stages if stage is None else stage
        sums = self.counts.get(Cell(game, row, at, condition), {})
        weights = np.array(MEASURES[self.play.measure])
        return {one: float(weights @ sums[one] / sums[one].sum()) for one in sorted(sums)}

    def mean(self, game: str, row: str, **which: Any) -> float | None:
        """The mean over repetitions; None without games."""
        found = list(self.repetitions(game, row, **which).values())
        return float(np.mean(found)) if found else None

    def estimate(
        self, row: str, games: Iterable[str] | None = None, resamples: int = RESAMPLES, **which: Any
    ) -> Estimate | None:
        """The mean over games with its stratified bootstrap interval, each game counting the same."""
        found = [self.repetitions(game, row, **which) for game in (games or self.played)]
        results = [np.array(list(values.values())) for values in found if values]
        if not results:
            return None
        span = min(MEASURES[self.play.measure]), max(MEASURES[self.play.measure])
        return estimate([Stratum(one, 1 / len(results), span) for one in results], resamples=resamples)

    def differences(self, better: str, than: str, games: Iterable[str]) -> list[Floats]:
        """The differences of two rows by game, of the repetitions that both have."""
        found = []
        for game in games:
            ours, theirs = self.repetitions(game, better), self.repetitions(game, than)
            both = sorted(ours.keys() & theirs.keys())
            if both:
                found.append(np.array([ours[one] - theirs[one] for one in both]))
        return found

    def ratings(self) -> Ratings | None:
        """On the Elo scale, from all games of the last stage; first those of the rows, then of opponents."""
        others = dict.fromkeys(other for _, _, other in self.direct if other not in self.rows)
        names = [*self.rows, *others]
        if len(self.rows) < 2 or not self.direct:
            return None
        wins, draws = np.zeros((2, len(names), len(names)), np.int64)
        for (_, one, other), (won, drawn, lost) in self.direct.items():
            i, j = names.index(one), names.index(other)
            if i != j:
                wins[i, j] += won
                draws[i, j] += drawn
            if other in others:  # what the opponent did is counted nowhere else
                wins[j, i] += lost
                draws[j, i] += drawn
        return fit_ratings(wins, draws)


def count(plan: Plan, play: Play, games: Mapping[GameKey, Mapping[str, Any]]) -> Results:
    """Count the games of a play."""
    results = Results(plan, play)
    sets = {
        game: (set(measured(plan, play, game)), set(opponents(plan, play, game)))
        for game in plan.games
        if play in plan.plays(game)
    }
    for key, line in games.items():
        those, others = sets[key.game]
        results.games[key.game] = results.games.get(key.game, 0) + 1
        for side, (one, other) in enumerate(((key.first, key.second), (key.second, key.first))):
            if one is None or one not in those or (other is not None and other not in others):
                continue
            outcome = line["outcome"] * (1 if side == 0 else -1)
            _add(results, key, one, other, outcome, line, side)
    return results


def _add(
    results: Results,
    key: GameKey,
    one: Contestant,
    other: Contestant | None,
    outcome: int,
    line: Mapping[str, Any],
    side: int,
) -> None:
    play, row = results.play, row_of(results.play, one)
    condition = twists_text(key.twists) if other is None else "" if other.combination else other.player
    for which in (condition, None):
        by_repetition = results.counts.setdefault(Cell(key.game, row, one.stage, which), {})
        by_repetition.setdefault(one.repetition, np.zeros(3, np.int64))[1 - outcome] += 1
    if other is not None and one.stage == results.plan.stages:
        direct = results.direct.setdefault((key.game, row, _met_as(play, other)), np.zeros(3, np.int64))
        direct[1 - outcome] += 1
    times = results.times.setdefault((key.game, row), Times())
    try:
        times.seconds += float(line["seconds"][side])
        times.choices += int(line["choices"][side])
    except (KeyError, IndexError, TypeError, ValueError):
        pass  # a line of somebody else's: without times


def row_of(play: Play, one: Contestant) -> str:
    """The row to which a contestant belongs."""
    if play.rows == "both":
        return f"{one.combination}/{one.player}"
    return one.player if play.rows == "players" else one.combination


def _met_as(play: Play, other: Contestant) -> str:
    """What an opponent is called: a row if its games count for one, otherwise like none of the rows."""
    if not other.combination:
        return other.player
    if play.rows == "combinations" and other.player not in dict(play.players):
        return f"{other.combination}/{other.player}"
    return row_of(play, other)


def twists_text(twists: int) -> str:
    """A number of twists as an opponent."""
    return plural(twists, "twist")
