"""Configurations by name: for each game one that suits a laptop, and the papers' own.

They stand in TOML files in the folder ``presets`` of this package: ``every.toml`` for all games, and
files by the names of games for their own, which only say what differs from those of the same name.
A preset that is ``like`` another one says what differs from that, as the game has it.
``about`` says what a preset is for and where its numbers come from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from glaux.errors import UnknownName, suggest
from glaux.learn.config import Config
from glaux.learn.registry import read_config
from glaux.rules.registry import make, parse_game
from glaux.values.ntuple import NTupleSettings

DEFAULT = "laptop"
FAMILY = NTupleSettings.family
"""of a section [value] that names none"""


@dataclass(frozen=True)
class Preset:
    """A named configuration of a game."""

    name: str
    about: str
    minutes: float
    """how long a training run with it is meant to take; about that long, if it has a number of matches"""
    matches: int | None
    """how many matches it is meant to have, if that is what counts"""
    table: Mapping[str, Any]
    """what differs from the defaults of the learner that it names"""


def presets(game_name: str) -> dict[str, Preset]:
    """The presets of a game by name, that for a laptop first."""
    folder = files("glaux.learn") / "presets"
    every = tomllib.loads((folder / "every.toml").read_text())
    file = folder / f"{game_name}.toml"
    own = tomllib.loads(file.read_text()) if file.is_file() else {}
    plain = [name for name in own if "like" not in own[name]]
    written = every | own | {name: _merged(every.get(name, {}), own[name]) for name in plain}
    tables = {name: _resolved(name, written) for name in written}
    found = {}
    for name, table in tables.items():
        rest = dict(table)
        about, minutes, matches = rest.pop("about"), float(rest.pop("minutes")), rest.pop("matches", None)
        found[name] = Preset(name, about, minutes, matches, rest)
    return found


def _resolved(name: str, written: Mapping[str, Any]) -> dict[str, Any]:
    """The table of a preset with what it leaves to the one that it is like."""
    table = dict(written[name])
    like = table.pop("like", None)
    return _merged(_resolved(like, written), table) if like else table


def _merged(table: Mapping[str, Any], stronger: Mapping[str, Any]) -> dict[str, Any]:
    """Both tables as one, tables within tables likewise; a section [value] of another family is replaced."""
    if stronger.get("family", table.get("family", FAMILY)) != table.get("family", FAMILY):
        return dict(stronger)
    both = dict(table)
    for key, value in stronger.items():
        deeper = isinstance(value, Mapping) and isinstance(both.get(key), Mapping)
        both[key] = _merged(both[key], value) if deeper else value
    return both


def find_preset(game_text: str, name: str = DEFAULT) -> Preset:
    """The preset of this name; UnknownName with a sentence if there is none."""
    game_name, _ = parse_game(game_text)
    known = presets(game_name)
    if name not in known:
        raise UnknownName(f"There is no preset '{name}' for {game_name}{suggest(name, list(known))}")
    return known[name]


def configure(game_text: str, preset: Preset) -> Config:
    """The configuration of a training run of this GAME by a preset.

    A preset may say which parameters the game has; those of the GAME text are stronger.
    """
    table = dict(preset.table)
    name, given = parse_game(game_text)
    _, own = parse_game(str(table.pop("game", name)))
    return read_config({**table, "game": make(name, **(own | given)).text})
