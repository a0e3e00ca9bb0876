"""Who can use the page, in a real browser: keyboard, colours, a phone, names, no barriers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import BROWSER_MARKS, begin, chosen, opened, settled, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = Path("web/node_modules/axe-core/axe.min.js")

pytestmark = BROWSER_MARKS


def test_the_keyboard_plays(page: Page) -> None:
    begin(page, "breakthrough", {"rows": 5, "columns": 4})
    settled(page)
    page.keyboard.press("b")
    focused = "document.activeElement.getAttribute('aria-label')"
    while "a2" not in page.evaluate(focused):
        page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "a2, black's piece, can be played"
    page.keyboard.press("Enter")
    assert page.evaluate(focused).endswith("chosen")
    page.keyboard.press("Escape")
    assert not page.evaluate(focused).endswith("chosen")
    page.keyboard.press(" ")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    until(page, "location.hash.includes('moves=a2a3')")
    settled(page)
    until(page, "location.hash.includes('_')")
    page.locator("#copy").focus()
    page.keyboard.press("u")
    until(page, "!location.hash.includes('moves')")


def test_colours_follow_the_system_and_the_switch(chromium: Browser, address: str) -> None:
    with opened(chromium, address, color_scheme="dark") as page:
        theme = "document.documentElement.dataset.theme"
        assert page.evaluate(theme) == "dark"
        page.click("#theme")
        assert page.evaluate(theme) == "light"
        page.reload()
        page.wait_for_selector("html[data-ready=true]")
        assert page.evaluate(theme) == "light"


def test_a_phone_shows_the_board_whole(chromium: Browser, address: str) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with opened(chromium, address + "#game=hex:size=7", **phone) as page:
        box = page.locator("svg.board").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make page-test")
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_barriers(chromium: Browser, address: str, colours: str) -> None:
    """axe-core finds nothing: names, roles, landmarks, contrast."""
    scenes = ("#analyse", "#new", "#load", "#save", "#rules", "#edit", "#tab-runs")
    for pressed in scenes:
        with opened(chromium, f"{address}#game=hex:size=5&moves=b2", color_scheme=colours) as page:
            settled(page)
            page.click(pressed)
            if pressed == "#analyse":
                page.wait_for_selector("#candidates .candidate")
                page.click(pressed)
            if pressed == "#tab-runs":
                page.wait_for_selector("#run-detail .curve")
            if pressed == "#new":
                chosen(page)
            if pressed == "#rules":
                page.wait_for_selector("#rules-dialog[open]")
            page.evaluate(f"{AXE.read_text()};0")
            found = page.evaluate("axe.run().then((result) => result.violations)")
            assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_everything_that_can_be_pressed_has_a_name(page: Page) -> None:
    unnamed = page.evaluate(
        """[...document.querySelectorAll('button, input, select, textarea, [role=gridcell], [role=img]')]
        .filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length
            || e.getAttribute('title'))).map(e => e.outerHTML)"""
    )
    assert unnamed == []
    assert page.get_attribute("#status", "aria-live") == "polite"
