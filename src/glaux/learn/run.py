"""A run is a directory: what was asked for, what happened, and where it stands.

    config.json           the configuration, resolved
    metrics.jsonl         a line for each match and each measurement of strength
    matches.jsonl         a line for each match: its actions, to be replayed
    events/               the same figures for TensorBoard
    checkpoints/000123/   what a training run needs to continue after match 123: the newest, and one before
    history/000123/       the value function alone, now and then, for curves and comparisons

A checkpoint is written beside the others under another name and renamed when it is whole, so that a
killed process leaves the last whole one; it has checksums of its files and of config.json
(``glaux.directories``). Lines of metrics and matches that are newer than the checkpoint are cut off when a
run is resumed: the matches are played again. Whoever resumes a run locks it before reading the checkpoint.

A run may come from a stranger, and going on with it executes nothing that its files name: rules in Python are
those that the user types, and programs need the user's word (``trust``).
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from glaux.arrays import Arrays, read_npz
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
from glaux.errors import GlauxError, InvalidFile, MissingExtra, Untrusted
from glaux.foreign import check_folder, read_json
from glaux.learn.config import Config
from glaux.learn.learner import Learner
from glaux.learn.picture import run_html
from glaux.learn.registry import make_learner, read_config
from glaux.players.registry import check_foreign, is_inside
from glaux.rules.registry import is_named, make, runs_code
from glaux.values.loading import load
from glaux.values.saving import HEAD, PART
from glaux.values.value import ValueFunction
from glaux.values.zoo import is_agent

CONFIG, METRICS, MATCHES = "config.json", "metrics.jsonl", "matches.jsonl"
HISTORY, EVENTS = "history", "events"
UNREADABLE = (OSError, ValueError, KeyError, TypeError, OverflowError, MemoryError)
"""the errors caused by files that are not a checkpoint, where nothing better is known"""
FORMAT = 2
"""1: config.json had the settings of all learners, whichever it was"""


class Run:
    """The directory of a training run."""

    def __init__(self, path: Path, game: str | None = None, *, trust: bool = False) -> None:
        self.path = path
        self.game = game
        self.trust = trust
        self._held = 0

    @classmethod
    def create(cls, path: Path, config: Config) -> Run:
        """Create a run; InvalidFile if it already exists."""
        if (path / CONFIG).exists():
            raise InvalidFile(f"'{path}' already holds a run: resume it or choose another directory.")
        if path.exists() and not path.is_dir():
            raise InvalidFile(f"'{path}' is not a directory: choose another path for the run.")
        path.mkdir(parents=True, exist_ok=True)
        if any(not _begun(entry) for entry in path.iterdir()):
            raise InvalidFile(f"The directory '{path}' is not empty: choose another one for the run.")
        (path / CHECKPOINTS).mkdir(exist_ok=True)
        (path / HISTORY).mkdir(exist_ok=True)
        content = {"format": FORMAT, "config": config.write()}
        replace_file(path / CONFIG, json.dumps(content, indent=2).encode() + b"\n")
        return cls(path, trust=True)

    @classmethod
    def open(cls, path: Path, game: str | None = None, *, trust: bool = False) -> Run:
        """Open an existing run; InvalidFile if there is none.

        The run may be a stranger's, so no code that it names is run. ``game`` is the GAME as the user names
        it, needed if the rules are a Python file. With ``trust`` the run may use everything it names,
        including programs and files elsewhere.
        """
        if not (path / CONFIG).is_file():
            raise InvalidFile(f"There is no run in '{path}': it has no {CONFIG}.")
        return cls(path, game, trust=trust)

    @property
    def config(self) -> Config:
        """The configuration the run was created with."""
        try:
            content = read_json(self.path / CONFIG)
            table, number = content["config"], int(content["format"])
            if not isinstance(table, Mapping):
                raise TypeError
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            raise InvalidFile(f"'{self.path / CONFIG}' is not the configuration of a run.") from None
        if number > FORMAT:
            raise InvalidFile(f"'{self.path}' was written by a newer Glaux: upgrade Glaux to use it.")
        return read_config(table, lenient=number < FORMAT)

    def allowed(self) -> Config:
        """The configuration to continue with; Untrusted if it names something only the user may name."""
        config = self.config
        if self.trust:
            return config
        if runs_code(config.game):
            if self.game is None or not is_named(make(self.game), config.game):
                raise Untrusted(
                    f"The run '{self.path}' uses the Python file {config.game}, which Glaux runs only if "
                    f"you name it: glaux train {shlex.quote(config.game)} --run "
                    f"{shlex.quote(str(self.path))} --resume, or Run.open(path, 'my_game.py') in Python."
                )
            config = replace(config, game=make(self.game).text)
        try:
            check_foreign(config.strength.opponent, self.path)
            again = self.latest() is None or getattr(config, "processes", False)
            start = config.start_from
            if again and start and not is_agent(start) and not is_inside(Path(start), self.path):
                raise Untrusted(f"the value function '{config.start_from}', which is outside of it,")
        except Untrusted as error:
            raise Untrusted(
                f"The run '{self.path}' names {error} and needs your permission: add --trust "
                f"{shlex.quote(str(self.path))}, or use Run.open(path, trust=True) in Python."
            ) from None
        return config

    @contextmanager
    def locked(self) -> Iterator[None]:
        """A context in which no other process trains here; InvalidFile if one does. Ends with the process.

        The same object can be locked again inside it.
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
        """Write a line of metrics."""
        append_line(self.path / METRICS, row)

    def add_match(self, row: dict[str, Any]) -> None:
        """Write a match."""
        append_line(self.path / MATCHES, row)

    def metrics(self) -> Iterator[dict[str, Any]]:
        """The lines of metrics so far, without a line cut off by a kill."""
        return _lines(self.path / METRICS)

    def matches(self) -> Iterator[dict[str, Any]]:
        """The matches so far."""
        return _lines(self.path / MATCHES)

    def columns(self, kind: str = "match") -> dict[str, npt.NDArray[Any]]:
        """The metrics as arrays by name: of the matches, or of the kind ``strength``.

        NaN where a row lacks a figure that others have.
        """
        rows = [row for row in self.metrics() if row.get("kind") == kind]
        names = dict.fromkeys(k for row in rows for k, value in row.items() if isinstance(value, int | float))
        return {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}

    def frame(self, kind: str = "match") -> Any:
        """The same as a pandas data frame."""
        try:
            import pandas  # noqa: PLC0415 (an optional dependency)
        except ImportError:
            raise MissingExtra("Data frames need the package pandas: pip install 'glaux[frames]'.") from None
        return pandas.DataFrame(self.columns(kind))

    def curve(self) -> dict[str, npt.NDArray[Any]]:
        """The measurements of strength: elapsed seconds, match, score, low, high and games."""
        return self.columns("strength")

    def value(self) -> ValueFunction:
        """The value function of the newest checkpoint."""
        return load(self.path, make(self.game) if self.game else None)

    def __repr__(self) -> str:
        return f"<Run {self.path}>"

    def _repr_html_(self) -> str:
        return run_html(self)

    # Checkpoints

    def latest(self) -> Path | None:
        """The newest complete checkpoint."""
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
        """The training run at its newest checkpoint, or at the start if there is none.

        InvalidFile that names the file if one is damaged. Lock the run first where others may train in it.
        """
        place = self.latest()
        try:
            config = self.allowed()
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
        except (*UNREADABLE, GlauxError) as error:
            raise InvalidFile(
                f"The checkpoint '{place}' can't be read: {error}{self._before(place)}"
            ) from None
        return learner

    def _before(self, place: Path) -> str:
        """What can be done if a checkpoint is damaged."""
        others = [other for other in checkpoints(self.path) if other != place]
        if not others:
            return ""
        return f" Remove '{place}' to continue from the previous one, '{others[-1].name}'."

    def check_newest(self, learner: Learner) -> bool:
        """Whether the learner is at the newest checkpoint; InvalidFile if that is of later matches."""
        place = self.latest()
        if place is not None and checkpoint_number(place) > learner.matches:
            raise InvalidFile(
                f"Another process has meanwhile continued '{self.path}', up to match "
                f"{checkpoint_number(place)}: resume again."
            )
        return place is not None and checkpoint_number(place) == learner.matches

    def forget_after(self, matches: int) -> None:
        """Cut off the lines and value functions of later matches: they are played again."""
        for place in check_folder(self.path / HISTORY).glob("[0-9]*"):
            if place.name.isdecimal() and int(place.name) > matches:
                shutil.rmtree(place)
        for file in (self.path / METRICS, self.path / MATCHES):
            if file.exists() and sum(map(len, _kept(file, matches))) != file.stat().st_size:
                replace_file(file, b"".join(_kept(file, matches)))


def slug(game: str) -> str:
    """A GAME as the name of a directory."""
    return re.sub("[:,/]+", "-", game).replace("=", "")


def free_path(folder: Path, config: Config) -> Path:
    """A place for a new run: the name of its game, with a number if that is taken."""
    name = slug(make(config.game).label)
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}"
    return path


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
    state = read_json(place / "state.json")
    if not isinstance(state, dict):
        raise InvalidFile(f"'{place / 'state.json'}' is not the state of a training run.")
    if "sums" in state and not (place / SUMS).is_file():
        raise InvalidFile(f"The file '{place / SUMS}' is missing.")
    return state, read_npz(place / "arrays.npz")


def _write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    with writing(path), path.open("wb") as file:
        np.savez(file, **arrays)
        file.flush()
        os.fsync(file.fileno())


def _kept(path: Path, matches: int) -> Iterator[bytes]:
    """The lines up to a match, as they are written."""
    rows = (row for row in _lines(path) if row["match"] <= matches)
    return (json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (row for row in read_lines(path) if isinstance(row.get("match"), int))
