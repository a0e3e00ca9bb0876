"""What counts as growth: a leak does, warming up and a single large moment do not."""

import random
from collections.abc import Callable

import pytest

from glaux.soak.growth import JUDGED_SECONDS, MEGABYTE, Sample, grown
from glaux.soak.programs import Usage

HOUR = 3600


def samples(
    memory: Callable[[float], float], *, seconds: float = 2 * HOUR, lives: float = 1e9
) -> list[Sample]:
    """A part whose programs live so many seconds each, and have so many megabytes at each moment."""
    rng = random.Random(1)
    found = []
    for at in range(0, int(seconds), 10):
        used = (memory(at) + rng.uniform(-2, 2)) * MEGABYTE
        found.append(Sample(at, "part", int(at // lives), Usage(1, int(used), 20, 4), at * 100))
    return found


@pytest.mark.parametrize(
    ("memory", "faults"),
    [
        (lambda at: 100, 0),
        (lambda at: 100 + 200 * min(1, at / 1200), 0),  # it warms up
        (lambda at: 100 if at != 6000 else 900, 0),
        (lambda at: 100 + 30 * at / HOUR, 1),
        (lambda at: 400 + 30 * at / HOUR, 0),  # less than a tenth of it
    ],
)
def test_memory(memory: Callable[[float], float], faults: int) -> None:
    [part] = grown(samples(memory), 2 * HOUR)
    assert len(part.faults()) == faults


def test_slopes_are_per_hour() -> None:
    [part] = grown(samples(lambda at: 100 + 30 * at / HOUR), 2 * HOUR)
    assert part.memory.slope / MEGABYTE == pytest.approx(30, abs=0.5)
    assert part.disk.slope == pytest.approx(100 * HOUR)
    assert part.memory.most / MEGABYTE == pytest.approx(160, abs=3)


def test_of_programs_that_are_started_again_the_most_counts() -> None:
    sawtooth = samples(lambda at: 50 + at % 60, lives=60)
    [part] = grown(sawtooth, 2 * HOUR)
    assert (part.programs, part.memory.points, part.faults()) == (120, 120, [])
    assert part.memory.first / MEGABYTE == pytest.approx(100, abs=3)
    [part] = grown(samples(lambda at: 50 + at % 60 + 30 * at / HOUR, lives=60), 2 * HOUR)
    assert len(part.faults()) == 1


def test_descriptors_and_threads() -> None:
    usages = [Usage(1, 1, 20 + at // 600, 4 + at // 600) for at in range(0, 2 * HOUR, 10)]
    found = [Sample(10 * number, "part", 1, used, 0) for number, used in enumerate(usages)]
    [part] = grown(found, 2 * HOUR)
    assert [fault.split(" grew")[0] for fault in part.faults()] == ["part: descriptors", "part: threads"]


def test_a_short_soak_is_not_judged() -> None:
    short = JUDGED_SECONDS / 2
    [part] = grown(samples(lambda at: 100 + at, seconds=short), short)
    assert part.faults() == [] and part.memory.slope > 0
