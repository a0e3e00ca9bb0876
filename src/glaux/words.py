"""Numbers in words."""

from __future__ import annotations


def plural(count: float, word: str, many: str | None = None) -> str:
    """A count with its word: ``1 game``, ``0 games``, ``2.5 minutes``, ``1,000 matches``.

    ``many`` is the plural of a word that takes neither s nor es.
    """
    number = f"{count:,}" if isinstance(count, int) else f"{count:g}"
    if number == "1":
        return f"1 {word}"
    return f"{number} {many or word + ('es' if word.endswith(('s', 'x', 'ch', 'sh')) else 's')}"
