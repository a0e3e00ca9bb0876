from pathlib import Path

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState
from glaux.players.registry import make_player
from glaux.search.registry import make_search


def alternate(xs: list[str], os: list[str]) -> str:
    return " ".join(text for pair in zip(xs, os, strict=True) for text in pair)


@pytest.fixture(scope="module")
def hex3() -> glaux.Game:
    return glaux.make("hex", size=3)


def test_perft_of_3x3_to_the_end_with_swap(hex3):
    # By hand: 9 first stones, then 8 placements or the swap, then 7 cells, or 8 after the swap.
    counts = [9, 9 * 9, 9 * 8 * 7 + 9 * 8, 3528, 18144, 69840, 201600, 354240, 328320, 120960, 0]
    assert [hex3.perft(depth) for depth in range(1, 12)] == counts


def test_perft_of_3x3_to_the_end_without_swap():
    game = glaux.make("hex", size=3, swap=False)
    counts = [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960, 0]
    assert [game.perft(depth) for depth in range(1, 11)] == counts


def test_perft_of_11x11():
    # After the swap 120 cells are empty for the first player, otherwise 119.
    assert [glaux.make("hex").perft(depth) for depth in (1, 2)] == [121, 121 * 121]
    assert glaux.make("hex").perft(3) == 121 * (120 * 119 + 120)


def test_swap_mirrors_the_stone_and_changes_its_colour(hex3):
    s = hex3.play("b1 swap")
    assert hex3.cells(s).tolist() == [[0, 0, 0], [2, 0, 0], [0, 0, 0]]
    assert hex3.first_player(s)
    assert hex3.ply(s) == 2
    assert "b1" in {hex3.action_text(s, a) for a in hex3.actions(s)}


def test_swap_on_the_diagonal_keeps_the_cell(hex3):
    assert hex3.cells(hex3.play("b2 swap")).tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 0]]


def test_swap_is_the_second_players_first_action_only(hex3):
    swap = 9
    assert swap not in hex3.actions(hex3.initial())
    assert hex3.actions(hex3.play("b1"))[-1] == swap
    for moves in ("b1 c1", "b1 swap", "b1 c1 c3", "b1 swap c1"):
        assert swap not in hex3.actions(hex3.play(moves))
        with pytest.raises(InvalidAction):
            hex3.play(moves + " swap")


def test_without_the_rule_there_is_no_swap():
    game = glaux.make("hex", size=3, swap=False)
    assert game.spec.action_count == 9
    with pytest.raises(InvalidAction):
        game.play("b1 swap")


def test_the_first_player_joins_top_and_bottom(hex3):
    s = hex3.play("a1 b1 a2 b2")
    assert hex3.outcome(s) is None
    s = hex3.play("a3", s)
    assert hex3.outcome(s) == 1
    assert hex3.actions(s) == []


def test_the_first_player_does_not_win_by_joining_left_and_right(hex3):
    assert hex3.outcome(hex3.play("a1 a3 b1 b3 c1")) is None


def test_the_second_player_joins_left_and_right(hex3):
    assert hex3.outcome(hex3.play("a2 a1 a3 b1 c3 c1")) == -1


def test_cells_touch_along_the_short_diagonal_only(hex3):
    assert hex3.outcome(hex3.play("c1 a1 b2 a2 a3")) == 1
    assert hex3.outcome(hex3.play("a1 c1 b2 c2 c3")) is None


def test_rows_do_not_wrap_around(hex3):
    # c1 and a2 follow each other in the numbering of the cells, as the cell below a3 and c3 would.
    assert hex3.outcome(hex3.play("c1 b1 a2 b2 a3")) is None
    assert hex3.outcome(hex3.play("b3 a3 a1 c3")) is None


@pytest.mark.parametrize("size", [3, 8, 9, 11, 12, 14, 19])
def test_straight_chains_on_all_sizes(size):
    game = glaux.make("hex", size=size)
    rows = range(1, size + 1)
    columns = "abcdefghijklmnopqrs"[:size]
    before_last = game.play(alternate([f"a{r}" for r in rows], [f"b{r}" for r in rows]).split()[:-2])
    assert game.outcome(before_last) is None
    won = game.play(f"a{size}", before_last)
    assert (game.outcome(won), game.ply(won)) == (1, 2 * size - 1)
    won = game.play(alternate([f"{c}2" for c in columns], [f"{c}1" for c in columns]))
    assert (game.outcome(won), game.ply(won)) == (-1, 2 * size)


def test_a_chain_that_turns_back():
    # Down the left column, up again by b4 and c3, and over d2 down the right column.
    game = glaux.make("hex", size=5)
    s = game.parse_state("X.OOO/XOO.X/X.XOX/XXOOX/OO..X X 20")
    won = [a for a in game.actions(s) if game.outcome(game.apply(s, a)) == 1]
    assert [game.action_text(s, a) for a in won] == ["d2"]


def test_the_longest_match_fills_the_board():
    game = glaux.make("hex", size=3, swap=False)
    s = game.play("b1 a2 b3 c2 c1 a1 c3 a3")
    assert game.outcome(s) is None
    s = game.play("b2", s)
    assert (game.outcome(s), game.ply(s), game.spec.max_plies) == (1, 9, 9)


