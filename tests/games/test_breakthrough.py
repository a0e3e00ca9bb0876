"""Breakthrough: counts, steps and captures, both ways to win, the longest match, what is refused."""

from __future__ import annotations

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState

GAME = glaux.make("breakthrough")
SMALL = glaux.make("breakthrough", rows=5, columns=3)


def texts(game: glaux.Game, state: glaux.State) -> set[str]:
    return {game.action_text(state, a) for a in game.actions(state)}


def test_perft() -> None:
    assert [GAME.perft(depth) for depth in range(1, 6)] == [22, 484, 11132, 256036, 6182818]


def test_perft_on_a_rectangle() -> None:
    game = glaux.make("breakthrough", rows=6, columns=5)
    assert [game.perft(depth) for depth in range(1, 6)] == [13, 169, 2331, 31545, 453608]


def test_the_first_player_starts_at_the_bottom() -> None:
    assert GAME.state_text(GAME.initial()) == (
        "OOOOOOOO/OOOOOOOO/......../......../......../......../XXXXXXXX/XXXXXXXX X 0"
    )
    assert GAME.pieces(GAME.initial()) == (16, 16)


def test_action_numbers_name_the_start_and_the_side() -> None:
    """c2 is cell 50: to b3, c3 and d3. c7 is cell 10: to b6, c6 and d6, left being left for both."""
    state = GAME.initial()
    assert [GAME.parse_action(state, text) for text in ("c2b3", "c2c3", "c2d3")] == [150, 151, 152]
    state = GAME.play("a2a3")
    assert [GAME.parse_action(state, text) for text in ("c7b6", "c7c6", "c7d6")] == [30, 31, 32]


def test_straight_steps_need_an_empty_cell_and_diagonal_ones_capture() -> None:
    state = SMALL.parse_state(".O./.OO/.X./X../... X 4")
    assert texts(SMALL, state) == {"b3a4", "b3xc4", "a2a3"}
    after = SMALL.play("b3xc4", state)
    assert SMALL.state_text(after) == ".O./.OX/.../X../... O 5"
    assert SMALL.pieces(after) == (2, 2)
    assert texts(SMALL, after) == {"b5a4", "b5xc4", "b4a3", "b4b3", "b4c3"}


def test_a_pawn_blocked_in_front_still_steps_diagonally() -> None:
    game = glaux.make("breakthrough", rows=5, columns=2)
    state = game.parse_state("../../O./X./.. X 2")
    assert texts(game, state) == {"a2b3"}


def test_the_far_row_wins_for_the_first_player() -> None:
    state = SMALL.parse_state(".OO/X../.../.../... X 8")
    assert texts(SMALL, state) == {"a4a5", "a4xb5"}
    for text in ("a4a5", "a4xb5"):
        end = SMALL.play(text, state)
        assert SMALL.outcome(end) == 1
        assert SMALL.actions(end) == []
        assert SMALL.ply(end) == 9


def test_the_far_row_wins_for_the_second_player() -> None:
    state = SMALL.parse_state("O../.../.../..O/XX. O 7")
    assert texts(SMALL, state) == {"a5a4", "a5b4", "c2xb1", "c2c1"}
    assert SMALL.outcome(SMALL.play("c2c1", state)) == -1
    assert SMALL.outcome(SMALL.play("a5b4", state)) is None


def test_capturing_the_last_pawn_wins() -> None:
    state = SMALL.parse_state(".../.O./X../.../... X 8")
    end = SMALL.play("a3xb4", state)
    assert SMALL.outcome(end) == 1
    assert SMALL.pieces(end) == (1, 0)
    state = SMALL.parse_state(".../.O./X../.../... O 9")
    assert SMALL.outcome(SMALL.play("b4xa3", state)) == -1


def test_the_longest_match() -> None:
    """The front rows change places, the back rows capture them on their last free row and follow."""
    game = glaux.make("breakthrough", rows=5, columns=2)
    cross = "a2a3 b4b3 a3b4 b3a2 b2b3 a4a3 b3a4 a3b2"
    state = game.play(f"{cross} a1xb2 a5xb4 b1xa2 b5xa4 {cross}")
    assert game.outcome(state) is None
    end = game.play("a4a5", state)
    assert game.outcome(end) == 1
    assert game.ply(end) == game.spec.max_plies == 21
    assert game.spec.max_plies_exact


def test_the_bound_of_the_longest_match() -> None:
    assert GAME.spec.max_plies == 177
    assert GAME.spec.max_plies_exact
    flat = glaux.make("breakthrough", rows=4, columns=2)
    assert flat.spec.max_plies == 13
    assert not flat.spec.max_plies_exact
    assert flat.perft(12) > 0
    assert flat.perft(13) == 0


@pytest.mark.parametrize(
    "settings", [{"rows": 3}, {"rows": 17}, {"columns": 1}, {"columns": 17}, {"size": 8}]
)
def test_impossible_settings(settings: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter):
        glaux.make("breakthrough", **settings)


@pytest.mark.parametrize("text", ["a2a4", "a2xb3", "a1a2", "a7a6", "a2", "", "a2-a3"])
def test_impossible_moves(text: str) -> None:
    with pytest.raises(InvalidAction):
        GAME.parse_action(GAME.initial(), text)


@pytest.mark.parametrize(
    "text",
    [
        "OOO/OOO/.../XXX/XXX X 2",  # every pawn still has all its steps
        "OOO/OOO/X../XXX/XXX X 0",  # seven pawns
        "X../OOO/.../.../..X X 8",  # X has already won
        "OO./.../.../XX./..O O 9",  # O has already won
        ".../.../.../.X./... X 8",  # O is gone, but it is X's turn
        ".../.../.../.../... X 0",
        "OOO/OOO/.../XXX X 0",
        "OOO/OOO/.../XXX/XXX X 0 1",
        "OOO/OOO/.../XXX/XXX Z 0",
        "OOO/OOO/..#/XXX/XXX X 0",
        "OOO/OOO/.../XXX/XXX X 32",
    ],
)
def test_impossible_states(text: str) -> None:
    with pytest.raises(InvalidState):
        SMALL.parse_state(text)
