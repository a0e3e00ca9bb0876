"""The matches that a run has played against itself: the latest of them, and one as moves.

``matches.jsonl`` has a line for each match and can be large, so that only its end is read. Its numbers may be
anybody's: what the rules do not allow is refused in a sentence, as everything that clients send is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from glaux.directories import LINES_MOST
from glaux.errors import GlauxError, InvalidFile
from glaux.foreign import open_foreign
from glaux.learn.config import Config, value_text
from glaux.learn.run import MATCHES
from glaux.rules.game import Game
from glaux.web.models import ACTIONS
from glaux.web.positions import follow, move

END = 1 << 20
"""bytes of the file that are read"""
LISTED = 60
"""matches that are offered"""
HIDDEN = "(not shown)"


def latest(run: Path) -> list[dict[str, Any]]:
    """The latest matches, the last first: number, length and outcome."""
    return [
        {"match": row["match"], "plies": len(row["actions"]), "outcome": row.get("outcome")}
        for row in _rows(run)
    ]


def opened(run: Path, number: int, game: Game) -> dict[str, Any]:
    """One of them as moves; InvalidFile if it is not among the latest or not of this game."""
    found = next((row for row in _rows(run) if row["match"] == number), None)
    if found is None:
        raise InvalidFile(f"Match {number} is not one of the latest {LISTED} of this run.")
    start = found.get("start")
    try:
        line = follow(game, start if isinstance(start, str) else None, found["actions"])
    except (GlauxError, TypeError, OverflowError) as error:
        raise InvalidFile(f"Match {number} can't be played: {error}") from None
    moves = [move(game, *step) for step in zip(line.states, line.actions, strict=False)]
    return {"start": start, "first": "", "second": "", "ended": None, "moves": moves, "variations": []}


def settings(config: Config) -> list[dict[str, str]]:
    """The settings of a run and what they mean; nothing that could be a path or a program is told."""
    return [
        {
            "name": name,
            "value": HIDDEN if "/" in str(value) or "\\" in str(value) else value_text(value),
            "help": told,
        }
        for name, value, told in config.described()
        if value not in ("", None)
    ]


def _rows(run: Path) -> list[dict[str, Any]]:
    try:
        with open_foreign(run / MATCHES, LINES_MOST) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - END))
            lines = file.read(END).split(b"\n")[0 if size <= END else 1 :]
    except OSError:
        return []
    rows = []
    for line in reversed(lines):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off by a kill, or empty
        if _is_match(row):
            rows.append(row)
        if len(rows) == LISTED:
            break
    return rows


def _is_match(row: Any) -> bool:
    if (
        not isinstance(row, dict)
        or type(row.get("match")) is not int
        or row.get("outcome") not in (1, 0, -1, None)
    ):
        return False
    actions = row.get("actions")
    return isinstance(actions, list) and len(actions) <= ACTIONS and all(type(one) is int for one in actions)
