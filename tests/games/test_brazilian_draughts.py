import glaux
from tests.games.draughts_turns import perft, texts

GAME = glaux.make("brazilian_draughts")


def test_perft_in_turns():
    expected = [7, 49, 302, 1469, 7473, 37628, 187302]
    assert [perft(GAME, depth) for depth in range(1, 8)] == expected


def test_squares_have_letters():
    s = GAME.initial()
    assert GAME.state_text(s) == "OOOO/OOOO/OOOO/..../..../XXXX/XXXX/XXXX X 0 - 0 -"
    assert texts(GAME, s) == {"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4"}
    s = GAME.play("c3-d4 f6-e5")
    assert texts(GAME, s) == {"d4xf6"}
    assert texts(GAME, GAME.play("d4xf6", s)) == {"e7xg5", "g7xe5"}


def test_the_rules_are_the_international_ones():
    assert GAME.spec.board.rows == 8
    international = glaux.make("international_draughts", size=8)
    assert bytes(international.initial()) == bytes(GAME.initial())
    assert international.perft(5) == GAME.perft(5)
