"""A browser, and a server with a small run, for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import glaux
from glaux.learn.registry import read_config
from glaux.learn.run import Run
from tests.web.browser import browser, opened, server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("runs")
    game = glaux.make("connect_four", rows=4, columns=5)
    run = Run.create(folder / "small four", read_config({"game": game.text}))
    glaux.NTupleNetwork(game, count=4, length=4).save(run.path / "checkpoints" / "00000009" / "value")
    for match in range(1, 10):
        run.add_metrics({"kind": "match", "match": match, "elapsed": match, "loss": 1 / match, "plies": 9})
    for match in (1, 9):
        row = {"kind": "strength", "match": match, "elapsed": match, "score": match / 10, "low": 0, "high": 1}
        run.add_metrics(row)
    with server("--runs", str(folder)) as page:
        yield page


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    with opened(chromium, address) as made:
        yield made
