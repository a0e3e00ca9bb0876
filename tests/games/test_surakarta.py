import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("surakarta")


def board(first: str, second: str, size: int = 6) -> str:
    """The rows of a state's text with the pieces of both players on the named points."""
    rows = [["."] * size for _ in range(size)]
    for points, symbol in ((first, "X"), (second, "O")):
        for point in points.split():
            rows[size - int(point[1:])]["abcdefgh".index(point[0])] = symbol
    return "/".join("".join(row) for row in rows)


def position(game: glaux.Game, first: str, second: str, player: str = "X") -> glaux.State:
    """These pieces, with all the others captured."""
    size = game.spec.board.rows
    captures = 4 * size - len(first.split()) - len(second.split())
    ply = captures + (captures + (player == "O")) % 2
    return game.parse_state(f"{board(first, second, size)} {player} {ply} -")


def texts(game: glaux.Game, s: glaux.State) -> set[str]:
    return {game.action_text(s, a) for a in game.actions(s)}


def captures(game: glaux.Game, s: glaux.State, start: str = "") -> set[str]:
    """The captures by any piece, or by the piece on one point."""
    return {text for text in texts(game, s) if text.startswith(start + "x" if start else "") and "x" in text}


def quiet_children(game: glaux.Game, s: glaux.State) -> list[glaux.State]:
    return [game.apply(s, a) for a in game.actions(s) if "x" not in game.action_text(s, a)]


def test_perft(game):
    assert [game.perft(depth) for depth in (1, 2, 3, 4)] == [16, 256, 5382, 111122]


def test_perft_of_8x8():
    game = glaux.make("surakarta", size=8)
    assert [game.perft(depth) for depth in (1, 2, 3)] == [22, 484, 13376]


def test_set_up(game):
    s = game.initial()
    assert game.state_text(s) == "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX X 0 -"
    assert game.first_player(s)
    assert game.pieces(s) == (12, 12)
    assert game.score(s) == 0
    assert game.spec.max_plies == 1150
    assert game.spec.has_history


def test_steps_go_to_the_adjacent_empty_points(game):
    s = position(game, "a1 b2", "f6")
    steps = {text for text in texts(game, s) if text.startswith("a1")}
    assert steps == {"a1a2", "a1b1"}


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("b1", "a2"),  # inner loop, bottom left
        ("a5", "b6"),  # inner loop, top left
        ("e6", "f5"),  # inner loop, top right
        ("f2", "e1"),  # inner loop, bottom right
        ("c1", "a3"),  # the same on the outer loop
        ("a4", "c6"),
        ("d6", "f4"),
        ("f3", "d1"),
    ],
)
def test_each_arc_joins_a_row_and_a_column(game, start, end):
    # The pieces of both players stand at the two ends of one arc, in a corner without other ways.
    assert f"{start}x{end}" in captures(game, position(game, start, end))
    assert f"{end}x{start}" in captures(game, position(game, end, start))


def test_a_piece_in_a_corner_or_along_the_border_has_no_loop(game):
    assert captures(game, position(game, "a1 a6 f1 f6", "c3 d4 b2 e5 c2")) == set()
    # a2: no arc on column a, b1 at the other end of the arc is an own piece, e2 comes before an arc.
    assert captures(game, position(game, "a2 b1", "a5 e2"), "a2") == set()


def test_nothing_may_stand_between(game):
    # c1 leaves by the bottom, comes in on row 3 from the left, and meets what stands there first.
    assert "c1xe3" in captures(game, position(game, "c1", "e3"))
    assert "c1xe3" not in captures(game, position(game, "c1 a3 a4", "e3"))
    assert captures(game, position(game, "c1 c2", "e3 b3"), "c1") == {"c1xb3"}


def test_a_capture_needs_a_loop(game):
    # On the open line c3 and c5 see each other, and all the ways around are blocked.
    assert captures(game, position(game, "c3 c2 b3 f3", "c5"), "c3") == set()


def test_the_starting_point_may_be_passed(game):
    # Left from c3: b3, a3, around the corner, c1, c2, over c3 itself, c4, c5. The way to the right is
    # blocked on f3, and the way down comes along row 3 over c3 to f3 as well.
    assert captures(game, position(game, "c3 f3", "c5"), "c3") == {"c3xc5"}
    assert captures(game, position(game, "c3 f3 b3", "c5"), "c3") == set()


