"""The results of tournaments as ladders: how strong each player is, from their ``result.json``.

The files may be anybody's: a tournament with something else where a number or a text should be is left out.
Players are PLAYER texts, of which a client is told no path: ``value=runs/hex7`` is ``value=hex7``.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from glaux.arena.report import RESULT
from glaux.errors import GlauxError
from glaux.foreign import read_json

PATH = re.compile(r"[^,=:\s]*/")
PLAYERS = 200
"""of a tournament that are told"""
TOURNAMENTS = 100


def ladders(folder: Path) -> list[dict[str, Any]]:
    """The tournaments of a directory, those that ended last first."""
    found = []
    for file in folder.glob(f"*/{RESULT}"):
        try:
            told = _told(read_json(file))
            found.append((file.stat().st_mtime, {"name": file.parent.name, **told}))
        except (GlauxError, OSError, KeyError, TypeError, ValueError):
            continue  # something else of that name, or being written
    found.sort(key=lambda one: -one[0])
    return [told for _, told in found[:TOURNAMENTS]]


def _told(result: Any) -> dict[str, Any]:
    rows = [
        {
            "player": PATH.sub("", str(row["player"]))[:200],
            **{key: _finite(row[key]) for key in ("elo", "low", "high")},
            **{key: int(row[key]) for key in ("games", "wins", "draws", "losses")},
        }
        for row in result["ratings"][:PLAYERS]
    ]
    return {"game": str(result["game"])[:200], "rows": rows}


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number
