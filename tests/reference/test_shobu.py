"""The reference of Shobu on positions worked out by hand."""

import pytest

from tests.reference.protocol import parse_cell
from tests.reference.shobu import Shobu, State
from tests.reference.test_references import army, play

FAR = ("e5 d5 e1", "h8 d8 h4")  # stones so that no board but the one at the bottom left lacks any


def start(first: str, second: str, *, passive: str | None = None, first_player: bool = True) -> State:
    """A state with these stones and those of FAR."""
    stones = army(f"{first} {FAR[0]}", f"{second} {FAR[1]}")
    move = None if passive is None else (parse_cell(passive[:2]), parse_cell(passive[2:]))
    return State(stones, first_player, move)


def aggressive(first: str, second: str, passive: str) -> set[str]:
    """The first player's aggressive moves on the board at the bottom left."""
    game, s = Shobu(), start(first, second, passive=passive)
    return {text for text in game.actions(s) if text[0] in "abcd" and text[1] in "1234"}


def test_shobu_first_turn() -> None:
    """On each home board 4 stones go one or two cells straight on, 6 and 4 diagonally."""
    game = Shobu()
    s = game.initial()
    assert len(game.actions(s)) == 2 * (4 + 4 + 6 + 4)
    turns = [game.apply(game.apply(s, a), b) for a in game.actions(s) for b in game.actions(game.apply(s, a))]
    # By vector: passive moves times the aggressive ones on two boards, for either home board.
    assert len(turns) == 2 * (4 * 8 + 4 * 8 + 2 * 3 * 6 + 2 * 2 * 4)
    assert not any(game.first_player(t) for t in turns)
    assert {text[1] for text in game.actions(turns[0])} == {"8"}  # the second player's home is above


def test_shobu_aggressive_move_is_on_the_other_colour_with_the_same_vector() -> None:
    s = play(Shobu(), "a1c3")
    assert Shobu().first_player(s)
    assert set(Shobu().actions(s)) == {"e1g3", "f1h3", "e5g7", "f5h7"}


@pytest.mark.parametrize(
    ("first", "second", "passive", "expected"),
    [
        ("a1", "a2", "e1e2", {"a1a2"}),  # pushes by one
        ("a1", "a2 a3", "e1e2", set()),  # never two stones
        ("a1", "a2", "e1e3", {"a1a3"}),  # the stone met on the way goes ahead to a4
        ("a1", "a2 a4", "e1e3", set()),
        ("a1", "a3", "e1e3", {"a1a3"}),
        ("a1", "a2 a3", "e1e3", set()),
        ("a2", "a4 d1", "e1e3", {"a2a4"}),  # off the board
        ("a3", "d1", "e1e3", set()),  # the own stone stays on it
        ("a1 b2", "d4", "e1f2", {"b2c3"}),  # never an own stone
        ("a1 b2", "c3", "e1f2", {"b2c3"}),
        ("d1", "b4", "e1f1", set()),  # the board beside it is another board
    ],
)
def test_shobu_pushing(first: str, second: str, passive: str, expected: set[str]) -> None:
    assert aggressive(first, second, passive) == expected


def test_shobu_pushed_stones_lie_ahead_or_are_gone() -> None:
    game = Shobu()
    ahead = game.apply(start("a1", "a2", passive="e1e3"), "a1a3")
    assert ahead.stones[parse_cell("a4")] is False and parse_cell("a2") not in ahead.stones
    gone = game.apply(start("a2", "a4 d1", passive="e1e3"), "a2a4")
    assert gone.stones[parse_cell("a4")] is True
    assert sum(not owner for owner in gone.stones.values()) == 4


def test_shobu_passive_move_neither_pushes_nor_jumps() -> None:
    game = Shobu()
    texts = {t for t in game.actions(start("a1", "a2 b3")) if t.startswith("a1")}
    assert texts == {"a1b1", "a1c1", "a1b2", "a1c3"}


def test_shobu_passive_move_must_be_followed() -> None:
    """The light stones have no room to their right, so that nothing on the dark board goes there."""
    s = State(army("a1 h1 d5 h6", "d4 e4 d8 h8"))
    assert {t for t in Shobu().actions(s) if t.startswith("a1")} == {"a1a2", "a1a3"}


def test_shobu_without_a_stone_on_one_board() -> None:
    game = Shobu()
    s = game.apply(start("a2", "a4", passive="e1e3"), "a2a4")
    assert game.outcome(s) == 1
    assert game.actions(s) == []


def test_shobu_no_turn_loses() -> None:
    # The stones on both home boards are shut in; those on the others cannot begin a turn.
    stones = army("a1 e1 a5 e5", "a2 b1 b2 e2 f1 f2 d8 h8")
    assert Shobu().outcome(State(stones)) == -1
    assert Shobu().outcome(State({cell: owner for cell, owner in stones.items() if cell[0] != 1})) is None


def test_shobu_repetition_and_longest_match() -> None:
    game = Shobu()
    there_and_back = "a1a2 e1e2 a8a7 e8e7 a2a1 e2e1 a7a8"
    s = play(game, there_and_back)
    assert game.outcome(s) is None
    assert game.outcome(game.apply(s, "e7e8")) == 0
    short = Shobu(turns=2)
    assert short.outcome(play(short, "a1a2 e1e2 a8a7 e8e7")) == 0
    assert short.outcome(play(short, "a1a2 e1e2 a8a7")) is None
