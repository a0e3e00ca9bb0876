"""Arimaa: set-up, steps, pushes and pulls, frozen pieces, traps, how a match ends, what is refused."""

from __future__ import annotations

from math import comb

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState
from glaux.search.heuristics import make_heuristic

GAME = glaux.make("arimaa")


def board(pieces: str) -> str:
    """The rows of a board with pieces such as ``Ed4``."""
    rows = [["."] * 8 for _ in range(8)]
    for piece in pieces.split():
        rows[8 - int(piece[2])]["abcdefgh".index(piece[1])] = piece[0]
    return "/".join("".join(row) for row in rows)


def position(pieces: str, player: str = "X", ply: int = 40) -> glaux.State:
    """The beginning of a turn without a past."""
    return GAME.parse_state(f"{board(pieces)} {player} {ply} 0 - -")


def texts(s: glaux.State) -> set[str]:
    return {GAME.action_text(s, a) for a in GAME.actions(s)}


def of(s: glaux.State, piece: str) -> set[str]:
    """The actions that a piece such as ``Ed4`` makes."""
    return {text for text in texts(s) if piece in text}


def set_up() -> glaux.State:
    """Rabbits on the outer rows, then the others from left to right."""
    first = [f"{c}1" for c in "abcdefgh"] + [f"{c}2" for c in "abcdefgh"]
    second = [f"{c}8" for c in "abcdefgh"] + [f"{c}7" for c in "abcdefgh"]
    kinds = "R" * 8 + "CCDDHHME"
    moves = [k + cell for k, cell in zip(kinds, first, strict=True)]
    return GAME.play(moves + [k.lower() + cell for k, cell in zip(kinds, second, strict=True)])


def test_set_ups() -> None:
    """Of the published 64,864,800 ways to place sixteen pieces, those of the rabbits are counted."""
    assert comb(16, 8) * comb(8, 2) * comb(6, 2) * comb(4, 2) * 2 == 64_864_800
    states = {bytes(GAME.initial())}
    for _ in range(8):
        states = {child.tobytes() for data in states for child in GAME.expand(GAME.state(data)).children}
    assert len(states) == comb(16, 8)


def test_perft_after_the_set_up() -> None:
    s = set_up()
    assert GAME.ply(s) == 32
    assert GAME.first_player(s)
    assert [GAME.perft(depth, s) for depth in (1, 2)] == [8, 108]


def test_the_pieces_come_in_their_order() -> None:
    s = GAME.initial()
    letters = ""
    while len(letters) < 32:
        letters += GAME.action_text(s, GAME.actions(s)[0])[0]
        s = GAME.apply(s, GAME.actions(s)[0])
    assert letters == "RRRRRRRRCCDDHHME" + "rrrrrrrrccddhhme"


def test_rabbits_never_step_back() -> None:
    assert texts(position("Rd4 Ea1 rh8")) >= {"Rd4n", "Rd4e", "Rd4w"}
    assert "Rd4s" not in texts(position("Rd4 Ea1 rh8"))
    assert of(position("rd4 ea8 Rh1", "O"), "rd4") == {"rd4s", "rd4e", "rd4w"}


def test_frozen_pieces_stay() -> None:
    assert of(position("Hd4 md5 Rh1 rh8"), "Hd4") == set()
    assert of(position("Hd4 md5 Cd3 Rh1 rh8"), "Hd4") != set(), "a friend is beside it"
    assert of(position("Hd4 hd5 Rh1 rh8"), "Hd4") != set(), "nobody stronger is"


def test_pushes_and_pulls() -> None:
    s = position("Hd4 cd5 Rh1 rh8")
    assert of(s, "cd5") == {
        *("cd5n,Hd4n", "cd5e,Hd4n", "cd5w,Hd4n"),
        *("Hd4e,cd5s", "Hd4s,cd5s", "Hd4w,cd5s"),
    }
    assert of(position("Hd4 hd5 Rh1 rh8"), "hd5") == set(), "as strong"
    assert of(position("Rd4 rd5 Ea1 rh8"), "rd5") == set(), "rabbits push nobody"
    pushed = GAME.play("cd5e,Hd4n", s)
    assert GAME.state_text(pushed).split()[0] == board("Hd5 ce5 Rh1 rh8")
    assert GAME.state_text(pushed).split()[3] == "2"
    pulled = GAME.play("Hd4s,cd5s", s)
    assert GAME.state_text(pulled).split()[0] == board("Hd3 cd4 Rh1 rh8")


