"""The machine that Glaux runs on, as far as this process may use it."""

from __future__ import annotations

import os
import resource
import sys


def cores() -> int:
    """How many cores this process may use: fewer than the machine has after ``taskset``, say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS can't restrict a process


def peak_memory() -> int:
    """The most memory that this process has used, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # kilobytes on Linux
