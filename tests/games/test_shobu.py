"""Shobu: both moves of a turn, pushes, how a match ends, symmetries, what is refused."""

from __future__ import annotations

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidState

GAME = glaux.make("shobu")


def board(first: str, second: str) -> str:
    rows = [["."] * 8 for _ in range(8)]
    for symbol, cells in (("X", first), ("O", second)):
        for cell in cells.split():
            rows[8 - int(cell[1])]["abcdefgh".index(cell[0])] = symbol
    return "/".join("".join(row) for row in rows)


FIRST, SECOND = "a1 e1 a5 e5", "d4 h4 d8 h8"
"""a stone of each player on every board"""


def position(first: str = FIRST, second: str = SECOND, player: str = "X", past: str = "- -") -> glaux.State:
    return GAME.parse_state(f"{board(first, second)} {player} {0 if player == 'X' else 2} {past}")


def texts(s: glaux.State) -> set[str]:
    return {GAME.action_text(s, a) for a in GAME.actions(s)}


def test_the_start() -> None:
    s = GAME.initial()
    assert GAME.pieces(s) == (16, 16)
    assert [GAME.perft(depth) for depth in (1, 2)] == [36, 232]


def test_a_turn_is_two_moves_alike_on_two_colours() -> None:
    s = position()
    assert {text for text in texts(s) if text[0] == "a"} == {"a1a2", "a1a3", "a1b1", "a1c1", "a1b2", "a1c3"}
    moved = GAME.play("a1b2", s)
    assert GAME.first_player(moved)
    assert texts(moved) == {"e1f2", "e5f6"}
    assert not GAME.first_player(GAME.play("e5f6", moved))
    moved = GAME.play("e1e3", s)
    assert texts(moved) == {"a1a3", "a5a7"}


def test_passive_moves_are_made_at_home() -> None:
    assert {text[:2] for text in texts(position())} == {"a1", "e1"}
    assert {text[:2] for text in texts(position(player="O"))} == {"d8", "h8"}


def test_passive_moves_push_nobody_and_need_an_aggressive_one() -> None:
    s = position(first="a1 b1 e1 a5 e5")
    assert "a1b1" not in texts(s)
    s = position(first="a1 e4 a5 e8")
    assert not any(text.startswith("a1a") for text in texts(s)), "no stone on a light board can go up"


@pytest.mark.parametrize(
    ("first", "second", "passive", "aggressive", "after"),
    [
        ("a1 e1 a5 e5", "f1 d4 d8 h8", "a1b1", "e1f1", "g1 d4 d8 h8"),  # pushed by one
        ("a1 e1 a5 e5", "f1 d4 d8 h8", "a1c1", "e1g1", "h1 d4 d8 h8"),  # carried along
        ("a1 e1 a5 e5", "g1 d4 d8 h8", "a1c1", "e1g1", "h1 d4 d8 h8"),
        ("a1 f1 a5 e5", "h1 h4 d4 d8 h8", "a1c1", "f1h1", "h4 d4 d8 h8"),  # off the board
        ("a1 e1 a5 e5", "f1 g1 d4 d8 h8", "a1b1", None, None),  # two in a row
        ("a1 e1 a5 e5", "f1 g1 d4 d8 h8", "a1c1", None, None),
        ("a1 e1 f1 a5 e5", "g1 h1 d4 d8 h8", "a1b1", None, None),  # an own stone
    ],
)
def test_pushes(first: str, second: str, passive: str, aggressive: str | None, after: str | None) -> None:
    s = position(first, second)
    if aggressive is None:
        assert "e1" not in {text[:2] for text in texts(GAME.play(passive, s))}
        return
    assert after is not None
    s = GAME.play(f"{passive} {aggressive}", s)
    own = [c for c in first.split() if c not in (passive[:2], aggressive[:2])]
    assert GAME.state_text(s).split()[0] == board(" ".join([*own, passive[2:], aggressive[2:]]), after)


def test_nothing_leaves_its_board() -> None:
    s = position(first="d1 e1 a5 e5")
    assert {text for text in texts(s) if text[:2] == "d1"} == {"d1d2", "d1d3"}, "e1 can not go to the left"


def test_an_enemy_without_stones_on_a_board_has_lost() -> None:
    s = GAME.play("a1b1 g1h1", position(first="a1 g1 a5 e5", second="h1 d4 d8 h8"))
    assert GAME.outcome(s) == 1
    s = GAME.play("a8b8 g8h8", position(first="h8 d4 a5 h4", second="g8 a8 a4 e4", player="O"))
    assert GAME.outcome(s) == -1


def test_no_move_loses() -> None:
    """The second player's stones on dark boards can not move as those on light ones could."""
    s = position(first="a5 b5 a6 b6 a1 e1 e5 f6", second="a8 h8 d4 h4", player="O")
    assert GAME.outcome(s) is None


def test_a_repetition_draws() -> None:
    s = position()
    moves = ["a1a2", "e1e2", "h8h7", "d8d7", "a2a1", "e2e1", "h7h8", "d7d8"]
    s = GAME.play(moves[:6], s)
    assert GAME.outcome(s) is None
    assert GAME.outcome(GAME.play(moves[6:], s)) == 0


def test_the_limit_draws() -> None:
    game = glaux.make("shobu", limit=8)
    s = game.initial()
    while not game.terminal(s):
        s = game.apply(s, game.actions(s)[-1])
    assert game.ply(s) <= 16


def test_symmetries() -> None:
    s = GAME.play("a1b2", position())
    images = [GAME.state_text(GAME.transform(s, k)).split()[3] for k in range(4)]
    assert images == ["dark1", "dark7", "light1", "light7"]


@pytest.mark.parametrize("text", ["a1a5", "a5a6", "e1d1", "a1", ""])
def test_impossible_moves(text: str) -> None:
    with pytest.raises(InvalidAction):
        GAME.parse_action(position(), text)


@pytest.mark.parametrize(
    "text",
    [
        f"{board(FIRST, SECOND)} O 0 - -",
        f"{board(FIRST, SECOND)} X 1 - -",  # in the middle of a turn without a passive move
        f"{board(FIRST, SECOND)} X 0 dark1 -",
        f"{board(FIRST, SECOND)} X 1 dark16 -",
        f"{board(FIRST, SECOND)} X 1 grey1 -",
        f"{board(FIRST, SECOND)} X 0 - 1",  # not the key of this position
        f"{board('a1 b1 c1 d1 a2 e1 a5 e5', SECOND)} X 0 - -",  # five on a board
        f"{board(FIRST, SECOND)} X 801 dark1 -",
        f"{board(FIRST, SECOND)} X 0 -",
    ],
)
def test_impossible_states(text: str) -> None:
    with pytest.raises(InvalidState):
        GAME.parse_state(text)
