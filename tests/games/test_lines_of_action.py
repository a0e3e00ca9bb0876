import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("lines_of_action")


@pytest.fixture(scope="module")
def earlier() -> glaux.Game:
    """By the rules that were ours before the Olympiad's."""
    return glaux.make("lines_of_action", size=5, passes=False, mover_wins=True)


@pytest.fixture(scope="module")
def small() -> glaux.Game:
    return glaux.make("lines_of_action", size=5)


def texts(game: glaux.Game, s: glaux.State) -> set[str]:
    return {game.action_text(s, a) for a in game.actions(s)}


def after_quiet_moves(game: glaux.Game, plies: int) -> glaux.State:
    """A state so many plies after the start, without a capture, a repetition or a connection."""
    s = game.initial()
    for _ in range(plies):
        children = [game.apply(s, a) for a in game.actions(s) if "x" not in game.action_text(s, a)]
        s = next(child for child in reversed(children) if not game.terminal(child))
    return s


def test_perft(game):
    assert [game.perft(depth) for depth in (1, 2, 3, 4)] == [36, 1244, 44952, 1563208]


def test_set_up(game):
    s = game.initial()
    assert game.state_text(s) == (
        ".XXXXXX./O......O/O......O/O......O/O......O/O......O/O......O/.XXXXXX. X 0 -"
    )
    assert game.first_player(s)
    assert game.pieces(s) == (12, 12)
    assert game.spec.max_plies == 2100
    assert game.spec.has_history


def test_a_stone_moves_as_far_as_there_are_stones_on_its_line(game):
    # b1: six stones on the row, two on the column, two on either diagonal (one leaves the board).
    moves = {text for text in texts(game, game.initial()) if text.startswith("b1")}
    assert moves == {"b1h1", "b1b3", "b1d3"}


def test_own_stones_are_jumped_and_enemy_stones_are_not(small):
    s = small.parse_state("X..../...O./..X../.X.O./..X.. X 8 -")
    # b2 on its diagonal: three stones, and e5 lies behind the enemy on d4.
    assert "b2e5" not in texts(small, s)
    # c1 on its column: c1 and c3, and two cells up is an own stone.
    assert "c1c3" not in texts(small, s)
    # b2 on its row: b2 and d2, and two cells to the right is the enemy.
    assert "b2xd2" in texts(small, s)
    s = small.parse_state("X..O./...../.XX../...../...O. X 8 -")
    assert "b3d3" in texts(small, s)  # over the own stone on c3


def test_a_capture_removes_the_stone(game):
    s = game.play("c1xa3")
    assert game.pieces(s) == (12, 11)
    assert game.state_text(s).endswith("O 1 -")


def test_a_connection_wins(small):
    s = small.play("b3b2", small.parse_state("...O./...../.X.../..O../X.... X 10 -"))
    assert small.outcome(s) == 1
    assert small.actions(s) == []


def test_a_simultaneous_connection_is_a_draw_or_the_movers_win(small, earlier):
    text = "...O./...O./.X.../...../XO... X 8 -"
    s = small.parse_state(text)
    assert not small.terminal(s)
    assert small.outcome(small.play("b3xb1", s)) == 0
    assert earlier.outcome(earlier.play("b3xb1", earlier.parse_state(text))) == 1


def test_a_move_that_connects_only_the_opponent_loses(small):
    s = small.parse_state("X..O./...O./.X.../...../.O... X 8 -")
    assert small.outcome(small.play("b3xb1", s)) == -1


def test_a_single_stone_is_connected(small):
    s = small.parse_state("X..O./...../.X.../...../.O... X 8 -")
    s = small.play("b3xb1", s)
    assert small.pieces(s) == (2, 1)
    assert small.outcome(s) == -1


def test_a_player_without_a_move_passes_or_loses(small, earlier):
    # a1 and e5 are shut in: each line of theirs leads over an enemy or, the diagonal, onto an own stone.
    text = "...OX/....O/...../OO.O./XO... O 5 -"
    s = earlier.play("d2d4", earlier.parse_state(text))
    assert earlier.outcome(s) == -1
    assert earlier.first_player(s)
    s = small.play("d2d4", small.parse_state(text))
    assert small.outcome(s) is None
    assert texts(small, s) == {"pass"}
    assert small.action_cells(s, small.actions(s)[0]) == []
    after = small.play("pass", s)
    assert small.state_text(after).split()[1:] == ["O", "7", "d2d4,pass"]
    assert small.parse_state(small.state_text(after)) == after


def test_a_pass_is_only_for_who_has_no_move(small):
    with pytest.raises(InvalidAction):
        small.play("pass")
    with pytest.raises(InvalidState):
        small.parse_state(".XXX./O...O/O...O/O...O/.XXX. O 1 pass")


