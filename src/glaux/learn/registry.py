"""The one table of the learners, and what reads the settings of the one that a table names.

A new learner is its own module and one entry here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from glaux.errors import InvalidParameter, suggest
from glaux.learn.alphazero import AlphaZero
from glaux.learn.athenan import Athenan
from glaux.learn.config import VALUE, Config, set_text
from glaux.learn.exit import ExIt
from glaux.learn.learner import Learner
from glaux.learn.td import TD

LEARNERS: dict[str, type[Learner]] = {learner.name: learner for learner in (Athenan, TD, AlphaZero, ExIt)}
DEFAULT = Athenan.name


def find_learner(name: str) -> type[Learner]:
    """The learner of this name; InvalidParameter with a sentence if there is none."""
    if name not in LEARNERS:
        raise InvalidParameter(f"There is no learner '{name}'{suggest(name, list(LEARNERS))}")
    return LEARNERS[name]


def make_learner(config: Config, saved: Path | None = None) -> Learner:
    """The learner of these settings; with a ``saved`` value function it goes on with that."""
    return find_learner(config.learner)(config, saved)


def read_config(table: Mapping[str, Any], *, lenient: bool = False) -> Config:
    """The settings in a table as TOML and JSON give it, of the learner that it names.

    Those of other learners are errors, unless it is ``lenient``: tables of before had all of them.
    """
    name = str(table.get("learner", DEFAULT))
    kind = find_learner(name).config_type
    for key in table:
        if key not in kind.names() and not lenient:
            _check_owner(key, name)
    foreign = {key for key in table if _owners(key)} - set(kind.names())
    return kind.from_table({key: value for key, value in table.items() if key not in foreign})


def change_config(config: Config, texts: Iterable[str]) -> Config:
    """The settings with some changed: ``search.seconds=0.5``, ``seed=3``; the last ones win."""
    for text in texts:
        key = text.partition("=")[0].partition(".")[0].strip()
        if key not in config.names():
            _check_owner(key, config.learner)
        table = set_text(config, text)
        # With another learner, the settings of this one no longer mean anything.
        config = read_config(_shared(config, table), lenient=True) if key == "learner" else read_config(table)
    return config


def _shared(config: Config, table: dict[str, Any]) -> dict[str, Any]:
    """What a table has that means the same to the learner that it names now."""
    before, after = type(config).sections(), find_learner(str(table["learner"])).config_type.sections()
    other = {name for name in before if name in after and before[name] is not after[name]}
    if before[VALUE] is not after[VALUE]:
        other.add("heuristic")  # of values that another family learns
    return {key: value for key, value in table.items() if key not in other}


def _owners(key: str) -> list[str]:
    """The learners that have this setting or section."""
    return [name for name, learner in LEARNERS.items() if key in learner.config_type.names()]


def _check_owner(key: str, learner: str) -> None:
    owners = _owners(key)
    if owners and learner not in owners:
        raise InvalidParameter(
            f"The setting '{key}' belongs to the learner {' or '.join(owners)}, but this is {learner}: set "
            f"learner={owners[0]} first."
        )
