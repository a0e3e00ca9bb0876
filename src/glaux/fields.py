"""Frozen dataclasses as settings: every field has a default, and plain JSON gives the same again.

The type of a field is the type of its default; a whole number is also a number. Unknown names are
errors that say the nearest known one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from glaux.errors import InvalidParameter, suggest

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
KINDS = {bool: "true or false", int: "a whole number", float: "a finite number", str: "a text"}


def from_mapping(cls: type[T], settings: object, what: str) -> T:
    """The dataclass with these fields; ``what`` begins the sentence of a complaint."""
    if not isinstance(settings, Mapping):
        raise InvalidParameter(f"{what} is written as a table of settings, not as {settings!r}.")
    check_keys(settings, [field.name for field in fields(cls)], what)
    return cls(**settings)


def check_keys(settings: Mapping[str, Any], known: list[str], what: str) -> None:
    """InvalidParameter for the first name that is not known."""
    for key in settings:
        if key not in known:
            raise InvalidParameter(f"{what} has no setting '{key}'{suggest(str(key), known)}")


def check_types(settings: Any, what: str) -> None:
    """Whether every field has the type of its default; a whole number becomes a float where that is one."""
    for field in fields(settings):
        value: Any = getattr(settings, field.name)
        kind: type[Any] = type(field.default)
        if kind is float and type(value) is int:
            value = float(value)
            object.__setattr__(settings, field.name, value)  # before anybody has seen it
        if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
            raise InvalidParameter(f"{what}'s {field.name} must be {KINDS[kind]}, not {value!r}.")