def test_the_longest_match_has_the_swap_as_well(hex3):
    s = hex3.play("b1 swap b1 c2 b3 a1 c1 a3 c3")
    assert hex3.outcome(s) is None
    s = hex3.play("b2", s)
    assert (hex3.outcome(s), hex3.ply(s), hex3.spec.max_plies) == (-1, 10, 10)


def test_equal_boards_with_and_without_a_swap_are_different_states(hex3):
    plain = hex3.play("a1 b1")
    swapped = hex3.play("a2 swap a1")
    assert (hex3.cells(plain) == hex3.cells(swapped)).all()
    assert hex3.first_player(plain)
    assert not hex3.first_player(swapped)
    assert [hex3.state_text(s) for s in (plain, swapped)] == [
        "XO./.../... X 2",
        "XO./.../... O 3",
    ]


def test_planes_have_the_edges_around_the_board(hex3):
    planes = hex3.encode(hex3.play("b1"))[0]
    top_and_bottom = np.zeros((5, 5))
    top_and_bottom[[0, 4], 1:4] = 1
    stone = np.zeros((5, 5))
    stone[1, 2] = 1
    assert (planes[0] == top_and_bottom + stone).all()
    assert (planes[1] == top_and_bottom.T).all()
    assert (planes[2] == 1).all()  # a swap is possible
    assert (planes[3] == 0).all()
    assert (planes[4] == np.float32(0.1)).all()
    assert (hex3.encode(hex3.play("b1 swap"))[0, 2] == 0).all()
    assert (hex3.encode(hex3.initial())[0, 2] == 0).all()


def test_without_the_rule_there_is_no_plane_for_the_swap():
    game = glaux.make("hex", size=3, swap=False)
    assert len(game.spec.planes) == 4
    assert (game.encode(game.initial())[0, 2] == 1).all()


def test_the_half_turn_exchanges_the_ends_of_each_edge(hex3):
    s = hex3.play("a1 b1 c2")
    assert hex3.state_text(hex3.transform(s, 1)) == ".../X../.OX O 3"
    assert hex3.transform_action(hex3.play("a1"), 9, 1) == 9


@pytest.mark.parametrize(
    "text",
    [
        ".../.../... O 1",  # nothing to swap
        "X../.../... X 2",  # a swapped stone is the second player's
        "XX./.../... X 2",
        "XO./.../... X 4",
        "XO/.../... X 2",
        "XO./.../..Z X 2",
        "XO./.../... X 2 1",
        "XO./... X 2",
        "",
    ],
)
def test_texts_that_are_not_states(hex3, text):
    with pytest.raises(InvalidState):
        hex3.parse_state(text)


def test_a_swapped_state_needs_the_rule(hex3):
    text = "O../.../... X 2"
    assert hex3.state_text(hex3.parse_state(text)) == text
    with pytest.raises(InvalidState):
        glaux.make("hex", size=3, swap=False).parse_state(text)


@pytest.mark.parametrize("parameters", [{"size": 2}, {"size": 20}, {"swap": 2}, {"rows": 5}])
def test_wrong_parameters(parameters):
    with pytest.raises(InvalidParameter):
        glaux.make("hex", **parameters)


def test_there_is_neither_score_nor_piece_count(hex3):
    assert not hex3.spec.has_score
    assert not hex3.spec.has_pieces


def test_sides_are_a_matter_of_the_planes_alone() -> None:
    game, plain = glaux.make("hex:size=4"), glaux.make("hex:size=4,sides=0")
    assert game.text == "hex:size=4,swap=1" and plain.text == "hex:sides=0,size=4,swap=1"
    assert game != plain and game.same_rules(plain)
    state = game.play("b2 swap a1")
    assert plain.state_text(state) == game.state_text(state)
    assert plain.apply(state, 7).data == game.apply(state, 7).data
    seen, unseen = game.encode(state)[0], plain.encode(game.array(state))[0]
    assert seen.shape == (5, 6, 6) and unseen.shape == (5, 4, 4)
    assert np.array_equal(seen[:, 1:-1, 1:-1], unseen)


def test_value_functions_are_asked_with_the_planes_they_have_learned(tmp_path: Path) -> None:
    game, plain = glaux.make("hex:size=4"), glaux.make("hex:size=4,sides=0")
    glaux.NeuralNetwork(plain).save(tmp_path / "plain")
    value = glaux.load(tmp_path / "plain", game)
    assert value.game == plain
    with pytest.raises(InvalidParameter, match=r"value function is of hex:sides=0,size=4,swap=1, not of hex"):
        glaux.UBFM(game, value)
    search = make_search("ubfm", game, value)
    assert search.game == plain
    assert search.run(game.initial(), iterations=5).value == pytest.approx(
        make_search("ubfm", plain, value).run(plain.initial(), iterations=5).value
    )
    player = make_player(f"ubfm:value={tmp_path / 'plain'},iterations=3", game, 1)
    assert player.choose(game.initial()) in game.actions(game.initial())
