"""Numbers in words."""

from __future__ import annotations

import pytest

from glaux.words import plural


@pytest.mark.parametrize(
    ("count", "word", "many", "text"),
    [
        (0, "game", None, "0 games"),
        (1, "game", None, "1 game"),
        (1.0, "minute", None, "1 minute"),
        (0.5, "minute", None, "0.5 minutes"),
        (2, "match", None, "2 matches"),
        (1, "match", None, "1 match"),
        (3, "process", None, "3 processes"),
        (1234567, "state", None, "1,234,567 states"),
        (1, "symmetry", "symmetries", "1 symmetry"),
        (8, "symmetry", "symmetries", "8 symmetries"),
    ],
)
def test_a_count_agrees_with_its_word(count: float, word: str, many: str | None, text: str) -> None:
    assert plural(count, word, many) == text
