"""No test has a list of games or searches of its own: what is registered is in all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import glaux
from glaux.search.registry import SEARCHES
from tests.boards import GAMES, SMALL

MOST = 5
"""different games that a test may name: cases worked out by hand, where each has something to show"""
MOST_SEARCHES, MOST_CLASSES = 4, 2
FILES = sorted(path for path in Path("tests").rglob("*.py") if path.name != Path(__file__).name)


def texts(node: ast.expr | None) -> list[str]:
    """The texts of an element of a list, also if it is a row of a table."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.Tuple | ast.List):
        return [text for part in node.elts[:1] for text in texts(part)]
    return []


def lists(path: Path) -> Iterator[tuple[int, set[str]]]:
    """The names in each list, tuple or set of a file, and its line; of PLAYER and GAME texts the names."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            yield node.lineno, {text.partition(":")[0] for part in node.elts for text in texts(part)}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_nobody_takes_a_slice_of_the_games(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            sliced = ast.unparse(node.value)
            assert "games()" not in sliced and sliced != "GAMES", f"{path}:{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_nobody_writes_the_games_down(path: Path) -> None:
    """Tables of facts, as the heuristics of a paper, are dictionaries and may be longer."""
    for line, named in lists(path):
        found = named & set(GAMES)
        assert len(found) <= MOST, f"{path}:{line} lists {len(found)} games: use tests/boards.py"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_nobody_writes_the_searches_down(path: Path) -> None:
    for line, named in lists(path):
        found = named & set(SEARCHES)
        assert len(found) <= MOST_SEARCHES, f"{path}:{line} lists {sorted(found)}: use the registry"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_nobody_writes_the_classes_of_searches_down(path: Path) -> None:
    """More than two in a list, as UBFM and Descent are, stand for all of them."""
    classes = {f"glaux.{entry.search.__name__}" for entry in SEARCHES.values()}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            found = {ast.unparse(part) for part in node.elts} & classes
            assert len(found) <= MOST_CLASSES, f"{path}:{node.lineno} lists {sorted(found)}: use the registry"


def test_every_game_has_a_small_board() -> None:
    assert set(SMALL) <= set(glaux.games())
    for name, text in SMALL.items():
        small, usual = glaux.make(text), glaux.make(name)
        assert small.spec.state_size <= usual.spec.state_size
        ends = small.states(small.playouts(small.initial(), 20, seed=1))
        assert max(small.ply(end) for end in ends) <= 300
