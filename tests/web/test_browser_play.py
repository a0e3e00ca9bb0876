"""Playing in a real browser: fingers, dragging, lost connections, clocks, hints, two agents, mistakes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import glaux
from tests.web.browser import (
    BROWSER_MARKS,
    PHONE,
    SIZES,
    begin,
    chosen,
    moves,
    opened,
    play,
    resign,
    settled,
    show,
    stop_time,
    think_by_iterations,
    until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = BROWSER_MARKS

sizes = pytest.mark.parametrize("size", SIZES)


def test_a_finger_chooses_a_small_cell_and_confirms(chromium: Browser, address: str) -> None:
    with opened(chromium, f"{address}#game=go:size=19", **PHONE) as page:
        settled(page)
        page.tap('[data-cell="180"]')
        until(page, "document.querySelectorAll('.aim').length === 2")
        assert moves(page) == [] and page.text_content("#confirm") == "Play k10"
        page.tap('[data-cell="182"]')
        until(page, "document.querySelector('#confirm')?.textContent === 'Play m10'")
        assert moves(page) == []
        page.tap("#confirm")
        until(page, "location.hash.endsWith('moves=m10')")
        page.tap('[data-cell="60"]')
        until(page, "document.querySelectorAll('.aim').length === 2")
        page.tap('[data-cell="60"]')
        until(page, "location.hash.includes('_')")
        assert page.locator(".aim").count() == 0


def by_hand(page: Page, rng: random.Random) -> None:
    """Play an action: a button, or cells until something is played. A small cell has to be told twice."""
    before = moves(page)
    while moves(page) == before:
        cells = page.evaluate("[...document.querySelectorAll('.cell.playable')].map(e => e.dataset.cell)")
        if page.locator("#confirm").count():
            page.click("#confirm")
        elif cells:
            page.click(f'[data-cell="{rng.choice(cells)}"]', force=True)
        elif page.locator("#extras button").count():
            page.locator("#extras button").first.click()
        page.wait_for_timeout(150)
        settled(page)


@sizes
def test_every_game_is_played_by_hand(chromium: Browser, address: str, size: str, seed: int) -> None:
    rng = random.Random(seed)
    with opened(chromium, address, **SIZES[size]) as page:
        for entry in page.evaluate("fetch('/api/games').then((answer) => answer.json())")["games"]:
            show(page, entry["name"])
            by_hand(page, rng)
            by_hand(page, rng)
            assert len(moves(page)) >= 2, entry["name"]
            glaux.make(entry["name"]).play(moves(page))  # legal, or this raises


def test_large_cells_are_played_at_once(chromium: Browser, address: str) -> None:
    with opened(chromium, f"{address}#game=othello:size=4", **PHONE) as page:
        settled(page)
        page.tap(".cell.playable >> nth=0")
        until(page, "location.hash.includes('moves=')")


def test_the_board_uses_the_screen_of_a_phone(chromium: Browser, address: str) -> None:
    with opened(chromium, f"{address}#game=go:size=19", **PHONE) as page:
        box = page.locator("svg.board").bounding_box()
        assert box is not None and box["width"] >= PHONE["viewport"]["width"] - 16
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        below = page.locator("#new").bounding_box()
        assert below is not None and below["y"] + below["height"] < PHONE["viewport"]["height"]


@sizes
def test_a_dragged_piece_follows_and_targets_are_marked(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, f"{address}#game=breakthrough:rows=5,columns=4", **SIZES[size]) as page:
        settled(page)
        start = page.locator('[data-cell="12"]').bounding_box()
        goal = page.locator('[data-cell="8"]').bounding_box()
        assert start and goal
        piece = "document.querySelector('[data-at=\"12\"]').getBoundingClientRect()"
        page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        page.mouse.down()
        page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
        until(page, "document.querySelectorAll('.legal').length === 2")
        middle = page.evaluate(f"(() => {{ const box = {piece}; return [box.x + box.width / 2, box.y] }})()")
        assert abs(middle[0] - goal["x"] - goal["width"] / 2) < 3
        assert middle[1] < start["y"], "the piece is over its goal"
        page.mouse.up()
        until(page, "location.hash.endsWith('moves=a2a3')")


@sizes
def test_a_lost_connection_is_found_again_and_no_move_is_lost(
    chromium: Browser, address: str, size: str
) -> None:
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "connect_four", {"rows": 4, "columns": 5}, side="both")
        settled(page)
        play(page, "1")
        page.route("**/api/position", lambda request: request.abort())
        page.fill("#type", "2")
        page.press("#type", "Enter")
        until(page, "/does not answer/.test(document.querySelector('#complaint').textContent)")
        assert moves(page) == ["1", "2"], "the move is in the address, and survives a reload"
        page.unroute("**/api/position")
        until(page, "document.querySelectorAll('.cell.playable').length > 0")
        assert moves(page) == ["1", "2"] and page.text_content("#complaint") == ""


@sizes
def test_a_cell_touched_twice_is_played_once(chromium: Browser, address: str, size: str) -> None:
    """The second touch comes before the server has answered the first: it is not the other side's move."""
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "connect_four", {"rows": 4, "columns": 5}, side="both")
        settled(page)
        page.evaluate(
            "(() => { const cell = document.querySelector('.cell.playable');"
            " for (let i = 0; i < 2; i++) cell.dispatchEvent(new MouseEvent('click', {bubbles: true})) })()"
        )
        until(page, "location.hash.includes('moves=')")
        assert moves(page) == ["1"]


