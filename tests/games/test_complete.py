"""Every game has all that CONTRIBUTING.md asks for: a page, a look, a preset, tests and an oracle."""

from __future__ import annotations

from pathlib import Path

import pytest

import glaux
from glaux import _core
from tests.boards import SMALL
from tests.games.oracles import CASES

GAMES = [info.name for info in _core.registry()]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "file",
    [
        "cpp/games/{}.h",
        "docs/games/{}.md",
        "src/glaux/looks/{}.toml",
        "src/glaux/learn/presets/{}.toml",
        "tests/games/test_{}.py",
    ],
)
def test_every_game_has_its_files(name: str, file: str) -> None:
    assert Path(file.format(name)).is_file()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_an_oracle(name: str) -> None:
    assert name in {case.game.partition(":")[0] for case in CASES}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_small_board(name: str) -> None:
    """One on which the contract is checked in many matches."""
    small, usual = glaux.make(SMALL[name]), glaux.make(name)
    assert small.spec.max_plies <= usual.spec.max_plies


@pytest.mark.parametrize("folder", ["docs/games", "src/glaux/looks", "src/glaux/learn/presets"])
def test_no_file_is_left_of_a_game_that_is_gone(folder: str) -> None:
    shared = {"every"}
    stems = {path.stem for path in Path(folder).iterdir() if path.suffix in {".md", ".toml"}}
    assert stems - shared == set(GAMES)
