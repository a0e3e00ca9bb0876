"""A part of a soak: a thread that keeps some programs at work until it is told to stop."""

from __future__ import annotations

import shutil
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from glaux.soak.ledger import Ledger, Place
from glaux.soak.programs import Program
from glaux.words import plural

BEAT = 0.02
"""seconds between two looks at a program"""
PATIENCE = 900.0
"""seconds in which a program has to do something: a hang, not a machine that does many other things"""
LINGER = 60.0
"""seconds in which all processes of a program that has ended, or was killed, have to be gone"""


class Part(ABC):
    """Something that goes on while the soak lasts."""

    title: ClassVar[str]

    def __init__(self, place: Place, ledger: Ledger) -> None:
        self.place, self.ledger = place, ledger
        self.stop = threading.Event()
        self.over = threading.Event()
        """it has nothing more to do"""
        self._running: dict[str, Program] = {}
        self._thread = threading.Thread(target=self._go, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait until all that it has started is gone; :attr:`stop` is set before."""
        self._thread.join()

    def running(self) -> list[tuple[str, int, Path | None]]:
        """The programs at work: their name, session and files."""
        return [(name, program.session, self.files(name)) for name, program in self._running.copy().items()]

    def files(self, name: str) -> Path | None:
        """What a program writes, if that is to be seen."""
        return None

    @abstractmethod
    def line(self) -> str:
        """What it has done, for people."""

    @abstractmethod
    def work(self) -> None:
        """Do it until :attr:`stop` is set."""

    def _go(self) -> None:
        try:
            self.work()
        except Exception as error:
            self.ledger.fault(f"{self.title}: {type(error).__name__}: {error}")
        finally:
            self.over.set()

    @contextmanager
    def program(self, name: str, arguments: Sequence[str]) -> Iterator[Program]:
        """A program while it is at work; processes that it leaves behind are a fault."""
        program = Program(arguments, self.place.log(name), self.place.temporary)
        self._running[name] = program
        try:
            yield program
        finally:
            del self._running[name]
            left = program.close(LINGER)
            if left:
                self.ledger.fault(
                    f"{name}: {plural(len(left), 'process')} left {LINGER:.0f} s after its end."
                )

    def crashed(self, name: str, program: Program) -> None:
        """A program has ended that should not have, or not so."""
        kept = self.place.log(f"fault-{len(self.ledger.faults) + 1}")
        shutil.copy(program.log, kept)
        said = program.said() or "no output"
        self.ledger.fault(f"{name}: it ended with code {program.ended()}: {said} ({kept.name})")
