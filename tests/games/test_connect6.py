import pytest

import glaux
from glaux.errors import InvalidParameter, InvalidState
from glaux.records.record import Record
from glaux.records.sgf import read_sgf, write_sgf
from tests.games.filling import check_a_match_can_fill_the_board


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("connect6")


def turns(xs: str, os: str) -> list[str]:
    """The stones in the order of play: one of the first player's, then two by two."""
    first, *rest = xs.split()
    second = os.split()
    played = [first]
    while rest or second:
        played += second[:2] + rest[:2]
        second, rest = second[2:], rest[2:]
    return played


def test_one_stone_and_then_two_a_turn(game):
    s = game.initial()
    movers = []
    for text in ["j10", "a1", "a2", "a3", "a4", "a5", "a6", "a7"]:
        movers.append("X" if game.first_player(s) else "O")
        s = game.play(text, s)
    assert "".join(movers) == "XOOXXOOX"


def test_perft(game):
    cells = 19 * 19
    assert [game.perft(depth) for depth in (1, 2)] == [cells, cells * (cells - 1)]
    small = glaux.make("connect6", size=6)
    assert [small.perft(depth) for depth in (1, 2, 3, 4)] == [36, 36 * 35, 36 * 35 * 34, 36 * 35 * 34 * 33]


def test_perft_stops_at_six(game):
    s = game.play(turns("a1 b1 c1 d1 e1", "a3 c3 e3 g3"))
    assert not game.first_player(s)
    # The second player has two stones and cannot win; then the first wins on f1 unless it is taken.
    s = game.play("a19 c19", s)
    assert game.first_player(s)
    # 350 cells: f1 wins at once, each other stone leaves 349 cells for the second stone of the turn.
    assert game.perft(1, s) == 350
    assert game.perft(2, s) == 349 * 349


@pytest.mark.parametrize(
    ("xs", "os", "last"),
    [
        ("a1 b1 c1 d1 e1", "a3 c3 e3 g3 i3 k3", "f1"),  # row
        ("a1 a2 a3 a4 a5", "c1 e1 g1 i1 k1 m1", "a6"),  # column
        ("a1 b2 c3 d4 e5", "c1 e1 g1 i1 k1 m1", "f6"),  # diagonal, up to the right
        ("s1 r2 q3 p4 o5", "c1 e1 g1 i1 k1 m1", "n6"),  # diagonal, up to the left
        ("s19 r18 q17 o15 n14", "c1 e1 g1 i1 k1 m1", "p16"),  # closed in the middle
        ("a1 b1 c1 d1 f1 g1 h1", "a3 c3 e3 g3 i3 k3 m3 o3", "e1"),  # eight in a row
    ],
)
def test_six_or_more_win_with_the_first_stone_of_a_turn(game, xs, os, last):
    s = game.play(turns(xs, os))
    assert game.outcome(s) is None and game.first_player(s)
    s = game.play(last, s)
    assert game.outcome(s) == 1
    assert game.actions(s) == []


def test_six_with_the_second_stone_of_a_turn(game):
    s = game.play(turns("a1 c1 e1 g1 i1", "h9 i9 j9 k9"))
    s = game.play("l9", s)
    assert game.outcome(s) is None and not game.first_player(s)
    assert game.outcome(game.play("m9", s)) == -1


def test_five_do_not_win_and_a_stone_between_breaks_a_row(game):
    s = game.play([*turns("a1 b1 c1 d1 e1", "a3 c3 e3 g3 i3 f1"), "g1"])
    assert game.outcome(s) is None


@pytest.mark.parametrize(
    ("xs", "os"),
    [
        # Six cells at equal distances in the numbering of the cells, of which one is beyond the edge.
        ("s2 o2 p2 q2 r2", "c1 e1 g1 i1 k1 m1"),
        ("s5 p8 q7 r6 o9", "c1 e1 g1 i1 k1 m1"),
    ],
)
def test_lines_do_not_wrap_around_the_edge(game, xs, os):
    s = game.play(turns(xs, os))
    assert game.outcome(game.play("a1" if xs.endswith("r2") else "a3", s)) is None


@pytest.mark.parametrize("size", [6, 7, 8, 9, 11, 12, 15, 16, 19])
def test_a_match_can_fill_the_board(size):
    check_a_match_can_fill_the_board(glaux.make("connect6", size=size))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XX..../....../....../....../....../...... O 2", "do not match the ply"),
        ("X...../....../....../....../....../...... X 1", "the player to move"),
        ("X.O.../....../....../....../....../...... X 3", "do not match the ply"),
        ("X.OO../....../....../....../....../...... O 3", "the player to move"),
        ("XXXXXX/OOOOOO/X...../....../....../OO.... X 15", "Both players"),
        ("X...../....../....../....../....../...... O 37", "ply must be"),
    ],
)
def test_texts_that_are_not_states(text, reason):
    with pytest.raises(InvalidState, match=reason):
        glaux.make("connect6", size=6).parse_state(text)


def test_a_text_is_read_back(game):
    small = glaux.make("connect6", size=6)
    s = small.parse_state("....../....../..O.../...X../...O../...... X 3")
    assert s == small.play("d3 c4 d2")


@pytest.mark.parametrize("parameters", [{"size": 5}, {"size": 20}, {"length": 6}])
def test_wrong_parameters(parameters):
    with pytest.raises(InvalidParameter):
        glaux.make("connect6", **parameters)


def test_the_planes_say_whether_another_stone_follows(game):
    s, seen = game.initial(), []
    for text in ["j10", "a1", "a2", "a3", "a4"]:
        seen.append(game.encode(s)[0, 2].mean())
        s = game.play(text, s)
    assert seen == [0, 1, 0, 1, 0]


def test_sgf_has_a_node_for_each_stone(game):
    record = Record(game.initial(), ("A", "B"))
    for text in ["j10", "k10", "k11", "j11"]:
        record.play(game.parse_action(record.state, text))
    written = write_sgf(record)
    assert b"GM[511]" in written and written.count(b";") == 5
    assert b";B[j10];W[k10];W[k11];B[j11]" in written.replace(b"\n", b"")
    (again,) = read_sgf(written)
    assert again.texts == record.texts and again.game == game
