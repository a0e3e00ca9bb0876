"""Records in a real browser: opened, saved, with variations; pictures; what won is marked; the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import glaux
from glaux import _core
from glaux.records.files import add_records, load_records
from glaux.records.record import Record
from tests.web.browser import BROWSER_MARKS, SIZES, begin, moves, opened, play, resign, settled, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = BROWSER_MARKS

sizes = pytest.mark.parametrize("size", SIZES)


def save(page: Page, form: str, folder: Path) -> Path:
    """Save by the dialog, and give the file."""
    page.click("#save")
    with page.expect_download() as caught:
        page.click(f"#save-{form}")
    file = folder / caught.value.suggested_filename
    caught.value.save_as(file)
    return file


@sizes
@pytest.mark.parametrize("form", ["text", "sgf"])
def test_variations_survive_saving_and_opening(
    chromium: Browser, address: str, tmp_path: Path, size: str, form: str
) -> None:
    with opened(chromium, f"{address}#game=hex:size=5", **SIZES[size]) as page:
        settled(page)
        play(page, "c3", "d2", "b4")
        page.click("#back")
        page.click("#back")
        until(page, "document.querySelector('#ply').textContent === '1 / 3'")
        play(page, "b2")
        assert moves(page) == ["c3", "b2"]
        assert page.locator("#moves .variation-moves .move").all_inner_texts() == ["d2", "b4"]
        file = save(page, form, tmp_path)
        (record,) = load_records(file)
        assert record.texts == ["c3", "b2"]
        assert [one.texts for one in record.variations[1]] == [["d2", "b4"]]
        page.click("#load")
        page.set_input_files("#load-file", file)
        page.click("#load-form button[type=submit]")
        until(page, "document.querySelector('#ply').textContent === '0 / 2'")
        page.locator("#moves .variation-moves .move", has_text="b4").click()
        until(page, "document.querySelector('#ply').textContent === '3 / 3'")
        assert moves(page) == ["c3", "d2", "b4"]
        assert page.locator("#moves .variation-moves .move").all_inner_texts() == ["b2"]
        page.reload()
        page.wait_for_selector("html[data-ready=true]")
        until(page, "document.querySelector('#ply').textContent === '3 / 3'")
        assert page.locator("#moves .variation-moves .move").all_inner_texts() == ["b2"]


@sizes
@pytest.mark.parametrize("form", ["text", "sgf"])
def test_a_resignation_is_kept(chromium: Browser, address: str, tmp_path: Path, size: str, form: str) -> None:
    """In the file, when it is opened again, and by a reload; from an earlier position one can play on."""
    resigned = "document.querySelector('#status').textContent === 'Blue resigned.'"
    with opened(chromium, f"{address}#game=hex:size=5", **SIZES[size]) as page:
        settled(page)
        play(page, "c3")
        resign(page)
        until(page, resigned)
        file = save(page, form, tmp_path)
        (record,) = load_records(file)
        assert (record.verdict, record.reason) == (1, "resignation")
        page.click("#load")
        page.set_input_files("#load-file", file)
        page.click("#load-form button[type=submit]")
        until(page, "document.querySelector('#ply').textContent === '0 / 1'")
        until(page, "document.querySelectorAll('.cell.playable').length > 0")
        page.click("#to-end")
        until(page, resigned)
        assert page.locator(".cell.playable").count() == 0
        page.reload()
        page.wait_for_selector("html[data-ready=true]")
        until(page, resigned)
        page.click("#load")
        page.fill("#load-text", '[Game "hex:size=5"]\n[Result "0-1"]\n[Reason "time"]\n\nc3')
        page.click("#load-form button[type=submit]")
        until(page, "document.querySelector('#ply').textContent === '0 / 1'")
        page.click("#to-end")
        until(page, "document.querySelector('#status').textContent === 'Red lost on time.'")


@sizes
@pytest.mark.parametrize("ending", ["txt", "sgf"])
def test_all_the_games_of_a_file_can_be_opened(
    chromium: Browser, address: str, tmp_path: Path, size: str, ending: str
) -> None:
    game = glaux.make("hex", size=5)
    start = game.initial()
    names = [("Anna", "Ben"), ("Cleo", "Dan"), ("Eve", "Finn")]
    first = [[12], [7, 3], [0, 1, 2]]
    file = tmp_path / f"three.{ending}"
    add_records(
        file, [Record(start, name).play_all(actions) for name, actions in zip(names, first, strict=True)]
    )
    with opened(chromium, address, **SIZES[size]) as page:
        page.click("#load")
        page.set_input_files("#load-file", file)
        until(page, "document.querySelector('#load-choice').options.length === 3")
        assert page.text_content("#load-count") == "3 games"
        assert "Cleo \u2013 Dan" in (page.text_content("#load-choice option:nth-child(2)") or "")
        page.select_option("#load-choice", "2")
        page.click("#load-form button[type=submit]")
        until(page, "document.querySelector('#ply').textContent === '0 / 3'")
        assert moves(page) == ["a1", "b1", "c1"]
        settled(page)
        seats = [page.text_content(f"#seat-{place} .seat-name") for place in ("bottom", "top")]
        assert seats == ["Eve", "Finn"]
        (record,) = load_records(save(page, "text" if ending == "txt" else ending, tmp_path))
        assert record.players == ("Eve", "Finn")


@sizes
@pytest.mark.parametrize(
    ("link", "cells"),
    [
        ("#game=connect_four&moves=4_1_4_1_4_1_4", [17, 24, 31, 38]),
        ("#game=hex:size=3,swap=0&moves=b1_a1_b2_c3_b3", [1, 4, 7]),
        ("#game=hex:size=3,swap=0&moves=a1_a2_c3_b2_c2_b1_a3_c1", [1, 2, 3]),
    ],
)
def test_what_won_is_marked(chromium: Browser, address: str, size: str, link: str, cells: list[int]) -> None:
    with opened(chromium, address + link, **SIZES[size]) as page:
        until(page, "document.querySelectorAll('.winning').length > 0")
        assert page.locator(".winning").count() == len(cells)
        place = "e => e.getAttribute('cx') + ' ' + e.getAttribute('cy')"
        marked = page.evaluate(f"[...document.querySelectorAll('.winning')].map({place})")
        ghosts = [page.eval_on_selector(f'[data-cell="{cell}"] .ghost', place) for cell in cells]
        assert sorted(marked) == sorted(ghosts)


@sizes
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_moves_have_the_colours_of_their_players(
    chromium: Browser, address: str, size: str, colours: str
) -> None:
    context: dict[str, Any] = {**SIZES[size], "color_scheme": colours}
    with opened(chromium, f"{address}#game=hex:size=5&moves=c3_d2", **context) as page:
        until(page, "document.querySelectorAll('.turn-chip').length === 2")
        chips = "[...document.querySelectorAll('.turn-chip')].map(e => getComputedStyle(e).backgroundColor)"
        assert page.evaluate(chips) == ["rgb(217, 71, 63)", "rgb(59, 120, 207)"]


@sizes
def test_nothing_jumps_when_the_agent_thinks(chromium: Browser, address: str, size: str) -> None:
    places = """['#board', '#new', '#type', '#thinking-title', '#record-title', '#moves', '#save'].map(
        name => { const box = document.querySelector(name).getBoundingClientRect();
        return [name, Math.round(box.x + scrollX), Math.round(box.y + scrollY), Math.round(box.height)] })"""
    with opened(chromium, address, **SIZES[size]) as page:
        begin(page, "hex", {"size": 5}, effort="1 s")
        settled(page)
        before = page.evaluate(places)
        page.fill("#type", "b2")
        page.press("#type", "Enter")
        page.wait_for_selector("#candidates .candidate")
        assert page.evaluate(places) == before
        settled(page)
        until(page, "location.hash.includes('_')")
        assert page.evaluate(places) == before


@sizes
def test_the_game_has_its_name_and_its_rules(chromium: Browser, address: str, size: str) -> None:
    with opened(chromium, f"{address}#game=hex:size=5", **SIZES[size]) as page:
        assert page.text_content("#game-title") == "Hex" and page.title() == "Hex · Glaux"
        assert "size 5" in (page.text_content("#game-settings") or "")
        page.click("#rules")
        until(page, "document.querySelector('#rules-dialog').open")
        assert "connecting the top and bottom edges" in (page.text_content("#rules-text") or "")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"]
        page.click("#rules-close")


def test_every_game_of_the_registry_has_rules(page: Page) -> None:
    told = page.evaluate("fetch('/static/rules.json').then(answer => answer.json())")
    assert {info.name for info in _core.registry() if not told.get(info.name)} == set()


@sizes
def test_columns_and_faces_are_named(chromium: Browser, address: str, size: str) -> None:
    for game, names in (("connect_four", "1234567"), ("rubik2", "URFDLB")):
        with opened(chromium, f"{address}#game={game}", **SIZES[size]) as page:
            until(page, "document.querySelectorAll('#board .labels text').length > 0")
            assert "".join(page.locator("#board .labels text").all_text_contents()) == names


@sizes
def test_pictures_are_saved(chromium: Browser, address: str, tmp_path: Path, size: str) -> None:
    from PIL import Image  # noqa: PLC0415 (with matplotlib, for this test alone)

    with opened(chromium, f"{address}#game=connect_four&moves=4_4_3", **SIZES[size]) as page:
        until(page, "document.querySelectorAll('.last-dot').length > 0")
        with Image.open(save(page, "png", tmp_path)) as opened_picture:
            still = opened_picture.convert("RGB")
        assert still.width == 1200
        across, down = still.width / 772, still.height / 672  # the units of the board
        red = still.getpixel((round(386 * across), round(586 * down - 25)))
        assert isinstance(red, tuple) and red[0] > 150 > red[2], "the first stone in column 4 is red"
        svg = save(page, "svg", tmp_path).read_text()
        assert svg.startswith("<svg") and "class=" not in svg and "rgb(224, 68, 58)" in svg
        frames = []
        with Image.open(save(page, "apng", tmp_path)) as moving:
            assert getattr(moving, "n_frames", 1) == 4
            for frame in range(4):
                moving.seek(frame)
                frames.append(moving.convert("RGB").tobytes())
        assert len(set(frames)) == 4
