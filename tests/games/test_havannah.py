"""Havannah: frames worked out by hand, on the board of side 4 unless said otherwise.

Its corners are a1, d1, g4, g7, d7 and a4; the edges lie between them.
"""

from __future__ import annotations

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter, InvalidState
from tests.reference.havannah import Havannah
from tests.reference.protocol import cell_text, parse_cell

CORNERS = {"a1", "d1", "g4", "g7", "d7", "a4"}


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("havannah", size=4, swap=False)


def placed(game: glaux.Game, stones: str, other: str = "") -> glaux.State:
    """The state after these stones of the first player, with others of the second in between."""
    own = stones.split()
    free = [text for text in other.split() if text] or spread(game, own)
    moves = [text for pair in zip(own, free, strict=False) for text in pair]
    return game.play(moves[: 2 * len(own) - 1])


def spread(game: glaux.Game, own: list[str]) -> list[str]:
    """Cells that make no frame: none touches another."""
    board = game.spec.board
    near = board.neighbours()
    chosen: list[int] = []
    for cell in range(board.rows * board.columns):
        name = board.cell_text(cell)
        if board.has(cell) and name not in own and not set(near[cell]) & set(chosen):
            chosen.append(cell)
    return [board.cell_text(cell) for cell in chosen]


def test_the_cells(game):
    board = game.spec.board
    names = {board.cell_text(cell) for cell in range(49) if board.has(cell)}
    assert len(names) == 37 and names >= CORNERS
    assert names == {cell_text(cell) for cell in Havannah(4).cells}
    assert not names & {"e1", "a5", "g3", "c7"}
    for size, cells in [(4, 37), (5, 61), (6, 91), (7, 127), (8, 169), (9, 217), (10, 271)]:
        assert glaux.make("havannah", size=size).spec.max_plies == cells + 1


@pytest.mark.parametrize(
    "stones",
    ["a1 b1 c1 d1", "a1 a2 a3 a4", "a4 b5 c6 d7", "a1 b2 c3 d4 e5 f6 g7", "d1 d2 d3 d4 e5 f6 g7"],
)
def test_a_bridge_joins_two_corners(game, stones):
    *before, _ = stones.split()
    assert game.outcome(placed(game, " ".join(before))) is None
    assert game.outcome(placed(game, stones)) == 1


def test_a_fork_joins_three_edges(game):
    # Lower edge at b1, left at a2, lower right at e2.
    assert game.outcome(placed(game, "b1 b2 a2 c2 d2")) is None
    assert game.outcome(placed(game, "b1 b2 a2 c2 d2 e2")) == 1


def test_corners_belong_to_no_edge(game):
    # The corner a1 and two edges.
    assert game.outcome(placed(game, "a1 a2 b2 b3 b4 b5")) is None


@pytest.mark.parametrize("inside", [None, "own", "other"])
@pytest.mark.parametrize("last", range(6))
def test_a_ring_goes_around_anything(game, inside, last):
    ring = ["c3", "d3", "e4", "e5", "d5", "c4"]
    ring = ring[last:] + ring[:last]
    own = ["d4", *ring] if inside == "own" else ring
    other = "d4 a1 b3 c1 f4 f7" if inside == "other" else ""
    assert game.outcome(placed(game, " ".join(own[:-1]), other)) is None
    assert game.outcome(placed(game, " ".join(own), other)) == 1


def test_the_last_stone_of_a_ring_around_own_ones_may_be_the_middle(game):
    # The ring is there with its sixth stone, whatever comes into its middle.
    assert game.outcome(placed(game, "d4 c3 d3 e4 e5 d5")) is None
    assert game.outcome(placed(game, "d4 c3 d3 e4 e5 d5 c4")) == 1


def test_a_large_ring(game):
    ring = "b2 c2 d2 e3 f4 f5 f6 e6 d6 c5 b4 b3"
    assert game.outcome(placed(game, ring.rsplit(" ", 1)[0])) is None
    assert game.outcome(placed(game, ring)) == 1


