"""The references on positions worked out by hand."""

import pytest

from tests.reference import canadian_draughts, morpion, santorini, surakarta
from tests.reference.canadian_draughts import Draughts
from tests.reference.connect6 import Connect6
from tests.reference.morpion import Morpion
from tests.reference.outer_open_gomoku import OuterOpenGomoku
from tests.reference.protocol import Cell, Reference, State, parse_cell
from tests.reference.santorini import Santorini
from tests.reference.surakarta import Surakarta


def play(game: Reference[State], texts: str) -> State:
    """The state after legal actions from the start."""
    s = game.initial()
    for text in texts.split():
        assert text in game.actions(s)
        s = game.apply(s, text)
    return s


def cells(texts: str) -> list[Cell]:
    return [parse_cell(text) for text in texts.split()]


def army(first: str, second: str) -> dict[Cell, bool]:
    """Pieces or workers by owner."""
    return dict.fromkeys(cells(first), True) | dict.fromkeys(cells(second), False)


# Outer-Open-Gomoku


def test_first_stone_on_the_two_outer_rings() -> None:
    game = OuterOpenGomoku()
    assert len(game.actions(game.initial())) == 15 * 15 - 11 * 11
    assert {"a1", "b2", "n14", "b8", "h2"} <= set(game.actions(game.initial()))
    assert "c3" not in game.actions(game.initial())
    assert "c3" in game.actions(play(game, "a1"))


@pytest.mark.parametrize(
    ("texts", "outcome"),
    [
        ("a1 c3 b1 c4 c1 c5 d1 c6", None),
        ("a1 c3 b1 c4 c1 c5 d1 c6 e1", 1),
        ("a1 c3 b1 c4 c1 c5 d1 c6 o1 c7", -1),
        ("a1 o2 b2 o4 c3 o6 d4 o8 e5", 1),
        ("e1 o2 d2 o4 c3 o6 b4 o8 a5", 1),
        ("a1 o2 b1 o4 c1 o6 e1 o8 f1 o10 d1", 1),  # six in a row
    ],
)
def test_gomoku_lines(texts: str, outcome: int | None) -> None:
    game = OuterOpenGomoku()
    assert game.outcome(play(game, texts)) == outcome


def test_gomoku_full_board_is_a_draw() -> None:
    game = OuterOpenGomoku(size=4)
    s = game.initial()
    while game.outcome(s) is None:
        s = game.apply(s, game.actions(s)[0])
    assert game.outcome(s) == 0
    assert len(s.stones) == 16


# Santorini


def test_santorini_turns() -> None:
    game = Santorini()
    s = game.initial()
    players = []
    for text in ["c3", "a1", "c2", "e5", "c3d4", "d5", "c2c3", "d5", "a1b1"]:
        players.append(game.first_player(s))
        s = game.apply(s, text)
    assert players == [True, True, False, False, True, True, False, False, True]
    assert s.levels == {parse_cell("d5"): 2}


def test_santorini_climbs_one_level_and_never_onto_domes() -> None:
    levels = dict(zip(cells("b1 a2 b2"), [1, 2, 4], strict=True))
    s = santorini.State(levels, army("a1 e1", "e4 e5"))
    assert {t for t in Santorini().actions(s) if t.startswith("a1")} == {"a1b1"}


def test_santorini_win_on_level_three() -> None:
    levels = dict(zip(cells("a1 b1"), [2, 3], strict=True))
    s = Santorini().apply(santorini.State(levels, army("a1 e1", "e4 e5")), "a1b1")
    assert Santorini().outcome(s) == 1
    assert Santorini().actions(s) == []


def test_santorini_builds_on_free_cells_below_a_dome() -> None:
    levels = dict(zip(cells("b1 b2"), [4, 3], strict=True))
    s = santorini.State(levels, army("a1 a3", "e4 e5"), moved=parse_cell("a1"))
    assert set(Santorini().actions(s)) == {"a2", "b2"}


def test_santorini_no_move_loses() -> None:
    levels = dict.fromkeys(cells("a2 b2 d2 e2"), 2) | dict.fromkeys(cells("b1 d1"), 4)
    first = santorini.State(levels, army("a1 e1", "e4 e5"))
    assert Santorini().outcome(first) == -1
    second = santorini.State(levels, army("e4 e5", "a1 e1"), first_player=False)
    assert Santorini().outcome(second) == 1


# Surakarta


