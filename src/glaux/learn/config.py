"""The settings of a training run: small frozen dataclasses that TOML, JSON and the command line share.

Here are those that every training run has; each learner adds its own in a subclass beside its code, and
``registry.py`` reads a table as the settings of the learner that it names. A setting that is a dataclass
itself is a section, a table of the file: ``[search]``, ``[replay]``. A setting that is missing has its
default, and an unknown name is an error that says the nearest known one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, ClassVar, Self

from glaux.errors import InvalidParameter, suggest
from glaux.fields import (
    LONGEST,
    SEEDS,
    check_keys,
    check_types,
    from_mapping,
    help_of,
    kind_of,
    setting,
    shortened,
)
from glaux.learn.clock import CLOCKS, WALL
from glaux.learn.strength import Strength
from glaux.values.families import read_settings
from glaux.values.ntuple import NTupleSettings
from glaux.values.settings import ValueSettings

VALUE = "value"
"""the section whose settings depend on its family"""


@dataclass(frozen=True)
class Config:
    """The settings of every training run, whatever its learner."""

    game: str = setting("", "the game, as a command takes it")
    learner: str = setting("", "how it learns")
    heuristic: str = setting("recommended", "what terminal states are worth (section 6.2)")
    batch_size: int = setting(
        0, "examples per learning step; 0: chosen by the value function", least=0, most=2**31
    )
    warm_start: int = setting(
        0, "final positions of random matches to learn from before the first match", least=0, most=10**9
    )
    workers: int = setting(
        1, "workers that play in parallel; 1 is the papers' sequential mode", least=1, most=1024
    )
    seed: int = setting(0, "the random seed", least=0, most=SEEDS)
    start_from: str = setting("", "directory of a value function to start from, instead of an untrained one")
    clock: str = setting(
        WALL, "what measures the length of the run: wall, or cpu (the processor time of its process)"
    )
    checkpoint_every: float = setting(60.0, "seconds between checkpoints", least=0, most=LONGEST)
    value: ValueSettings = setting(NTupleSettings(), "the value function: its family and settings")
    strength: Strength = setting(Strength(), "games against a fixed opponent, from time to time")

    choices: ClassVar[dict[str, tuple[str, ...]]] = {"clock": tuple(CLOCKS)}
    """the words allowed for a setting"""

    def __post_init__(self) -> None:
        check_types(self, "A training run")
        for name, section in self.sections().items():
            if not isinstance(getattr(self, name), ValueSettings if name == VALUE else section):
                raise InvalidParameter(f"[{name}] must be a table of settings.")
        for name, known in self.choices.items():
            if getattr(self, name) not in known:
                value = getattr(self, name)
                raise InvalidParameter(f"There is no {name} '{value}'{suggest(value, known)}")

    @classmethod
    def sections(cls) -> dict[str, type[Any]]:
        """The settings that are tables themselves, and their dataclasses."""
        return {f.name: kind_of(f) for f in fields(cls) if is_dataclass(kind_of(f))}

    @classmethod
    def _family(cls) -> str:
        """That of a section [value] that names none."""
        default = next(f.default for f in fields(cls) if f.name == VALUE)
        assert isinstance(default, ValueSettings)
        return default.family

    @classmethod
    def names(cls) -> list[str]:
        """The settings and sections."""
        return [f.name for f in fields(cls)]

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Self:
        """The settings from a table, as TOML and JSON have it."""
        check_keys(table, cls.names(), "A training run")
        known = dict(table)
        for name, section in cls.sections().items():
            if name in known:
                known[name] = (
                    read_settings(known[name], cls._family())
                    if name == VALUE
                    else from_mapping(section, known[name], f"[{name}]")
                )
        return cls(**known)

    def write(self) -> dict[str, Any]:
        """The same as a table."""
        return asdict(self)

    def described(self) -> Iterator[tuple[str, Any, str]]:
        """Each setting as ``--set`` names it, its value, and its help text."""
        for f in fields(self):
            found = getattr(self, f.name)
            if is_dataclass(found):
                for inner in fields(found):
                    yield f"{f.name}.{inner.name}", getattr(found, inner.name), help_of(inner)
            else:
                yield f.name, found, help_of(f)


def value_text(value: Any) -> str:
    """The value of a setting as ``--set`` takes it; nothing for one that is not set."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def set_text(config: Config, text: str) -> dict[str, Any]:
    """The table of the settings with one changed by a text: ``search.seconds=0.5``, ``seed=3``."""
    table = config.write()
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if not equals:
        raise InvalidParameter(f"A setting is written as name=value, not '{text}'.")
    section, dot, key = name.rpartition(".")
    if dot and section not in config.sections():
        raise InvalidParameter(f"There is no section '{section}'{suggest(section, list(config.sections()))}")
    owner: Any = getattr(config, section) if dot else config
    kinds = {f.name: kind_of(f) for f in fields(owner)}
    if section == VALUE and key == "family" and value != config.value.family:
        table[VALUE] = {"family": value}  # the settings of the other family mean nothing to this one
        return table
    if key not in kinds or is_dataclass(kinds[key]) or name == "game":
        if section == VALUE:
            check_keys({key: value}, list(kinds), f"The family {config.value.family}")
        raise InvalidParameter(f"A training run has no setting '{name}'{suggest(name, _names(config))}")
    (table[section] if dot else table)[key] = _read(value, kinds[key], name)
    return table


def _names(config: Config) -> list[str]:
    return [name for name, _, _ in config.described() if name != "game"]


def _read(text: str, kind: type[Any], name: str) -> Any:
    """The text as the type that the setting has."""
    if kind is str:
        return text
    if kind is bool:
        if text.lower() not in ("true", "false"):
            raise InvalidParameter(f"The setting {name} must be true or false, not '{text}'.")
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except (ValueError, OverflowError):
            continue
    raise InvalidParameter(f"The setting {name} must be a number, not '{shortened(text)}'.")
