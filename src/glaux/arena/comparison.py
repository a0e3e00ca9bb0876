"""The results of ``glaux match`` on several games, taken together.

Reads the JSON that ``glaux match --json`` prints, one file for each repetition of each game, and gives
the mean over the games of what the papers report (wins, losses, score, and wins minus losses) with
stratified bootstrap intervals; for two sets of files, also the gain of the one rather than the other:
half the difference of wins minus losses, which is the difference of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from glaux.arena.bootstrap import RESAMPLES, Estimate, Stratum, estimate
from glaux.arena.contest import Tally
from glaux.errors import InvalidFile, InvalidParameter
from glaux.foreign import read_json

UNITS = ("repetitions", "matches")
MOST = 10**7
"""games of a kind in a file: each becomes a number in memory"""
MEASURES: dict[str, tuple[float, float, float]] = {
    "wins": (1.0, 0.0, 0.0),
    "losses": (0.0, 0.0, 1.0),
    "score": (1.0, 0.5, 0.0),
    "wins_minus_losses": (1.0, 0.0, -1.0),
}
"""What a win, a draw and a loss count."""


@dataclass(frozen=True)
class MatchFile:
    """The result of one ``glaux match``: the first PLAYER's, by colour."""

    game: str
    as_first: Tally
    as_second: Tally

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.as_first.games + self.as_second.games


@dataclass(frozen=True)
class GameFiles:
    """The files of one game."""

    game: str
    files: list[MatchFile]

    @property
    def games(self) -> int:
        """The games in all the files."""
        return sum(file.games for file in self.files)


def read_match_files(paths: Iterable[Path]) -> list[GameFiles]:
    """The files by game, in the order in which the games first come; directories stand for their files."""
    by_game: dict[str, list[MatchFile]] = {}
    for path in paths:
        inside = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not inside:
            raise InvalidFile(f"The directory '{path}' has no .json files.")
        for file in inside:
            read = _read(file)
            by_game.setdefault(read.game, []).append(read)
    return [GameFiles(game, files) for game, files in by_game.items()]


def default_unit(*sides: list[GameFiles]) -> str:
    """Repetitions if every game has several, matches otherwise."""
    return UNITS[0] if all(len(files.files) > 1 for side in sides for files in side) else UNITS[1]


@dataclass(frozen=True)
class Estimator:
    """How means are estimated: over what, and with which random numbers."""

    unit: str
    seed: int = 0
    resamples: int = RESAMPLES

    def check(self) -> None:
        """InvalidParameter for what can't be."""
        if self.unit not in UNITS:
            raise InvalidParameter(f"Intervals can be over {' or '.join(UNITS)}, not '{self.unit}'.")
        if self.resamples < 100:
            raise InvalidParameter(f"An interval needs at least 100 resamples, not {self.resamples}.")

    def mean(self, games: list[GameFiles], measure: str) -> Estimate:
        """The mean of a measure over the games, each counting the same."""
        return estimate(self._strata(games, MEASURES[measure], 1.0), self.seed, self.resamples)

    def gain(self, games: list[GameFiles], other: list[GameFiles]) -> Estimate:
        """The gain of these players rather than the others, on the same games."""
        if {files.game for files in games} != {files.game for files in other}:
            raise InvalidParameter("A gain needs the same games on both sides.")
        counts = MEASURES["score"]
        strata = self._strata(games, counts, 1.0) + self._strata(other, counts, -1.0)
        return estimate(strata, self.seed, self.resamples)

    def _strata(
        self, games: list[GameFiles], counts: tuple[float, float, float], sign: float
    ) -> list[Stratum]:
        of_game: Callable[..., list[Stratum]] = _repetitions if self.unit == UNITS[0] else _matches
        weight = sign / len(games)
        return [stratum for files in games for stratum in of_game(files, np.array(counts), weight)]


def _repetitions(files: GameFiles, counts: Any, weight: float) -> list[Stratum]:
    rates = [counts @ (_numbers(f.as_first) + _numbers(f.as_second)) / f.games for f in files.files]
    return [Stratum(np.array(rates), weight, _span(counts))]


def _matches(files: GameFiles, counts: Any, weight: float) -> list[Stratum]:
    strata = []
    for colour in ("as_first", "as_second"):
        numbers = sum(_numbers(getattr(file, colour)) for file in files.files)
        if numbers.sum():
            share = numbers.sum() / files.games
            strata.append(Stratum(np.repeat(counts, numbers), weight * float(share), _span(counts)))
    return strata


def _span(counts: Any) -> tuple[float, float]:
    return float(min(counts)), float(max(counts))


def _numbers(tally: Tally) -> Any:
    return np.array([tally.wins, tally.draws, tally.losses])


def _read(path: Path) -> MatchFile:
    if not path.is_file():
        raise InvalidFile(f"There is no file '{path}'.")
    try:
        content = read_json(path, links=True)
        tallies = [Tally(**content["by_colour"][colour]) for colour in ("first", "second")]
        file = MatchFile(content["game"], *tallies)
        counts = [count for tally in tallies for count in (tally.wins, tally.draws, tally.losses)]
        whole = all(type(count) is int and 0 <= count <= MOST for count in counts)
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole or not isinstance(file.game, str) or file.games < 1:
        raise InvalidFile(f"'{path}' is not the output of glaux match --json.")
    return file
