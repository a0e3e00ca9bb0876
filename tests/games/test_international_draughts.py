import pytest

import glaux
from glaux.errors import InvalidParameter, InvalidState
from tests.games.draughts_turns import perft, position, texts


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("international_draughts")


def test_perft_in_turns(game):
    assert [perft(game, depth) for depth in range(1, 6)] == [9, 81, 658, 4265, 27117]


@pytest.mark.slow
def test_perft_of_longer_matches(game):
    assert [perft(game, depth) for depth in (6, 7)] == [167140, 1049442]


def test_set_up(game):
    s = game.initial()
    board = "OOOOO/OOOOO/OOOOO/OOOOO/...../...../XXXXX/XXXXX/XXXXX/XXXXX"
    assert game.state_text(s) == board + " X 0 - 0 -"
    assert game.pieces(s) == (20, 20)
    moves = "31-26 31-27 32-27 32-28 33-28 33-29 34-29 34-30 35-30"
    assert texts(game, s) == set(moves.split())


def test_men_step_forward_and_capture_both_ways(game):
    assert texts(game, position(game, "X28 O1")) == {"28-22", "28-23"}
    assert texts(game, position(game, "O23 X50", "O")) == {"23-28", "23-29"}
    assert texts(game, position(game, "X28 O22 O33")) == {"28x17", "28x39"}
    assert texts(game, position(game, "X28 O22 O17 O1")) == {"28-23"}, "nothing behind it is free"


def test_kings_fly(game):
    s = position(game, "K46 O45 O1")
    assert texts(game, s) == {f"46-{n}" for n in (41, 37, 32, 28, 23, 19, 14, 10, 5)}
    s = position(game, "K46 O28 O1")
    assert texts(game, s) == {"46x23", "46x19", "46x14", "46x10", "46x5"}
    s = position(game, "K46 O28 O23 O1")
    assert all("-" in text for text in texts(game, s)), "two in a row stand in the way"


def test_the_longest_capture_is_obligatory(game):
    # 32 could take one; 35 takes two.
    s = position(game, "X32 X35 O28 O30 O20 O1")
    assert texts(game, s) == {"35x24"}
    s = game.play("35x24", s)
    assert game.first_player(s)
    assert texts(game, s) == {"24x15"}
    s = game.play("24x15", s)
    assert not game.first_player(s)
    assert game.pieces(s) == (2, 2)


def test_only_jumps_that_lead_to_a_longest_capture(game):
    # From 46 over 37 the king may come down on 32, 28, 23 ...: one of them leads on, to two more.
    s = position(game, "K46 O37 O27 O12 O45")
    first = texts(game, s)
    assert first == {"46x32"}
    s = game.play("46x32", s)
    assert texts(game, s) == {"32x21"}
    assert game.pieces(s) == (1, 3)


def test_pieces_come_off_at_the_end_and_are_not_jumped_twice(game):
    # The man goes around a square and comes back to where it was, beside those that it has taken.
    s = position(game, "X28 O23 O13 O12 O22 O45")
    s = game.play("28x19 19x8 8x17", s)
    assert game.state_text(s).split()[3].count("x") == 3
    s = game.play("17x28", s)
    assert game.pieces(s) == (1, 1)
    assert not game.first_player(s)


def test_who_is_taken_stands_in_the_way(game):
    # From 26 the king would go on over 42, but 37, which it has taken, stands between them.
    s = game.play("46x28 28x17 17x26", position(game, "K46 O37 O22 O21 O42 O45"))
    assert not game.first_player(s)
    assert game.pieces(s) == (1, 2)
    assert "26x48" in texts(game, position(game, "K26 O42 O45"))


def test_promotion_only_where_a_move_ends(game):
    # 13 comes to the farthest row at 4 and goes on from there as a man.
    s = game.play("13x4 4x15", position(game, "X13 O9 O10 O45"))
    assert "K" not in game.state_text(s)
    s = game.play("13x4", position(game, "X13 O9 O45"))
    assert "K" in game.state_text(s).split("/")[0]
    s = game.play("6-1", position(game, "X6 O45"))
    assert "K" in game.state_text(s).split("/")[0]


def test_a_player_without_a_move_loses(game):
    assert game.outcome(game.play("28x19", position(game, "X28 O23"))) == 1
    assert game.outcome(position(game, "X46 O41 O37")) == -1


