import glaux
from tests.games.draughts_turns import perft, position, texts

GAME = glaux.make("canadian_draughts")


def test_perft_in_turns():
    assert [perft(GAME, depth) for depth in range(1, 5)] == [11, 121, 1222, 10053]


def test_set_up():
    s = GAME.initial()
    assert GAME.pieces(s) == (30, 30)
    moves = "43-37 44-37 44-38 45-38 45-39 46-39 46-40 47-40 47-41 48-41 48-42"
    assert texts(GAME, s) == set(moves.split())


def test_kings_fly_across_both_words_of_the_bitboard():
    s = position(GAME, "K67 O1")
    assert texts(GAME, s) == {f"67-{n}" for n in (61, 56, 50, 45, 39, 34, 28, 23, 17, 12, 6)}
    s = position(GAME, "K67 O39 O1")
    assert texts(GAME, s) == {f"67x{n}" for n in (34, 28, 23, 17, 12, 6)}
