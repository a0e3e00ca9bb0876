"""The ``key=value,key=value`` part that the texts of games and players share."""

import re

from glaux.errors import InvalidParameter


def parse_settings(text: str, complaint: str) -> dict[str, str]:
    """The settings in order; InvalidParameter with the complaint if it is written otherwise.

    Commas inside parentheses belong to a value: ``game=havannah(board_size=4),mobility=true``.
    """
    settings = {}
    for item in re.findall(r"(?:[^,(]|\([^)]*\))+", text):
        key, equals, value = item.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise InvalidParameter(complaint)
        settings[key.strip()] = value.strip()
    return settings
