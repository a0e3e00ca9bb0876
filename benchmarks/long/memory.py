"""Whether a long training keeps its memory: ``python benchmarks/long/memory.py [GAME] [--minutes 60]``.

Trains by the laptop preset with small budgets and prints the resident memory every minute. The
budgets are those of two trees, their proven states, and the replay memory; the interpreter, the value
functions and the copies made for a checkpoint come on top.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config
from glaux.learn.run import Run
from glaux.learn.training import Status, Training

PAGE = 4096


def resident() -> int:
    """Bytes in memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


class Samples:
    """Prints the memory in use, once a minute."""

    def __init__(self) -> None:
        self.next = 0.0
        self.seen: list[int] = []

    def __call__(self, status: Status) -> None:
        """Look at the memory if it is time to."""
        if status.latest is None or status.elapsed < self.next:
            return
        self.next += 60.0
        self.seen.append(resident())
        pairs = status.latest.replay
        print(f"{status.elapsed / 60:5.1f} min  {self.seen[-1] / 2**20:7.0f} MB  {pairs:,} pairs", flush=True)


def main() -> None:
    """Train and watch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="othello")
    parser.add_argument("--minutes", type=float, default=60.0)
    chosen = parser.parse_args()
    changes = ["search.memory=128", "replay.memory=256", "keep_resolved=200000", "strength.every=0"]
    config = change_config(configure(chosen.game, find_preset(chosen.game)), changes)
    samples = Samples()
    with tempfile.TemporaryDirectory() as folder:
        run = Run.create(Path(folder) / "run", config)
        Training(run, run.resume(), seconds=chosen.minutes * 60, observer=samples).go()
    half = samples.seen[len(samples.seen) // 2 :]
    print(f"second half: {min(half) / 2**20:.0f} to {max(half) / 2**20:.0f} MB")


if __name__ == "__main__":
    main()
