"""Setting up positions on the page, in a real browser: pieces, stickers of a cube, and texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import BROWSER_MARKS, SIZES, opened, settled, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = BROWSER_MARKS

sizes = pytest.mark.parametrize("size", SIZES)


@contextmanager
def editing(chromium: Browser, address: str, game: str, size: str) -> Iterator[Page]:
    """The page of a game whose editor is open."""
    with opened(chromium, f"{address}#game={game}", **SIZES[size]) as page:
        settled(page)
        page.click("#edit")
        page.wait_for_selector("#editor:visible")
        yield page


def use(page: Page) -> None:
    """Play from the position that was set up."""
    page.click("#editor-use")
    until(page, "location.hash.includes('start=')")


@sizes
def test_a_position_of_xiangqi_is_set_up(chromium: Browser, address: str, size: str) -> None:
    """Pieces are taken away, and the board stays in sight while that is done."""
    with editing(chromium, address, "xiangqi", size) as page:
        page.click('.palette-button[data-code="0"]')
        for cell in (0, 1):
            page.locator(f'[data-cell="{cell}"]').click(force=True)
        use(page)
        assert "Red to move." in settled(page)
        assert page.locator("#board .piece").count() == 30


@sizes
def test_a_position_is_set_up(chromium: Browser, address: str, size: str) -> None:
    with editing(chromium, address, "hex:size=5,swap=0", size) as page:
        page.click('.palette-button[data-code="1"]')
        for cell in (6, 12, 18):
            page.locator(f'[data-cell="{cell}"]').click(force=True)
        page.click("#editor-use")
        until(page, "/rules do not allow/.test(document.querySelector('#editor-error').textContent)")
        page.locator('[data-cell="18"]').click(force=True)
        page.click('.palette-button[data-code="2"]')
        page.locator('[data-cell="7"]').click(force=True)
        page.select_option("#editor-first", "second")
        use(page)
        assert "Blue to move." in settled(page)
        labels = [page.get_attribute(f'[data-cell="{cell}"]', "aria-label") or "" for cell in (6, 12, 18, 7)]
        assert [label.split(", ")[1] for label in labels] == [
            "red's piece",
            "red's piece",
            "empty",
            "blue's piece",
        ]


@sizes
def test_a_position_of_shobu_is_set_up(chromium: Browser, address: str, size: str) -> None:
    """A game whose states have a past: what is set up has none."""
    with editing(chromium, address, "shobu", size) as page:
        page.click('.palette-button[data-code="0"]')
        page.locator('[data-cell="0"]').click(force=True)
        page.click("#editor-more summary")
        until(page, "document.querySelector('#editor-text').value.startsWith('.OOO')")
        use(page)
        settled(page)
        assert page.locator("#board .piece").count() == 31


@sizes
def test_a_cube_is_painted(chromium: Browser, address: str, size: str) -> None:
    """A solved one is refused nothing; a corner that no cube has is."""
    face = "document.querySelectorAll('#board .sticker')[0].dataset.face"
    with editing(chromium, address, "rubik2", size) as page:
        page.click("#editor-clear")
        page.click('.palette-button[aria-label="yellow"]')
        page.locator("#board .sticker").first.click(force=True)
        until(page, f"{face} === 'D'")
        page.click("#editor-use")
        until(page, "/No corner/.test(document.querySelector('#editor-error').textContent)")
        page.click("#editor-clear")
        until(page, f"{face} === 'U'")
        page.click("#editor-use")
        until(page, "document.querySelector('#status').textContent === 'Solved.'")


@sizes
def test_a_position_is_written_as_text(chromium: Browser, address: str, size: str) -> None:
    """In Quoridor, whose walls in hand no cell shows; the board follows the text."""
    with editing(chromium, address, "quoridor:size=5,walls=3", size) as page:
        assert page.is_visible("#editor-why") and page.locator(".palette-button").count() == 0
        assert page.input_value("#editor-text") == "..O../...../...../...../..X.. X 0 3 3 0 -"
        page.fill("#editor-text", "...../..O../...../...../..X.. X 4 2 2 0 -")
        page.press("#editor-text", "Tab")
        until(page, "/walls/.test(document.querySelector('#editor-error').textContent)")
        page.fill("#editor-text", "...../..O../...../...../..X.. X 4 2 2 0 a1h,c3v")
        page.press("#editor-text", "Tab")
        until(page, "document.querySelectorAll('#board .fence').length === 2")
        use(page)
        assert "White to move." in settled(page)