def captures(first: str, second: str, size: int = 6) -> set[str]:
    """The captures of the first player."""
    s = surakarta.State(army(first, second))
    return {text for text in Surakarta(size).actions(s) if "x" in text}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("a3", "c1", {"a3xc1"}),  # around the loop beside it
        ("c3", "c1", {"c3xc1"}),  # the pieces stand on the same line, but it goes around a loop
        ("a2", "c1", set()),  # other loop
        ("a1 a6 f1 f6", "b1 a5 e6 f2", set()),  # corners are on no loop
        ("c1", "c6 a3", {"c1xa3"}),  # c6 is met before a loop
        ("d3 d5", "b3", {"d3xb3", "d5xb3"}),  # d3 goes down, around and over its own start
        ("d3 d5 e3", "b3", {"d5xb3", "e3xb3"}),  # e3 is in the way of d3
        ("b3", "a3", {"b3xa3"}),  # to the right; to the left there is no loop before a3
        ("b2", "b5", {"b2xb5"}),  # to the right: f2, e1, e6, f5
        ("b2 a2 b1", "b5", {"b2xb5"}),  # the others are shut in
    ],
)
def test_surakarta_captures(first: str, second: str, expected: set[str]) -> None:
    assert captures(first, second) == expected


def test_surakarta_third_loop_of_the_larger_board() -> None:
    assert captures("a4", "d1", size=8) == {"a4xd1"}
    assert captures("h5", "e8", size=8) == {"h5xe8"}
    assert captures("a4", "c1", size=8) == set()


def test_surakarta_steps() -> None:
    game = Surakarta()
    assert len(game.actions(game.initial())) == 16
    s = surakarta.State(army("a1", "f6"))
    assert set(game.actions(s)) == {"a1a2", "a1b1", "a1b2"}


def test_surakarta_repetition_compares_the_pieces() -> None:
    game = Surakarta()
    s = play(game, "b2b3 b5b4 b3b2")
    assert game.outcome(s) is None
    assert game.outcome(game.apply(s, "b4b5")) == 0


def test_surakarta_fifty_plies_without_capture() -> None:
    elsewhere = surakarta.State(army("f1", "f6")).position()
    s = surakarta.State(army("a1", "f6 f5"), past=[elsewhere] * 48)
    s = Surakarta().apply(s, "a1a2")
    assert Surakarta().outcome(s) is None
    s = Surakarta().apply(s, "f6e6")
    assert Surakarta().outcome(s) == Surakarta().score(s) == -1


def test_surakarta_last_piece_taken() -> None:
    s = Surakarta().apply(surakarta.State(army("a3", "c1")), "a3xc1")
    assert Surakarta().outcome(s) == 1
    assert s.past == []


def test_surakarta_no_move_compares_the_pieces() -> None:
    assert Surakarta().outcome(surakarta.State(army("a1", "a2 b1 b2"))) == -1


# Connect6


def test_connect6_turns() -> None:
    game = Connect6()
    s = game.initial()
    players = []
    for text in ["j10", "a1", "b1", "c1", "d1", "e1", "f1"]:
        players.append(game.first_player(s))
        s = game.apply(s, text)
    assert players == [True, False, False, True, True, False, False]
    assert len(game.actions(s)) == 19 * 19 - 7


@pytest.mark.parametrize(
    ("texts", "outcome"),
    [
        ("j10 a1 b1 s1 s3 c1 d1 s5 s7 e1", None),
        ("j10 a1 b1 s1 s3 c1 d1 s5 s7 e1 f1", -1),
        ("a1 s1 s3 b2 c3 s5 s7 d4 e5 s9 s11 f6", 1),  # with the first stone of a turn
        ("a6 s1 s3 b5 c4 s5 s7 d3 e2 s9 s11 s13 f1", 1),
        ("a1 s1 s3 a2 a3 s5 s7 a5 a6 s9 s11 a7 a4", 1),  # seven
    ],
)
def test_connect6_lines(texts: str, outcome: int | None) -> None:
    assert Connect6().outcome(play(Connect6(), texts)) == outcome


def test_connect6_full_board_is_a_draw() -> None:
    game = Connect6(size=5)
    s = game.initial()
    while game.outcome(s) is None:
        s = game.apply(s, game.actions(s)[0])
    assert game.outcome(s) == 0
    assert len(s.stones) == 25


# Draughts


def men(first: str, second: str, kings: str = "") -> dict[Cell, canadian_draughts.Piece]:
    owners = army(first, second)
    return {cell: (own, cell in cells(kings)) for cell, own in owners.items()}


def draughts_actions(first: str, second: str, kings: str = "", size: int = 10) -> set[str]:
    return set(Draughts(size).actions(canadian_draughts.State(men(first, second, kings))))


def draughts_perft(game: Draughts, s: canadian_draughts.State, depth: int) -> int:
    """The published counts are of whole moves: captures that differ in their way alone are one."""
    if depth == 0:
        return 1
    moves, stack = {}, [(s, text) for text in game.actions(s)]
    while stack:
        before, text = stack.pop()
        after = game.apply(before, text)
        if after.jumping is not None:
            stack += [(after, further) for further in game.actions(after)]
        else:
            start = text if s is before else ""
            moves[start, after.position()] = after
    return sum(draughts_perft(game, after, depth - 1) for after in moves.values())


