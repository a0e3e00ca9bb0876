"""A run is a directory: what was asked for, what happened, and where it stands.

    config.json           the configuration, resolved
    metrics.jsonl         a line for each match and each measurement of strength
    matches.jsonl         a line for each match: its actions, to be replayed
    events/               the same figures for TensorBoard
    checkpoints/000123/   all that a training needs to go on after match 123: the newest, and one before
    history/000123/       the value function alone, now and then, for curves and comparisons

A checkpoint is written beside the others under another name and renamed when it is whole, so that a
killed process leaves the last whole one; it has checksums of its files and of config.json
(``glaux.directories``). Lines of metrics and matches that are newer than the checkpoint are cut off when a
run is resumed: the matches are played again. Who resumes a run locks it before reading the checkpoint.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from glaux.directories import (
    CHECKPOINTS,
    LOCK,
    SUMS,
    append_line,
    check_sums,
    checkpoint_number,
    checkpoints,
    locked,
    new_checkpoint,
    read_lines,
    replace_file,
    sync,
    writing,
)
from glaux.errors import GlauxError, InvalidFile
from glaux.learn.config import Config
from glaux.learn.learner import Learner
from glaux.learn.registry import make_learner, read_config
from glaux.learn.replay import Arrays
from glaux.values.saving import HEAD, PART

CONFIG, METRICS, MATCHES = "config.json", "metrics.jsonl", "matches.jsonl"
HISTORY, EVENTS = "history", "events"
FORMAT = 2
"""1: config.json had the settings of all learners, whichever it was"""


class Run:
    """The directory of one training."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = 0

    @classmethod
    def create(cls, path: Path, config: Config) -> Run:
        """A new run; InvalidFile if there is one already."""
        if (path / CONFIG).exists():
            raise InvalidFile(f"'{path}' holds a run already: resume it, or choose another directory.")
        path.mkdir(parents=True, exist_ok=True)
        if any(not _begun(entry) for entry in path.iterdir()):
            raise InvalidFile(f"The directory '{path}' is not empty: choose another one for the run.")
        (path / CHECKPOINTS).mkdir(exist_ok=True)
        (path / HISTORY).mkdir(exist_ok=True)
        content = {"format": FORMAT, "config": config.write()}
        replace_file(path / CONFIG, json.dumps(content, indent=2).encode() + b"\n")
        return cls(path)

    @classmethod
    def open(cls, path: Path) -> Run:
        """A run that is there; InvalidFile if there is none."""
        if not (path / CONFIG).is_file():
            raise InvalidFile(f"There is no run in '{path}': it has no {CONFIG}.")
        return cls(path)

    @property
    def config(self) -> Config:
        """The configuration that the run was created with."""
        try:
            content = json.loads((self.path / CONFIG).read_bytes())
            table, number = content["config"], int(content["format"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise InvalidFile(f"'{self.path / CONFIG}' is not the configuration of a run.") from None
        if number > FORMAT:
            raise InvalidFile(f"'{self.path}' was written by a newer Glaux: upgrade Glaux to use it.")
        return read_config(table, lenient=number < FORMAT)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """While this lasts no other process trains here; InvalidFile if one does. Ends with the process.

        The same object can be locked again inside.
        """
        if not self._held:
            with locked(self.path, "training"):
                self._held += 1
                try:
                    yield
                finally:
                    self._held -= 1
            return
        yield

    # What happened

    def add_metrics(self, row: dict[str, Any]) -> None:
        """Write a line of figures."""
        append_line(self.path / METRICS, row)

    def add_match(self, row: dict[str, Any]) -> None:
        """Write a match."""
        append_line(self.path / MATCHES, row)

    def metrics(self) -> Iterator[dict[str, Any]]:
        """The lines of figures so far; a line that was cut off by a kill is left out."""
        return _lines(self.path / METRICS)

    def matches(self) -> Iterator[dict[str, Any]]:
        """The matches so far."""
        return _lines(self.path / MATCHES)

    # Checkpoints

    def latest(self) -> Path | None:
        """The newest whole checkpoint."""
        found = checkpoints(self.path)
        return found[-1] if found else None

    def save(self, learner: Learner) -> Path:
        """Write a checkpoint. The one before it stays, older ones are removed."""
        for file in (self.path / METRICS, self.path / MATCHES):  # what it has learned from is there with it
            if file.exists():
                sync(file)
        with new_checkpoint(self.path, learner.matches, CONFIG) as place:
            _note_training(learner)
            learner.value.save(place / PART)
            state, arrays = learner.state()
            _write_arrays(place / "arrays.npz", arrays)
            replace_file(place / "state.json", json.dumps(state | {"sums": SUMS}).encode())
        saved = self.latest()
        assert saved is not None
        return saved

    def keep_value(self, learner: Learner) -> None:
        """Put the value function into the history."""
        place = self.path / HISTORY / f"{learner.matches:08d}"
        if not (place / HEAD).exists():
            _note_training(learner)
            learner.value.save(place, optimizer=False)

    def resume(self) -> Learner:
        """The training as its newest checkpoint left it; from the start if there is none.

        InvalidFile that names the file if one is damaged. Lock the run first where others may train in it.
        """
        place = self.latest()
        try:
            config = self.config
        except InvalidFile:
            raise
        except GlauxError:
            if place is not None:
                check_sums(place)  # names the file, if somebody else has changed it
            raise
        if place is None:
            return make_learner(config)
        try:
            check_sums(place)
            learner = make_learner(config, place / PART)
            learner.restore(*_read_state(place))
        except (OSError, ValueError, KeyError, TypeError, BadZipFile, GlauxError) as error:
            raise InvalidFile(
                f"The checkpoint '{place}' can't be read: {error}{self._before(place)}"
            ) from None
        return learner

    def _before(self, place: Path) -> str:
        """What can be done if a checkpoint is damaged."""
        others = [other for other in checkpoints(self.path) if other != place]
        if not others:
            return ""
        return f" Remove '{place}' to go on from the one before, '{others[-1].name}'."

    def check_newest(self, learner: Learner) -> bool:
        """Whether this training stands at the newest checkpoint; InvalidFile if that is of later matches."""
        place = self.latest()
        if place is not None and checkpoint_number(place) > learner.matches:
            raise InvalidFile(
                f"Another process has trained on in '{self.path}', to match {checkpoint_number(place)}: "
                "resume it again."
            )
        return place is not None and checkpoint_number(place) == learner.matches

    def forget_after(self, matches: int) -> None:
        """Cut off the lines of later matches: they are played again."""
        for file in (self.path / METRICS, self.path / MATCHES):
            if file.exists():
                kept = [row for row in _lines(file) if row["match"] <= matches]
                lines = [json.dumps(row, separators=(",", ":")) + "\n" for row in kept]
                content = "".join(lines).encode()
                if content != file.read_bytes():
                    replace_file(file, content)


def _begun(entry: Path) -> bool:
    """Whether a process that was killed while it created a run may have left this."""
    if entry.name in (CHECKPOINTS, HISTORY):
        return entry.is_dir() and not any(entry.iterdir())
    return entry.name == LOCK or entry.name.startswith(f".{CONFIG}.")


def _note_training(learner: Learner) -> None:
    """Let the value function say where it comes from."""
    entry = {
        "training": learner.describe(),
        "matches": learner.matches,
        "minutes": round(learner.elapsed / 60, 2),
        "seed": learner.config.seed,
    }
    earlier = [other for other in learner.value.history if "training" not in other]
    learner.value.history = [*earlier, entry]


def _read_state(place: Path) -> tuple[dict[str, Any], Arrays]:
    state = json.loads((place / "state.json").read_bytes())
    if "sums" in state and not (place / SUMS).is_file():
        raise InvalidFile(f"The file '{place / SUMS}' is missing.")
    with (place / "arrays.npz").open("rb") as file, np.load(file, allow_pickle=False) as stored:
        return state, {name: stored[name] for name in stored.files}


def _write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    with writing(path), path.open("wb") as file:
        np.savez(file, **arrays)
        file.flush()
        os.fsync(file.fileno())


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (row for row in read_lines(path) if isinstance(row.get("match"), int))
