"""Games by name: what a GAME text means, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glaux
from glaux.errors import GlauxError, InvalidParameter, UnknownName

OLYMPIAD = {
    "othello": (8, 8),
    "hex": (11, 11),
    "breakthrough": (8, 8),
    "clobber": (10, 10),
    "amazons": (10, 10),
    "lines_of_action": (8, 8),
    "santorini": (5, 5),
    "surakarta": (6, 6),
    "outer_open_gomoku": (15, 15),
    "connect_four": (6, 7),
}
"""rows and columns"""


def test_texts_and_keywords_make_the_same_game() -> None:
    assert glaux.make("hex:size=7,swap=false") == glaux.make("hex", size=7, swap=False)
    assert glaux.make("hex:size=7,swap=off").text == "hex:size=7,swap=0"
    assert glaux.make("hex", size=7) != glaux.make("hex", size=8)
    assert glaux.make(" othello ").text == "othello:size=8"


def test_defaults_are_those_of_the_olympiad() -> None:
    for name, board in OLYMPIAD.items():
        spec = glaux.make(name).spec
        assert (spec.board.rows, spec.board.columns) == board
    assert glaux.make("hex").parameters["swap"] == 1


@pytest.mark.parametrize(
    "text, error, sentence",
    [
        ("otello", UnknownName, "There is no game 'otello': did you mean 'othello'?"),
        ("", UnknownName, "There is no game '': there are othello"),
        ("hex:size=99", InvalidParameter, "Hex needs size between 3 and 19, not 99."),
        ("hex:sise=9", InvalidParameter, "Hex has no parameter 'sise': did you mean 'size'?"),
        ("hex:size=big", InvalidParameter, "The parameter size must be a whole number, not 'big'."),
        ("hex:size=99999999999999", InvalidParameter, "The parameter size must be a whole number"),
        ("hex:swap=perhaps", InvalidParameter, "The parameter swap must be true or false"),
        ("hex:size", InvalidParameter, "Write a game as name:key=value"),
        ("hex:size=", InvalidParameter, "Write a game as name:key=value"),
        ("othello:size=7", InvalidParameter, "Othello needs an even size, not 7."),
        ("open_spiel:game=kuhn_poker", InvalidParameter, "it has chance"),
        ("open_spiel:game=goo", UnknownName, "OpenSpiel has no game 'goo': did you mean 'go'?"),
    ],
)
def test_wrong_texts_get_one_sentence(text: str, error: type[GlauxError], sentence: str) -> None:
    with pytest.raises(error) as caught:
        glaux.make(text)
    assert str(caught.value).startswith(sentence) or sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_keywords() -> None:
    with pytest.raises(InvalidParameter, match="whole number"):
        glaux.make("hex", size=7.5)
    with pytest.raises(InvalidParameter, match=r"subclass of glaux\.Rules"):
        glaux.make(int)  # type: ignore[arg-type]


@given(st.text(max_size=30))
def test_any_text_is_a_game_or_an_error(text: str) -> None:
    try:
        glaux.make(text)
    except GlauxError as error:
        assert str(error)


@given(st.sampled_from(list(OLYMPIAD)), st.text("=,:sizerowcolumnlength0123456789-", max_size=20))
def test_any_parameters_are_a_game_or_an_error(name: str, parameters: str) -> None:
    try:
        glaux.make(f"{name}:{parameters}")
    except GlauxError as error:
        assert str(error)