@sizes
def test_all_numbers_are_one_sides_chances(chromium: Browser, address: str, size: str) -> None:
    """Whoever plays second is told second's chances by the panel, the bar and the graph."""
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "hex", {"size": 5}, side="second", effort="1,000 iterations")
        until(page, "location.hash.includes('moves')")
        settled(page)
        page.click("#analyse")
        page.wait_for_selector("#candidates .candidate")
        until(page, "/for you|You|Glaux wins/.test(document.querySelector('#thinking-head').textContent)")
        until(page, "document.querySelector('#match-chart svg') !== null")
        label = page.get_attribute("#eval", "aria-label") or ""
        assert label.endswith("for you") or label == "Proven"
        chart = page.get_attribute("#match-chart svg", "aria-label")
        assert chart == "Your winning chance over the match"
        page.click("#analyse")


@sizes
def test_a_proven_move_says_who_wins(chromium: Browser, address: str, size: str) -> None:
    """In the list by name; on the board for whoever plays it."""
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "connect_four", {"rows": 4, "columns": 4, "length": 3}, player="ubfms")
        settled(page)
        page.click("#analyse")
        page.wait_for_selector("#candidates .proof")
        until(page, "/^You win/.test(document.querySelector('#candidates .proof')?.textContent)")
        assert "wins" in page.locator(".thought-text").all_text_contents()


@sizes
def test_a_turn_of_several_actions_is_shown_whole(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, f"{address}#game=amazons:size=6", **SIZES[size]) as page:
        settled(page)
        page.click("#analyse")
        page.wait_for_selector("#candidates .candidate")
        text = until(
            page,
            "(text => text.split(' ').length === 3 && text)"
            "(document.querySelector('#candidates .move-text').textContent)",
        )
        page.click("#analyse")
        game = glaux.make("amazons", size=6)
        assert not game.first_player(game.play(text)), "the three actions are a turn"


@sizes
def test_a_hint_shows_a_move_and_leaves_it_to_the_person(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, f"{address}#game=connect_four&moves=4_1_4_1_4_1", **SIZES[size]) as page:
        settled(page)
        think_by_iterations(page, 2000)
        page.click("#hint")
        until(page, "document.querySelector('#status').textContent === 'Hint: 4.'")
        assert page.locator(".thought").count() == 1 and len(moves(page)) == 6


@sizes
def test_mistakes_are_marked_when_all_is_evaluated(chromium: Browser, address: str, size: str) -> None:
    """Yellow does not stop three in a column: the last of its moves loses the match."""
    with opened(chromium, f"{address}#game=connect_four&moves=4_1_4_1_4_2_4", **SIZES[size]) as page:
        settled(page)
        assert page.locator(".move.blunder, .move.mistake, .move.inaccuracy").count() == 0
        think_by_iterations(page, 2000)
        page.click("#evaluate")
        page.wait_for_selector("#moves .move[aria-label*='Move 6,'][aria-label*='lost']")
        until(page, "document.querySelector('#ply').textContent === '7 / 7'")