def test_two_steps_need_two_steps() -> None:
    s = GAME.play("Hd4e He4w Rh1n", position("Hd4 cd5 Rh1 rh8"))
    assert of(s, "cd5") == set()


def test_traps_take_who_has_no_friend_beside() -> None:
    s = GAME.play("Hc2n", position("Hc2 Rh1 rh8"))
    assert GAME.pieces(s) == (1, 1)
    s = GAME.play("Hc2n", position("Hc2 Cb3 Rh1 rh8"))
    assert GAME.pieces(s) == (3, 1)
    s = GAME.play("Cb3w", s)
    assert GAME.pieces(s) == (2, 1), "its friend has left it"
    s = GAME.play("cc4s,Hc5s", position("Hc5 cc4 Rh1 rh8"))
    assert GAME.pieces(s) == (2, 1), "pushed into a trap"


def test_who_pulls_into_a_trap_is_lost_and_the_pull_goes_on() -> None:
    s = GAME.play("Hc4s,cd4w", position("Hc4 cd4 Rh1 rh8"))
    assert GAME.state_text(s).split()[0] == board("cc4 Rh1 rh8")


def test_passing() -> None:
    s = position("Hd4 Rh1 rh8")
    assert "pass" not in texts(s)
    moved = GAME.play("Hd4n", s)
    assert "pass" in texts(moved)
    assert "pass" not in texts(GAME.play("Hd5s", moved)), "the board is as it was"
    assert not GAME.first_player(GAME.play("pass", moved))


def test_the_last_step_can_not_bring_the_board_back() -> None:
    s = GAME.play("Hd4n Hd5n Hd6s", position("Hd4 Rh1 rh8"))
    assert "Hd5s" not in texts(s)
    assert "Hd5e" in texts(s)
    s = GAME.play("Hd4s,cd5s", position("Hd4 cd5 Rh1 rh8"))
    assert "cd4n,Hd3n" not in texts(s)


def test_a_turn_has_four_steps() -> None:
    s = position("Hd4 Rh1 rh8")
    assert not GAME.first_player(GAME.play("Hd4n Hd5n Hd6n Hd7n", s))
    s = position("Hd4 cd5 Rh1 rh8")
    assert GAME.first_player(GAME.play("cd5e,Hd4n Hd5n", s))
    assert not GAME.first_player(GAME.play("cd5e,Hd4n Hd5n Hd6n", s))


@pytest.mark.parametrize(
    ("pieces", "moves", "outcome"),
    [
        ("Ra7 Hd4 rh7", "Ra7n", None),  # not before the end of the turn
        ("Ra7 Hd4 rh7", "Ra7n pass", 1),  # a rabbit at goal
        ("Rh3 Eb3 rb2", "rb2s,Eb3s pass", -1),  # the opponent's rabbit, pushed to its goal
        ("Ra7 Eb3 rb2", "rb2s,Eb3s Ra7n pass", 1),  # both: the mover wins
        ("Rh1 Hc5 rc4", "rc4s,Hc5s pass", 1),  # the last rabbit of the opponent
        ("Rc2 Hd4 rh8", "Rc2n pass", -1),  # the own last rabbit
        ("Rc2 Hc5 rc4 md5", "Rc2n pass", -1),
        ("Ec7 ra7 Rh1", "Ec7w pass", 1),  # the opponent's only piece is frozen
        ("Ec7 ra7 ra8 Rh1", "Ec7w pass", None),
    ],
)
def test_how_a_turn_ends_a_match(pieces: str, moves: str, outcome: int | None) -> None:
    s = position(pieces)
    for text in moves.split():
        assert not GAME.terminal(s)
        s = GAME.play(text, s)
    assert GAME.outcome(s) == outcome