def test_the_first_repetition_is_a_draw(game):
    s = game.play("b1b3 a2c2 b3b1")
    assert not game.terminal(s)
    s = game.play("c2a2", s)
    assert game.outcome(s) == 0
    assert game.state_text(s).split()[1:] == ["X", "4", "b1b3,a2c2,b3b1,c2a2"]


def test_the_third_repetition_is_a_draw_if_so_chosen():
    game = glaux.make("lines_of_action", repetitions=3)
    there_and_back = "b1b3 a2c2 b3b1 c2a2 "
    s = game.play(there_and_back * 3)
    assert game.outcome(s) == 0
    assert game.ply(s) == 12
    assert game.outcome(game.play(there_and_back * 2)) is None


def test_without_a_limit_the_match_goes_on_and_old_moves_are_forgotten():
    game = glaux.make("lines_of_action", limit=0, repetitions=3)
    s = after_quiet_moves(game, 260)
    assert not game.terminal(s)
    run = game.state_text(s).split()[-1].split(",")
    assert len(run) == 250
    assert game.parse_state(game.state_text(s)) == s
    assert game.spec.max_plies == 5250


@pytest.mark.parametrize("limit", [8, 150])
def test_the_limit_is_a_parameter(limit):
    game = glaux.make("lines_of_action", limit=limit, repetitions=3)
    s = after_quiet_moves(game, limit - 1)
    quiet = [a for a in game.actions(s) if "x" not in game.action_text(s, a)]
    assert None not in [game.outcome(game.apply(s, a)) for a in quiet]
    assert game.spec.max_plies == 21 * limit


def test_ends_of_the_earlier_rules_still_load(small, earlier):
    """Replays of trainings hold them; the bytes are laid out as they were."""
    s = earlier.parse_state("...O./...O./.X.../...../XO... X 8 -")
    won = earlier.play("b3xb1", s)
    assert small.outcome(small.state(bytes(won))) == 1
    assert glaux.make("lines_of_action").spec.state_size == 224


def test_the_same_board_with_the_other_player_to_move_is_no_repetition(small):
    # X comes back in three moves, up 1, down 2 and up 1, as O enters the column and leaves it again.
    s = small.parse_state("X...X/O...O/...../..X../O...O X 6 -")
    board = small.state_text(s).split()[0]
    s = small.play("c2c3 a4c4 c3c1 c4a4", s)
    assert not small.terminal(s)
    s = small.play("c1c2", s)
    assert small.state_text(s).split()[0] == board
    assert small.outcome(s) is None


def test_a_capture_begins_a_new_run(game):
    s = game.play("b1b3 a2c2 c1xa3")
    assert game.state_text(s).split()[1:] == ["O", "3", "-"]


def test_a_hundred_plies_without_a_capture_are_a_draw(game):
    s = after_quiet_moves(game, 99)
    assert not game.terminal(s)
    quiet = [a for a in game.actions(s) if "x" not in game.action_text(s, a)]
    ends = [game.outcome(game.apply(s, a)) for a in quiet]
    assert None not in ends
    assert 0 in ends
    capture = next((a for a in game.actions(s) if a not in quiet), None)
    if capture is not None:
        assert game.outcome(game.apply(s, capture)) != 0


def test_actions_are_cell_and_direction(game):
    b1 = 7 * 8 + 1
    north, east = 0, 2
    s = game.initial()
    assert game.action_text(s, b1 * 8 + north) == "b1b3"
    assert game.action_text(s, b1 * 8 + east) == "b1h1"
    with pytest.raises(InvalidAction):
        game.parse_action(s, "b1b2")


@pytest.mark.parametrize("size", [3, 11])
def test_sizes_out_of_range(size):
    with pytest.raises(InvalidParameter):
        glaux.make("lines_of_action", size=size)


@pytest.mark.parametrize(
    "text",
    [
        "...O./...O./.X.../...../XO... X 8",  # no moves since the last capture
        "...O./...O./.X.../...../XO... O 8 -",  # O moves on odd plies
        "...O./...O./.X.../...../XO... X 6 -",  # seven captures need seven plies
        "...O./...O./.X.../...../X.... X 8 b1b2",  # nobody has come to b2
        "...O./...O./.X.../...../XO... O 9 b2b3",  # two stones on the column: not one cell
        "...O./...O./.X.../...../XO... O 9 b3",
        "...O./...O./.X.../...../XO... O 9 b5b3,",
        "...../...../...../...../XX... X 12 -",  # a player has at least one stone
        "XXXX./XXX../...../...../O.O.. X 4 -",  # and at most six
        ".XXX./O...O/O...O/O...O/.XXX. X 8 b1b3,a2c2,b3b1,c2a2,b1b3,a2c2,b3b1,c2a2",  # goes on
    ],
)
def test_texts_that_are_no_states(small, text):
    with pytest.raises(InvalidState):
        small.parse_state(text)


def test_a_run_of_moves_is_read_back(small):
    s = small.play("b1b3 a2c2")
    assert small.parse_state(small.state_text(s)) == s
