"""What is in sight in a real browser: the whole table of every game, the dialog of a new match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser import (
    BROWSER_MARKS,
    PHONE,
    SCREENS,
    SIDEWAYS,
    SIZES,
    begin,
    chosen,
    moves,
    opened,
    play,
    settled,
    show,
    stop_time,
    until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = BROWSER_MARKS
SEEN = """(() => {
  const parts = '.top button, #board svg, #extras button, .below button:not([hidden]), #type';
  const boxes = [...document.querySelectorAll(parts)].map((one) => one.getBoundingClientRect());
  const most = (side) => Math.max(...boxes.map((box) => box[side]));
  return { bottom: most("bottom"), right: most("right"), wide: document.documentElement.scrollWidth };
})()"""

sizes = pytest.mark.parametrize("size", SIZES)
screens = pytest.mark.parametrize("size", SCREENS)


@screens
def test_the_whole_table_of_every_game_is_in_sight(chromium: Browser, address: str, size: str) -> None:
    """The board, every button and the box for a move, without scrolling."""
    width, height = (SCREENS[size]["viewport"][side] for side in ("width", "height"))
    with opened(chromium, address, **SCREENS[size]) as page:
        games = page.evaluate("fetch('/api/games').then((answer) => answer.json())")["games"]
        for game in [entry["name"] for entry in games]:
            show(page, game)
            found = page.evaluate(SEEN)
            assert found["bottom"] <= height, (game, found)
            assert found["right"] <= width and found["wide"] <= width, (game, found)


@screens
def test_a_complaint_moves_no_button(chromium: Browser, address: str, size: str) -> None:
    places = (
        "[...document.querySelectorAll('.below button, #type')].map((one) => one.getBoundingClientRect().y)"
    )
    with opened(chromium, f"{address}#game=othello", **SCREENS[size]) as page:
        settled(page)
        before = page.evaluate(places)
        page.fill("#type", "zz9")
        page.press("#type", "Enter")
        page.wait_for_selector("#complaint:visible")
        after = page.evaluate(places)
        assert all(a == pytest.approx(b, abs=0.1) for a, b in zip(after, before, strict=True))
        play(page, "d3")
        assert page.is_hidden("#complaint") and page.is_visible("#status")


def test_sideways_the_board_has_the_height_and_stays(chromium: Browser, address: str) -> None:
    """Beside the buttons, and still there when one scrolls to the moves; zoomed it needs no more room."""
    place = "(box => [box.left, box.top, box.right, box.bottom])(document.querySelector('.board-holder')"
    place += ".getBoundingClientRect())"
    with opened(chromium, f"{address}#game=xiangqi", **SIDEWAYS) as page:
        settled(page)
        left, top, right, bottom = page.evaluate(place)
        assert bottom - top >= 0.95 * 390
        for part in (".top", ".game-head", ".say", ".below", ".side"):
            box = page.locator(part).bounding_box()
            assert box is not None and box["x"] >= right, part
        page.evaluate("document.querySelector('#moves').scrollIntoView()")
        assert page.evaluate("scrollY") > 100
        assert page.evaluate(place) == pytest.approx([left, top, right, bottom], abs=1)
        page.evaluate("scrollTo(0, 0)")
        page.tap("#zoom")
        assert page.evaluate(place) == pytest.approx([left, top, right, bottom], abs=1)
        page.tap("#zoom")
        for what in ('[data-cell="54"]', "#confirm", '[data-cell="45"]', "#confirm"):
            page.tap(what)
        until(page, "location.hash.includes('moves=a3a4')")


def test_small_cells_are_zoomed_for_a_finger(chromium: Browser, address: str) -> None:
    """Twice as large, and then played by one touch, with everything else still in sight."""
    wide = "document.querySelector('#board .hit').getBoundingClientRect().width"
    with opened(chromium, f"{address}#game=hex", **PHONE) as page:
        settled(page)
        before = page.evaluate(wide)
        page.tap("#zoom")
        assert page.get_attribute("#zoom", "aria-pressed") == "true"
        assert page.evaluate(wide) > 1.9 * before
        window = page.locator(".board-holder").bounding_box()
        assert window is not None and window["width"] <= 390
        cell = page.locator('[data-cell="60"] .hit').bounding_box()  # f6, in the middle of the board
        assert cell is not None and abs(cell["x"] + cell["width"] / 2 - 195) < 30
        table = page.locator("#type-form").bounding_box()
        assert table is not None and table["y"] + table["height"] <= 844
        page.tap('[data-cell="60"]')
        until(page, "location.hash.endsWith('moves=f6')")
        assert moves(page) == ["f6"]
        show(page, "othello:size=4")
        until(page, "document.querySelector('#zoom').hidden")
        assert page.locator(".board-holder.zoomed").count() == 0
    with opened(chromium, f"{address}#game=hex") as page:
        settled(page)
        assert page.is_hidden("#zoom"), "a mouse hits every cell"


def test_two_agents_are_chosen_by_the_names_of_their_sides(chromium: Browser, address: str) -> None:
    with opened(chromium, f"{address}#game=hex", **PHONE) as page:
        page.click("#new")
        chosen(page)
        assert page.text_content("#setup-who") == "Opponent"
        page.click('.sides label:has(input[value="none"])')
        assert [page.text_content(name) for name in ("#setup-who", "#setup-rival-who")] == ["Red", "Blue"]


@sizes
def test_a_new_match_is_of_the_game_on_the_board(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "othello", {"size": 6}, side="both")
        settled(page)
        show(page, "hex:size=7,swap=0")
        page.click("#new")
        chosen(page)
        assert page.get_attribute(".game-card[aria-pressed=true]", "data-game") == "hex"
        assert page.input_value("#parameter-size") == "7"
        assert not page.is_checked("#parameter-swap")
        start = page.locator("#setup-start").bounding_box()
        assert start is not None and start["y"] + start["height"] <= SIZES[size]["viewport"]["height"]


@sizes
def test_only_what_is_of_use_can_be_chosen(chromium: Browser, address: str, size: str) -> None:
    """A game of one player has no second side, also if that was the last choice; a friend has no clock."""
    with opened(chromium, address, **SIZES[size]) as page:
        page.click("#new")
        chosen(page)
        page.click('.sides label:has(input[value="friend"])')
        assert page.is_hidden("#setup-more") and page.is_hidden("#setup-level")
        page.click('.sides label:has(input[value="second"])')
        assert page.is_visible("#setup-more") and page.is_visible("#setup-level")
        page.click('.game-card[data-game="rubik2"]')
        chosen(page)
        assert page.is_checked('input[value="first"]') and page.is_hidden(
            '.sides label:has([value="second"])'
        )
        page.click("#setup-start:enabled")
        until(page, "document.querySelector('#seat-bottom .seat-name').textContent === 'You'")


@sizes
def test_a_new_match_is_against_the_same_opponent(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, address, **SIZES[size]) as page:
        page.click("#tab-runs")
        page.click("#run-detail .primary")
        until(page, "/small four/.test(document.querySelector('#seat-top').textContent)")
        page.click("#new")
        chosen(page)
        assert page.input_value("#setup-opponent") == "run:small four"


def test_the_buttons_have_two_lines_on_a_phone(chromium: Browser, address: str) -> None:
    """Also against an agent on a board that can be zoomed, when there are most of them; and none moves when
    Resign asks again."""
    places = "[...document.querySelectorAll('.controls button')].filter((one) => one.offsetParent)"
    places += ".map((one) => one.getBoundingClientRect()).map(({ left, top }) => [left, top])"
    with opened(chromium, address, **PHONE) as page:
        begin(page, "hex", {"size": 11}, side="first")
        settled(page)
        before = page.evaluate(places)
        assert page.is_visible("#now") and page.is_visible("#zoom") and page.is_visible("#resign")
        assert len({top for _, top in before}) == 2
        stop_time(page)
        page.click("#resign")
        until(page, "document.querySelector('#resign').textContent === 'Sure?'")
        after = page.evaluate(places)
        assert all(a == pytest.approx(b, abs=0.1) for a, b in zip(after, before, strict=True))


def test_alone_the_sentence_has_the_last_move_only(chromium: Browser, address: str) -> None:
    with opened(chromium, address) as page:
        show(page, "rubik2")
        play(page, "U", "R")
        assert settled(page) == "You: R. Your turn."
        assert page.locator("#flip:visible, #resign:visible").count() == 0


def test_runs_are_called_by_the_titles_of_their_games(chromium: Browser, address: str) -> None:
    with opened(chromium, address) as page:
        page.click("#tab-runs")
        page.wait_for_selector("#run-detail .curve")
        assert page.text_content("#run-detail .run-game") == "Connect Four, 5 \N{MULTIPLICATION SIGN} 4"


def test_pieces_have_the_colours_of_the_night(chromium: Browser, address: str) -> None:
    colour = "getComputedStyle(document.querySelector('#board .board')).getPropertyValue('--p1').trim()"
    found = []
    for scheme in ("light", "dark"):
        with opened(chromium, f"{address}#game=morpion", color_scheme=scheme) as page:
            found.append(page.evaluate(colour))
    assert found == ["#27407f", "#8ea9e8"]


@sizes
def test_the_editor_shows_what_is_chosen(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, f"{address}#game=othello", **SIZES[size]) as page:
        settled(page)
        page.click("#edit")
        pressed = page.locator('.palette-button[aria-pressed="true"]')
        assert pressed.get_attribute("data-code") == "1"
        page.click('.palette-button[data-code="2"]')
        assert pressed.count() == 1 and pressed.get_attribute("data-code") == "2"
        box = pressed.bounding_box()
        assert box is not None and box["width"] < 60
        assert not page.is_visible("#new"), "the buttons of the match wait until the position stands"
        page.click("#editor-cancel")
        page.wait_for_selector("#new:visible")