def test_a_capture_around_all_four_corners(game):
    # Up from c6: row 4 to the right, column d down, row 3 to the left, and c1 from below.
    s = position(game, "c6", "c1")
    assert captures(game, s) == {"c6xc1"}
    assert game.outcome(game.play("c6xc1", s)) == 1
    for blocked in ("e4", "d2", "a3"):
        assert captures(game, position(game, f"c6 {blocked}", "c1"), "c6") == set()


def test_several_ways_to_one_piece_are_one_action(game):
    s = position(game, "c3", "c5")
    actions = game.actions(s)
    assert len(actions) == len(set(actions)) == 8 + 1


def test_the_third_loop_of_8x8():
    game = glaux.make("surakarta", size=8)
    for start, end in (("d1", "a4"), ("a5", "d8"), ("e8", "h5"), ("h4", "e1")):
        assert f"{start}x{end}" in captures(game, position(game, start, end))


def test_capturing_the_last_piece_wins(game):
    s = game.play("b1xa2", position(game, "b1", "a2"))
    assert game.outcome(s) == 1
    assert game.score(s) == 1
    assert game.pieces(s) == (1, 0)
    s = game.play("b1xa2", position(game, "a2", "b1 c1", "O"))
    assert game.outcome(s) == -1
    assert game.score(s) == -2


def test_repetition_ends_the_match_and_more_pieces_win(game):
    s = game.play("a2a3 a5a4 a3a2")
    assert not game.terminal(s)
    s = game.play("a4a5", s)
    assert game.outcome(s) == 0
    assert game.state_text(s).split()[1:] == ["X", "4", "a2a3,a5a4,a3a2,a4a5"]
    s = game.play("a1a2 f6f5 a2a1 f5f6", position(game, "a1 c1", "f6"))
    assert game.outcome(s) == 1


def test_the_same_board_with_the_other_player_to_move_is_no_repetition(game):
    # X goes around a triangle in three steps while O goes to and fro.
    s = game.play("a2a3 a5a4 a3b3 a4a5 b3a2")
    assert game.state_text(s).split()[0] == game.state_text(game.initial()).split()[0]
    assert game.outcome(s) is None


def test_fifty_plies_without_a_capture_end_the_match(game):
    s = game.initial()
    for _ in range(49):
        s = next(child for child in quiet_children(game, s) if not game.terminal(child))
    ends = quiet_children(game, s)
    assert {game.outcome(end) for end in ends} == {0}
    assert {game.ply(end) for end in ends} == {50}


def test_a_player_without_a_move_ends_the_match_and_more_pieces_win(game):
    s = position(game, "a1", "a2 b1 c3", "O")
    s = game.play("c3b2", s)
    assert game.outcome(s) == -1
    assert game.score(s) == -2


def test_a_capture_begins_a_new_run(game):
    s = game.play("f6f5 b1xa2", position(game, "b1", "a2 f6", "O"))
    assert game.state_text(s).endswith(" -")
    assert game.outcome(s) is None


def test_actions_are_from_and_to(game):
    a2, a3 = 4 * 6, 3 * 6
    assert game.parse_action(game.initial(), "a2a3") == a2 * 36 + a3
    with pytest.raises(InvalidAction):
        game.parse_action(game.initial(), "a2a4")


@pytest.mark.parametrize("size", [4, 5, 7, 9, 10])
def test_sizes_without_loops_to_all_lines(size):
    with pytest.raises(InvalidParameter):
        glaux.make("surakarta", size=size)


@pytest.mark.parametrize(
    "text",
    [
        board("b1", "a2") + " X 22",  # no moves since the last capture
        board("b1", "a2") + " O 22 -",  # O moves on odd plies
        board("b1", "a2") + " X 20 -",  # 22 captures need 22 plies
        board("b1", "a2") + " X 1102 -",  # and have at most 50 plies each
        board("b1", "a2") + " O 23 c3c4",  # nobody has come to c4
        board("b1", "a2") + " O 23 d1b1",  # not a step
        board("b1", "a2") + " O 23 a1",
        board("b1", "") + " X 24 -",  # who has just moved has a piece
        board("", "") + " X 24 -",
        board("b1", "") + " O 25 a1b1",  # the match was over before that step
        "OOOOOO/OOOOOO/O...../....../XXXXXX/XXXXXX X 0 -",
        "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX X 2 -",  # no capture: two moves are missing
    ],
)
def test_texts_that_are_no_states(game, text):
    with pytest.raises(InvalidState):
        game.parse_state(text)
