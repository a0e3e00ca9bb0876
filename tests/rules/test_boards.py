"""Boards with absent cells and of several boards: geometry, texts, drawings, searches and n-tuples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import BrokenRules, InvalidParameter
from glaux.search.registry import SEARCHES, make_search
from glaux.values.tuples import present_cells, random_walks
from tests.contract import check_match
from tests.rules.boards import GAMES, DarkSquares, Filling, FourBoards, Hexagon


@pytest.mark.parametrize("rules", GAMES)
def test_contract(rules: type[Filling], seed: int) -> None:
    for i in range(3):
        check_match(glaux.make(rules), seed + i)
    check_match(glaux.make(rules, mobility=True), seed)


@pytest.mark.parametrize("rules", GAMES)
def test_they_are_searched_and_learned(rules: type[Filling]) -> None:
    game = glaux.make(rules)
    state = game.states(game.playouts(game.initial(), 1, 3))[0]
    assert game.terminal(state)
    late = game.scramble(game.spec.max_plies - 4, 1)
    provers = [entry for entry in SEARCHES.values() if entry.proves]
    trees = [make_search(entry, game).run(late, iterations=500) for entry in provers]
    assert all(tree.resolved for tree in trees)
    assert len({tree.value for tree in trees}) == 1
    value = glaux.NTupleNetwork(game, seed=1)
    used = {cell for cells in value.tuples for cell in cells}
    assert used <= set(present_cells(game))
    states = game.playouts(game.initial(), 64, 1)
    targets = np.array([game.outcome(s) for s in game.states(states)], dtype=np.float32)
    before = np.square(value.evaluate(states) - targets).mean()
    for _ in range(20):
        value.fit(states, targets)
    assert np.square(value.evaluate(states) - targets).mean() < before


def test_a_hexagon_has_19_cells_and_12_symmetries() -> None:
    board = glaux.make(Hexagon).spec.board
    assert sum(board.present) == 19
    assert len(board.hexagonal_symmetries()) == 12
    counts = sorted(len(near) for cell, near in enumerate(board.neighbours()) if board.has(cell))
    assert counts == [3] * 6 + [4] * 6 + [6] * 7
    touching = {frozenset((i, j)) for i, near in enumerate(board.neighbours()) for j in near}
    for cell_map in board.hexagonal_symmetries():
        assert {frozenset((cell_map[i], cell_map[j])) for i, j in touching} == touching


@pytest.mark.parametrize("rows, columns", [(3, 3), (4, 4), (3, 5)])
def test_the_rhombus_has_the_symmetries_of_a_rhombus(rows: int, columns: int) -> None:
    board = glaux.make("hex:size=3").spec.board
    board.rows, board.columns = rows, columns
    expected = 4 if rows == columns else 2
    assert len({tuple(m) for m in board.hexagonal_symmetries()}) == expected
    assert board.hexagonal_symmetries()[0] == board.identity()


def test_dark_squares_keep_half_of_the_symmetries() -> None:
    game = glaux.make(DarkSquares)
    assert game.spec.symmetry_count == 4
    assert all(cell % 4 % 2 != cell // 4 % 2 for cell in present_cells(game))
    assert [game.spec.code_count(cell) for cell in range(4)] == [1, 3, 1, 3]


def test_boards_do_not_touch_one_another() -> None:
    board = glaux.make(FourBoards).spec.board
    assert [board.board_of(cell) for cell in (0, 3, 12, 15)] == [0, 1, 2, 3]
    assert [(b.row, b.column, b.rows, b.columns) for b in board.boards] == list(FourBoards.boards)
    assert board.neighbours()[5] == [0, 1, 4]
    assert len(board.square_symmetries()) == 8
    board.boards = [_core.BoardPart(0, 0, 4, 2), _core.BoardPart(0, 2, 4, 2)]
    assert len(board.square_symmetries()) == 4, "side by side stays side by side"


def test_drawings() -> None:
    hexagon, four = glaux.make(Hexagon), glaux.make(FourBoards)
    assert str(hexagon.play("c1 c3")) == "\n".join(
        [
            "   a b c d e",
            " 1     X . .",
            "  2   . . . .",
            "   3 . . O . .",
            "    4 . . . .",
            "     5 . . .",
        ]
    )
    assert str(four.play("a1 c3")) == "\n".join(
        ["   a b   c d", " 1 X .   . .", " 2 . .   . .", "", " 3 . .   O .", " 4 . .   . ."]
    )
    assert hexagon.state_text(hexagon.play("c1 c3")).split()[0] == "X../..../..O../..../..."


def test_walks_prefer_neighbours_and_skip_absent_cells() -> None:
    for rules in GAMES:
        game = glaux.make(rules)
        there = set(present_cells(game))
        assert all(set(walk) <= there for walk in random_walks(game, 40, 4, seed=2))
        with pytest.raises(InvalidParameter, match=f"1 to {min(16, len(there))} cells"):
            random_walks(game, 1, len(there) + 1)
    with pytest.raises(InvalidParameter, match="the cell 0, which is not on the board"):
        glaux.NTupleNetwork(glaux.make(Hexagon), tuples=[[0, 1]])


def wrong(base: type[Filling], **attributes: Any) -> type[Filling]:
    return type("Wrong", (base,), attributes)


@pytest.mark.parametrize(
    "rules, sentence",
    [
        (wrong(Filling, shape=(2, 2), present=[[True]]), r"Wrong\.present must say for each"),
        (
            wrong(FourBoards, boards=((0, 0, 2, 2), (0, 2, 2, 2))),
            r"Wrong\.boards must contain every existing cell",
        ),
        (
            wrong(FourBoards, boards=((0, 0, 4, 4), (0, 2, 2, 2))),
            r"Wrong\.boards must contain every existing cell",
        ),
        (wrong(FourBoards, boards=((-1, 0, 4, 4),)), r"Wrong\.boards must be rectangles"),
        (wrong(DarkSquares, symmetry="mirror"), r"Wrong\.symmetry moves a cell to one that does not exist"),
        (wrong(DarkSquares, cells=lambda self, s: s["board"] + 1), r"Wrong\.cells gave a code other than 0"),
    ],
)
def test_nonsense_becomes_one_sentence(rules: type[Filling], sentence: str) -> None:
    with pytest.raises(BrokenRules, match=sentence):
        glaux.make(rules).cells(glaux.make(rules).initial())