def shuttle(game: glaux.Game, s: glaux.State, moves: str, plies: int) -> glaux.State:
    """Plays these moves over and over."""
    for i in range(plies):
        assert not game.terminal(s)
        s = game.play(moves.split()[i % len(moves.split())], s)
    return s


def test_the_third_occurrence_is_a_draw(game):
    s = position(game, "K47 Q4 O16 X35 O26 X25")
    moves = "47-42 4-9 42-47 9-4"
    assert game.outcome(shuttle(game, s, moves, 7)) is None
    assert game.outcome(shuttle(game, s, moves, 8)) == 0
    olympiad = glaux.make("international_draughts", olympiad=True)
    s = position(olympiad, "K47 Q4 O16 X35 O26 X25")
    assert olympiad.outcome(shuttle(olympiad, s, moves, 11)) is None
    assert olympiad.outcome(shuttle(olympiad, s, moves, 12)) == 0


def wander(game: glaux.Game, s: glaux.State, plies: int) -> glaux.State:
    """Kings move where nobody can be captured, and no position comes back."""
    seen = set()
    for _ in range(plies):
        assert not game.terminal(s)
        children = [game.apply(s, action) for action in game.actions(s)]
        s = next(
            after
            for after in children
            if game.state_text(after).split()[-1] != "-"
            and not any("x" in text for text in texts(game, after))
            and tuple(game.state_text(after).split()[:2]) not in seen
        )
        seen.add(tuple(game.state_text(s).split()[:2]))
    return s


@pytest.mark.parametrize(
    ("pieces", "plies"),
    [
        ("K47 Q4 O16 X35 O26 X25", 50),
        ("K47 Q4 Q9 Q14", 32),
        ("K47 K41 Q4 X35", 32),
        ("K47 Q4", 10),
        ("K47 K41 Q4", 10),
        ("K47 X35 Q4", 10),
    ],
)
def test_draws_by_counting(game, pieces, plies):
    s = wander(game, position(game, pieces), plies - 1)
    assert game.outcome(s) is None
    assert game.outcome(wander(game, s, 1)) == 0


def test_endings_at_the_olympiad(game):
    olympiad = glaux.make("international_draughts", olympiad=True)
    s = game.play("47x33", position(game, "K47 O38 Q4"))
    assert game.outcome(s) is None
    assert olympiad.outcome(olympiad.play("47x33", position(olympiad, "K47 O38 Q4"))) == 0
    assert olympiad.outcome(olympiad.play("47x33", position(olympiad, "K47 X35 O38 Q4"))) is None


def test_the_plies_of_an_ending_go_on_through_moves_of_men(game):
    s = position(game, "K47 X35 X45 Q4")
    for text in ["35-30", "4-15", "30-25", "15-4"]:
        s = game.play(text, s)
    assert game.state_text(s).split()[4] == "4"


@pytest.mark.parametrize("size", [5, 7, 9, 11])
def test_odd_sizes(size):
    with pytest.raises(InvalidParameter, match="even"):
        glaux.make("international_draughts", size=size)


EMPTY = "...../" * 9 + "....."


@pytest.mark.parametrize(
    "text",
    [
        "X..../" + "...../" * 8 + "O.... X 38 - 0 -",  # a man on the farthest row
        "K..../" + "...../" * 8 + "Q.... X 37 - 0 -",  # 38 captures need 38 plies
        "K..../" + "...../" * 8 + "Q.... X 38 - 11 -",  # the ending was drawn before
        "K..../" + "...../" * 8 + "Q.... X 38 - x -",
        "K..../" + "...../" * 8 + "Q.... X 38 b10 0 -",  # nobody is taken
        "K..../" + "...../" * 8 + "Q.... X 38 b10xc9 0 -",  # and there is nobody to jump
        "K..../" + "...../" * 8 + "Q.... X 39 - 1 a1c4",  # no diagonal
        "K..../" + "...../" * 8 + "..... X 39 - 0 -",  # who has moved has no pieces
        EMPTY + " X 40 - 0 -",
        "KKKKK/" * 5 + "...../" * 4 + "QQQQQ X 40 - 0 -",
        "K..../" + "...../" * 8 + "Q.... X 38 - 0",
    ],
)
def test_texts_that_are_no_states(game, text):
    with pytest.raises(InvalidState):
        game.parse_state(text)
