"""What a cluster brings to a training run: ``python benchmarks/cluster.py limits``, ``speed``, ``calls``.

``limits`` needs no cluster. It measures, in seconds of a processor and on its own, what a worker needs to
play a match, what the learner needs to take it in and to learn from it, and what travels: the quotient is how
many workers one learner serves. A busy machine makes both a little slower, and hardly changes the quotient.

``speed`` starts a cluster of two nodes with one processor each, and trains with one and two workers on it and
in threads, in turns, best of several: evaluations a second by the clock, which needs two free cores, and
seconds of processor for a million evaluations, which does not. Ray's own processes are counted apart.
``calls`` measures what one round costs the learner's process, whatever is in it.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.table import Table

from glaux.cli.output import make_console
from glaux.cluster.crew import Crew, packed, unpacked
from glaux.learn.cluster_team import own
from glaux.learn.learner import Finished
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config, make_learner
from glaux.learn.self_play import SelfPlay
from glaux.learn.worker import Worker

GAME = "othello"
FAMILIES = {
    "n-tuples": ("value.family=ntuple",),
    "patterns": ("value.family=patterns",),
    "network": ("value.family=network", "lockstep=4", "search.evaluations=300"),
    "n-tuples, root": ("value.family=ntuple", "targets=root"),
    "patterns, root": ("value.family=patterns", "targets=root"),
    "network, root": ("value.family=network", "lockstep=4", "search.evaluations=300", "targets=root"),
    "AlphaZero": ("learner=alphazero", "lockstep=4", "search.iterations=64"),
}
"""what is trained; ``root``: only the states of the match are learned, not those of the search trees"""
MEASURED = ("n-tuples", "n-tuples, root", "patterns, root")
"""those of which ``speed`` measures the speed"""
MATCHES, SKIPPED = 12, 4
"""played for ``limits``, and how many of them only fill the replay memory"""
SECONDS, TURNS = 4.0, 4
"""of each measurement of ``speed``, and how often all are repeated"""
CALLS = 2000
TICKS = os.sysconf("SC_CLK_TCK")


def config(game: str, *changes: str) -> Any:
    """The preset for laptops, without measurements of strength."""
    common = ("strength.every=0", "warm_start=2000", "workers=1")
    return change_config(configure(game, find_preset(game)), [*changes, *common])


# Limits


@dataclass
class Clock:
    """Seconds of processor by what they were spent for."""

    spent: dict[str, list[float]] = field(default_factory=dict)

    def time(self, name: str, call: Any) -> Any:
        """Call it, and note what it took."""
        begun = time.process_time()
        result = call()
        self.spent.setdefault(name, []).append(time.process_time() - begun)
        return result

    def mean(self, name: str) -> float:
        """Of the later ones."""
        found = self.spent[name]
        return fmean(found[len(found) * SKIPPED // MATCHES :])


def limits(game: str, changes: tuple[str, ...]) -> dict[str, float]:
    """What a match costs a worker and the learner, and what travels."""
    # Each example is learned delta times while its match is kept: with few matches this is so soon.
    learner = make_learner(config(game, *changes, f"replay.mu={SKIPPED}"))
    assert isinstance(learner, SelfPlay)
    learner.warm_start()
    worker = Worker(learner.config, learner.value.snapshot())
    clock, raw, sizes, examples, learned = Clock(), list[int](), list[int](), list[int](), list[int]()
    size = learner.config.lockstep
    for first in range(1, MATCHES + 1, size):
        weights = clock.time("weights", learner.value.weights)
        shared = pickle.loads(pickle.dumps(weights, 5))
        fresh = clock.time("restore", lambda shared=shared: own(shared))
        numbers = range(first, first + size)
        played = clock.time("play", lambda n=numbers, w=fresh: worker.play(w, n, 0.5))
        data = clock.time("pack", lambda p=played: packed(p))
        got = clock.time("unpack", lambda d=data: unpacked(d))
        drawn = clock.time("replay", lambda g=got: [learner.experience(one.examples) for one in g])
        steps = clock.time("learn", lambda d=drawn: learner._steps(d))
        raw.append(len(pickle.dumps(played, 5)))
        sizes.append(len(data))
        examples.append(sum(len(one.examples) for one in played))
        learned.append(sum(one.examples for one in steps))
    skipped = SKIPPED // size
    worker_seconds = sum(map(clock.mean, ("play", "pack"))) / size
    learner_seconds = sum(map(clock.mean, ("unpack", "replay", "learn"))) / size
    return {
        "worker": worker_seconds,
        "learner": learner_seconds,
        "steps": clock.mean("learn") / size,
        "served": worker_seconds / learner_seconds,
        "examples": fmean(examples[skipped:]) / size,
        "learned": fmean(learned[skipped:]) / size,
        "raw": fmean(raw[skipped:]) / size,
        "packed": fmean(sizes[skipped:]) / size,
        "pack": clock.mean("pack") / size,
        "unpack": clock.mean("unpack") / size,
        "weights": sum(array.nbytes for array in learner.value.weights().values()),
        "version": clock.mean("weights"),
        "restore": clock.mean("restore"),
    }


def print_limits(game: str) -> None:
    """A row for each family."""
    table = Table("values", box=None)
    titles = {
        "worker": "worker, ms a match",
        "learner": "learner, ms",
        "steps": "of it steps",
        "served": "workers served",
        "examples": "examples a match",
        "learned": "learned",
        "raw": "match, kB",
        "packed": "packed",
        "pack": "pack, ms",
        "unpack": "unpack, ms",
        "weights": "version, MB",
        "version": "to take, ms",
        "restore": "to restore, ms",
    }
    for title in titles.values():
        table.add_column(title, justify="right")
    seconds = {"worker", "learner", "steps", "pack", "unpack", "version", "restore"}
    for name, changes in FAMILIES.items():
        found = limits(game, changes)
        shown = []
        for key in titles:
            scale = (
                1e3
                if key in seconds
                else 1e-3
                if key in ("raw", "packed")
                else 1e-6
                if key == "weights"
                else 1
            )
            shown.append(f"{found[key] * scale:,.1f}")
        table.add_row(name, *shown)
    make_console().print(f"{game}, preset laptop", table)


# Speed


def descendants(root: int) -> list[int]:
    """The processes that a process has started, and itself."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                after = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(after[1]), []).append(int(entry.name))
    found, left = [], [root]
    while left:
        found.append(left.pop())
        left += children.get(found[-1], [])
    return found


