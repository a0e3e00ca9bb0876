"""Whether something grows that should stay as it is.

A program that lives long is looked at again and again; of one that is started again and again (a training run
that is killed, a match) the most that each of them had counts. What is learned, cached and paged in during
the first quarter of a soak is not a leak: the second quarter is compared with the last by their upper
quartiles, which neither a single large moment moves nor programs that were killed before they had begun.
Shorter than :data:`JUDGED_SECONDS`, nothing can be said.

Files of a run grow by a line for each match, and are shown but not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles

from glaux.soak.programs import Usage

MEGABYTE = 1 << 20
JUDGED_SECONDS = 1200.0
LEAST_POINTS = 5
"""in each of the two quarters"""
MEMORY_SHARE, MEMORY_LEAST = 0.10, 16 * MEGABYTE
"""that the memory may differ: a share of it, or this many bytes if that is more"""
COUNT_MOST = 3
"""that the number of descriptors or threads may differ"""


@dataclass(frozen=True)
class Sample:
    """What a part of the soak used at a moment."""

    seconds: float
    part: str
    program: int
    """the process that leads it: the part is as many programs as there are of these"""
    usage: Usage
    disk: int
    """bytes of its files"""


@dataclass(frozen=True)
class Growth:
    """How a figure of a part went."""

    first: float
    """the upper quartile of the second quarter, in the figure's own unit"""
    last: float
    """that of the last quarter"""
    most: float
    slope: float
    """per hour, over what is behind the first quarter; 0 if there are too few points"""
    points: int
    judged: bool

    def beyond(self, share: float, least: float) -> bool:
        """Whether the last quarter is above the second by more than this."""
        return self.judged and self.last - self.first > max(share * self.first, least)


@dataclass(frozen=True)
class Grown:
    """How the figures of a part went."""

    part: str
    memory: Growth
    descriptors: Growth
    threads: Growth
    disk: Growth
    programs: int

    def faults(self) -> list[str]:
        """What grew, each in a sentence."""
        found = []
        if self.memory.beyond(MEMORY_SHARE, MEMORY_LEAST):
            low, high = self.memory.first / MEGABYTE, self.memory.last / MEGABYTE
            found.append(f"{self.part}: memory grew from {low:.0f} to {high:.0f} MB.")
        for name, growth in (("descriptors", self.descriptors), ("threads", self.threads)):
            if growth.beyond(0.0, COUNT_MOST):
                found.append(f"{self.part}: {name} grew from {growth.first:g} to {growth.last:g}.")
        return found


def grown(samples: Iterable[Sample], seconds: float) -> list[Grown]:
    """How each part of a soak of this many seconds went, in the order in which they came."""
    return [_grown(part, programs, seconds) for part, programs in by_part(samples).items()]


def by_part(samples: Iterable[Sample]) -> dict[str, dict[int, list[Sample]]]:
    """The samples of each program of each part, in the order in which they came."""
    parts: dict[str, dict[int, list[Sample]]] = {}
    for sample in samples:
        parts.setdefault(sample.part, {}).setdefault(sample.program, []).append(sample)
    return parts


def points_of(programs: dict[int, list[Sample]]) -> list[Sample]:
    """What counts of a part: all of one program, the most of each of several."""
    if len(programs) == 1:
        return next(iter(programs.values()))
    return [_most(samples) for samples in programs.values()]


def _grown(part: str, programs: dict[int, list[Sample]], seconds: float) -> Grown:
    every = [sample for samples in programs.values() for sample in samples]
    points = points_of(programs)

    def growth(figures: list[float], times: Sequence[Sample]) -> Growth:
        return _growth([sample.seconds for sample in times], figures, seconds)

    return Grown(
        part,
        growth([float(p.usage.memory) for p in points], points),
        growth([float(p.usage.descriptors) for p in points], points),
        growth([float(p.usage.threads) for p in points], points),
        growth([float(p.disk) for p in every], every),
        len(programs),
    )


def _most(samples: Sequence[Sample]) -> Sample:
    """One sample with the most that a program had of each."""
    usages = [sample.usage for sample in samples]
    most = Usage(
        max(usage.processes for usage in usages),
        max(usage.memory for usage in usages),
        max(usage.descriptors for usage in usages),
        max(usage.threads for usage in usages),
    )
    last = samples[-1]
    return Sample(last.seconds, last.part, last.program, most, last.disk)


def _growth(times: list[float], figures: list[float], seconds: float) -> Growth:
    pairs = list(zip(times, figures, strict=True))
    second = [figure for at, figure in pairs if seconds / 4 <= at < seconds / 2]
    last = [figure for at, figure in pairs if at >= 3 * seconds / 4]
    judged = seconds >= JUDGED_SECONDS and min(len(second), len(last)) >= LEAST_POINTS
    behind = [(at, figure) for at, figure in pairs if at >= seconds / 4]
    return Growth(
        _quartile(second or figures),
        _quartile(last or figures),
        max(figures),
        _slope(behind),
        len(pairs),
        judged,
    )


def _quartile(figures: list[float]) -> float:
    """Three of four figures are not above this."""
    return figures[0] if len(figures) == 1 else quantiles(figures, method="inclusive")[2]


def _slope(pairs: list[tuple[float, float]]) -> float:
    """Theil and Sen's: the median of the slopes of all pairs of points, an hour."""
    if len(pairs) < LEAST_POINTS or pairs[0][0] == pairs[-1][0]:
        return 0.0
    from scipy.stats import theilslopes  # noqa: PLC0415 (once, at the end)

    times, figures = zip(*pairs, strict=True)
    return float(theilslopes(figures, times).slope) * 3600
