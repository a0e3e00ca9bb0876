"""Amazons: counts, the stages of a turn, who loses, the score, the longest match, what is refused."""

from __future__ import annotations

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState

GAME = glaux.make("amazons")
SMALL = glaux.make("amazons", size=6)
START = ".O..O./O....O/....../....../X....X/.X..X."

# Matches in which the players fill the whole board together, by size.
LONGEST = {
    6: (
        "a2 d5 c6 b6 a6 b6 d5 d6 c5 a6 b5 a6 d6 d5 d6 e6 f6 e6 d5 e5 d5 a5 a4 a5 e5 d4 e5 b5 b4 b5 d4 "
        "c4 d4 f5 e4 f5 c4 b3 c4 a4 a3 a4 b3 c3 b3 e4 f4 e4 c3 d3 c3 f4 e3 f4 d3 c2 d3 a3 a2 a3 c2 b2 "
        "c2 e3 f3 e3 b2 a1 b2 f3 e2 f3 f2 f1 f2 e2 d2 e2 b1 c1 b1 d2 d1 d2"
    ),
    8: (
        "a3 a5 e1 a6 e2 d1 f1 h1 h2 f8 g8 f8 c1 c4 e4 g8 g4 f4 h1 f3 f2 h6 a6 a7 h3 h4 e7 a6 b6 d8 c4 "
        "a6 b5 c8 c3 e5 a6 b7 c7 c3 e3 a3 h4 h8 h4 e3 d4 d5 h8 h5 g6 d4 b2 b4 a5 a6 a5 g4 g5 g4 b7 c6 "
        "c5 b2 c2 a2 a6 c8 e6 e2 d2 c3 h5 h7 h6 c2 c1 a1 f3 g3 g1 c1 c2 a4 c6 a8 b8 c2 b2 b1 g3 f3 e3 "
        "d2 c1 c2 c8 d7 d6 c1 d2 d4 d7 c8 a6 b6 c6 b7 c8 d7 e8 g5 f6 f7 h7 h8 g8 b2 c1 b2 f3 g2 g3 f6 "
        "f5 h5 d7 c8 d7 f5 f6 g7 g2 h3 f1 f6 f5 f6 h8 h7 h8 c6 b6 c6 h3 g2 h3 f5 g5 f5 g2 f3 e2 d2 d3 "
        "d2 f3 g2 f3 d3 c4 b3 g2 h1 g2 c4 d3 c4"
    ),
    10: (
        "j4 f8 e9 g10 g8 g4 g1 h2 d6 g8 j8 h6 d1 g1 e3 a7 g7 a7 f8 e8 d8 g7 e5 a5 a4 f4 f6 j7 j4 i3 "
        "e8 e7 f7 j8 j6 f10 h2 i1 j2 j6 i5 g3 i1 h2 i1 j4 i4 h4 h2 g2 c6 i5 i9 i8 g2 h2 c2 i4 i7 i6 "
        "f4 c4 a6 e5 j5 b5 h2 h1 e4 i9 h9 h10 c4 c3 a3 i7 h7 g6 g1 g2 h2 h9 f9 g8 e7 d7 a10 f9 i9 g7 "
        "g2 f1 f3 i9 f9 g9 d7 b9 a8 f9 g10 e8 c3 d3 c3 g10 f9 e10 h1 i2 j1 j5 c5 g5 b9 d7 f5 c5 e5 e6 "
        "f1 e2 e1 e5 d5 c5 e2 f1 h1 d5 b3 c4 i2 h3 i2 d10 b10 b7 h3 j5 g2 b3 b4 a4 d3 d1 c1 b4 b1 b2 "
        "d7 e7 f8 f9 g10 h9 f1 f2 d2 b10 b9 b8 f2 g1 f2 g10 f9 g10 e7 c7 c8 b9 a9 d9 d1 e2 d1 a9 b9 "
        "c9 c7 d7 e7 b9 c10 d10 g1 f1 g1 c10 b10 c10 j5 i5 j6 b1 a1 b1 i5 j4 j5 h7 j7 j10 d7 c7 d7 a1 "
        "a2 a1 j4 j3 j4 b10 b9 a9 c7 b6 c7 j7 j8 j7 j3 i4 h3 j8 j9 i10 i4 j3 h5 b9 b10 b9 j3 i4 i5 a2 "
        "b3 b4 e2 d3 d5 j9 i9 j9 i4 j3 i4 i9 h8 i9 d3 d4 d3 h8 h7 h8 d4 e5 d4 h7 i7 j8 e5 f4 e5 i7 h7 "
        "i7 f1 e2 f1 b3 a2 b3"
    ),
}


def texts(game: glaux.Game, state: glaux.State) -> set[str]:
    return {game.action_text(state, a) for a in game.actions(state)}


def test_perft() -> None:
    """2176 first turns is the published figure."""
    assert [GAME.perft(depth) for depth in range(1, 5)] == [4, 80, 2176, 8704]


