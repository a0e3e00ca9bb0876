"""Every part of the page in a real browser, on a desktop and a phone, in the light and in the dark: nothing
is cut off, and axe-core finds no barrier (names, roles, landmarks, contrast)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import glaux
from glaux.learn.registry import read_config
from glaux.learn.run import Run
from tests.web.browser import (
    BROWSER_MARKS,
    SCREENS,
    SIZES,
    begin,
    chosen,
    opened,
    server,
    settled,
    show,
    think_by_iterations,
    until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = Path("web/node_modules/axe-core/axe.min.js")
WON = "connect_four:rows=4,columns=5&moves=2_1_2_1_2_1_2"

pytestmark = [
    *BROWSER_MARKS,
    pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make page-test"),
]


@pytest.fixture(scope="module")
def all_of_it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with two runs, which have played, and a tournament."""
    runs, cups = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("cups")
    game = glaux.make("connect_four", rows=4, columns=5)
    for name in ("one", "two"):
        run = Run.create(runs / name, read_config({"game": game.text}))
        for match in range(1, 10):
            row = {"kind": "match", "match": match, "elapsed": match, "loss": 1 / match, "plies": 9}
            run.add_metrics(row)
            run.add_match({"match": match, "outcome": 0, "actions": [0, 1, 2]})
        for match in (1, 9):
            row = {"kind": "strength", "match": match, "elapsed": match, "score": match / 10}
            run.add_metrics(row | {"low": 0, "high": 1})
    (cups / "cup").mkdir()
    row = {"games": 10, "wins": 6, "draws": 0, "losses": 4, "elo": 80, "low": 20, "high": 140}
    rows = [row | {"player": "zoo:level=3"}, row | {"player": "mcts:iterations=1000"}]
    (cups / "cup" / "result.json").write_text(json.dumps({"game": "hex:size=5", "ratings": rows}))
    with server("--runs", str(runs), "--tournaments", str(cups)) as address:
        yield address


def thoughts(page: Page) -> None:
    begin(page, "hex", {"size": 5}, side="second", clock="1 min")
    until(page, "location.hash.includes('moves')")
    settled(page)
    page.click("#analyse")
    page.wait_for_selector("#candidates .candidate")
    page.click("#analyse")


def new_match(page: Page) -> None:
    page.click("#new")
    chosen(page)
    page.click('.sides label:has(input[value="none"])')
    page.evaluate("document.querySelector('#setup-more').open = false")
    page.click("#setup-more summary")
    page.wait_for_timeout(100)  # it comes into sight after it was opened
    for field in ("#setup-clock", "#setup-search"):
        box = page.locator(field).bounding_box()
        assert box is not None and box["y"] + box["height"] <= page.evaluate("innerHeight"), field


def mistakes(page: Page) -> None:
    show(page, WON)
    until(page, "document.querySelector('#ply').textContent === '7 / 7'")
    page.click("#evaluate")
    page.wait_for_selector("#moves .move[aria-label*='lost']")
    until(page, "document.querySelectorAll('.winning').length === 4")


def complaint(page: Page) -> None:
    show(page, "hex:size=5")
    page.fill("#type", "zz9")
    page.press("#type", "Enter")
    page.wait_for_selector("#complaint:visible")


def rules(page: Page) -> None:
    show(page, "xiangqi")
    page.click("#rules")
    page.wait_for_selector("#rules-dialog[open]")
    text = page.text_content("#rules-text") or ""
    assert text.startswith("Red plays first, Black second.") and "###" not in text and "`" not in text
    page.click("#rules-text summary")


def friend(page: Page) -> None:
    page.click("#new")
    page.click('.game-card[data-game="hex"]')
    page.click('.sides label:has(input[value="friend"])')
    page.click("#setup-start:enabled")
    page.wait_for_selector("#friend-link:visible")
    assert "glaux serve --host 0.0.0.0" in (page.text_content("#friend-far") or "")
    page.wait_for_selector("#friend-state:not(:empty)")
    assert page.text_content("#friend-state") == "Waiting for your friend to open the link."


def editor(page: Page) -> None:
    """Of the game whose rules were shown."""
    page.click("#edit")
    page.wait_for_selector("#editor:visible")
    board = page.locator("#board svg.board").bounding_box()
    assert board is not None and board["y"] >= 0, "the board is in sight above its pieces"


def runs(page: Page) -> None:
    page.click("#tab-runs")
    page.wait_for_selector("#run-detail .curve.score")
    page.check(".compare input")
    until(page, "document.querySelectorAll('.legend li').length === 2")
    page.click("#run-matches summary")
    page.click("#run-settings summary")


def training(page: Page) -> None:
    page.click("#train")
    page.wait_for_selector("#train-dialog[open]")
    page.click("#train-dialog summary")


def ladders(page: Page) -> None:
    page.click("#tab-ladders")
    page.wait_for_selector(".ladder tbody th")
    names = page.locator(".ladder tbody th").all_inner_texts()
    assert names == ["Glaux, level 3", "mcts, 1,000 iterations"]


def dialog(button: str, name: str) -> Callable[[Page], None]:
    def scene(page: Page) -> None:
        page.click(button)
        page.wait_for_selector(f"{name}[open]")

    return scene


SCENES: list[tuple[Callable[[Page], None], str]] = [
    (thoughts, ""),
    (dialog("#load", "#load-dialog"), "#load-cancel"),
    (dialog("#save", "#save-dialog"), "#save-cancel"),
    (new_match, "#setup-cancel"),
    (mistakes, ""),
    (complaint, ""),
    (rules, "#rules-close"),
    (editor, "#editor-cancel"),
    (friend, "#friend-close"),
    (runs, ""),
    (training, "#train-cancel"),
    (ladders, ""),
]
"""what is done, and what ends it"""


@pytest.mark.parametrize(
    ("size", "colours"),
    [*((size, colours) for size in SIZES for colours in ("light", "dark")), ("sideways", "dark")],
)
def test_nothing_is_cut_off_and_there_are_no_barriers(
    chromium: Browser, all_of_it: str, size: str, colours: str
) -> None:
    context: dict[str, Any] = {**SCREENS[size], "color_scheme": colours}
    width = SCREENS[size]["viewport"]["width"]
    with opened(chromium, all_of_it, **context) as page:
        think_by_iterations(page, 500)
        page.evaluate(f"{AXE.read_text()};0")
        for scene, end in SCENES:
            scene(page)
            found = page.evaluate("axe.run().then((result) => result.violations)")
            told = [(one["id"], one["nodes"][0]["html"]) for one in found]
            assert (scene.__name__, told) == (scene.__name__, [])
            assert page.evaluate("document.documentElement.scrollWidth") <= width, scene.__name__
            dialogs = page.evaluate(
                """[...document.querySelectorAll('dialog[open], .card, .controls button')]
                .filter((one) => one.offsetParent || one.open).map((one) => one.getBoundingClientRect())
                .map(({ left, right }) => [left, right])"""
            )
            assert all(left >= 0 and right <= width + 0.5 for left, right in dialogs), scene.__name__
            if end:
                page.click(end)
