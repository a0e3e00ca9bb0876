"""How a training run is stopped: it is asked to, and ends where it can be continued from.

A training run in the middle of a match or of a learning step can't be saved: resumed, it would be another
one. So a signal only asks. Whatever plays abandons its match at the next action, or inside a long search
at the next beat of its pulse (``cpp/core/pulse.h``), and whatever learns comes to the end of its round.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from glaux import _core


class Stopped(Exception):
    """Something was told to stop before it was over."""


_checks = threading.local()


def _poll() -> None:
    check = getattr(_checks, "check", None)
    if check is not None:
        check()


_core.set_poll(_poll)
atexit.register(_core.set_poll, int)  # which does nothing: the core must not keep this module at the end


@contextmanager
def checked(check: Callable[[], None]) -> Iterator[None]:
    """While this lasts, long native calls of this thread ask ``check``; what it raises ends them."""
    before, _checks.check = getattr(_checks, "check", None), check
    try:
        yield
    finally:
        _checks.check = before


@contextmanager
def signals_ask(ask: Callable[[], None]) -> Iterator[None]:
    """While this lasts Ctrl-C, SIGTERM and SIGHUP only ``ask``, and what they mean comes at its end.

    That is KeyboardInterrupt for Ctrl-C and SystemExit with the usual code (143, 129) for the others. A
    second Ctrl-C ends the process at once. Outside the main thread, and for a signal that is ignored or
    that the program handles itself, nothing is changed.
    """
    received: list[int] = []

    def handle(number: int, _: FrameType | None) -> None:
        if number in received and number == signal.SIGINT:
            if sys.stdout.isatty():
                os.write(1, b"\x1b[?25h\n")  # a display may have hidden the cursor
            os._exit(128 + number)
        received.append(number)
        ask()

    usual: dict[int, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    main = threading.current_thread() is threading.main_thread()
    taken = [number for number, handler in usual.items() if main and signal.getsignal(number) == handler]
    for number in taken:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, usual[number])
    if received:
        if received[0] == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + received[0])
