"""Trainings that are started and stopped from the page: a process of our own, and nothing else.

A client chooses a game, a preset by its name, a number of minutes and a name for the run. Each is checked
against what exists, and none becomes part of a command except as one argument of ``glaux train``: there is
no shell, no path, and no setting that names a program. The run is a new directory in the server's own folder.

Only where nobody but the owner of the machine, or those who have the token, reach the server
(``Options.train``), and one at a time.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any

from glaux.errors import Busy, GlauxError, InvalidParameter, UnknownName
from glaux.learn.preset import find_preset, presets
from glaux.rules.game import Game

STOP_SECONDS = 20.0
"""in which a training run saves itself, before it is killed when the server ends"""
NOT_HERE = "Training needs a server that nobody else can reach, or the token: see docs/security.md."


class Trainings:
    """The training that the page has started, if any."""

    def __init__(self, folder: Path, allowed: bool) -> None:
        self.folder = folder
        self.allowed = allowed
        self._lock = Lock()
        self._process: Popen[bytes] | None = None
        self._name = ""
        self._failure = ""
        self._told: IO[bytes] = BytesIO()
        """what it has complained of"""

    @property
    def running(self) -> str | None:
        """The name of the run that is being trained."""
        with self._lock:
            return self._name if self._alive() else None

    def status(self) -> dict[str, Any]:
        """What the page shows of it."""
        return {"allowed": self.allowed, "running": self.running, "failure": self._failure}

    @staticmethod
    def presets(game: Game) -> list[dict[str, Any]]:
        """The presets for a training run of this game."""
        return [
            {"name": preset.name, "about": preset.about, "minutes": preset.minutes}
            for preset in presets(game.spec.name).values()
        ]

    def start(self, game: Game, preset: str, minutes: float, name: str) -> None:
        """Start a training run; GlauxError with a sentence if that is not allowed or not possible."""
        self._check()
        find_preset(game.text, preset)
        with self._lock:
            if self._alive():
                raise Busy(f"The training run '{self._name}' is still running: stop it first.")
            path = self.folder / name
            if path.exists():
                raise InvalidParameter(f"There is already a run '{name}': choose another name.")
            self._told = TemporaryFile()  # noqa: SIM115 (closed when the training run has ended)
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._process = Popen(
                    [
                        *(sys.executable, "-m", "glaux", "train", game.text),
                        *("--preset", preset, "--minutes", f"{minutes:g}", "--run", str(path)),
                    ],
                    stdin=DEVNULL,
                    stdout=DEVNULL,
                    stderr=self._told,
                )
            except OSError as error:
                raise GlauxError(f"The training run can't be started: {error.strerror}.") from None
            self._name, self._failure = name, ""

    def stop(self) -> None:
        """Ask the training to end: it saves what it has learned."""
        self._check()
        with self._lock:
            if not self._alive():
                raise UnknownName("No training run that was started here is running.")
            assert self._process is not None
            self._process.terminate()

    def close(self) -> None:
        """End it with the server; what it has learned is saved."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except TimeoutExpired:
            process.kill()
            process.wait()
        self._told.close()

    def _check(self) -> None:
        if not self.allowed:
            raise GlauxError(NOT_HERE)

    def _alive(self) -> bool:
        """Whether it runs; what it complained of, when it has ended, is kept."""
        if self._process is None:
            return False
        if self._process.poll() is None:
            return True
        self._told.seek(0)
        told = self._told.read()[-2000:]
        self._told.close()
        if self._process.returncode not in (0, 130, 143):
            # The last line is the sentence of the command line; paths of this machine are not for the page.
            last = told.decode(errors="replace").strip().rsplit("\n", 1)[-1].removeprefix("glaux: ")
            self._failure = last.replace(str(self.folder), "runs")[:300] or "The training run failed."
        self._process = None
        return False
