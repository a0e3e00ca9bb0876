"""Who can use the page, in a real browser: keyboard, colours, a phone, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.browser import BROWSER_MARKS, begin, opened, settled, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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


def test_everything_that_can_be_pressed_has_a_name(page: Page) -> None:
    unnamed = page.evaluate(
        """[...document.querySelectorAll('button, input, select, textarea, [role=gridcell], [role=img]')]
        .filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length
            || e.getAttribute('title'))).map(e => e.outerHTML)"""
    )
    assert unnamed == []
    assert page.get_attribute("#status", "aria-live") == "polite"
