import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("xiangqi")


@pytest.fixture(scope="module")
def olympiad() -> glaux.Game:
    return glaux.make("xiangqi", olympiad=True)


def board(**pieces: str) -> str:
    """The rows of a board with these pieces, such as K="e0", p="a6 c6"."""
    cells = {cell: piece for piece, places in pieces.items() for cell in places.split()}
    rows = ["".join(cells.get(f"{column}{row}", ".") for column in "abcdefghi") for row in range(9, -1, -1)]
    return "/".join(rows)


def position(game: glaux.Game, player: str = "X", **pieces: str) -> glaux.State:
    """A state with these pieces, as early as so many captures and the player allow."""
    ply = 32 - sum(len(places.split()) for places in pieces.values())
    ply += (ply % 2 == 0) != (player == "X")
    return game.parse_state(f"{board(**pieces)} {player} {ply} 0 -")


def texts(game: glaux.Game, s: glaux.State, start: str = "") -> set[str]:
    return {
        text for text in (game.action_text(s, action) for action in game.actions(s)) if text.startswith(start)
    }


def ends(game: glaux.Game, s: glaux.State, start: str) -> set[str]:
    """Where the piece on a cell can go."""
    return {text[2:] for text in texts(game, s, start)}


def test_perft(game, olympiad):
    """The published counts. Where check is no rule, three replies to each of b2b9 and h2h9 are legal that
    open the row between the cannon and the general."""
    assert [game.perft(depth) for depth in (1, 2, 3)] == [44, 1920, 79666]
    assert olympiad.perft(2) == 1920 + 2 * 3


@pytest.mark.slow
def test_perft_deeper(game):
    assert game.perft(4) == 3290240


def test_set_up(game):
    s = game.initial()
    assert game.state_text(s) == (
        "rnbakabnr/........./.c.....c./p.p.p.p.p/........./........./P.P.P.P.P/.C.....C./........./RNBAKABNR"
        " X 0 0 -"
    )
    assert game.first_player(s)
    assert game.pieces(s) == (16, 16)
    assert game.spec.max_plies == 31 * 200
    assert game.spec.has_history


def test_cells_are_named_as_in_ucci(game):
    assert {"h2e2", "b0c2", "a3a4"} <= texts(game, game.initial())
    with pytest.raises(InvalidAction):
        game.play("h3e3")


def test_horses_are_hobbled_and_elephants_are_blocked(game):
    s = position(game, K="d0", k="f9", N="e4", P="e5", B="c4", p="b3")
    # The leg on e5 is taken: neither d6 nor f6.
    assert ends(game, s, "e4") == {"c5", "g5", "c3", "g3", "d2", "f2"}
    # b3 is in the eye towards a2, and the river is not crossed.
    assert ends(game, s, "c4") == {"e2"}


def test_the_palace(game):
    s = position(game, K="e1", A="d0", k="d9", r="e9")
    assert ends(game, s, "d0") == set()  # the own general is in the middle
    # e1 is attacked along the column; d1 would face the other general.
    assert ends(game, s, "e1") == {"f1"}


def test_soldiers(game):
    s = position(game, K="e0", k="d9", P="a3 c5 i9", p="g6 g4 h0")
    assert ends(game, s, "a3") == {"a4"}
    assert ends(game, s, "c5") == {"c6", "b5", "d5"}
    assert ends(game, s, "i9") == {"h9"}


def test_cannons_capture_over_one_piece(game):
    s = position(game, K="e0", k="d9", C="a0", P="a3", p="a6", r="a8", n="c0")
    # Up: a3 is the screen, a6 behind it is taken, a8 is out of reach. To the right c0 has nothing behind it
    # but the own general.
    assert ends(game, s, "a0") == {"a1", "a2", "a6", "b0"}


def test_no_move_may_leave_the_general_attacked(game):
    s = position(game, K="e0", A="e1", k="d9", r="e8", R="a4")
    assert ends(game, s, "e1") == set()
    assert "a4e4" in texts(game, s)
    # A piece between a cannon and the general may come, unless it is the only one.
    s = position(game, K="e0", k="d9", c="e8", R="a4")
    assert "a4e4" not in texts(game, s)


def test_the_generals_never_face_each_other(game, olympiad):
    for rules in (game, olympiad):
        s = position(rules, K="d0", N="e4", k="e9")
        assert "d0e0" in texts(rules, s)
        s = position(rules, K="d0", R="a4", k="e9")
        assert "d0e0" not in texts(rules, s)
    # What stands between them may only move along the column.
    s = position(olympiad, K="e0", R="e4", k="e9")
    assert ends(olympiad, s, "e4") == {f"e{row}" for row in (1, 2, 3, 5, 6, 7, 8, 9)}


def test_mate(game):
    # Two rooks on the last rows.
    s = game.play("a7a9", position(game, K="d0", R="a7 b8", k="e9"))
    assert game.outcome(s) == 1
    assert game.actions(s) == []


def test_stalemate_loses(game, olympiad):
    pieces = {"K": "f0", "R": "a5 e5", "k": "d9"}
    s = game.play("a5a8", position(game, **pieces))
    assert game.outcome(s) == 1
    # Where check is no rule, the general may step to where it is taken.
    s = olympiad.play("a5a8", position(olympiad, **pieces))
    assert olympiad.outcome(s) is None
    s = olympiad.play("d9d8 a8d8", s)
    assert olympiad.outcome(s) == 1
    assert olympiad.actions(s) == []