def processor_seconds() -> tuple[float, float]:
    """What those that work have used so far, this process and the workers, and what Ray's own have."""
    used = [0.0, 0.0]
    for process in descendants(os.getpid()):
        try:
            after = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            works = process == os.getpid() or b"_Host" in Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        used[not works] += (int(after[11]) + int(after[12])) / TICKS
    return used[0], used[1]


@dataclass
class Speed:
    """What a training run did while it was measured."""

    seconds: float
    evaluations: int
    processor: float
    rays: float
    """seconds of processor of Ray's own processes"""

    @property
    def rate(self) -> float:
        """Evaluations a second."""
        return self.evaluations / self.seconds

    @property
    def cost(self) -> float:
        """Seconds of processor for a million evaluations."""
        return self.processor / self.evaluations * 1e6


def speed(game: str, workers: int, on: str | None, changes: tuple[str, ...]) -> Speed:
    """Train until all workers have delivered, and then for some seconds."""
    learner = make_learner(replace(config(game, *changes), workers=workers))
    learner.warm_start()
    if on is not None:
        learner.play_on(on)
    begun: list[float] = []
    ended: list[float] = []

    def listen(_: list[Finished]) -> None:
        now = time.perf_counter()
        if learner.matches >= 4 * workers and not begun:
            begun.extend((now, learner.evaluations, *processor_seconds()))
        elif begun and now - begun[0] >= SECONDS and not ended:
            ended.extend((now, learner.evaluations, *processor_seconds()))
            learner.stop()

    learner.train(matches=10**9, listener=listen)
    seconds, evaluations, *used = (after - before for before, after in zip(begun, ended, strict=True))
    return Speed(seconds, int(evaluations), *used)


def print_speed(game: str) -> None:
    """One and two workers, on a cluster and in threads."""
    import ray  # noqa: PLC0415 (an optional dependency)
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    node = {"num_cpus": 1, "object_store_memory": 200_000_000}
    cluster = Cluster(initialize_head=True, head_node_args=node | {"include_dashboard": False})
    cluster.add_node(**node)
    kinds = [(workers, on) for on in (None, cluster.address) for workers in (1, 2)]
    found: dict[tuple[str, int, str | None], list[Speed]] = {}
    try:
        for _ in range(TURNS):
            for name in MEASURED:
                for workers, on in kinds:
                    measured = speed(game, workers, on, FAMILIES[name])
                    found.setdefault((name, workers, on), []).append(measured)
    finally:
        ray.shutdown()
        cluster.shutdown()
    table = Table("values", "workers", "where", box=None)
    titles = ("evaluations/s", "of one worker", "processor s a million", "of threads", "Ray's own, of a core")
    for title in titles:
        table.add_column(title, justify="right")
    for (name, workers, on), speeds in found.items():
        best, least = max(one.rate for one in speeds), min(one.cost for one in speeds)
        alone = max(one.rate for one in found[name, 1, on])
        threads = min(one.cost for one in found[name, workers, None])
        own_share = min(one.rays / one.seconds for one in speeds)
        cells = (
            f"{best:,.0f}",
            f"{best / alone:.2f}",
            f"{least:.3f}",
            f"{least / threads:.3f}",
            f"{own_share:.1%}",
        )
        table.add_row(name, str(workers), "threads" if on is None else "Ray", *cells)
    make_console().print(f"{game}, preset laptop", table)


# Calls


class Echo:
    """A member of a crew that has nothing to do."""

    def give(self, number: int) -> int:
        """The number."""
        return number


def print_calls(_: str) -> None:
    """What a call costs the learner's process."""
    crew = Crew("local", 1, Echo)
    crew.each("give", [(number,) for number in range(CALLS // 10)], lambda: None)
    begun = time.process_time()
    crew.each("give", [(number,) for number in range(CALLS)], lambda: None)
    spent = time.process_time() - begun
    crew.close()
    make_console().print(f"A round costs the learner {spent / CALLS * 1e3:.2f} ms besides what it brings.")


if __name__ == "__main__":
    part, game = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else GAME
    {"limits": print_limits, "speed": print_speed, "calls": print_calls}[part](game)
