"""Othello: published counts, flips, passes, endings and scores."""

from __future__ import annotations

import pytest

import glaux
from glaux.errors import InvalidParameter, InvalidState

GAME = glaux.make("othello")


def test_published_perft() -> None:
    counts = [4, 12, 56, 244, 1396, 8200, 55092, 390216]
    assert [GAME.perft(depth) for depth in range(1, 9)] == counts


def test_published_perft_with_passes() -> None:
    """The first matches with a pass are nine plies long."""
    assert GAME.perft(9) == 3005288


def test_a_placement_turns_the_lines_it_encloses() -> None:
    state = GAME.parse_state("......../......../..XOO.../..OOO.../..XOX.../..X...../......../........ X 6")
    after = GAME.apply(state, GAME.parse_action(state, "f3"))
    assert GAME.state_text(after).split()[0].split("/")[2:6] == [
        "..XXXX..",
        "..OOX...",
        "..XXX...",
        "..X.....",
    ]


def test_a_pass_is_forced_and_only_then() -> None:
    state = GAME.parse_state("OX....../......../......../...OO.../...OO.../......../......../........ X 2")
    assert GAME.outcome(state) is None
    assert [GAME.action_text(state, a) for a in GAME.actions(state)] == ["pass"]
    after = GAME.play("pass", state)
    assert not GAME.first_player(after)
    assert GAME.ply(after) == 3
    assert [GAME.action_text(after, a) for a in GAME.actions(after)] == ["c1"]
    end = GAME.play("c1", after)
    assert GAME.outcome(end) == -1
    assert GAME.score(end) == -7
    assert GAME.pieces(end) == (0, 7)


def test_a_full_board_with_equal_stones_is_a_draw() -> None:
    rows = "/".join(["XXXXXXXX"] * 4 + ["OOOOOOOO"] * 4)
    state = GAME.parse_state(f"{rows} X 60")
    assert GAME.outcome(state) == 0
    assert GAME.score(state) == 0


@pytest.mark.parametrize("size", [2, 5, 18, -4])
def test_impossible_sizes(size: int) -> None:
    with pytest.raises(InvalidParameter):
        glaux.make("othello", size=size)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("......../......../......../......../...XO.../......../......../........ X 0", "centre"),
        ("......../......../......../...OX.../...XO.../......../......../........ X 5", "ply"),
        ("......../......../......../...OX.../...XO.../......../........ X 0", "8 rows"),
        ("......../......../......../...OQ.../...XO.../......../......../........ X 0", "not a cell"),
        ("......../......../......../...OX.../...XO.../......../......../........ Z 0", "X .* or O"),
        ("......../......../......../...OX.../...XO.../......../......../........ X 0 1", "more fields"),
        ("hello", "rows separated"),
    ],
)
def test_bad_texts(text: str, reason: str) -> None:
    with pytest.raises(InvalidState, match=reason):
        GAME.parse_state(text)
