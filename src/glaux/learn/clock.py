"""What the seconds of a training run are counted by.

The clock on the wall is what people mean by minutes, and it is the default. Processor time is for runs that
are compared with each other on a machine with other work: each gets the same time on a core, however long it
waits for it. It counts all threads of the process, and nothing that other processes do for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from glaux.errors import InvalidParameter

Clock = Callable[[], float]
"""the seconds now, from an arbitrary beginning"""

WALL, CPU = "wall", "cpu"
CLOCKS: dict[str, Clock] = {WALL: time.perf_counter, CPU: time.process_time}


def check_elsewhere(clock: str) -> None:
    """InvalidParameter if it can't count what other processes or machines do."""
    if clock == CPU:
        raise InvalidParameter(
            "clock=cpu counts the time of one process only: use clock=wall with other workers."
        )
