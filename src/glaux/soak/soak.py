"""A soak: all its parts at once, samples of what they use, and what has become of them.

It leaves a directory:

    samples.csv    what each part used, every few seconds
    kills.csv      every kill, and what was found after it
    soak.png       memory and descriptors over time
    summary.json   what was counted, how much grew, and the faults
    logs/, runs/   what the programs said, and the training runs
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from glaux.errors import InvalidFile, InvalidParameter, suggest
from glaux.learn.stopping import signals_ask
from glaux.soak.growth import MEGABYTE, Grown, Sample, grown
from glaux.soak.kinds import Kind
from glaux.soak.ledger import Kill, Ledger, Place
from glaux.soak.matches import Matches
from glaux.soak.part import Part
from glaux.soak.programs import PROC, Usage, folder_bytes, sessions, usage
from glaux.soak.serving import Serving
from glaux.soak.trainings import Roster, Steady, Trainings

PARTS = ("trainings", "steady", "matches", "serve")
SAMPLES = 1200
"""about this many samples of each part, at most one a second"""
MOST_BETWEEN = 10.0
"""seconds between two samples at most"""
MOST_TEMPORARY = 10
"""temporary files that may stay: libraries have caches under fixed names"""
OWN = "soak"
"""the name of this process among the parts"""
SAMPLES_FILE, KILLS_FILE, CHART_FILE, SUMMARY_FILE = "samples.csv", "kills.csv", "soak.png", "summary.json"


@dataclass(frozen=True)
class SoakOptions:
    """What a soak is told."""

    seconds: float
    kinds: tuple[Kind, ...]
    """the training runs that are killed; the first is also the one that is not"""
    kills: int | None = None
    """end after this many kills, if that comes first"""
    parts: tuple[str, ...] = PARTS
    trainings: int = 1
    """training runs that are killed, at the same time"""
    clients: int = 2
    pause: float = 1.0
    """seconds that a client thinks before a click, on average"""
    kill_every: float = 5.0
    """how many seconds a training run goes on after it has begun to write, on average"""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.parts:
            if name not in PARTS:
                raise InvalidParameter(f"A soak has no part '{name}'{suggest(name, PARTS)}")
        if not self.kinds or not 1 <= self.trainings <= len(self.kinds):
            raise InvalidParameter(
                f"There can be 1 to {len(self.kinds)} training runs in parallel, not {self.trainings}."
            )


@dataclass(frozen=True)
class Summary:
    """What has become of a soak."""

    seconds: float
    lines: dict[str, str]
    """what each part has done"""
    kills: int
    by_kind: dict[str, int]
    faults: list[str]
    grown: list[Grown]

    def table(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return asdict(self)


class Soak:
    """Runs the parts until the time is over."""

    def __init__(self, path: Path, options: SoakOptions) -> None:
        """InvalidFile if there is something in the directory already."""
        if not (PROC / "self" / "stat").exists():
            raise InvalidParameter("A soak test needs /proc, which only Linux has.")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InvalidFile(f"'{path}' is not an empty directory: choose another one for the soak test.")
        self.place, self.options = Place(path.resolve(), options.seed), options
        self.place.runs.mkdir(parents=True)
        self.ledger = Ledger()
        self.samples: list[Sample] = []
        self.interrupted = False
        self.parts = self._make_parts()
        self.between = min(MOST_BETWEEN, max(1.0, options.seconds / SAMPLES))

    def _make_parts(self) -> list[Part]:
        place, ledger, options = self.place, self.ledger, self.options
        minutes = max(1.0, options.seconds / 60)
        parts: list[Part] = []
        if "trainings" in options.parts:
            roster = Roster(options.kinds)
            parts += [
                Trainings(place, ledger, roster, options.kill_every, minutes, self._more_kills, number)
                for number in range(options.trainings)
            ]
        if "steady" in options.parts:
            parts.append(Steady(place, ledger, options.kinds[0], 2 * minutes))
        if "matches" in options.parts:
            parts.append(Matches(place, ledger))
        if "serve" in options.parts:
            parts.append(Serving(place, ledger, options.clients, options.pause))
        return parts

    def _more_kills(self) -> bool:
        return self.options.kills is None or len(self.ledger.kills) < self.options.kills

    def go(self, show: Callable[[Soak], None]) -> Summary:
        """Run; Ctrl-C, SIGTERM and SIGHUP end it earlier."""
        with (
            (self.place.path / SAMPLES_FILE).open("w") as samples,
            (self.place.path / KILLS_FILE).open("w") as kills,
        ):
            self.ledger.told = _writer(kills, Kill)
            write = _writer(samples, _Row)
            self.ledger.begun = time.monotonic()
            for part in self.parts:
                part.start()
            with suppress(KeyboardInterrupt, SystemExit), signals_ask(self._interrupt):
                self._watch(write, show)
            seconds = self.ledger.seconds
            for part in self.parts:
                part.stop.set()
            while any(not part.over.is_set() for part in self.parts):
                show(self)
                time.sleep(0.2)
            for part in self.parts:
                part.join()
        return self._summary(seconds)

    def _interrupt(self) -> None:
        self.interrupted = True

    def _watch(self, write: Callable[[Any], None], show: Callable[[Soak], None]) -> None:
        sampled = float("-inf")
        while self.ledger.seconds < self.options.seconds and not self.interrupted:
            if self._more_kills() is False or all(part.over.is_set() for part in self.parts):
                return
            if time.monotonic() - sampled >= self.between:
                sampled = time.monotonic()
                self._sample(write)
            show(self)
            time.sleep(0.2)

    def _sample(self, write: Callable[[Any], None]) -> None:
        processes: dict[int, list[int]] = {}
        for session, process in sessions():
            processes.setdefault(session, []).append(process)
        running = [found for part in self.parts for found in part.running()]
        at = self.ledger.seconds
        new = [Sample(at, OWN, os.getpid(), usage(os.getpid()), folder_bytes(self.place.path))]
        for name, session, files in running:
            used = sum((usage(process) for process in processes.get(session, [])), Usage())
            if used.processes:
                new.append(Sample(at, name, session, used, folder_bytes(files) if files else 0))
        self.samples += new
        for sample in new:
            write(_Row.of(sample))

    def latest(self) -> dict[str, Sample]:
        """The last sample of each part."""
        return {sample.part: sample for sample in self.samples}

    def _summary(self, seconds: float) -> Summary:
        rows = grown(self.samples, seconds)
        left = sorted(path.name for path in self.place.temporary.glob("*"))
        if len(left) > MOST_TEMPORARY:
            self.ledger.fault(f"Temporary files were left behind: {len(left)}, the first is {left[0]}.")
        kills = [kill.kind for kill in self.ledger.kills]
        summary = Summary(
            seconds=seconds,
            lines={part.title: part.line() for part in self.parts},
            kills=len(kills),
            by_kind={kind.name: kills.count(kind.name) for kind in self.options.kinds},
            faults=[*self.ledger.faults, *(fault for row in rows for fault in row.faults())],
            grown=rows,
        )
        (self.place.path / SUMMARY_FILE).write_text(json.dumps(summary.table(), indent=2) + "\n")
        return summary


@dataclass(frozen=True)
class _Row:
    """A line of samples.csv."""

    seconds: float
    part: str
    program: int
    processes: int
    memory_mb: float
    descriptors: int
    threads: int
    disk_mb: float

    @classmethod
    def of(cls, sample: Sample) -> _Row:
        used = sample.usage
        return cls(
            round(sample.seconds, 1),
            sample.part,
            sample.program,
            used.processes,
            round(used.memory / MEGABYTE, 2),
            used.descriptors,
            used.threads,
            round(sample.disk / MEGABYTE, 2),
        )


def _writer(file: TextIO, kind: type[Any]) -> Callable[[Any], None]:
    """What writes rows of this kind into a file, each at once."""
    table = csv.DictWriter(file, list(kind.__dataclass_fields__))
    table.writeheader()

    def write(row: Any) -> None:
        values = asdict(row)
        table.writerow({k: " ".join(v) if isinstance(v, tuple | list) else v for k, v in values.items()})
        file.flush()

    return write
