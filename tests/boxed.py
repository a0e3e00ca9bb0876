"""A box with an agent of Connect Four that has hardly learned, for tests of what uses agents."""

from __future__ import annotations

from pathlib import Path

import pytest

import glaux
from glaux.learn.agents import add_agent
from glaux.values.zoo import VARIABLE

NAME = "connect_four"
SETTINGS = {
    "workers": 1,
    "warm_start": 200,
    "search.evaluations": 50,
    "value.count": 12,
    "value.length": 4,
    "strength.every": 0,
}


def small_run(path: Path, game: str = NAME, matches: int = 5) -> glaux.Run:
    """A training of a moment."""
    return glaux.train(game, matches=matches, run=path, settings=SETTINGS)


@pytest.fixture(scope="session")
def made_box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the box; don't change it."""
    place = tmp_path_factory.mktemp("box")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(place))
        add_agent(small_run(tmp_path_factory.mktemp("run") / NAME))
    return place


@pytest.fixture
def box(made_box: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as the box of this test."""
    monkeypatch.setenv(VARIABLE, str(made_box))
    return made_box


@pytest.fixture
def own_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty box to put agents into."""
    place = tmp_path / "box"
    place.mkdir()
    monkeypatch.setenv(VARIABLE, str(place))
    return place