@pytest.mark.parametrize(
    ("size", "counts"), [(6, [4, 40, 544, 2176, 19936]), (8, [4, 60, 1232, 4928])], ids=["6", "8"]
)
def test_perft_on_smaller_boards(size: int, counts: list[int]) -> None:
    game = glaux.make("amazons", size=size)
    assert [game.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(
    ("size", "first", "second"),
    [
        (6, {"a2", "b1", "e1", "f2"}, {"a5", "b6", "e6", "f5"}),
        (8, {"a3", "c1", "f1", "h3"}, {"a6", "c8", "f8", "h6"}),
        (10, {"a4", "d1", "g1", "j4"}, {"a7", "d10", "g10", "j7"}),
    ],
)
def test_the_start(size: int, first: set[str], second: set[str]) -> None:
    game = glaux.make("amazons", size=size)
    assert texts(game, game.initial()) == first
    column, row = min(first)[0], int(min(first)[1:])
    turn = game.play(f"{column}{row} {column}{row + 1} {column}{row}")
    assert texts(game, turn) == second


def test_a_turn_is_three_actions_of_one_player() -> None:
    chosen = SMALL.play("b1")
    assert SMALL.first_player(chosen)
    assert SMALL.state_text(chosen) == ".O..O./O....O/....../....../X....X/.m..X. X 1"
    assert texts(SMALL, chosen) == {"a1", "c1", "d1", "b2", "b3", "b4", "b5", "c2", "d3", "e4"}
    moved = SMALL.play("b3", chosen)
    assert SMALL.first_player(moved)
    assert SMALL.state_text(moved) == ".O..O./O....O/....../.s..../X....X/....X. X 2"
    shot = SMALL.play("e3", moved)
    assert not SMALL.first_player(shot)
    assert SMALL.state_text(shot) == ".O..O./O....O/....../.X..a./X....X/....X. O 3"
    assert [SMALL.ply(s) for s in (chosen, moved, shot)] == [1, 2, 3]


def test_arrows_fly_to_and_through_the_cell_just_left() -> None:
    state = SMALL.play("a2 a3")
    assert {"a2", "a1"} <= texts(SMALL, state)
    assert {text for text in texts(SMALL, state) if text[0] == "a"} == {"a1", "a2", "a4"}


def test_nothing_passes_arrows_or_amazons() -> None:
    state = SMALL.parse_state("OOOO../....../.a.a../....../.X.a../XX..X. O 9")
    assert texts(SMALL, SMALL.play("d6", state)) == {"e6", "f6", "c5", "d5", "e5", "f4"}


def test_only_amazons_that_can_move_are_chosen() -> None:
    state = SMALL.parse_state("O..O.a/....../O....O/....../aa.X../Xa.X.X X 12")
    assert texts(SMALL, state) == {"d2", "d1", "f1"}


def test_who_cannot_move_loses_and_the_score_is_what_the_winner_reaches() -> None:
    """16 cells: c2, row 3, and d to f of rows 4 to 6. e1 and f1 are walled off."""
    board = "XXa.../XXa.../aaa.../....../OO.aaa/OOaa.."
    end = SMALL.parse_state(f"{board} X 30")
    assert SMALL.outcome(end) == -1
    assert SMALL.actions(end) == []
    assert SMALL.score(end) == -16
    other = SMALL.parse_state(f"{board} O 30")
    assert SMALL.outcome(other) is None


def test_the_winner_reaches_cells_diagonally_between_arrows() -> None:
    """From d3 to e4 alone, and from there the other six empty cells."""
    end = SMALL.parse_state("XXaa../XXa.../aaaa../OOOOaa/aaaaaa/aaaaaa X 63")
    assert SMALL.outcome(end) == -1
    assert SMALL.score(end) == -7


@pytest.mark.parametrize("size", [6, 8, 10])
def test_the_longest_match_fills_the_board(size: int) -> None:
    game = glaux.make("amazons", size=size)
    end = game.play(LONGEST[size])
    assert game.terminal(end)
    assert game.ply(end) == game.spec.max_plies == 3 * (size * size - 8)
    assert game.spec.max_plies_exact
    assert game.score(end) == game.outcome(end), "a win scores at least 1"
    assert "." not in game.state_text(end)


def test_a_stage_has_at_most_the_actions_of_a_queen_in_the_centre() -> None:
    """The others stand off the lines of c4, which reach 5 + 5 + 5 + 4 cells."""
    state = SMALL.parse_state(".O.O.O/X...X./..X.../O...../.X..../...... X 0")
    assert len(SMALL.actions(SMALL.play("c4", state))) == SMALL.spec.max_actions == 19


def test_the_board_has_eight_symmetries() -> None:
    assert len(GAME.spec.symmetries) == 8


@pytest.mark.parametrize("size", [4, 5, 7, 9, 11, 12])
def test_impossible_sizes(size: int) -> None:
    with pytest.raises(InvalidParameter):
        glaux.make("amazons", size=size)


@pytest.mark.parametrize("text", ["a1", "a5", "b1c2", "", "g1"])
def test_impossible_choices(text: str) -> None:
    with pytest.raises(InvalidAction):
        SMALL.parse_action(SMALL.initial(), text)


@pytest.mark.parametrize(
    "text",
    [
        f"{START} X 3",  # no arrow
        f"{START} X 1",  # no turn under way
        ".O..O./O....O/....../....../X....X/.m..X. X 0",
        ".O..O./O....O/....../....../m....X/.m..X. X 1",  # two at once
        ".O..O./O....O/....../....../X....X/.m..X. O 1",  # three amazons against five
        ".O..O./O....O/....../....../X....X/.X.... X 0",
        ".O..O./O....O/....../aa..../ma...X/XX.... X 10",  # cannot move
        ".O..O./O....O/....../....../X....X/.X..X. X 0 2",
        ".O..O./O....O/....../....../X....X/.X..X# X 0",
        ".O..O./O....O/....../....../X....X X 0",
        f"{START} X 85",
    ],
)
def test_impossible_states(text: str) -> None:
    with pytest.raises(InvalidState):
        SMALL.parse_state(text)
