import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState

# The second player steps onto level 3, with everything else as high as it can be.
LONGEST = """
    a5 a2 b4 e1 a5a4 b3 b4b3 b2 a2b2 b1 e1e2 e1 a4b4 a5 e2e1 d2 b4a5 b5 e1d2 c2 a5b5 a4 b3c2 d3 b5a5
    b4 d2e1 e2 a5b4 c4 e1e2 d1 b2b3 a3 e2d2 e3 b3c4 d4 c2b1 a1 c4d4 d5 b1b2 c3 d4d5 e4 b2b1 a2 d5d4
    e5 b1b2 c1 b4b5 c5 d2e1 d2 b5a5 b4 e1d2 e2 a5b4 a4 b2a2 b1 d4e5 d4 a2b1 a2 e5d4 d5 d2e2 d3 d4d5
    c4 e2d2 e3 d5d4 c5 d2e2 d1 d4d5 e4 e2d2 e1 d5e4 e5 d2e1 e2 e4d4 e4 e1d2 e3 b4a4 a5 d2d1 e1 d4d5
    e5 d1d2 d1 d5d4 e3 d2d3 e2 d4d5 e5 d3d2 e1 d5d4 d3 d2c2 d3 d4d5 d4 c2d2 d1 d5c5 d4 b1a2 b2 c5d5
    e4 a2b1 c1 a4b4 c3 b1a2 b3 b4a5 b5 a2b2 c2 a5a4 a3 b2b1 a1 a4b4 c4 b1a2 a1 b4b5 c5 a2b2 c1 b5a4
    a5 b2a2 b1 a4b4 c3 a2b2 c2 b4b5 c4 b2a2 b1 b5b4 c5 a2b2 c1 b4a4 b5 b2a2 a1 a4b4 c3 a2b2 c2 b4a4
    a5 b2a2 b2 a4a3 b2 a2b3 a2 a3b4 b5 b3a3 a2 b4a4 b3 a3b4 b3 a4a3 a4 b4a4
"""


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("santorini")


@pytest.fixture(scope="module")
def small() -> glaux.Game:
    return glaux.make("santorini", size=3)


def texts(game: glaux.Game, s: glaux.State) -> set[str]:
    return {game.action_text(s, a) for a in game.actions(s)}


def test_perft(game):
    # 25 * 24 * 23 * 22 placements, in order.
    assert [game.perft(depth) for depth in (1, 2, 3, 4)] == [25, 600, 13800, 303600]


def test_perft_of_3x3(small):
    assert [small.perft(depth) for depth in range(1, 7)] == [9, 72, 504, 3024, 16800, 55200]


def test_the_players_place_two_workers_each(game):
    s = game.initial()
    players = []
    for cell in ("a1", "b2", "c3", "d4", "a1a2"):
        players.append(game.first_player(s))
        s = game.play(cell, s)
    assert players == [True, True, False, False, True]
    with pytest.raises(InvalidAction):
        game.play("a1 a1")


def test_the_workers_of_a_player_are_interchangeable(game):
    assert game.play("a1 b2 c3 d4") == game.play("b2 a1 d4 c3")


def test_a_turn_is_a_move_and_a_build_by_the_same_worker(game):
    s = game.play("a1 e1 a5 e5 a1b2")
    assert game.first_player(s)
    assert texts(game, s) == {"a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"}
    s = game.play("a1", s)  # the cell that it has left
    assert not game.first_player(s)
    assert game.ply(s) == 6
    assert game.state_text(s) == "0O0.0.0.0O/0.0.0.0.0./0.0.0.0.0./0.0X0.0.0./1.0.0.0.0X O 6"


