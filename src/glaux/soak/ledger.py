"""What a soak writes down while it lasts, and where."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Kill:
    """A kill, and what it left."""

    seconds: float
    """of the soak"""
    kind: str
    alive: float
    """seconds that the program had lived"""
    before: int
    """matches of the checkpoint from which it went on"""
    checkpoint: int
    """matches of the newest checkpoint"""
    rows: int
    """matches that have a row"""
    faults: tuple[str, ...]


@dataclass
class Ledger:
    """What all parts write down; any thread may."""

    begun: float = field(default_factory=time.monotonic)
    kills: list[Kill] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    told: Callable[[Kill], object] = repr
    """called with each kill; by default nothing comes of it"""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def seconds(self) -> float:
        """Since the soak began."""
        return time.monotonic() - self.begun

    def fault(self, sentence: str) -> None:
        """Something is lost, crashed or left behind."""
        with self._lock:
            self.faults.append(f"[{self.seconds:.0f} s] {sentence}")

    def kill(self, kill: Kill) -> None:
        """A training run was killed."""
        with self._lock:
            self.kills.append(kill)
            self.told(kill)
        for fault in kill.faults:
            self.fault(f"{kill.kind}, kill {len(self.kills)}: {fault}")


@dataclass(frozen=True)
class Place:
    """Where the soak writes, and with which random numbers."""

    path: Path
    seed: int

    @property
    def runs(self) -> Path:
        """The folder of the runs."""
        return self.path / "runs"

    @property
    def temporary(self) -> Path:
        """The folder of files that no program should leave."""
        return self.path / "tmp"

    def log(self, name: str) -> Path:
        """What a program says on stderr; what it prints goes beside it."""
        return self.path / "logs" / f"{name}.log"
