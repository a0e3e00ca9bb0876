"""Which of the instruction sets of a wheel this processor runs."""

from __future__ import annotations

import os
from pathlib import Path

V3 = frozenset({"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"})
"""what Linux calls the instructions of x86-64-v3"""


def runs_v3(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the processor has the instructions of x86-64-v3, and nobody wants to do without them.

    Where nobody says what the processor has, it is taken for an old one. GLAUX_ARCH=x86-64-v2 in the
    environment has the same effect, to compare the two.
    """
    if os.environ.get("GLAUX_ARCH") == "x86-64-v2":
        return False
    try:
        with cpuinfo.open(encoding="utf-8", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return set(flags.split()) >= V3
