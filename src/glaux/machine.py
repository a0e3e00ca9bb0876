"""The machine that Glaux runs on, as far as this process may use it."""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path


def cores() -> int:
    """How many cores this process may use: fewer than the machine has after ``taskset``, say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS can't restrict a process


def free_memory() -> int:
    """Bytes that programs can have without others losing theirs; half of all, where the system does not say.

    What the system only keeps files in counts as free.
    """
    with suppress(OSError, StopIteration, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def peak_memory() -> int:
    """The most memory that this process has used, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # kilobytes on Linux
