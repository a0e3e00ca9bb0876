"""The ``key=value,key=value`` part that the texts of games and players share."""

import re
from collections.abc import Iterator

from glaux.errors import InvalidParameter


def parse_settings(text: str, complaint: str) -> dict[str, str]:
    """The settings in order; InvalidParameter with the complaint if it is written otherwise.

    Commas inside parentheses belong to a value: ``game=havannah(board_size=4),mobility=true``.
    """
    settings = {}
    for item in _items(text):
        key, equals, value = item.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise InvalidParameter(complaint)
        settings[key.strip()] = value.strip()
    return settings


def _items(text: str) -> Iterator[str]:
    """What stands between commas outside of parentheses; empty items are left out."""
    begin = depth = 0
    for found in re.finditer("[,()]", text):
        if found[0] == ",":
            if depth == 0:
                yield from filter(None, [text[begin : found.start()]])
                begin = found.end()
        else:
            depth = depth + 1 if found[0] == "(" else max(0, depth - 1)
    yield from filter(None, [text[begin:]])