def test_the_third_time_loses_for_who_brings_it_about() -> None:
    s = position("Ha1 Rh1 hh8 ra8")
    moves = ["Ha1n", "pass", "hh8s", "pass", "Ha2s", "pass", "hh7n", "pass"]
    s = GAME.play(moves, s)
    assert GAME.outcome(s) is None
    s = GAME.play(moves[:6], s)
    assert GAME.outcome(s) is None
    assert GAME.outcome(GAME.play(moves[6:], s)) == 1


def test_a_capture_forgets() -> None:
    s = GAME.play("Hc2n", position("Hc2 Ra1 rh8"))
    assert GAME.state_text(s).endswith(" -")


def test_draw_after_the_limit() -> None:
    s = position("Hd4 Rh1 rh8", ply=899)
    assert {GAME.outcome(GAME.apply(s, a)) for a in GAME.actions(s)} == {0}


def test_material() -> None:
    """Section 11.3: 69 for a win, and what the pieces are worth: rabbits 6, then 1 to 5."""
    material = make_heuristic(GAME)
    assert material.text == "material:win=69,R=6,C=1,D=2,H=3,M=4,E=5"
    assert material.scale == 138
    won = GAME.play("Ra7n pass", position("Ra7 Ed4 Cb2 rh7 mh6"))
    assert material.value(won) == 69 + (6 + 5 + 1) - (6 + 4)
    lost = GAME.play("Rc2n pass", position("Rc2 Hd4 rh8 ra8"))
    assert material.value(lost) == -69 + 3 - 12
    last = position("Hd4 Rh1 rh8", ply=899)
    assert material.value(GAME.apply(last, GAME.actions(last)[0])) == 0
    assert make_heuristic(GAME, "material:E=2").value(won) == 2
    drawn = make_heuristic(GAME, "material:win=20,draw=4,R=6,H=3")
    assert drawn.text == "material:win=20,draw=4,R=6,H=3"
    assert drawn.value(GAME.apply(last, GAME.actions(last)[0])) == 3  # H and R against r
    assert (
        make_heuristic(GAME, "material:win=20,draw=2,H=3").value(GAME.apply(last, GAME.actions(last)[0])) == 2
    )
    assert make_heuristic(GAME, "material:win=20,draw=90,H=3").value(lost) == -91  # below every draw
    for text in ("material:X=1", "material:r=1", "material:R=much", "material:R=-1", "material:draw=-1"):
        with pytest.raises(InvalidParameter):
            make_heuristic(GAME, text)
    with pytest.raises(InvalidParameter, match="upper and lower case"):
        make_heuristic(glaux.make("othello"), "material:X=1")


def test_the_mirror_is_the_only_symmetry() -> None:
    assert len(GAME.spec.symmetries) == 2


@pytest.mark.parametrize("text", ["Ra3", "ra7", "Ea1", "a1", ""])
def test_impossible_placements(text: str) -> None:
    with pytest.raises(InvalidAction):
        GAME.parse_action(GAME.initial(), text)


@pytest.mark.parametrize(
    "text",
    [
        f"{board('Ed4 Ee4 Rh1')} X 40 0 - -",  # two elephants
        f"{board('Ec3 Rh1')} X 40 0 - -",  # a trap without a friend
        f"{board('Ed4 Rh1 rh8')} X 40 4 - -",
        f"{board('Ed4 Rh1 rh8')} X 40 0 1 -",  # not the key of this board
        f"{board('Ed4 Rh1 rh8')} X 40 0 - 1,2",
        f"{board('Ed4 Rh1 rh8')} X 901 0 - -",
        f"{board('Ed4 Rh1 rh8')} X 40 0 -",
        f"{board('Ra1')} X 0 0 - -",
        f"{board('Ra3')} X 1 0 - -",
        f"{board('Ca1')} X 1 0 - -",
        f"{board('Ra1')} O 1 0 - -",
        f"{board('Ra1')} X 1 0 - 5",
    ],
)
def test_impossible_states(text: str) -> None:
    with pytest.raises(InvalidState):
        GAME.parse_state(text)