def test_the_border_closes_no_ring(game):
    # a2 and b4 with the edge between them: a3 is shut in, but not by a ring.
    assert game.outcome(placed(game, "a2 b3 b4")) is None
    assert game.outcome(placed(game, "a2 b3 b4 a4")) is None


def test_swap_leaves_the_stone(game):
    swapping = glaux.make("havannah", size=4)
    s = swapping.play("b3 swap")
    assert swapping.first_player(s) and swapping.ply(s) == 2
    assert np.array_equal(swapping.cells(s), 2 * swapping.cells(swapping.play("b3")))
    assert "swap" not in [swapping.action_text(s, a) for a in swapping.actions(s)]
    with pytest.raises(InvalidAction):
        swapping.play("b3 c3 swap")
    with pytest.raises(InvalidAction):
        game.play("b3 swap")


def test_perft():
    # 37 first stones; 36 others or the swap; then 35 cells, or 36 after a swap.
    assert [glaux.make("havannah:size=4").perft(d) for d in (1, 2, 3)] == [
        37,
        37 * 37,
        37 * 36 * 35 + 37 * 36,
    ]
    assert glaux.make("havannah:swap=false").perft(2) == 169 * 168


def test_full_boards(game):
    """Some are drawn, which makes the longest match; some are won by the last stone."""
    plies, outcomes = [], set()
    for end in game.states(game.playouts(game.initial(), 20_000, 1)):
        if game.ply(end) == game.spec.max_plies:
            outcomes.add(game.outcome(end))
        plies.append(game.ply(end))
    assert outcomes == {1, 0}
    assert min(plies) >= 7


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_random_matches_end_as_the_reference_says(size):
    """The union-find forest of random matches finds the frames that the reference finds."""
    game, reference = glaux.make("havannah", size=size, swap=False), Havannah(size)
    ends = game.states(game.playouts(game.initial(), 300 if size == 4 else 12, size))
    for end in ends:
        stones = by_owner(game, end)
        first = {parse_cell(name) for name, owner in stones.items() if owner == 1}
        second = {parse_cell(name) for name, owner in stones.items() if owner == 2}
        assert reference.has_won(first) == (game.outcome(end) == 1)
        assert reference.has_won(second) == (game.outcome(end) == -1)
        assert game.state(bytes(end)) == end


def by_owner(game: glaux.Game, state: glaux.State) -> dict[str, int]:
    codes = game.cells(state).ravel()
    return {game.spec.board.cell_text(cell): int(code) for cell, code in enumerate(codes) if code}


def test_random_matches_from_the_middle_of_others(game):
    """A playout goes on from any state as single actions do: its ends are valid states."""
    for seed in range(200):
        start = game.scramble(seed % 9, seed)
        for end in game.states(game.playouts(start, 5, seed)):
            assert game.state(bytes(end)) == end
            assert game.ply(end) > game.ply(start)


@pytest.mark.parametrize(
    "text",
    [
        ".X../...../....../......./....../...../.... X 1",  # the second player is to move
        ".X../...../....../......./....../...../.... X 2",
        "..../...../....../......./....../...../.... O 1",
        "XXXX/OOOO./....../......./....../...../....  X 8 0",
        "XXX/...../....../......./....../...../.... O 1",
    ],
)
def test_texts_that_are_not_states(game, text):
    with pytest.raises(InvalidState):
        game.parse_state(text)


def test_both_can_not_have_won(game):
    with pytest.raises(InvalidState, match="Both"):
        game.parse_state("XXXX/...../....../......./....../...../OOOO X 8")


@pytest.mark.parametrize("parameters", [{"size": 3}, {"size": 11}, {"swap": 2}])
def test_wrong_parameters(parameters):
    with pytest.raises(InvalidParameter):
        glaux.make("havannah", **parameters)
