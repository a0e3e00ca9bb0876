"""The settings of a PLAYER text, read one by one and checked."""

from __future__ import annotations

import math
import re

from glaux.errors import InvalidParameter, suggest
from glaux.texts import parse_settings

FLAGS = {"true": True, "on": True, "yes": True, "1": True} | dict.fromkeys(("false", "off", "no", "0"), False)
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


class Settings:
    """The ``key=value`` part of a PLAYER text. Read what you know, then call :meth:`finish`."""

    def __init__(self, player: str, text: str) -> None:
        complaint = f"A player is written as name:key=value,key=value, not '{player}:{text}'."
        self.player = player
        self._values = parse_settings(text, complaint)
        self.known: dict[str, str] = {}
        """the settings that were asked for, each with its default"""

    def text(self, key: str, default: str) -> str:
        """A text as it is."""
        self.known.setdefault(key, default)
        return self._values.get(key, default)

    def integer(self, key: str, default: int, low: int = 0) -> int:
        """A whole number of at least ``low``, which is not negative."""
        text = self.text(key, str(default))
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value < 2**64:
            at_least = f" of at least {low}" if low > 0 else ""
            raise InvalidParameter(f"The setting {key} must be a whole number{at_least}, not '{text}'.")
        return value

    def number(self, key: str, default: float) -> float:
        """A number that is not negative."""
        return self._number(key, str(default))

    def optional(self, key: str) -> float | None:
        """A number that is not negative, or None if it is not given."""
        self.known[key] = ""
        return self._number(key, "0") if key in self._values else None

    def optional_integer(self, key: str) -> int | None:
        """A whole number, or None if it is not given."""
        self.known[key] = ""
        return self.integer(key, 0) if key in self._values else None

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.text(key, str(default).lower()).lower()
        if value not in FLAGS:
            raise InvalidParameter(f"The setting {key} must be true or false, not '{value}'.")
        return FLAGS[value]

    def size(self, key: str, default: int) -> int:
        """A number of bytes, as 500M or 2G."""
        written = f"{default >> 20}M" if default % (1 << 20) == 0 else str(default)
        value = self.text(key, written).lower()
        found = re.fullmatch(r"(\d{1,15})([kmg]?)b?", value)
        if not found:
            raise InvalidParameter(f"The setting {key} must be a size such as 500M or 2G, not '{value}'.")
        return int(found[1]) * UNITS[found[2]]

    def finish(self) -> None:
        """Complain about a setting that nobody has read."""
        for key in self._values:
            if key not in self.known:
                hint = suggest(key, list(self.known))
                raise InvalidParameter(f"The player {self.player} has no setting '{key}'{hint}")

    def _number(self, key: str, default: str) -> float:
        text = self.text(key, default)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value < math.inf:
            raise InvalidParameter(f"The setting {key} must be a number from 0 up, not '{text}'.")
        return value
