"""Frozen dataclasses as settings: every field has a default, and plain JSON gives the same again.

The type of a field is the type of its default, unless :func:`setting` says another; a whole number is
also a number. Unknown names are errors that say the nearest known one. :func:`setting` also gives a
field its help text and the numbers that it can be, and :func:`from_texts` reads fields that are written as
texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from glaux.errors import InvalidParameter, suggest

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "a text",
    list: "a list",
}
FLAGS = {"true": True, "on": True, "yes": True, "1": True} | dict.fromkeys(("false", "off", "no", "0"), False)
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
INT32 = 2**31 - 1
"""the largest number of a setting that is an int of the native core"""
INT64 = 2**63 - 1
"""the largest whole number of a setting that names no other"""
SEEDS = 2**64 - 1
"""the largest seed"""
LONGEST = 1e9
"""the longest time in seconds: thirty years, and no clock of the system overflows"""


class Size(int):
    """The kind of a field that is a number of bytes: a whole number, written as 500M or 2G."""


def setting(
    default: Any,
    help: str,
    *,
    kind: type[Any] | None = None,
    least: float | None = None,
    most: float | None = None,
    positive: bool = False,
) -> Any:
    """A field with its help text; ``kind`` is its type if the default, such as None, does not say it.

    ``least`` and ``most`` are the smallest and the largest number that it can be, if it is one;
    ``positive`` numbers are above 0.
    """
    metadata = {
        "help": help,
        "kind": kind or type(default),
        "least": least,
        "most": most,
        "positive": positive,
    }
    return field(default=default, metadata=metadata)


def kind_of(f: Field[Any]) -> type[Any]:
    """The type of a field's values; besides them a field may have its default."""
    kind: type[Any] = f.metadata.get("kind") or type(f.default)
    return kind


def help_of(f: Field[Any]) -> str:
    """The help text of a field."""
    text: str = f.metadata.get("help", "")
    return text


def from_mapping(cls: type[T], settings: object, what: str) -> T:
    """The dataclass with these fields; ``what`` begins the sentence of a complaint."""
    if not isinstance(settings, Mapping):
        raise InvalidParameter(f"{what} must be a table of settings, not {settings!r}.")
    check_keys(settings, [field.name for field in fields(cls)], what)
    return cls(**settings)


def check_keys(settings: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    """InvalidParameter for the first name that is not known."""
    for key in settings:
        if key not in known:
            raise InvalidParameter(f"{what} has no setting '{key}'{suggest(str(key), known)}")


def check_types(settings: Any, what: str) -> None:
    """Whether every field has the type of its default; a whole number becomes a float where that is one."""
    for f in fields(settings):
        value: Any = getattr(settings, f.name)
        kind = int if kind_of(f) is Size else kind_of(f)
        if (f.default is None and value is None) or is_dataclass(kind):
            continue  # settings within settings have checked themselves
        if kind is float and type(value) is int:
            value = float(value) if abs(value) < 2**1023 else math.inf
            object.__setattr__(settings, f.name, value)  # before anybody has seen it
        if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
            raise InvalidParameter(f"{what}'s {f.name} must be {KINDS[kind]}, not {shortened(repr(value))}.")
        if kind in (int, float):
            check_range(value, f, f"{what}'s {f.name} must be", KINDS[kind])


def check_range(value: float, f: Field[Any], begin: str, kind: str) -> None:
    """InvalidParameter unless a number is one that the field can be; ``begin`` begins the sentence."""
    least, most = f.metadata.get("least"), f.metadata.get("most")
    if isinstance(value, int):
        least, most = -INT64 if least is None else least, INT64 if most is None else most
    if f.metadata.get("positive") and value <= 0:
        raise InvalidParameter(f"{begin} a positive number, not {value:g}.")
    if (least is None or least <= value) and (most is None or value <= most):
        return
    raise InvalidParameter(f"{begin} {kind}{_range(least, most)}, not {shortened(repr(value))}.")


def _range(least: float | None, most: float | None) -> str:
    """The end of "a number": " from 1 to 12", " of at least 1" or " of at most 12"."""
    low = None if least is None or least == -INT64 else f"{least:g}" if least < 1e6 else f"{least}"
    if low is None:
        return "" if most is None else f" of at most {_power(most)}"
    return f" of at least {low}" if most is None or most == INT64 else f" from {low} to {_power(most)}"


def _power(number: float) -> str:
    """A bound for people: 2^31 - 1 is easier to read than its digits."""
    power = math.log2(number + 1) if number >= INT32 else 0.5
    return f"2^{round(power)} - 1" if power == round(power) else f"{number:,.15g}"


def shortened(text: str) -> str:
    """A text of the user in a sentence: its beginning, if it is long."""
    return text if len(text) <= 60 else f"{text[:57]}..."


# Texts


def from_texts(defaults: T, texts: Mapping[str, str]) -> T:
    """The dataclass with those of its fields changed that are among the texts; no number is negative."""
    given = {f.name: read_field(f, texts[f.name]) for f in fields(defaults) if f.name in texts}
    return replace(defaults, **given)


def to_texts(settings: DataclassInstance) -> dict[str, str]:
    """The fields as :func:`from_texts` reads them; empty for None."""
    return {f.name: write_text(getattr(settings, f.name), kind_of(f)) for f in fields(settings)}


def to_helps(settings: DataclassInstance) -> dict[str, str]:
    """The help text of each field."""
    return {f.name: help_of(f) for f in fields(settings)}


def read_field(f: Field[Any], text: str) -> Any:
    """The value of a field from its text; InvalidParameter if it can have none like this."""
    kind = kind_of(f)
    value = read_text(f.name, text, kind, positive=bool(f.metadata.get("positive")))
    if kind in (int, float):
        words = "a whole number" if kind is int else "a number"
        check_range(value, f, f"The setting {f.name} must be", words)
    return value


def read_text(name: str, text: str, kind: type[Any], *, positive: bool = False) -> Any:
    """The value of a text; InvalidParameter with a sentence if it has none of this kind."""
    if kind is str:
        return text
    if kind is bool:
        if text.lower() not in FLAGS:
            raise InvalidParameter(f"The setting {name} must be true or false, not '{text}'.")
        return FLAGS[text.lower()]
    if kind is Size:
        return read_size(name, text)
    sign = "positive" if positive else "non-negative"
    most, words = (2**64, "a whole number") if kind is int else (math.inf, f"a {sign} number")
    try:
        value = kind(text)
    except ValueError:
        value = -1
    if not 0 <= value < most or (positive and value == 0):
        raise InvalidParameter(f"The setting {name} must be {words}, not '{shortened(text)}'.")
    return value


def read_size(name: str, text: str) -> int:
    """A number of bytes, as 500M or 2G."""
    found = re.fullmatch(r"(\d{1,15})([kmg]?)b?", text.lower())
    if not found:
        raise InvalidParameter(f"The setting {name} must be a size such as 500M or 2G, not '{text}'.")
    return int(found[1]) * UNITS[found[2]]


def write_text(value: Any, kind: type[Any]) -> str:
    """The text of a value."""
    if value is None:
        return ""
    if kind is bool:
        return str(value).lower()
    if kind is Size and value % (1 << 20) == 0:
        return f"{value >> 20}M"
    return str(value)