@pytest.mark.parametrize(("size", "counts"), [(10, [9, 81, 658]), (8, [7, 49, 302, 1469])])
def test_draughts_published_counts(size: int, counts: list[int]) -> None:
    game = Draughts(size)
    assert [draughts_perft(game, game.initial(), d + 1) for d in range(len(counts))] == counts


def test_draughts_start_of_each_size() -> None:
    for size, number in ((8, 12), (10, 20), (12, 30)):
        s = Draughts(size).initial()
        assert [piece[0] for piece in s.pieces.values()].count(True) == number
        assert len(s.pieces) == 2 * number


@pytest.mark.parametrize(
    ("first", "second", "kings", "expected"),
    [
        ("c3", "j10", "", {"c3b4", "c3d4"}),
        ("c3", "d4 j10", "", {"c3xe5"}),
        ("c5", "d4 j10", "", {"c5xe3"}),  # men capture backwards
        ("c3 i3", "d4 d6 h4", "", {"c3xe5"}),  # two are more than one
        ("a1", "d4 j10", "a1", {"a1xe5", "a1xf6", "a1xg7", "a1xh8", "a1xi9"}),
        ("a1", "d4 e5 j10", "a1", {"a1b2", "a1c3"}),
        ("a1", "d4 g5 j10", "a1", {"a1xf6"}),  # from there alone over g5
    ],
)
def test_draughts_moves(first: str, second: str, kings: str, expected: set[str]) -> None:
    assert draughts_actions(first, second, kings) == expected


def test_draughts_jumped_pieces_stay_until_the_end() -> None:
    game = Draughts(10)
    s = canadian_draughts.State(men("c3", "d4 d6 j10"))
    s = game.apply(s, "c3xe5")
    assert s.first_player and parse_cell("d4") in s.pieces
    assert game.actions(s) == ["e5xc7"]
    s = game.apply(s, "e5xc7")
    assert not s.first_player and set(s.pieces) == set(cells("c7 j10"))


def test_draughts_promotion_only_at_the_end_of_a_move() -> None:
    game = Draughts(10)
    s = game.apply(canadian_draughts.State(men("d8", "e9 g9 a1")), "d8xf10")
    assert game.actions(s) == ["f10xh8"]
    assert game.apply(s, "f10xh8").pieces[parse_cell("h8")] == (True, False)
    s = game.apply(canadian_draughts.State(men("d8", "e9 a1")), "d8xf10")
    assert s.pieces[parse_cell("f10")] == (True, True)


def test_draughts_no_move_loses() -> None:
    s = canadian_draughts.State(men("a1", "b2 c3"))
    assert Draughts(10).outcome(s) == -1


def test_draughts_third_repetition() -> None:
    s = canadian_draughts.State(men("a1 b2 c1", "j10 i9 h10", "a1 b2 c1 j10 i9 h10"))
    game = Draughts(10)
    for _ in range(2):
        assert game.outcome(s) is None
        for text in ("b2a3", "i9j8", "a3b2", "j8i9"):
            s = game.apply(s, text)
    assert game.outcome(s) == 0


def test_draughts_endings_of_a_lone_king() -> None:
    two = men("a1 b2", "j8", "a1 b2 j8")
    assert Draughts(10).outcome(canadian_draughts.State(two, ending=9)) is None
    assert Draughts(10).outcome(canadian_draughts.State(two, ending=10)) == 0
    assert Draughts(10, olympiad=True).outcome(canadian_draughts.State(two)) == 0
    three = men("a1 b2 c1", "j8", "a1 j8")
    assert Draughts(10).outcome(canadian_draughts.State(three, ending=31)) is None
    assert Draughts(10).outcome(canadian_draughts.State(three, ending=32)) == 0
    assert Draughts(10).outcome(canadian_draughts.State(three, quiet=50)) == 0


# Morpion Solitaire


def test_morpion_first_moves() -> None:
    assert len(Morpion().initial().points) == 36
    assert len(Morpion().actions(Morpion().initial())) == 28
    small = Morpion(4, size=13)
    assert len(small.initial().points) == 24
    assert len(small.actions(small.initial())) == 40


def test_morpion_lines_touch_or_do_not() -> None:
    """g13 to j13 is the top of the cross: two lines in that row share k13 at most."""
    disjoint, touching = Morpion(), Morpion(touching=True)
    points = disjoint.initial().points | set(cells("l13 m13 n13"))
    line = ((1, 0), tuple(cells("g13 h13 i13 j13 k13")))
    drawn = morpion.State(points | set(cells("k13")), [line])
    assert "o13k13" not in disjoint.actions(drawn)
    assert "o13k13" in touching.actions(drawn)
    assert "l13h13" not in touching.actions(
        morpion.State(points - set(cells("l13")) | set(cells("k13")), [line])
    )


def test_morpion_ends() -> None:
    game = Morpion(4, size=7, bound=3)
    s = game.initial()
    while game.outcome(s) is None:
        s = game.apply(s, game.actions(s)[0])
    assert game.outcome(s) == 1
    assert game.score(s) == len(s.lines) >= 3
