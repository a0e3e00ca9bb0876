"""Morpion Solitaire: counts, lines that touch or do not, the score, symmetries, what is refused."""

from __future__ import annotations

import re

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState

GAME = glaux.make("morpion", sheet=16)
TOUCHING = glaux.make("morpion", sheet=16, touching=1)
SMALL = glaux.make("morpion", length=4)


def texts(game: glaux.Game, state: glaux.State) -> set[str]:
    return {game.action_text(state, a) for a in game.actions(state)}


def test_perft() -> None:
    """28 first moves is the published figure."""
    assert [GAME.perft(depth) for depth in (1, 2, 3)] == [28, 740, 18416]
    assert [TOUCHING.perft(depth) for depth in (1, 2, 3)] == [28, 748, 18992]
    assert [SMALL.perft(depth) for depth in (1, 2)] == [40, 1480]


def test_the_cross() -> None:
    text = GAME.state_text(GAME.initial())
    assert text.count("a") == 36
    assert text.split("/")[3] == "......aaaa......"
    assert SMALL.state_text(SMALL.initial()).count("a") == 24
    assert [glaux.make(text).spec.board.rows for text in VARIANTS] == [20, 24, 17, 19]


VARIANTS = ["morpion", "morpion:touching=true", "morpion:length=4", "morpion:length=4,touching=true"]


def test_a_move_marks_a_point_and_draws_a_line() -> None:
    s = GAME.play("k13g13")
    assert GAME.ply(s) == GAME.score(s) == 1
    assert GAME.state_text(s).split("/")[3] == "......bbbbb....."
    assert "f13j13" not in texts(GAME, s), "four of its points are on the line that is drawn"
    assert "k13g9" not in texts(GAME, s), "the point is there already"


def test_the_order_of_moves_is_forgotten() -> None:
    assert GAME.play("k13g13 f4j4") == GAME.play("f4j4 k13g13")


def test_lines_of_one_direction_may_touch_in_5t_alone() -> None:
    """Runs of letters for lines to the right in rows: of points in 5D, of segments in 5T."""
    for game, runs in ((GAME, {5, 10}), (TOUCHING, {4, 8, 12})):
        ends = [game.state(end.tobytes()) for end in game.playouts(game.initial(), 200, 1)]
        texts_of_ends = " ".join(game.state_text(end).split()[0] for end in ends)
        assert {len(run) for run in re.findall(r"[bdfhjlnp]+", texts_of_ends)} == runs


def test_a_line_through_the_middle_is_named_by_its_lower_or_right_end() -> None:
    s = GAME.play("k13g13")
    for action in GAME.actions(s):
        point, far = GAME.action_cells(s, action)
        columns, rows = abs(point % 16 - far % 16), abs(point // 16 - far // 16)
        assert max(columns, rows) in (2, 3, 4)
        assert 0 in (columns, rows) or columns == rows
        if max(columns, rows) == 2:
            assert far > point


@pytest.mark.parametrize("text", VARIANTS)
def test_no_end_is_won_or_lost(text: str) -> None:
    game = glaux.make(text)
    ends = [game.state(end.tobytes()) for end in game.playouts(game.initial(), 50, 1)]
    assert {game.outcome(end) for end in ends} == {0}
    assert all(game.score(end) == game.ply(end) > 10 for end in ends)


def test_from_the_bound_on_an_end_is_a_win() -> None:
    game = glaux.make("morpion", bound=1)
    end = game.state(game.playouts(game.initial(), 1, 1)[0].tobytes())
    assert game.outcome(end) == 1
    assert game.score(end) == game.ply(end)


def test_symmetric_states_turn_their_lines() -> None:
    s = GAME.play("k13g13")
    images = {GAME.state_text(GAME.transform(s, k)) for k in range(8)}
    assert len(images) == 8
    assert len({image for image in images if "b" in image}) == 4, "rows stay rows in half of them"
    assert len({image for image in images if "c" in image}) == 4, "and become columns in the others"


@pytest.mark.parametrize(
    "parameters",
    [{"sheet": 15}, {"sheet": 8}, {"sheet": 12, "length": 4}, {"sheet": 5, "length": 4}, {"length": 6}],
)
def test_impossible_sheets(parameters: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter):
        glaux.make("morpion", **parameters)


@pytest.mark.parametrize("text", ["g13k13", "k13", "k13g12", "", "a1e1"])
def test_impossible_moves(text: str) -> None:
    with pytest.raises(InvalidAction):
        GAME.parse_action(GAME.initial(), text)


START = GAME.state_text(GAME.initial())


@pytest.mark.parametrize(
    "text",
    [
        START.replace(" X 0", " O 0"),
        START.replace(" X 0", " X 1"),
        START.replace("......aaaa......", "......aaa.......", 1),  # a point of the cross is missing
        START.replace("......aaaa......", "......aaaaa.....", 1).replace(" X 0", " X 1"),  # without a line
        START.replace("......aaaa......", "......bbbb......", 1),  # of four points
        START.replace("......aaaa......", "......bbbb......", 1).replace(" X 0", " X 1"),
        START.replace("......aaaa......", "......bbbbba....", 1).replace(" X 0", " X 2"),
        START.replace("......aaaa......", "......bbbbq.....", 1).replace(" X 0", " X 1"),
        START + " 3",
    ],
)
def test_impossible_states(text: str) -> None:
    with pytest.raises(InvalidState):
        GAME.parse_state(text)