@sizes
def test_the_clock_runs_and_falls(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, address, **SIZES[size]) as page:
        stop_time(page)
        begin(page, "connect_four", side="both", clock="1 min")
        settled(page)
        page.clock.run_for(300)
        until(page, "document.querySelectorAll('.seat-clock:not([hidden])').length === 2")
        assert page.text_content("#seat-bottom .seat-clock") == "1:00"
        page.locator(".cell.playable").first.click()
        until(page, "/Yellow to move/.test(document.querySelector('#status').textContent)")
        page.clock.fast_forward(20_000)
        page.clock.run_for(300)
        until(page, "/^0:39/.test(document.querySelector('#seat-top .seat-clock').textContent)")
        assert page.text_content("#seat-bottom .seat-clock") == "1:00", (
            "nobody's time runs before the first move"
        )
        page.clock.fast_forward(60_000)
        page.clock.run_for(300)
        until(page, "document.querySelector('#status').textContent === 'Yellow lost on time.'")
        assert page.locator(".cell.playable").count() == 0


@sizes
def test_sounds_are_off_until_somebody_asks(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "connect_four", side="both")
        settled(page)
        play(page, "1")
        assert page.get_attribute("html", "data-sounded") is None
        page.click("#sound")
        assert page.get_attribute("#sound", "aria-pressed") == "true"
        page.reload()
        page.wait_for_selector("html[data-ready=true]")
        assert page.get_attribute("#sound", "aria-pressed") == "true"
        play(page, "2")
        until(page, "document.documentElement.dataset.sounded === 'move'")


def test_a_finger_sees_a_continuation_before_it_plays(chromium: Browser, address: str) -> None:
    with opened(chromium, f"{address}#game=hex:size=5", **PHONE) as page:
        settled(page)
        page.tap("#analyse")
        page.wait_for_selector("#candidates .candidate")
        page.tap("#analyse")  # else the candidates may change places under the finger
        first = page.locator("#candidates .candidate").first
        first.tap()
        page.wait_for_selector(".variation-text")
        assert moves(page) == [] and page.text_content("#variation")
        first.tap()
        until(page, "location.hash.includes('moves=')")


@sizes
def test_two_agents_play_each_other(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, address, **SIZES[size]) as page:
        page.click("#new")
        page.click('.game-card[data-game="connect_four"]')
        page.fill("#parameter-rows", "4")
        page.fill("#parameter-columns", "5")
        page.press("#parameter-columns", "Tab")
        chosen(page)
        page.click('.sides label:has(input[value="none"])')
        page.select_option("#setup-opponent", "run:small four")
        page.select_option("#setup-level", label="1 (easiest)")
        page.select_option("#setup-rival", "mcts")
        page.select_option("#setup-rival-level", label="2")
        page.click("#setup-start:enabled")
        until(page, "!document.querySelector('#setup').open")
        until(page, "document.querySelector('#seat-bottom .seat-name').textContent === 'small four'")
        assert page.text_content("#seat-top .seat-name") == "Glaux"
        over = "/wins|draw/.test(document.querySelector('#status').textContent)"
        while not page.evaluate(over):  # as long as it takes, if only a move comes now and then
            until(page, f"{over} || location.hash !== {page.evaluate('location.hash')!r}")
        game = glaux.make("connect_four", rows=4, columns=5)
        assert game.terminal(game.play(moves(page)))


@sizes
def test_a_friend_plays_by_link(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, address, **SIZES[size]) as mine:
        mine.click("#new")
        mine.click('.game-card[data-game="connect_four"]')
        mine.click('.sides label:has(input[value="friend"])')
        mine.click("#setup-start:enabled")
        mine.wait_for_selector("#friend-link:visible")
        link = mine.input_value("#friend-link")
        mine.click("#friend-close")
        with opened(chromium, link, **SIZES[size]) as other:
            assert other.text_content("#seat-top .seat-name, #seat-bottom .seat-name") != ""
            until(mine, "document.querySelector('#friend-state').textContent === 'Your friend is here.'")
            settled(other)
            assert other.locator(".cell.playable").count() == 0, "it is not the friend's turn"
            play(mine, "4")
            until(other, "location.hash.endsWith('moves=4')")
            until(other, "document.querySelectorAll('.cell.playable').length > 0")
            play(other, "3")
            until(mine, "location.hash.endsWith('moves=4_3')")
            mine.reload()
            mine.wait_for_selector("html[data-ready=true]")
            until(mine, "document.querySelectorAll('.cell.playable').length > 0")
            play(mine, "4")
            until(other, "location.hash.endsWith('moves=4_3_4')")
            resign(other)
            until(mine, "document.querySelector('#status').textContent === 'Your friend resigned.'")
