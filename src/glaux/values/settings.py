"""Settings that were read from a file or a command: no key may be unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glaux.errors import InvalidParameter, suggest


def check_keys(what: str, given: Iterable[str], known: Sequence[str]) -> None:
    """InvalidParameter for a key that ``what`` does not have."""
    for key in given:
        if key not in known:
            raise InvalidParameter(f"There is no setting '{key}' of {what}{suggest(key, known)}")
