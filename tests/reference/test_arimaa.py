"""The reference of Arimaa on positions worked out by hand."""

import pytest

from tests.reference.arimaa import SET_UP, Arimaa, Board, State, position
from tests.reference.protocol import cell_text, parse_cell
from tests.reference.test_references import play

GAME = Arimaa()
ROWS = "abcdefgh"


def board(pieces: str) -> Board:
    """`Rb3 eb4`: a rabbit of the first player on b3, an elephant of the second on b4."""
    return {parse_cell(text[1:]): (text[0].upper(), text[0].isupper()) for text in pieces.split()}


def turn(pieces: str, first: bool = True, steps: int = 0, before: str | None = None) -> State:
    """In a turn, with a rabbit of each player in a corner where it does not matter."""
    now, then = (None if text is None else board(text + " Rh1 ra8") for text in (pieces, before))
    assert now is not None
    start = now if then is None else then
    return State(now, first, steps, start if steps else None, (position(start, first),))


def actions(s: State, cell: str) -> set[str]:
    """Of the piece on a cell."""
    return {text for text in GAME.actions(s) if text.startswith(cell)}


def pieces(s: State) -> set[str]:
    """As `board` reads them, without the rabbits in the corners."""
    letters = {
        (letter if first else letter.lower()) + cell_text(cell) for cell, (letter, first) in s.pieces.items()
    }
    return letters - {"Rh1", "ra8"}


def test_set_up() -> None:
    first = [column + row for row in "21" for column in ROWS]
    second = [column + row for row in "78" for column in ROWS]
    s = GAME.initial()
    assert sorted(GAME.actions(s)) == sorted(first)
    s = play(GAME, " ".join(first))
    assert not GAME.first_player(s)
    assert sorted(GAME.actions(s)) == sorted(second)
    s = play(GAME, " ".join(first + second))
    assert GAME.first_player(s)
    assert [s.pieces[parse_cell(cell)] for cell in first] == [(letter, True) for letter in SET_UP]
    assert sorted(GAME.actions(s)) == sorted(f"{column}2{column}3" for column in ROWS)
    assert GAME.outcome(s) is None


def test_steps() -> None:
    assert actions(turn("Cd4"), "d4") == {"d4d5", "d4d3", "d4c4", "d4e4"}
    assert actions(turn("Rd4"), "d4") == {"d4d5", "d4c4", "d4e4"}
    assert actions(turn("rd4", first=False), "d4") == {"d4d3", "d4c4", "d4e4"}
    assert actions(turn("Cd4 Rd5 Hc4"), "d4") == {"d4d3", "d4e4"}


def test_frozen_beside_a_stronger_enemy_without_a_friend() -> None:
    assert actions(turn("Cd4 dd5"), "d4") == set()
    assert actions(turn("Cd4 cd5"), "d4") == {"d4d3", "d4c4", "d4e4"}
    assert actions(turn("Cd4 dd5 Rd3"), "d4") == {"d4c4", "d4e4"}


def test_pushes_and_pulls() -> None:
    s = turn("Dd4 cd5")
    pushes = {"d4d5d6", "d4d5c5", "d4d5e5"}
    pulls = {"d4d3d5d4", "d4c4d5d4", "d4e4d5d4"}
    assert actions(s, "d4") == {"d4d3", "d4c4", "d4e4"} | pushes | pulls
    assert pieces(GAME.apply(s, "d4d5d6")) == {"Dd5", "cd6"}
    assert pieces(GAME.apply(s, "d4c4d5d4")) == {"Dc4", "cd4"}
    assert GAME.apply(s, "d4c4d5d4").steps == 2
    late = turn("Dd4 cd5", steps=3, before="Dd1 cd5")
    assert actions(late, "d4") == {"d4d3", "d4c4", "d4e4"}
    assert actions(turn("Dd4 dd5"), "d4") == {"d4d3", "d4c4", "d4e4"}
    assert actions(turn("Rd4 Ed3 rd5"), "d4") == {"d4c4", "d4e4"}
    assert "d4d3d5d4" in GAME.actions(turn("Ed4 rd5 Re4")), "a rabbit can be pulled and pushed back"


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ("Cc4", "c4c3", set()),
        ("Cc4 Rc2", "c4c3", {"Cc3", "Rc2"}),
        ("Cc3 Rc2", "c2d2", {"Rd2"}),  # the friend leaves
        ("Dc5 cc4", "c5c4c3", {"Dc4"}),  # the victim is pushed onto the trap
        ("Dc3 Rb3 cc4", "c3d3c4c3", {"Dd3", "Rb3"}),
        ("Dc4 cd4", "c4c3d4c4", {"cc4"}),  # the one that pulls is gone, and has pulled
        ("Dd3 cc3 cc4", "d3c3b3", {"cc4", "cb3"}),  # the one that pushes is gone
        ("Dd5 cc5 rc6", "d5c5b5", {"Dc5", "cb5"}),  # the victim was its neighbour's friend
    ],
)
def test_traps(before: str, text: str, after: set[str]) -> None:
    s = turn(before)
    assert text in GAME.actions(s)
    assert pieces(GAME.apply(s, text)) == after


