import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState
from tests.games.filling import check_a_match_can_fill_the_board


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("outer_open_gomoku")


def alternate(xs: str, os: str) -> list[str]:
    return [text for pair in zip(xs.split(), os.split(), strict=True) for text in pair]


@pytest.mark.parametrize("size", [5, 6, 8, 15, 19])
def test_the_first_stone_goes_on_the_two_outermost_lines(size):
    game = glaux.make("outer_open_gomoku", size=size)
    s = game.initial()
    outer = {0, 1, size - 2, size - 1}
    allowed = [r * size + c for r in range(size) for c in range(size) if r in outer or c in outer]
    assert game.actions(s) == allowed
    assert len(allowed) == size**2 - (size - 4) ** 2
    s = game.apply(s, allowed[-1])
    assert len(game.actions(s)) == size**2 - 1


def test_the_opening_rule_in_the_usual_notation(game):
    for text in ("a1", "b8", "n8", "h2", "h14", "o15"):
        assert game.ply(game.play(text)) == 1
    for text in ("c3", "c8", "m8", "h3", "h13", "h8"):
        with pytest.raises(InvalidAction):
            game.play(text)


def test_rows_are_numbered_from_the_bottom(game):
    cells = game.cells(game.play("a1 o15"))
    assert cells[14, 0] == 1
    assert cells[0, 14] == 2


def test_perft(game):
    assert [game.perft(depth) for depth in (1, 2, 3)] == [104, 104 * 224, 104 * 224 * 223]
    small = glaux.make("outer_open_gomoku", size=5)
    assert [small.perft(depth) for depth in (1, 2, 3, 4)] == [
        24,
        24**2,
        24**2 * 23,
        24**2 * 23 * 22,
    ]


def test_perft_stops_at_five(game):
    s = game.play(alternate("a1 b1 c1 d1", "a3 b3 c3 d3"))
    # 217 cells are empty. The first player wins on e1; each of the 216 others leaves 216 replies.
    assert game.perft(1, s) == 217
    assert game.perft(2, s) == 216 * 216
    # The second player wins on e3 unless the first has taken it, in 215 of these pairs.
    assert game.perft(3, s) == (216 * 216 - 215) * 215


@pytest.mark.parametrize(
    ("xs", "os", "last"),
    [
        ("a1 b1 c1 d1", "a3 c3 e3 g3", "e1"),  # row
        ("a1 a2 a3 a4", "c1 e1 g1 i1", "a5"),  # column
        ("a1 b2 c3 d4", "c1 e1 g1 i1", "e5"),  # diagonal, up to the right
        ("o1 n2 m3 l4", "c1 e1 g1 i1", "k5"),  # diagonal, up to the left
        ("o15 n14 l12 k11", "c1 e1 g1 i1", "m13"),  # closed in the middle
        ("a1 b1 c1 e1 f1", "a3 c3 e3 g3 i3", "d1"),  # six in a row
        ("a1 b1 c1 d1 f1 g1 h1 i1", "a3 c3 e3 g3 i3 k3 m3 o3", "e1"),  # nine in a row
    ],
)
def test_five_or_more_in_a_row_win(game, xs, os, last):
    s = game.play(alternate(xs, os))
    assert game.outcome(s) is None
    s = game.play(last, s)
    assert game.outcome(s) == 1
    assert game.actions(s) == []


def test_the_second_player_wins_by_five(game):
    s = game.play(alternate("a1 c1 e1 g1 i1", "h8 i8 j8 k8 l8"))
    assert (game.outcome(s), game.ply(s)) == (-1, 10)


def test_the_opponents_stone_breaks_a_row(game):
    assert game.outcome(game.play([*alternate("a1 b1 c1 d1", "a3 c3 g3 e1"), "f1"])) is None


@pytest.mark.parametrize(
    ("xs", "os"),
    [
        # Five cells at equal distances in the numbering of the cells, of which one is beyond the edge.
        ("o2 l2 m2 n2 a1", "c1 e1 g1 i1"),
        ("o5 l8 m7 n6 a3", "c1 e1 g1 i1"),
        ("a5 d8 c7 b6 o5", "c1 e1 g1 i1"),
    ],
)
def test_lines_do_not_wrap_around_the_edge(game, xs, os):
    *most, last = xs.split()
    assert game.outcome(game.play([*alternate(" ".join(most), os), last])) is None


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9, 11, 12, 15, 16, 19])
def test_a_match_can_fill_the_board(size):
    check_a_match_can_fill_the_board(glaux.make("outer_open_gomoku", size=size))


def test_five_by_the_last_stone_wins():
    game = glaux.make("outer_open_gomoku", size=5)
    s = game.parse_state("XXXX./OOXOO/OXOXO/XOOXX/OXOXO X 24")
    assert game.actions(s) == [4]
    assert game.outcome(game.play("e5", s)) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XX.../...../...../...../..... X 2", "do not match the ply"),
        ("X..../...../...../...../..... X 2", "do not match the ply"),
        ("X..../...../...../...../..... X 1", "the player to move"),
        ("XXXXX/OOOOO/...../...../..... X 10", "Both players"),
        ("X..../...../...../..... O 1", "rows"),
        ("X..../...../...../...../....# O 1", "not a cell"),
        ("X..../...../...../...../..... O 1 1", "more fields"),
        ("X..../...../...../...../..... O 26", "ply must be"),
    ],
)
def test_texts_that_are_not_states(text, reason):
    with pytest.raises(InvalidState, match=reason):
        glaux.make("outer_open_gomoku", size=5).parse_state(text)


@pytest.mark.parametrize("parameters", [{"size": 4}, {"size": 20}, {"length": 5}])
def test_wrong_parameters(parameters):
    with pytest.raises(InvalidParameter):
        glaux.make("outer_open_gomoku", **parameters)


def test_there_is_neither_score_nor_piece_count(game):
    assert not game.spec.has_score
    assert not game.spec.has_pieces
