"""What a kill may leave in the directory of a run, and what it may not.

    checkpoints       whole, by their checksums; the newest at match M, and never an earlier one than before
    rows up to M      of metrics and matches: all there, each once, and the same as at the last look
    rows after M      may be there: the matches that are played again. Only the last line may be torn
    how new M is      every round that ended checkpoint_every seconds after M or later has been saved;
                      the last round alone may have been killed before its checkpoint was there

So nothing is lost but matches that were being played, or were younger than the next checkpoint.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from glaux.directories import check_sums, checkpoint_number, checkpoints
from glaux.errors import GlauxError
from glaux.learn.config import Config
from glaux.learn.run import MATCHES, METRICS, Run
from glaux.words import plural

KEPT = 2
"""checkpoints that stay: the newest, and the one before"""


@dataclass(frozen=True)
class RunStanding:
    """How a run stands, as its files say."""

    checkpoint: int = 0
    """matches of the newest checkpoint"""
    elapsed: float = 0.0
    """seconds of training of the newest checkpoint"""
    checkpoints: int = 0
    """how many there are"""
    rows: int = 0
    """the match of the last row"""
    kept: tuple[tuple[str, int, str], ...] = ()
    """of each file of rows those up to the checkpoint: its name, their bytes, their checksum"""


def look(path: Path, before: RunStanding, *, contiguous: bool) -> tuple[RunStanding, list[str]]:
    """How a run stands after a kill, and what is wrong with it, each in a sentence.

    ``contiguous``: its learner writes a row for every match; others write one for a block of matches.
    """
    try:
        config = Run.open(path).config
        count, number, elapsed, faults = _checkpoint(path)
    except (GlauxError, OSError, ValueError, KeyError) as error:
        return before, [str(error)]
    if number < before.checkpoint:
        faults.append(
            f"The newest checkpoint is of match {number}, but there was one of match {before.checkpoint}."
        )
    if count > max(KEPT, before.checkpoints) + 1:  # a kill may come before the old ones are removed
        faults.append(f"There are {count} checkpoints, but there were {before.checkpoints}.")
    kept, last = [], 0
    for name, length, digest in before.kept or ((METRICS, 0, ""), (MATCHES, 0, "")):
        rows = _Rows(path / name, number, length)
        faults += [f"{name}: {fault}" for fault in rows.faults]
        faults += [f"{name}: {fault}" for fault in _row_faults(rows, number, contiguous=contiguous)]
        faults += [f"{name}: {fault}" for fault in _age_faults(rows, config, elapsed)]
        if length and rows.earlier != digest:
            faults.append(f"{name}: rows up to match {before.checkpoint} have changed.")
        kept.append((name, rows.length, rows.digest))
        last = max(last, rows.last)
    return RunStanding(number, elapsed, count, last, tuple(kept)), faults


def _checkpoint(path: Path) -> tuple[int, int, float, list[str]]:
    """How many there are, matches and seconds of the newest, and what is wrong with any of them."""
    found, faults = checkpoints(path), []
    for place in found:
        check_sums(place)
        state = json.loads((place / "state.json").read_bytes())
        if state["matches"] != checkpoint_number(place):
            faults.append(f"The checkpoint '{place.name}' is of {plural(state['matches'], 'match')}.")
    return (len(found), state["matches"], state["elapsed"], faults) if found else (0, 0, 0.0, faults)


class _Rows:
    """What a file of rows says, read a line at a time: a run of hours has hundreds of megabytes of them."""

    def __init__(self, path: Path, checkpoint: int, earlier_length: int) -> None:
        self.faults: list[str] = []
        self.numbers = array("q")
        """the matches that have a row of their own"""
        self.ended: list[float] = []
        """when the matches after the checkpoint ended, in seconds of training"""
        self.last = 0
        self.length = 0
        """bytes of the rows up to the checkpoint"""
        sums, earlier = hashlib.sha256(), None
        for line, row in self._whole(path):
            match = row["match"]
            self.last = max(self.last, match)
            if row.get("kind", "match") == "match":
                self.numbers.append(match)
            if row.get("kind") == "match" and match > checkpoint:
                self.ended.append(row["elapsed"])
            if match > checkpoint:
                continue
            left = earlier_length - self.length
            if earlier is None and left <= len(line):
                begun = sums.copy()
                begun.update(line[:left])
                earlier = begun.hexdigest()
            sums.update(line)
            self.length += len(line)
        self.digest = sums.hexdigest()
        self.earlier = earlier or self.digest
        """the checksum of the first ``earlier_length`` bytes"""

    def _whole(self, path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """The rows with their bytes; the last line may be torn."""
        if not path.exists():
            return
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    row = json.loads(line)
                    row["match"] + 0
                except (ValueError, TypeError, KeyError):
                    self.faults.append(f"line {number} is not a row.")
                    continue
                yield line, row


def _row_faults(rows: _Rows, checkpoint: int, *, contiguous: bool) -> Iterator[str]:
    for earlier, later in pairwise(chain([0], rows.numbers)):
        if later <= earlier:
            yield f"match {later} comes after {earlier}."
        elif contiguous and later != earlier + 1:
            yield f"match {earlier + 1} is missing, {later} comes after {earlier}."
    if checkpoint and checkpoint not in rows.numbers:
        yield f"match {checkpoint} of the checkpoint is missing."


def _age_faults(rows: _Rows, config: Config, elapsed: float) -> Iterator[str]:
    """Rounds that should have been saved before the last one ended."""
    ended = rows.ended
    due = [at for at in ended if at - elapsed >= config.checkpoint_every and at != ended[-1]]
    if due:
        yield f"a round that ended {due[0] - elapsed:.2f} s after the checkpoint was not saved."