def test_a_turn_has_four_steps_and_changes_the_board() -> None:
    s = turn("Ed4")
    assert "pass" not in GAME.actions(s)
    s = GAME.apply(s, "d4d5")
    assert "pass" in GAME.actions(s)
    s = GAME.apply(s, "d5d4")
    assert "pass" not in GAME.actions(s), "the board is as it was"
    s = GAME.apply(s, "d4d5")
    assert "d5d4" not in GAME.actions(s)
    assert "d5e5" in GAME.actions(s)
    after = GAME.apply(s, "d5e5")
    assert not GAME.first_player(after)
    assert not GAME.first_player(GAME.apply(s, "pass"))
    assert GAME.first_player(s)


def test_the_goal_counts_at_the_end_of_a_turn() -> None:
    s = GAME.apply(turn("Re7"), "e7e8")
    assert GAME.outcome(s) is None
    assert GAME.outcome(GAME.apply(s, "pass")) == 1
    pulled = GAME.apply(turn("Ec1 rc2"), "c1d1c2c1")
    assert GAME.outcome(GAME.apply(pulled, "pass")) == -1
    both = GAME.apply(turn("Re7 rc1"), "e7e8")
    assert GAME.outcome(GAME.apply(both, "pass")) == 1, "the mover's goal comes first"


def test_the_last_rabbits() -> None:
    def ends(text: str, *steps: str) -> int | None:
        s = State(board(text), turns=(position(board(text), True),))
        for step in steps:
            s = GAME.apply(s, step)
        return GAME.outcome(GAME.apply(s, "pass"))

    assert ends("Cc5 rc4 Rh1 ea8", "c5c4c3") == 1
    assert ends("Rc4 ra7 Ea1", "c4c3") == -1
    assert ends("Dc5 rc4 Rf4 ea8", "c5c4c3", "f4f3") == 1, "the opponent's come first"


def test_who_cannot_move_loses() -> None:
    s = State(board("Ea7 Rh1 Hb8 ra8 Cc8"), turns=(position(board("Ea7 Rh1 Hb8 ra8 Cc8"), True),))
    assert GAME.outcome(GAME.apply(GAME.apply(s, "h1h2"), "pass")) == 1


def shuttle(game: Arimaa, times: int) -> State:
    """Two elephants go to and fro."""
    s = turn("Ed4 ed6")
    for text in ["d4d3", "d6d7", "d3d4", "d7d6"] * times:
        assert text in game.actions(s)
        s = game.apply(game.apply(s, text), "pass")
    return s


def test_repetition() -> None:
    assert GAME.outcome(shuttle(GAME, 1)) is None
    assert GAME.outcome(shuttle(GAME, 2)) == 1, "the second player has brought it about"
    patient = Arimaa(occurrences=4)
    assert patient.outcome(shuttle(patient, 2)) is None
    strict = Arimaa(forbidden=True)
    s = shuttle(strict, 1)
    for text in ["d4d3", "d6d7", "d3d4"]:
        s = strict.apply(strict.apply(s, text), "pass")
    s = strict.apply(s, "d7d6")
    assert "pass" not in strict.actions(s)
    assert "d6d7" in strict.actions(s)


def test_a_draw_after_so_many_actions() -> None:
    short = Arimaa(longest=34)
    cells = [column + row for row in "21" for column in ROWS] + [
        column + row for row in "78" for column in ROWS
    ]
    s = play(short, " ".join([*cells, "a2a3"]))
    assert short.outcome(s) is None
    s = short.apply(s, "a3a4")
    assert short.outcome(s) == 0
    assert short.actions(s) == []
