"""The runs below a directory: what ``glaux runs``, ``--resume`` and the page choose from."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from glaux.directories import checkpoints
from glaux.errors import GlauxError
from glaux.learn.run import CONFIG, METRICS, Run

RUNS = Path("runs")
"""where runs go if nobody says where"""
LIVE_SECONDS = 90.0
"""a run whose figures are younger than this is being trained"""
DEPTH = 2
"""directories below the given one"""


@dataclass(frozen=True)
class Listed:
    """A run as a list shows it."""

    name: str
    """its path below the directory, as ``hex7`` or ``monday/hex7``"""
    path: Path
    game: str
    ready: bool
    """whether it has a checkpoint to play with"""
    changed: float
    """when its figures last changed, in seconds since 1970"""

    @property
    def live(self) -> bool:
        """Whether it is being trained now."""
        return time.time() - self.changed < LIVE_SECONDS


def find_runs(folder: Path) -> list[Listed]:
    """All of them, those that changed last first."""
    patterns = ["/".join("*" * depth) for depth in range(1, DEPTH + 1)]
    paths = [config.parent for pattern in patterns for config in folder.glob(f"{pattern}/{CONFIG}")]
    found = [listed for path in paths if (listed := _open(folder, path)) is not None]
    return sorted(found, key=lambda run: -run.changed)


def _open(folder: Path, path: Path) -> Listed | None:
    try:
        game = Run.open(path).config.game
        metrics = path / METRICS
        changed = (metrics if metrics.exists() else path / CONFIG).stat().st_mtime
        ready = bool(checkpoints(path))
    except (GlauxError, OSError):
        return None  # something else that has such a file, or a run that goes away
    return Listed(path.relative_to(folder).as_posix(), path, game, ready, changed)
