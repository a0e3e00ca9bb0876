"""Trainings that are killed at random moments and resumed, and one that is not.

A kill is for the training alone: that its workers end with it is up to them. Then its run is looked at
(``checks.py``), and when its turn comes again it goes on from there.
"""

from __future__ import annotations

import random
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from glaux.directories import checkpoints
from glaux.learn.run import CONFIG, MATCHES, METRICS
from glaux.soak.checks import RunStanding, look
from glaux.soak.kinds import GAME, Kind
from glaux.soak.ledger import Kill, Ledger, Place
from glaux.soak.part import BEAT, PATIENCE, Part
from glaux.soak.programs import Program
from glaux.words import plural

KILLED_AT_START = 0.2
"""the share of the kills whose moment is counted from the start of the program, not from its first row"""

TRACKER = "resource_tracker"
"""Python's process that frees the semaphores of one that was killed, and says so"""
AFTER_CRASH = 5.0
"""seconds before the next program is started after one that crashed"""


class Roster:
    """The training runs that take turns, and how each of them stands."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.waiting = deque(kinds)
        self.standing: dict[str, RunStanding] = {}


class Trainings(Part):
    """Trainings that are killed, in turn."""

    title = "trainings"

    def __init__(
        self,
        place: Place,
        ledger: Ledger,
        roster: Roster,
        kill_every: float,
        minutes: float,
        wanted: Callable[[], bool],
        number: int = 0,
    ) -> None:
        """``roster`` is shared with others like this, which have other numbers.

        ``wanted`` says whether there are to be more kills.
        """
        super().__init__(place, ledger)
        self.roster, self.kill_every, self.minutes, self.wanted = roster, kill_every, minutes, wanted
        self.random = random.Random(f"{place.seed} {number}")

    def files(self, name: str) -> Path | None:
        """The run."""
        return self.place.runs / name

    def line(self) -> str:
        """Kills and matches."""
        kept = sum(standing.checkpoint for standing in list(self.roster.standing.values()))
        return f"{plural(len(self.ledger.kills), 'kill')}, {plural(kept, 'match')} kept"

    def work(self) -> None:
        """Train and kill; at the end each is resumed once more, to come to an end by itself."""
        while not self.stop.is_set() and self.wanted():
            kind = self.roster.waiting.popleft()
            try:
                self._sitting(kind)
            finally:
                self.roster.waiting.append(kind)
        while self.roster.waiting:
            kind = self.roster.waiting.popleft()
            if kind.name in self.roster.standing:
                self._finish(kind)

    def _arguments(self, kind: Kind) -> list[str]:
        path = self.place.runs / kind.name
        if (path / CONFIG).exists():
            return ["train", GAME, "--run", str(path), "--resume"]
        return ["train", GAME, "--run", str(path), *kind.arguments(self.place.seed)]

    def _sitting(self, kind: Kind) -> None:
        """Start or resume a training run, kill it, and look at what it left."""
        path, before = self.place.runs / kind.name, self.roster.standing.get(kind.name, RunStanding())
        with self.program(kind.name, [*self._arguments(kind), "--minutes", str(self.minutes)]) as program:
            if not self._until_its_moment(program, path / MATCHES):
                self.crashed(kind.name, program)
                self.stop.wait(AFTER_CRASH)
                return
            alive = program.seconds
            program.stop(signal.SIGKILL, 60.0)
        if not (path / CONFIG).exists():
            after, faults = before, ["config.json is gone."] if before.kept else []
        else:
            after, faults = look(path, before, contiguous=kind.contiguous)
        if said := program.said(but=TRACKER):
            faults.append(f"It said: {said}")
        self.roster.standing[kind.name] = after
        kill = Kill(
            self.ledger.seconds,
            kind.name,
            alive,
            before.checkpoint,
            after.checkpoint,
            after.rows,
            tuple(faults),
        )
        self.ledger.kill(kill)

    def _until_its_moment(self, program: Program, matches: Path) -> bool:
        """Wait until the program is to be killed; False if it ended by itself or does nothing."""
        waiting = self.random.random() >= KILLED_AT_START
        wait, rows = self.random.uniform(0, 2 * self.kill_every), Growing(matches)
        at = None if waiting else program.begun + wait
        while program.ended() is None:
            if at is None and rows.grew():
                at = time.monotonic() + wait
            if self.stop.is_set() or (at is not None and time.monotonic() >= at):
                return True
            if program.seconds > PATIENCE:
                self.ledger.fault(f"{matches.parent.name}: no match in {PATIENCE:.0f} s.")
                return True
            time.sleep(BEAT)
        return False

    def _finish(self, kind: Kind) -> None:
        """Resume a training run for some more matches; it must come to its end, with a row for each."""
        before, path = self.roster.standing[kind.name], self.place.runs / kind.name
        goal = before.checkpoint + 2
        with self.program(kind.name, [*self._arguments(kind), "--matches", str(goal)]) as program:
            if program.wait(PATIENCE) != 0 or program.said():
                self.crashed(f"{kind.name}, resumed at the end", program)
                return
        after, faults = look(path, before, contiguous=kind.contiguous)
        if not after.checkpoint == after.rows >= goal:
            faults.append(f"Its checkpoint is of match {after.checkpoint}, its rows end at {after.rows}.")
        for fault in faults:
            self.ledger.fault(f"{kind.name}, resumed at the end: {fault}")


class Steady(Part):
    """A training run that is never killed."""

    title = "steady training"
    name = "steady"

    def __init__(self, place: Place, ledger: Ledger, kind: Kind, minutes: float) -> None:
        super().__init__(place, ledger)
        self.kind, self.minutes = kind, minutes
        self.standing = RunStanding()

    def files(self, name: str) -> Path | None:
        """The run."""
        return self.place.runs / name

    def line(self) -> str:
        """Its last checkpoint."""
        found = checkpoints(self.place.runs / self.name)
        return (
            f"{self.kind.name}, checkpoint {found[-1].name.lstrip('0') or '0'}" if found else self.kind.name
        )

    def work(self) -> None:
        """Train until the end, then Ctrl-C."""
        path = self.place.runs / self.name
        arguments = ["train", GAME, "--run", str(path), *self.kind.arguments(self.place.seed + 1)]
        with self.program(self.name, [*arguments, "--minutes", str(self.minutes)]) as program:
            while program.ended() is None and not self.stop.wait(1.0):
                pass
            if program.ended() is not None:
                self.crashed(self.name, program)
                return
            while not (path / METRICS).exists() and program.ended() is None and program.seconds < PATIENCE:
                time.sleep(BEAT)  # a soak of seconds: Ctrl-C is for training runs that have begun
            if program.stop(signal.SIGINT, PATIENCE) != 130 or program.said():
                self.crashed(f"{self.name}, stopped by Ctrl-C", program)
                return
        after, faults = look(path, RunStanding(), contiguous=self.kind.contiguous)
        if after.checkpoint != after.rows:
            faults.append(f"Its checkpoint is of match {after.checkpoint}, its rows end at {after.rows}.")
        for fault in faults:
            self.ledger.fault(f"{self.name}, stopped by Ctrl-C: {fault}")


class Growing:
    """A file that is added to, and now and then replaced by a part of itself."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = self._look()

    def grew(self) -> bool:
        """Whether something was added since the last time; what replaces it is not."""
        before, self._seen = self._seen, self._look()
        same = before[0] in (0, self._seen[0])
        return same and self._seen[1] > before[1]

    def _look(self) -> tuple[int, int]:
        try:
            found = self.path.stat()
        except OSError:
            return (0, 0)
        return (found.st_ino, found.st_size)
