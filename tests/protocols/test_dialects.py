"""How GTP is spoken for each game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glaux
from glaux.errors import GlauxError, InvalidAction, InvalidParameter
from glaux.protocols.dialects import board_size, dialect_of, parse_colour, resized
from tests.boards import SMALL, small_game
from tests.protocols.matches import random_match
from tests.protocols.wild import WILD_TEXT


@pytest.mark.parametrize("name", SMALL)
def test_actions_are_read_as_they_are_written(name: str, seed: int) -> None:
    dialect = dialect_of(small_game(name))
    for state, action in random_match(small_game(name), seed):
        text = dialect.write(state, action)
        assert dialect.read(state, text) == action
        assert dialect.read(state, text.upper()) == dialect.read(state, text.lower()) == action
        assert len(text.split()) == 1


def test_hex_as_its_programs_speak() -> None:
    game = glaux.make("hex:size=5")
    dialect, state = dialect_of(game), game.play("b3")
    swap = game.parse_action(state, "swap")
    assert dialect.write(state, swap) == "swap-pieces"
    assert dialect.read(state, "Swap-Pieces") == dialect.read(state, "swap") == swap
    with pytest.raises(InvalidAction):
        dialect.read(game.play("b3 a1"), "swap-pieces")


def test_othello_as_grhino_speaks() -> None:
    game = glaux.make("othello")
    dialect, state = dialect_of(game), game.initial()
    assert dialect.write(state, game.parse_action(state, "d3")) == "D3"
    assert dialect.silent_passes


@pytest.mark.parametrize("name", [name for name in SMALL if small_game(name).spec.players == 2])
def test_a_board_is_resized_to_its_own_size(name: str) -> None:
    small, large = small_game(name), glaux.make(name)
    assert board_size(resized(large, board_size(small).split())) == board_size(small)
    assert resized(small, [board_size(small).replace(" ", "x")]) is small


@pytest.mark.parametrize(
    "game, arguments, sentence",
    [
        ("othello", "7", "even"),
        ("othello", "8 6", "no board of 8 columns and 6 rows"),
        ("hex", "99", "19"),
        ("havannah", "8", "no board of 8 columns and 8 rows"),
        ("hex", "", "A size must be a number"),
        ("hex", "x", "A size must be a number"),
        ("hex", "1e3", "A size must be a number"),
        ("hex", "-5", "A size must be a number"),
        ("hex", "5 5 5", "A size must be a number"),
        ("hex", "9" * 5000, "A size must be a number"),
        ("docs/examples/tic_tac_toe.py", "4", "no board of 4 columns"),
    ],
)
def test_boards_that_there_are_not(game: str, arguments: str, sentence: str) -> None:
    with pytest.raises(GlauxError, match=sentence):
        resized(glaux.make(game), arguments.split())


@given(text=st.sampled_from(["b", "W", "Black", "WHITE", ""]) | WILD_TEXT)
def test_colours(text: str) -> None:
    if text.lower() in ("b", "w", "black", "white"):
        assert parse_colour(text)[0] == text.lower()[0]
    else:
        with pytest.raises(InvalidParameter, match="is not a colour"):
            parse_colour(text)
