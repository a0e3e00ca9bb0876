"""The training runs below a directory, and their curves while they grow.

A run is listed by its path below the directory, as ``hex7`` or ``monday/hex7``. A client names a run
and the name is looked up in the list: nothing that it sends is ever joined to a path.

``metrics.jsonl`` grows by a line a match and can have hundreds of thousands, so that it is read on
from where the last look ended and kept as a bounded number of points, each the mean of its part.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from glaux.directories import LINES_MOST
from glaux.errors import GlauxError, UnknownName, suggest
from glaux.foreign import open_foreign
from glaux.learn.listing import Listed, find_runs
from glaux.learn.run import METRICS, Run
from glaux.web.selfplay import latest, settings

POINTS = 400
"""points of a curve at most"""
READ_AT_ONCE = 32 << 20
"""bytes of figures read in one look"""
MOST = 1e100
"""of a figure that is believed: means of such are finite, as JSON must be"""
LOOK_AGAIN = 2.0
"""seconds for which a list of the directory holds"""


class Runs:
    """The runs below a directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._found: dict[str, Listed] = {}
        self._looked = -math.inf
        self._curves: dict[str, Curve] = {}
        self._lock = Lock()

    def listed(self) -> list[Listed]:
        """All of them, those that changed last first."""
        with self._lock:
            if time.monotonic() - self._looked > LOOK_AGAIN:
                self._found = {run.name: run for run in find_runs(self.folder)}
                self._looked = time.monotonic()
            return sorted(self._found.values(), key=lambda run: -run.changed)

    def path(self, name: str) -> Path:
        """Where the run of this name is; UnknownName if there is none."""
        return self._get(name).path

    def settings(self, name: str) -> list[dict[str, str]]:
        """The settings of the run of this name."""
        return settings(Run.open(self._get(name).path).config)

    def matches(self, name: str) -> list[dict[str, Any]]:
        """Its latest matches against itself."""
        return latest(self._get(name).path)

    def game_text(self, name: str) -> str:
        """The game that it learns."""
        return self._get(name).game

    def curve(self, name: str) -> dict[str, Any]:
        """The figures of a run as curves."""
        run = self._get(name)
        with self._lock:
            curve = self._curves.setdefault(name, Curve(run.path / METRICS))
        with curve.lock:
            curve.read()
            return curve.summary()

    def _get(self, name: str) -> Listed:
        self.listed()
        if name not in self._found:
            raise UnknownName(f"There is no run '{name}'{suggest(name, list(self._found))}")
        return self._found[name]


@dataclass
class Thinned:
    """A series that never has more than this many points: neighbours are merged when it would."""

    names: tuple[str, ...]
    step: int = 1
    """rows that make a point"""
    points: list[list[float]] = field(default_factory=list)
    _rows: list[list[float]] = field(default_factory=list)

    def add(self, row: list[float]) -> None:
        """Add a row."""
        self._rows.append(row)
        if len(self._rows) >= self.step:
            self.points.append(_mean(self._rows))
            self._rows = []
        if len(self.points) >= POINTS:
            pairs = zip(self.points[::2], self.points[1::2], strict=True)
            self.points = [_mean([a, b]) for a, b in pairs]
            self.step *= 2

    def columns(self) -> dict[str, list[float]]:
        """The points by column, the unfinished one included."""
        points = self.points + ([_mean(self._rows)] if self._rows else [])
        return {name: [point[i] for point in points] for i, name in enumerate(self.names)}


class Curve:
    """The figures of one run, followed as their file grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = Lock()
        self._begin()

    def _begin(self) -> None:
        self._offset = 0
        self._matches = Thinned(("elapsed", "match", "loss", "plies"))
        self._strengths: list[dict[str, float]] = []
        self._share = True
        self._latest: dict[str, Any] = {}
        self._evaluations = 0

    def read(self) -> None:
        """Take in what is new; all anew if the file was cut, as a resumed run does."""
        try:
            with open_foreign(self.path, LINES_MOST) as file:
                if file.seek(0, 2) < self._offset:
                    self._begin()
                file.seek(self._offset)
                block = file.read(READ_AT_ONCE)
        except (OSError, GlauxError):
            return
        whole = block[: block.rfind(b"\n") + 1]
        if len(block) == READ_AT_ONCE and not whole:
            whole = block  # no line of ours: passed over
        self._offset += len(whole)
        for line in whole.splitlines():
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError, AttributeError):
                continue  # cut off by a kill, or no line of ours

    def _take(self, row: dict[str, Any]) -> None:
        if row["kind"] == "strength":
            self._strengths.append({key: _finite(row[key]) for key in ("elapsed", "score", "low", "high")})
            self._share = bool(row.get("share", True))
        elif row["kind"] == "match":
            self._matches.add([_finite(row[name]) for name in self._matches.names])
            self._latest = row
            self._evaluations += int(row.get("evaluations", 0))

    def summary(self) -> dict[str, Any]:
        """The curves, and the latest figures."""
        return {
            "matches": int(_finite(self._latest.get("match", 0))),
            "elapsed": _finite(self._latest.get("elapsed", 0.0)),
            "evaluations": self._evaluations,
            "curve": self._matches.columns(),
            "strength": self._strengths,
            "share": self._share,
        }


def _mean(rows: list[list[float]]) -> list[float]:
    return [sum(column) / len(column) for column in zip(*rows, strict=True)]


def _finite(value: Any) -> float:
    number = float(value)
    return number if abs(number) <= MOST else 0.0  # not a number is not below anything, either
