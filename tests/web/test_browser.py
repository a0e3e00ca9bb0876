"""The page in a real browser: whole matches, undo, analysis, records, links, runs and mistakes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import glaux
from tests.rules.boards import GAMES as MADE_UP
from tests.web.browser import (
    BROWSER_MARKS,
    SIZES,
    begin,
    chosen,
    moves,
    opened,
    resign,
    server,
    settled,
    stop_time,
    until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = BROWSER_MARKS

sizes = pytest.mark.parametrize("size", SIZES)


def play_on(page: Page, rng: random.Random) -> None:
    """Play one action with the mouse: a button, or cells until something is played."""
    before = moves(page)
    for _ in range(2):
        buttons = page.locator("#extras button")
        targets = buttons if buttons.count() else page.locator(".cell.playable")
        targets.nth(rng.randrange(targets.count())).click(force=True)
        if not page.locator(".cell[aria-selected=true]").count():
            break
    played = "location.hash.split('moves=')[1]?.split('_').length"
    until(page, f"({played} ?? 0) > {len(before)}")


@pytest.mark.parametrize(
    ("name", "parameters", "side"),
    [
        ("connect_four", {"rows": 4, "columns": 5}, "first"),
        ("hex", {"size": 5}, "second"),
        ("othello", {"size": 4}, "first"),
        ("amazons", {"size": 6}, "second"),
    ],
)
def test_whole_matches(page: Page, name: str, parameters: dict[str, int], side: str, seed: int) -> None:
    begin(page, name, parameters, side=side)
    rng = random.Random(seed)
    while "wins" not in (said := settled(page)) and "win." not in said and "draw" not in said:
        play_on(page, rng)
    game = glaux.make(name, **parameters)
    end = game.play(moves(page))
    assert game.terminal(end)
    mine = 1 if side == "first" else -1
    expected = {mine: "You win.", -mine: "Glaux wins.", 0: "A draw."}[game.outcome(end) or 0]
    assert expected in said
    assert page.locator(".cell.playable").count() == 0


@sizes
def test_undo_flip_and_resign(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "hex", {"size": 5})
        settled(page)
        page.fill("#type", "C3")
        page.press("#type", "Enter")
        settled(page)
        until(page, "location.hash.includes('_')")
        assert moves(page)[0] == "c3" and len(moves(page)) == 2
        page.click("#undo")
        until(page, "!location.hash.includes('moves')")
        assert page.locator("#undo").is_disabled()
        assert "c3" in (page.text_content("#moves") or ""), "what was taken back stays as a variation"
        corner = page.locator('[data-cell="0"]').bounding_box()
        page.click("#flip")
        assert page.locator('[data-cell="0"]').bounding_box() != corner
        resign(page)
        until(page, "/You resigned/.test(document.querySelector('#status').textContent)")


def test_pieces_can_be_dragged(page: Page) -> None:
    begin(page, "breakthrough", {"rows": 5, "columns": 4})
    settled(page)
    page.drag_and_drop('[data-cell="12"]', '[data-cell="8"]')
    until(page, "location.hash.includes('moves=a2a3')")


def test_walls_are_put_between_cells_and_pawns_go_where_one_touches(page: Page) -> None:
    begin(page, "quoridor", {"size": 5, "walls": 3}, side="both")
    settled(page)
    page.locator('.slot[data-move="a2h"] .hit').first.click()
    until(page, "location.hash.endsWith('moves=a2h')")
    page.click('[data-cell="7"]')  # c4, where the second player's pawn can go
    until(page, "location.hash.endsWith('moves=a2h_c4')")
    page.drag_and_drop('[data-cell="22"]', '[data-cell="17"]')
    until(page, "location.hash.endsWith('moves=a2h_c4_c2')")
    assert page.locator(".fence").count() == 1
    assert page.locator('.slot[data-move="a2v"]').count() == 0, "it would cross"
    assert page.locator("#seat-bottom .seat-pieces").text_content() == "2"
    page.click("#flip")
    page.locator('.slot[data-move="d3v"] .hit').first.click()
    until(page, "location.hash.endsWith('moves=a2h_c4_c2_d3v')")
    assert "standing wall" in (page.get_attribute('[data-cell="13"]', "aria-label") or "")


def test_a_chosen_amazon_can_be_exchanged(page: Page) -> None:
    begin(page, "amazons", {"size": 6}, side="both")
    settled(page)
    page.click('[data-cell="31"]')
    until(page, "location.hash.includes('moves=b1')")
    page.click('[data-cell="34"]')
    until(page, "location.hash.endsWith('moves=e1')")
    page.click('[data-cell="34"]')
    until(page, "!location.hash.includes('moves')")


def test_analysis_is_live(page: Page) -> None:
    begin(page, "hex", {"size": 5}, side="both")
    settled(page)
    page.click("#analyse")
    page.wait_for_selector("#candidates .candidate")
    # Each message adds a point to the curve, which stays when the search has filled its memory.
    until(page, "document.querySelector('#thinking-chart .curve')?.getAttribute('d').includes('L')")
    assert page.locator(".thought").count() > 0
    page.hover("#candidates li:first-child button")
    page.wait_for_selector(".variation-text")
    variation = (page.text_content("#variation") or "").split()
    glaux.make("hex", size=5).play(variation)  # legal, or this raises
    page.mouse.move(1, 1)
    until(page, "!document.querySelector('.variation-text')")
    page.click("#candidates li:first-child button")
    until(page, "location.hash.includes('moves')")
    page.click("#analyse")
    assert page.get_attribute("#analyse", "aria-pressed") == "false"


@sizes
def test_a_match_can_be_watched_stepped_evaluated_and_shared(
    chromium: Browser, address: str, size: str
) -> None:
    context = {**SIZES[size], "permissions": ["clipboard-read", "clipboard-write"]}
    with opened(chromium, address, **context) as page:
        stop_time(page)
        begin(page, "connect_four", {"rows": 4, "columns": 5}, side="none")
        while len(moves(page)) < 3:
            page.clock.run_for(400)  # what lies between two moves
        page.click("#pause")
        until(page, "/Paused/.test(document.querySelector('#status').textContent)")
        played = moves(page)
        page.click("#to-start")
        until(page, "document.querySelector('#ply').textContent.startsWith('0 /')")
        assert page.locator("#back").is_disabled()
        page.click("#forward")
        until(page, "document.querySelector('#ply').textContent.startsWith('1 /')")
        page.click("#evaluate")
        until(page, f"document.querySelector('#ply').textContent === '{len(played)} / {len(played)}'")
        page.wait_for_selector("#match-chart .curve")
        page.click("#copy")
        until(page, "document.querySelector('#copy').textContent === 'Copied'")
        record = page.evaluate("navigator.clipboard.readText()")
        page.clock.run_for(2000)
        until(page, "document.querySelector('#copy').textContent !== 'Copied'")
        assert record.startswith('[Game "connect_four:columns=5,length=4,rows=4"]')
        assert record.split("\n\n")[1].split() == played
        glaux.make("connect_four", rows=4, columns=5).play(played)
        page.click("#share")
        until(page, "document.querySelector('#share').textContent === 'Copied'")
        link = page.evaluate("navigator.clipboard.readText()")
    with opened(chromium, link, **SIZES[size]) as page:
        assert moves(page) == played
        until(page, "/to move/.test(document.querySelector('#status').textContent)")


def test_a_record_is_loaded_and_stepped_through(page: Page) -> None:
    page.click("#load")
    page.fill("#load-text", "nonsense moves")
    page.click("#load-form button[type=submit]")
    until(page, "/is not a legal action/.test(document.querySelector('#load-error').textContent)")
    page.fill("#load-text", '[Game "othello:size=4"]\n\na2 a1 b1 a3')
    page.click("#load-form button[type=submit]")
    until(page, "document.querySelector('#ply').textContent === '0 / 4'")
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('#ply').textContent === '1 / 4'")
    page.keyboard.press("End")
    until(page, "document.querySelector('#ply').textContent === '4 / 4'")


def test_mistakes_get_a_sentence(chromium: Browser, address: str, page: Page) -> None:
    settled(page)
    page.fill("#type", "zz9")
    page.press("#type", "Enter")
    assert page.text_content("#complaint") == "'zz9' is not a legal move here."
    page.click("#new")
    page.click('.game-card[data-game="othello"]')
    page.fill("#parameter-size", "5")
    page.press("#parameter-size", "Tab")
    until(page, "document.querySelector('#setup-error').textContent.includes('even')")
    assert page.locator("#setup-start").is_disabled()
    page.click("#setup-cancel")
    for link in ("#game=nope", "#game=hex:size=5&moves=c3_c3", "#game=hex&start=rubbish"):
        with opened(chromium, address + link) as other:
            until(other, "document.querySelector('#complaint').textContent.length > 0")
            assert re.match(r"This link can't be opened\. .+[.?]$", other.text_content("#complaint") or "")


def test_a_server_that_does_not_answer_can_be_asked_again(page: Page) -> None:
    begin(page, "connect_four", {"rows": 4, "columns": 5}, side="both")
    settled(page)
    stop_time(page)  # else it asks again by itself, and the button may be gone
    page.route("**/api/position", lambda request: request.abort())
    page.locator(".cell.playable").first.click()
    until(page, "/does not answer/.test(document.querySelector('#complaint').textContent)")
    assert page.locator(".cell.playable").count() == 0
    page.unroute("**/api/position")
    page.click("#extras button")
    until(page, "document.querySelectorAll('.cell.playable').length > 0")
    assert moves(page) == ["1"] and page.text_content("#complaint") == ""


def test_a_reload_goes_on_with_the_match(page: Page) -> None:
    begin(page, "connect_four", side="second")
    until(page, "location.hash.includes('moves')")
    settled(page)
    before = moves(page)
    page.reload()
    page.wait_for_selector("html[data-ready=true]")
    assert moves(page) == before
    assert page.text_content("#seat-bottom .seat-name") == "You"


def test_runs_have_curves_and_are_opponents(page: Page) -> None:
    page.click("#tab-runs")
    page.wait_for_selector("#run-detail .curve.score")
    assert page.text_content(".run-name") == "small four"
    page.click("#run-detail .primary")
    until(page, "/small four/.test(document.querySelector('#seat-top').textContent)")
    settled(page)
    page.locator(".cell.playable").first.click()
    until(page, "location.hash.split('moves=')[1]?.includes('_')")


@pytest.mark.parametrize("rules", MADE_UP)
def test_boards_with_absent_cells_and_several_boards(chromium: Browser, rules: type[glaux.Rules]) -> None:
    game, name = glaux.make(rules), rules.registry_name()
    text = f"tests/rules/boards.py:{rules.__name__}"
    with server("--game", text) as address, opened(chromium, f"{address}#game={name}") as page:
        there = [cell for cell in range(game.spec.action_count) if game.spec.board.has(cell)]
        shown = "[...document.querySelectorAll('.cell')].map(e => Number(e.dataset.cell))"
        assert page.evaluate(shown) == there
        page.locator(".cell.playable").last.click(force=True)
        until(page, "location.hash.includes('moves')")
        assert moves(page) == [game.spec.board.cell_text(there[-1])]
        page.locator(".cell").first.focus()
        page.keyboard.press("ArrowRight")
        focused = page.evaluate("document.activeElement.dataset.cell")
        assert int(focused) == there[1], "keys pass over cells that are not there"


def test_a_cube_is_unfolded_and_solved(page: Page) -> None:
    """A game of one player without cells to touch: stickers by the text of the state, twists by buttons."""
    game = glaux.make("rubik2", twists=1, seed=1)
    start = game.initial()
    solving = next(a for a in game.actions(start) if game.terminal(game.apply(start, a)))
    page.evaluate("text => { location.hash = '#game=' + text; }", game.text)
    until(page, "document.querySelectorAll('#board .sticker').length === 24")
    assert page.locator("#board .sticker[data-face=U]").count() == 4
    page.get_by_role("button", name=game.action_text(start, solving), exact=True).click()
    until(page, "document.querySelector('#status').textContent === 'Solved.'")
    assert page.evaluate(
        "[...document.querySelectorAll('#board .sticker')].slice(0, 4).every(e => e.dataset.face === 'U')"
    )


def test_a_link_is_followed_while_a_position_arrives(page: Page) -> None:
    """The position on its way puts the address of its own match back, before the page hears of the link."""
    page.evaluate(
        "text => { const { href } = location; location.hash = text; history.replaceState(null, '', href); }",
        "#game=hex:size=5",
    )
    until(page, "document.querySelectorAll('#board .cell').length === 25")
    until(page, "location.hash.startsWith('#game=hex')")


def test_a_match_is_begun_before_the_answer_about_its_game(page: Page) -> None:
    """Who presses Start at once gets the game that is chosen, and not the one that was asked about before."""
    page.click("#new")
    chosen(page)
    held: list[Route] = []
    page.route("**/api/game?*", lambda request: held.append(request))  # noqa: PLW0108 (it takes no builtin)
    page.click('.game-card[data-game="hex"]')
    page.click("#setup-start")
    until(page, "document.querySelector('#setup').open")
    for request in held:
        request.continue_()
    until(page, "location.hash.startsWith('#game=hex')")
    until(page, "!document.querySelector('#setup').open")


def test_a_record_is_opened_before_its_file_is_read(page: Page, tmp_path: Path) -> None:
    (tmp_path / "record.txt").write_text('[Game "othello:size=4"]\n\na2 a1 b1 a3')
    page.evaluate(
        """() => {
            const read = Blob.prototype.text;
            const wait = new Promise(go => { window.goOn = go; });
            Blob.prototype.text = async function () { await wait; return read.call(this); };
        }"""
    )
    page.click("#load")
    page.set_input_files("#load-file", tmp_path / "record.txt")
    page.click("#load-form button[type=submit]")
    page.evaluate("window.goOn()")
    until(page, "document.querySelector('#ply').textContent === '0 / 4'")


def test_the_server_says_nothing_of_the_disk(page: Page, address: str) -> None:
    """Runs are shown by their names: no path of the machine reaches the page."""
    for path in ("/api/runs", "/api/games", "/api/game?text=connect_four:rows=4,columns=5"):
        text = page.evaluate("(path) => fetch(path).then((answer) => answer.text())", path)
        assert str(Path.cwd()) not in text and "/tmp" not in text


def test_the_link_with_the_token_opens_the_page(chromium: Browser) -> None:
    """Also a link to a match; the socket on which the server thinks brings the token too."""
    with server("--host", "0.0.0.0") as link, opened(chromium, f"{link}#game=hex:size%3D5&moves=c3") as page:
        assert "token=" in link and "token" not in page.url and moves(page) == ["c3"]
        begin(page, "connect_four", side="second")
        until(page, "/connect_four.*moves=/.test(location.hash)")
        assert len(moves(page)) == 1, settled(page)
