import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("connect_four")


def test_perft(game):
    # A column holds six stones, so at depth 7 the seven sequences of one column alone are missing;
    # wins cut off sequences from depth 8 on.
    counts = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert [game.perft(depth) for depth in range(1, 9)] == counts


def test_perft_of_another_size_and_length():
    game = glaux.make("connect_four", rows=4, columns=4, length=3)
    assert [game.perft(depth) for depth in range(5, 10)] == [1020, 3588, 13148, 40520, 122884]


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [
        ("1 2 1 2 1 2 1", 1),  # column
        ("1 1 2 2 3 3 4", 1),  # row
        ("1 2 2 3 3 4 3 4 4 6 4", 1),  # diagonal, up to the right
        ("7 6 6 5 5 4 5 4 4 2 4", 1),  # diagonal, up to the left
        ("7 1 2 1 2 1 2 1", -1),
        ("1 1 2 2 3 3 5 5 4", 1),  # five at once, by the stone in their middle
    ],
)
def test_lines_win(game, moves, outcome):
    before, last = moves.rsplit(" ", 1)
    s = game.play(before)
    assert game.outcome(s) is None
    s = game.play(last, s)
    assert game.outcome(s) == outcome
    assert game.ply(s) == len(moves.split())
    assert game.actions(s) == []


def test_lines_do_not_wrap_around_the_edge(game):
    # The first player has e2, f2, g2 and a1, which follow each other in the numbering of the cells.
    s = game.play("1 5 5 6 6 7 7")
    assert game.state_text(s) == "......./......./......./......./....XXX/X...OOO O 7"
    assert game.outcome(s) is None


def test_stones_fall_to_the_lowest_empty_cell(game):
    s = game.play("4 4 4 1")
    assert game.state_text(s) == "......./......./......./...X.../...O.../O..X... X 4"
    assert game.cells(s)[5, 3] == 1


def test_a_full_column_is_closed(game):
    s = game.play("4 4 4 4 4 4")
    assert game.actions(s) == [0, 1, 2, 4, 5, 6]
    with pytest.raises(InvalidAction):
        game.play("4", s)
    with pytest.raises(InvalidAction):
        game.play("8", s)


def test_a_full_board_is_a_draw():
    game = glaux.make("connect_four", rows=2, columns=3, length=3)
    s = game.play("1 2 3 1 2")
    assert game.outcome(s) is None
    s = game.play("3", s)
    assert (game.state_text(s), game.outcome(s)) == ("OXO/XOX X 6", 0)


def test_a_line_by_the_last_stone_wins():
    game = glaux.make("connect_four", rows=2, columns=4, length=3)
    s = game.play("1 1 2 2 4 3 4")
    assert (game.state_text(s), game.outcome(s)) == ("OO.X/XXOX O 7", None)
    assert game.outcome(game.play("3", s)) == -1


@pytest.mark.parametrize("rows", [2, 3, 6, 7, 16])
@pytest.mark.parametrize("columns", [3, 4, 5, 6, 7, 8, 13, 14, 16])
def test_a_match_can_fill_any_board(rows, columns):
    """The longest match is exact even for lines of three.

    Colours that alternate within each column, and in each row come in pairs (XXOO), have no line
    of three. A column with X at its bottom and one with O are filled together in two colours, and
    where the number of columns is odd a column with X is left, which fills alone.
    """
    game = glaux.make("connect_four", rows=rows, columns=columns, length=3)
    shift = 1 if columns % 4 == 2 else 0
    bottoms = ["XXOO"[(column + shift) % 4] for column in range(columns)]
    of_x = [column for column in range(columns) if bottoms[column] == "X"]
    of_o = [column for column in range(columns) if bottoms[column] == "O"]
    s = game.initial()
    for x, o in zip(of_x, of_o, strict=False):
        for row in range(rows):
            for column in (x, o) if row % 2 == 0 else (o, x):
                s = game.apply(s, column)
    for column in of_x[len(of_o) :]:
        for _ in range(rows):
            s = game.apply(s, column)
    assert game.outcome(s) == 0
    assert game.ply(s) == game.spec.max_plies == rows * columns


def test_the_mirror_exchanges_the_columns(game):
    s = game.play("1 2 2")
    assert game.transform(s, 1) == game.play("7 6 6")
    assert game.transform_action(game.initial(), 1, 1) == 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("......./......./......./......./X....../....... O 1", "empty cell below"),
        ("......./......./......./......./......./XX..... X 2", "do not match the ply"),
        ("......./......./......./......./......./X...... X 2", "do not match the ply"),
        ("......./......./......./......./......./X...... X 1", "the player to move"),
        ("......./......./......./......./OOOO.../XXXX... X 8", "Both players"),
        ("......./......./......./......./......./X...... O", "A state is written"),
        ("......./......./......./......./....... X 0", "rows"),
    ],
)
def test_texts_that_are_not_states(game, text, reason):
    with pytest.raises(InvalidState, match=reason):
        game.parse_state(text)


def test_the_result_of_a_parsed_state(game):
    assert game.outcome(game.parse_state("......./......./......./......./OOO..../XXXX... O 7")) == 1


@pytest.mark.parametrize(
    "parameters",
    [
        {"rows": 1},
        {"columns": 17},
        {"length": 2},
        {"length": 8},
        {"rows": 2, "columns": 2, "length": 3},
    ],
)
def test_wrong_parameters(parameters):
    with pytest.raises(InvalidParameter):
        glaux.make("connect_four", **parameters)


def test_a_line_as_long_as_the_longer_side_is_possible():
    game = glaux.make("connect_four", rows=3, columns=16, length=16)
    s = game.initial()
    for column in range(15):
        s = game.play([str(column + 1), str(column + 1)], s)
    assert game.outcome(s) is None
    assert game.outcome(game.play("16", s)) == 1


def test_there_is_neither_score_nor_piece_count(game):
    assert not game.spec.has_score
    assert not game.spec.has_pieces
