"""The nodes of a cluster on this machine."""

from __future__ import annotations

import signal
from typing import Any

STORE = 80_000_000
"""bytes of a node's object store, about the least there is"""
WORKERS = 2
"""processors of the head"""


def restore(handlers: dict[signal.Signals, Any]) -> None:
    """Nodes that are started in a process take its SIGTERM for themselves, and later tests need theirs."""
    for number, handler in handlers.items():
        signal.signal(number, handler)
