"""Games that are interrupted by the death of whoever plays them."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from glaux.arena.match import PlayedMatch
from glaux.arena.pool import GameJob

PATIENCE = 400.0


def until(there: Path) -> None:
    """Wait for a file."""
    deadline = time.monotonic() + PATIENCE
    while not there.exists():
        assert time.monotonic() < deadline, f"{there} did not come"
        time.sleep(0.02)


@dataclass(frozen=True)
class DiesOnce(GameJob):
    """Its process is killed the first time."""

    mark: str = ""

    def play(self) -> PlayedMatch:
        try:
            Path(self.mark).touch(exist_ok=False)
        except FileExistsError:
            return super().play()
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@dataclass(frozen=True)
class DiesAlways(GameJob):
    """Whoever plays it dies."""

    def play(self) -> PlayedMatch:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@dataclass(frozen=True)
class OnADoomedNode(GameJob):
    """On the doomed node it lasts for ever; elsewhere it begins when that is so."""

    node: str = ""
    mark: str = ""

    def play(self) -> PlayedMatch:
        import ray  # noqa: PLC0415

        if ray.get_runtime_context().get_node_id() == self.node:
            Path(self.mark).touch()
            time.sleep(10 * PATIENCE)
        until(Path(self.mark))
        return super().play()
