"""The reference of Quoridor on positions worked out by hand."""

import pytest

from tests.reference.protocol import parse_cell
from tests.reference.quoridor import Quoridor, State

GAME = Quoridor(size=5, walls=4)


def position(first: str, second: str, walls: str = "", quiet: int = 0) -> State:
    placed = frozenset((parse_cell(wall[:-1]), wall[-1]) for wall in walls.split())
    return State((parse_cell(first), parse_cell(second)), (4, 4), placed, quiet=quiet)


def steps(s: State) -> set[str]:
    return {text for text in GAME.actions(s) if text[-1] not in "hv"}


def test_the_start() -> None:
    game = Quoridor()
    assert len(game.actions(game.initial())) == 3 + 2 * 8 * 8


@pytest.mark.parametrize(
    ("first", "second", "walls", "expected"),
    [
        ("c3", "a5", "", "b3 d3 c2 c4"),
        ("c3", "a5", "b3h c2v", "b3 c2"),
        ("c3", "c4", "", "b3 d3 c2 c5"),
        ("c3", "c4", "c4h", "b3 d3 c2 b4 d4"),
        ("c3", "c4", "b4h c4v", "b3 d3 c2 b4"),
        ("c4", "c5", "", "b4 d4 c3 b5 d5"),
    ],
)
def test_pawns(first: str, second: str, walls: str, expected: str) -> None:
    assert steps(position(first, second, walls)) == set(expected.split())


def test_walls() -> None:
    legal = GAME.actions(position("a1", "e5", "a2h"))
    assert not {"a2h", "b2h", "a2v", "a1v", "b1v"} & set(legal), "overlap, cross, or shut the pawn in"
    assert {"c2h", "b2v", "c1v", "a1h"} <= set(legal)
    assert "b1v" in GAME.actions(position("c1", "e5", "a2h"))


def test_ends() -> None:
    assert GAME.outcome(GAME.apply(position("a4", "e4"), "a5")) == 1
    assert GAME.outcome(position("c2", "a4", quiet=100)) == 0
    assert GAME.outcome(position("c2", "a3", quiet=100)) == -1
    assert GAME.outcome(position("c2", "a3", quiet=99)) is None