def test_check_is_no_rule_at_the_olympiad(olympiad):
    s = position(olympiad, "O", K="d0", R="e5", k="e9", p="a6")
    assert "a6a5" in texts(olympiad, s)  # although e9 is attacked
    assert olympiad.outcome(olympiad.play("a6a5 e5e9", s)) == 1


def test_the_third_occurrence_is_a_draw(game):
    there_and_back = "b0c2 b9c7 c2b0 c7b9 "
    assert game.outcome(game.play(there_and_back)) is None
    s = game.play(there_and_back * 2)
    assert (game.outcome(s), game.ply(s)) == (0, 8)


def test_who_makes_the_first_repetition_loses_at_the_olympiad(olympiad):
    s = olympiad.play("b0c2 b9c7 c2b0")
    assert olympiad.outcome(s) is None
    assert olympiad.outcome(olympiad.play("c7b9", s)) == 1


def test_equal_cells_with_other_pieces_are_no_repetition(game):
    """Two pieces of one player that have changed places."""
    s = position(game, K="e0", A="d0", k="f9", R="a0", N="b2", p="i6")
    # The rook and the horse exchange a0 and b2 while the general of black goes to and fro.
    s = game.play("a0a1 f9f8 b2a0 f8f9 a1b1 f9f8 b1b2 f8f9", s)
    assert game.outcome(s) is None
    assert board(K="e0", A="d0", k="f9", N="a0", R="b2", p="i6") == game.state_text(s).split()[0]


def test_who_checks_without_end_loses(game):
    # The general cannot go to the column of the other one, and e8 and f8 stay attacked.
    cycle = "f5e5 e9f9 e5f5 f9e9 "
    s = position(game, K="d0", R="f5", k="e9")
    assert game.outcome(game.play(cycle, s)) is None
    assert game.outcome(game.play(cycle * 2, s)) == -1
    # Black in the same place.
    s = position(game, "O", k="d9", r="f4", K="e0")
    assert game.outcome(game.play("f4e4 e0f0 e4f4 f0e0 " * 2, s)) == 1


def test_one_quiet_move_in_the_cycle_is_enough_for_a_draw(game):
    s = position(game, K="d0", R="f5", k="e9")
    # Every second move of the rook, to a5, gives no check.
    s = game.play("f5a5 e9f9 a5f5 f9e9 " * 2, s)
    assert game.outcome(s) == 0


def test_moves_that_cannot_be_undone_begin_a_new_run(game):
    s = game.play("b0c2 b9c7 a3a4")
    assert game.state_text(s).split()[1:] == ["O", "3", "3", "-"]
    s = game.play("c7b9 a4a5", s)
    assert game.state_text(s).split()[1:] == ["O", "5", "5", "-"]
    s = game.play("a6a5", s)  # a capture
    assert game.state_text(s).split()[1:] == ["X", "6", "0", "-"]
    s = game.play("c2b0", s)
    assert game.state_text(s).split()[1:] == ["O", "7", "1", "c2b0"]


def quiet_match(game: glaux.Game, plies: int) -> glaux.State:
    """A state so many plies after the start without a capture or the end."""
    s = game.initial()
    for _ in range(plies):
        pieces = sum(game.pieces(s))
        children = [game.apply(s, a) for a in game.actions(s)]
        s = next(c for c in reversed(children) if sum(game.pieces(c)) == pieces and not game.terminal(c))
    return s


def test_plies_without_a_capture_are_a_draw():
    game = glaux.make("xiangqi", limit=7)
    s = quiet_match(game, 6)
    last = [game.apply(s, a) for a in game.actions(s)]
    assert {game.outcome(c) for c in last if sum(game.pieces(c)) == 32} == {0}
    assert game.spec.max_plies == 31 * 7


def test_the_limit_counts_all_plies_at_the_olympiad():
    game = glaux.make("xiangqi", limit=3, olympiad=True)
    s = game.play("h2h9 i9h9")
    assert game.outcome(s) is None
    assert game.outcome(game.play("a3a4", s)) == 0
    assert glaux.make("xiangqi", olympiad=True).spec.max_plies == 200


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{board(K='e0', k='d9')} X 30 0", "more fields|fields"),
        (f"{board(K='e0', k='d9')} O 30 0 -", "even plies"),
        (f"{board(K='e0', k='d9')} X 28 0 -", "ply does not match"),
        (f"{board(K='e0', k='d9')} X 30 x -", "number from 0 to 200"),
        (f"{board(K='e0', k='d9')} X 32 1 e0e1", "do not lead"),
        (f"{board(K='e0', k='d9')} X 32 2 a0a1,d8d9", "do not lead"),
        (f"{board(K='e0', k='e9')} X 30 0 -", "left the general in check"),
        (f"{board(K='e0', k='d9', R='d4')} X 30 0 -", "left the general in check"),
        (f"{board(K='a0', k='d9')} X 30 0 -", "where it can't stand"),
        (f"{board(K='e0', k='d9', P='b3')} O 29 0 -", "where it can't stand"),
        (f"{board(K='e0', k='d9', N='a0 a1 a2')} X 28 0 -", "too many"),
        (f"{board(k='d9')} X 32 0 -", "no general"),
    ],
)
def test_texts_that_are_not_states(game, text, reason):
    with pytest.raises(InvalidState, match=reason):
        game.parse_state(text)


@pytest.mark.parametrize("parameters", [{"limit": 0}, {"limit": 201}, {"size": 9}])
def test_wrong_parameters(parameters):
    with pytest.raises(InvalidParameter):
        glaux.make("xiangqi", **parameters)
