"""When this process began: to a user a command begins with the Enter key, and not when all is imported."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

START_FIELD = 19
"""of /proc/self/stat after the name of the program: when it began, in clock ticks since the system did"""


def process_began(stat: Path = Path("/proc/self/stat")) -> float:
    """By ``time.perf_counter()``; now, where the system does not say."""
    now = time.perf_counter()
    with suppress(OSError):
        ticks = int(stat.read_text().rpartition(")")[2].split()[START_FIELD])
        return now - (time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    return now