def test_a_move_goes_up_one_level_at_most_and_down_any_number(small):
    # b2 stands on level 2 between all levels; c1 and a1 are taken.
    s = small.parse_state("0.1.2./3.2X4./0O0O0X X 28")
    assert {text for text in texts(small, s) if text.startswith("b2")} == {"b2a3", "b2b3", "b2c3", "b2a2"}
    # The same from level 1: level 3 is too high.
    s = small.parse_state("0.1.2./3.1X4./1O0O0X X 28")
    assert {text for text in texts(small, s) if text.startswith("b2")} == {"b2a3", "b2b3", "b2c3"}
    # And from level 0.
    s = small.parse_state("0.1.2./3.0X4./1O1O0X X 28")
    assert {text for text in texts(small, s) if text.startswith("b2")} == {"b2a3", "b2b3"}


def test_a_move_onto_level_3_wins_without_a_build(small):
    s = small.play("b2a2", small.parse_state("0.1.2./3.2X4./0O0O0X X 28"))
    assert small.outcome(s) == 1
    assert small.actions(s) == []
    assert small.first_player(s)
    assert small.state_text(s) == "0.1.2./3x2.4./0O0O0X X 29"


def test_a_build_goes_on_no_worker_and_no_dome(small):
    s = small.play("b2b3", small.parse_state("0.1.2./3.2X4./0O0O0X X 28"))
    assert texts(small, s) == {"a3", "c3", "a2", "b2"}
    s = small.play("a2", s)
    assert small.state_text(s) == "0.1X2./4.2.4./0O0O0X O 30"


def test_a_player_without_a_move_loses(small):
    # O's workers stand on level 0 beside a worker and level 2, once X has built on a2.
    s = small.parse_state("0X0.0./1.1x2./0O0O2. X 17")
    assert small.outcome(small.play("b3", s)) is None
    s = small.play("a2", s)
    assert small.outcome(s) == 1
    assert not small.first_player(s)
    assert small.ply(s) == 18


def test_the_longest_match(game):
    s = game.play(LONGEST)
    assert game.ply(s) == game.spec.max_plies == 8 * 25 - 13
    assert game.outcome(s) == -1
    assert game.spec.max_plies_exact


def test_cell_codes_show_level_and_worker(small):
    s = small.parse_state("0.1.2./3.2x4./0O0O0X X 29")
    assert small.cells(s).tolist() == [[0, 5, 10], [15, 13, 18], [2, 2, 1]]


def test_actions_are_cells_and_cells_with_directions(game):
    s = game.play("a1 e1 a5 e5")
    a1, north_east = 20, 1
    assert game.parse_action(s, "a1b2") == 25 + a1 * 8 + north_east
    assert game.parse_action(game.play("a1b2", s), "a1") == a1


@pytest.mark.parametrize("size", [2, 9])
def test_sizes_out_of_range(size):
    with pytest.raises(InvalidParameter):
        glaux.make("santorini", size=size)


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0./0.0.0./0.0.0. O 0",  # X begins
        "0.0.0./0.0.0./0X0.0. X 2",  # one worker is one ply
        "0.0.0./0.0.0./0O0.0. X 1",  # O places after X
        "0.0.0./0.0.1./0X0.0. X 3",  # no build before all are placed
        "0X0X0X/0O0O0./0.0.0. X 5",
        "0X0X0./0O0O0./0.0.1. X 6",  # one level: O's turn
        "0X0X0./0O0O0./0.1.1. X 6",  # two levels are ply 8
        "0X0X0./0O0o0./0.1.1. X 9",  # O cannot build in X's turn
        "0x0x0./0O0O0./0.1.1. X 9",
        "0X0X0./0O0O0./0.1.5. X 16",
        "3X0X0./0O0O0./0.1.0. X 12",  # a worker on level 3 that has not just moved
        "3x0X0./0O0O0./0.1.0. X 13",  # it cannot have come there from level 0
        "2X2X4./2O2O4./4.4.4. X 60",  # nobody can have moved
    ],
)
def test_texts_that_are_no_states(small, text):
    with pytest.raises(InvalidState):
        small.parse_state(text)
