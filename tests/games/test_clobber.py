"""Clobber: counts, captures, who loses, the longest match, what is refused."""

from __future__ import annotations

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState

GAME = glaux.make("clobber")
SMALL = glaux.make("clobber", rows=2, columns=3)


def texts(game: glaux.Game, state: glaux.State) -> set[str]:
    return {game.action_text(state, a) for a in game.actions(state)}


def test_perft() -> None:
    assert [GAME.perft(depth) for depth in range(1, 4)] == [180, 31252, 5231000]


def test_perft_on_a_rectangle() -> None:
    game = glaux.make("clobber", rows=5, columns=6)
    assert [game.perft(depth) for depth in range(1, 5)] == [49, 2116, 80063, 2630382]


def test_perft_of_whole_matches() -> None:
    game = glaux.make("clobber", rows=3, columns=4)
    counts = [17, 204, 1671, 8974, 34450, 99140, 180230]
    assert [game.perft(depth) for depth in range(1, 8)] == counts


def test_the_first_player_has_the_bottom_left_cell() -> None:
    assert SMALL.state_text(SMALL.initial()) == "OXO/XOX X 0"
    odd = glaux.make("clobber", rows=3, columns=3)
    assert odd.pieces(odd.initial()) == (5, 4)
    assert GAME.pieces(GAME.initial()) == (50, 50)


def test_action_numbers_name_the_start_and_the_direction() -> None:
    """b2 is cell 4 of 3 x 3: up, right, down, left."""
    game = glaux.make("clobber", rows=3, columns=3)
    state = game.parse_state(".O./OXO/.O. X 4")
    assert [game.action_text(state, a) for a in game.actions(state)] == ["b2b3", "b2c2", "b2b1", "b2a2"]
    assert game.actions(state) == [16, 17, 18, 19]


def test_a_move_captures_an_adjacent_opposing_stone() -> None:
    state = SMALL.parse_state("X.O/.XO X 2")
    assert texts(SMALL, state) == {"b1c1"}
    after = SMALL.play("b1c1", state)
    assert SMALL.state_text(after) == "X.O/..X O 3"
    assert SMALL.pieces(after) == (2, 1)
    assert texts(SMALL, after) == {"c2c1"}


def test_who_cannot_move_loses() -> None:
    end = SMALL.play("b1c1 c2c1", SMALL.parse_state("X.O/.XO X 2"))
    assert SMALL.state_text(end) == "X../..O X 4"
    assert SMALL.outcome(end) == -1
    assert SMALL.actions(end) == []
    assert SMALL.outcome(SMALL.parse_state("X../..O O 4")) == 1


def test_either_player_has_one_move_for_each_contact() -> None:
    for player in "XO":
        state = SMALL.parse_state(f"XXO/.OO {player} 1")
        assert len(SMALL.actions(state)) == 2


def test_stones_at_opposite_ends_of_two_rows_do_not_touch() -> None:
    """c2 and a1 have neighbouring numbers."""
    assert SMALL.terminal(SMALL.parse_state("..X/O.. X 4"))


def test_a_match_that_leaves_one_stone() -> None:
    game = glaux.make("clobber", rows=4, columns=4)
    end = game.play(
        "b4c4 a4a3 d4d3 b3c3 c4c3 b1c1 c3c2 c1c2 a1a2 d1d2 d3d2 a3a2 d2c2 a2b2 c2b2",
    )
    assert game.outcome(end) == 1
    assert game.pieces(end) == (1, 0)
    assert game.ply(end) == game.spec.max_plies == 15
    assert game.spec.max_plies_exact


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (3, 3)])
def test_two_stones_stay_for_multiples_of_three(rows: int, columns: int) -> None:
    game = glaux.make("clobber", rows=rows, columns=columns)
    cells = rows * columns
    assert game.perft(cells - 2) > 0
    assert game.perft(cells - 1) == 0
    assert game.spec.max_plies == cells - 1
    assert not game.spec.max_plies_exact


def test_the_longest_match_is_a_bound_for_an_odd_number_of_cells() -> None:
    assert not glaux.make("clobber", rows=5, columns=5).spec.max_plies_exact
    assert GAME.spec.max_plies_exact


def test_symmetries_of_squares_and_rectangles() -> None:
    assert len(GAME.spec.symmetries) == 8
    assert len(SMALL.spec.symmetries) == 4


@pytest.mark.parametrize(
    "settings", [{"rows": 1}, {"rows": 17}, {"columns": 1}, {"columns": 17}, {"size": 8}]
)
def test_impossible_settings(settings: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter):
        glaux.make("clobber", **settings)


@pytest.mark.parametrize("text", ["a2a1", "a1c1", "a1", "", "a1b2", "a1-b1"])
def test_impossible_moves(text: str) -> None:
    with pytest.raises(InvalidAction):
        SMALL.parse_action(SMALL.initial(), text)


@pytest.mark.parametrize(
    "text",
    [
        "OXO/XOX X 1",  # no cell is empty
        "OXO/.OX O 0",  # one cell is empty
        ".../... X 6",
        "OXO/XO X 0",
        "OXO/XOX X 0 0",
        "OXO/XOX Y 0",
        "OXO/XaX X 0",
    ],
)
def test_impossible_states(text: str) -> None:
    with pytest.raises(InvalidState):
        SMALL.parse_state(text)
