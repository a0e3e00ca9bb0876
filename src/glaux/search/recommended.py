"""What suits a game in the box, where that is not what suits most: ``recommended.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def heuristic_named(game: str) -> str | None:
    """The heuristic that the game of this name is best learned with, if one is known."""
    return _tables()["heuristic"].get(game)


def search_named(game: str) -> str | None:
    """The search that plays the game of this name best with what was learned, if one is known."""
    return _tables()["search"].get(game)


@cache
def _tables() -> dict[str, dict[str, str]]:
    tables: dict[str, dict[str, str]] = tomllib.loads(
        (files("glaux.search") / "recommended.toml").read_text()
    )
    return tables
