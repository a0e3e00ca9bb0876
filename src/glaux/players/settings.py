"""The settings of a PLAYER text: a dataclass says which there are, :mod:`glaux.fields` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from glaux.fields import check_keys, from_texts, to_texts
from glaux.texts import parse_settings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def read_settings(player: str, text: str) -> dict[str, str]:
    """The ``key=value`` part of a PLAYER text, as texts."""
    return parse_settings(text, f"Write a player as name:key=value,key=value, not '{player}:{text}'.")


def read_all(player: str, text: str, defaults: T) -> T:
    """The same as a dataclass, which knows all the settings of the player."""
    texts = read_settings(player, text)
    check_keys(texts, list(to_texts(defaults)), f"The player {player}")
    return from_texts(defaults, texts)
