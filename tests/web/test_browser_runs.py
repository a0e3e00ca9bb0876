"""The tab of runs in a real browser: comparison, values, settings, matches, a training run."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import glaux
from glaux.learn.registry import read_config
from glaux.learn.run import METRICS, Run
from tests.web.browser import BROWSER_MARKS, SIZES, moves, opened, server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = BROWSER_MARKS

sizes = pytest.mark.parametrize("size", SIZES)


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("two")
    game = glaux.make("connect_four", rows=4, columns=5)
    for name, gain in (("slow", 0.5), ("fast", 1.0)):
        run = Run.create(folder / name, read_config({"game": game.text}))
        for match in range(1, 50):
            loss = 1000.0 if match == 1 else 1 / match
            row = {"kind": "match", "match": match, "elapsed": 10.0 * match, "loss": loss, "plies": 9}
            run.add_metrics(row)
            run.add_match({"match": match, "outcome": 0, "actions": [0, 1, 2]})
        for match in (1, 25, 49):
            score = gain * match / 60
            row = {"kind": "strength", "match": match, "elapsed": 10.0 * match, "score": score}
            run.add_metrics(row | {"low": score - 0.1, "high": score + 0.1})
        # Long ended: else it would cease to be live in the middle of a test, and be drawn anew.
        os.utime(run.path / METRICS, (time.time() - 3600,) * 2)
    with server("--runs", str(folder)) as page:
        yield page


@sizes
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_runs_are_compared(chromium: Browser, two_runs: str, size: str, colours: str) -> None:
    with opened(chromium, two_runs, **SIZES[size] | {"color_scheme": colours}) as page:
        page.click("#tab-runs")
        page.wait_for_selector("#run-detail .curve.score")
        page.check(".compare input")
        until(page, "document.querySelectorAll('#run-detail .curve.c1').length === 3")
        assert sorted(page.locator(".legend li").all_inner_texts()) == ["fast", "slow"]
        strokes = "[...document.querySelectorAll('.curve')].slice(0, 2).map(e => getComputedStyle(e).stroke)"
        assert len(set(page.evaluate(strokes))) == 2
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"]
        page.uncheck(".compare input")
        until(page, "document.querySelectorAll('#run-detail .curve.c1').length === 0")


@sizes
def test_values_are_read_under_the_pointer_and_axes_are_sane(
    chromium: Browser, two_runs: str, size: str
) -> None:
    with opened(chromium, two_runs, **SIZES[size]) as page:
        page.click("#tab-runs")
        page.wait_for_selector("#run-detail .curve.score")
        chart = page.locator("figure", has_text="Score").locator("svg")
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] * 0.85, box["y"] + box["height"] / 2)
        until(page, "/min: .*%/.test(document.querySelector('figure .reading').textContent)")
        assert page.locator("figure .pointed .dot").count() == 1
        ticks = page.locator("figure", has_text="Loss").locator(".tick-text").all_text_contents()
        assert max(float(text) for text in ticks if "min" not in text) < 2, (
            "the first loss does not set the axis"
        )
        assert any(text.endswith(" min") for text in ticks)


@sizes
def test_the_list_comes_back_when_the_server_does(chromium: Browser, two_runs: str, size: str) -> None:
    with opened(chromium, two_runs, **SIZES[size]) as page:
        page.click("#tab-runs")
        page.wait_for_selector("#run-detail .curve.score")
        page.route("**/api/runs", lambda request: request.abort())
        until(page, "/does not answer/.test(document.querySelector('#run-list').textContent)")
        page.unroute("**/api/runs")
        until(page, "document.querySelectorAll('#run-list .run').length === 2")


@sizes
def test_settings_and_matches_against_itself_are_shown(chromium: Browser, two_runs: str, size: str) -> None:
    with opened(chromium, two_runs, **SIZES[size]) as page:
        page.click("#tab-runs")
        page.wait_for_selector("#run-detail .curve.score")
        page.click("#run-settings summary")
        assert "checkpoint_every" in (page.text_content("#run-settings") or "")
        page.click("#run-matches summary")
        page.click("#run-matches button >> nth=0")
        until(page, "document.querySelector('#ply').textContent === '0 / 3'")
        assert moves(page) == ["1", "2", "3"]


@sizes
def test_every_game_can_be_trained(chromium: Browser, two_runs: str, size: str) -> None:
    with opened(chromium, f"{two_runs}#game=hex:size=7", **SIZES[size]) as page:
        games = page.evaluate("fetch('/api/games').then((answer) => answer.json())")["games"]
        page.click("#tab-runs")
        page.click("#train")
        page.wait_for_selector("#train-dialog[open]")
        assert page.locator("#train-game option").count() == len(games)
        assert page.input_value("#train-game").startswith("hex:size=7")
        assert page.input_value("#train-name").startswith("hex-")
        page.select_option("#train-game", "rubik2")
        until(page, "document.querySelector('#train-name').value.startsWith('rubik2-')")
        assert "tcl" in page.locator("#train-preset option").all_text_contents()


@sizes
def test_a_training_run_is_started_watched_and_stopped(chromium: Browser, tmp_path: Path, size: str) -> None:
    link = "#game=connect_four:rows=4,columns=4,length=3"
    with server("--runs", str(tmp_path)) as address, opened(chromium, address + link, **SIZES[size]) as page:
        page.click("#tab-runs")
        page.click("#train")
        page.fill("#train-minutes", "10")  # it is stopped long before
        page.fill("#train-name", "mine")
        page.click("#train-start")
        until(page, "/mine/.test(document.querySelector('#train-stop').textContent)")
        page.wait_for_selector("#run-detail .curve.loss")
        # The curve changes; the number of its points does not only grow: old ones are merged.
        curve = "document.querySelector('#run-detail .curve.loss').getAttribute('d')"
        before = page.evaluate(curve)
        until(page, f"{curve} !== '{before}'")
        page.click("#train-stop")
        page.wait_for_selector("#train:not([hidden])")
        page.wait_for_selector("#run-detail .primary:enabled")
        assert (tmp_path / "mine" / "checkpoints").is_dir()


@sizes
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_tournament_is_a_ladder(chromium: Browser, tmp_path: Path, size: str, colours: str) -> None:
    (tmp_path / "cup").mkdir()
    row = {"games": 10, "wins": 6, "draws": 0, "losses": 4}
    rows = [
        row | {"player": "mcts:iterations=1000", "elo": 80, "low": 20, "high": 140},
        row | {"player": "random", "elo": -80, "low": -140, "high": -20},
    ]
    (tmp_path / "cup" / "result.json").write_text(json.dumps({"game": "hex:size=5", "ratings": rows}))
    with (
        server("--tournaments", str(tmp_path)) as address,
        opened(chromium, address, **SIZES[size] | {"color_scheme": colours}) as page,
    ):
        page.click("#tab-ladders")
        page.wait_for_selector(".ladder")
        assert page.text_content(".ladder h2") == "cup"
        assert page.locator(".ladder tbody th").all_inner_texts() == [
            "mcts, 1,000 iterations",
            "Random moves",
        ]
        dots = "[...document.querySelectorAll('.elo-dot')].map(e => Number(e.getAttribute('cx')))"
        first, last = page.evaluate(dots)
        assert first > last
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"]
