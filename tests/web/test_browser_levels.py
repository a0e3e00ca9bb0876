"""The agent that ships as the page's opponent, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from glaux.players.levels import FULL
from tests.boxed import NAME, box, made_box
from tests.web.browser import BROWSER_MARKS, SIZES, chosen, moves, opened, server, settled, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["box", "made_box"]
pytestmark = BROWSER_MARKS
OPPONENTS = "document.querySelector('#setup-opponent').options"


@pytest.mark.usefixtures("box")
@pytest.mark.parametrize("size", SIZES)
def test_the_agent_is_the_opponent_and_has_levels(chromium: Browser, tmp_path: Path, size: str) -> None:
    with server("--runs", str(tmp_path)) as address, opened(chromium, address, **SIZES[size]) as page:
        assert page.text_content("#seat-top .seat-name") == "Glaux"
        page.click("#new")
        page.click(f'.game-card[data-game="{NAME}"]')
        chosen(page)
        assert page.evaluate(f"{OPPONENTS}[0].value") == "zoo"
        words = page.eval_on_selector_all("#setup-opponent option", "all => all.map(one => one.textContent)")
        assert words == ["Glaux", "Glaux (untrained)", "Random moves"]
        assert page.input_value("#setup-opponent") == "zoo"
        assert page.locator("#setup-level option").count() == FULL
        page.select_option("#setup-level", label="1 (easiest)")
        page.click('.sides label:has(input[value="second"])')
        page.click("#setup-start:enabled")
        until(page, "location.hash.includes('moves=')")
        settled(page)
        assert len(moves(page)) == 1
