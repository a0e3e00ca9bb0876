"""From TOML to a look: every mistake is one sentence that names the file and the key."""

from __future__ import annotations

import dataclasses
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from glaux.errors import InvalidFile, suggest
from glaux.looks.look import Look, Piece

T = TypeVar("T")
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
KINDS = {bool: "true or false", int: "a whole number of at least 0", str: "a text"}


def read_look(text: str, source: str, named: Callable[[str], Look | None]) -> Look:
    """The look described by a file; InvalidFile if it names something unknown.

    ``like = "NAME"`` at its head takes what it leaves unsaid from the look of that name.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidFile(f"{source} is not TOML: {error}.") from None
    like = _typed(table.pop("like", ""), "", f"{source}: like")
    base = named(like) if like else Look()
    if base is None:
        raise InvalidFile(f"{source}: like must be the name of a built-in game, not '{like}'.")
    look: Look = _changed(base, table, source)
    return look


def _changed(thing: Any, table: object, where: str) -> Any:
    """The dataclass with the settings of a table."""
    known = {one.name: one for one in dataclasses.fields(thing)}
    values = {}
    for key, value in _items(table, where):
        if key not in known:
            raise InvalidFile(f"{where} has no setting '{key}'{suggest(key, list(known))}")
        values[key] = _value(getattr(thing, key), value, known[key].metadata, f"{where}: {key}")
    return dataclasses.replace(thing, **values)


def _value(old: Any, new: Any, about: Mapping[str, Any], where: str) -> Any:
    item = about.get("item")
    if dataclasses.is_dataclass(old):
        return _changed(old, new, where)
    if isinstance(old, Mapping):
        items = _items(new, where)
        if item:
            return {**old} | {key: _piece(old.get(key, item()), one, f"{where}.{key}") for key, one in items}
        return {key: _word(one, f"{where}.{key}") for key, one in items}
    if isinstance(old, tuple):
        _expect(isinstance(new, list), where, "a list", new)
        return tuple(_changed(item(), one, where) if item else _typed(one, "", where) for one in new)
    _typed(new, old, where)
    if new not in about.get("choices", [new]):
        raise InvalidFile(f"{where} must be one of {', '.join(filter(None, about['choices']))}, not '{new}'.")
    if about.get("colour") and new and not COLOUR.fullmatch(new):
        raise InvalidFile(f"{where} must be a colour such as #d9473f, not '{new}'.")
    return new


def _piece(old: Piece, table: object, where: str) -> Piece:
    piece: Piece = _changed(old, table, where)
    wide = any(unicodedata.east_asian_width(one) in "WF" for one in piece.glyph)
    if len(piece.glyph) > 1 or wide or not piece.glyph.isprintable():
        raise InvalidFile(f"{where}: glyph must be one narrow character, not {piece.glyph!r}.")
    return piece


def _word(value: Any, where: str) -> Any:
    """A word for a word, or the parameters that a text of rules stands for."""
    if isinstance(value, Mapping):
        return {key: _typed(number, 0, f"{where}.{key}") for key, number in value.items()}
    return _typed(value, "", where)


def _items(table: Any, where: str) -> list[tuple[str, Any]]:
    _expect(isinstance(table, Mapping), where, "a table", table)
    return list(table.items())


def _typed(value: Any, like: T, where: str) -> T:
    right = type(value) is type(like) and not (isinstance(value, int) and value < 0)
    _expect(right, where, KINDS[type(like)], value)
    checked: T = value
    return checked


def _expect(right: bool, where: str, what: str, value: object) -> None:
    if not right:
        raise InvalidFile(f"{where} must be {what}, not {value!r}.")
