"""Takes the pictures of the page: ``python docs/images/make_page.py --runs DIR`` (needs Chromium).

Starts ``glaux serve`` with runs of Hex and Connect Four, opens the page in Chromium, and photographs
what docs/web.md shows. Positions are given by links; the thoughts are whatever this machine thinks then.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

PROGRAM = Path(sys.executable).with_name("glaux")
FOLDER = Path(__file__).parent
HEX = "#game=hex:size=7,swap=1&moves=b4_d4_c5_c4_d5_e3_e5_e4"
MOVES = "c2d3 b5c4 d2c3 c4b3 c1xb3 a6b5 d1c1 e5e4 d3xd5 a5b4 b1c2 b4c4 e2d3 e4f4 e1d1 e6xf2"
SURAKARTA = f"#game=surakarta:size=6&moves={MOVES.replace(' ', '_')}"
SANTORINI = "#game=santorini:size=5&start=1.2.0O0.0./0.3.1X4.1./2.0.3.0O0./0.1X4.2.0./0.0.1.0.0.%20O%2054"
FOUR = "#game=connect_four:columns=7,length=4,rows=6&moves=4_4_3_5_3_3_2_1_5_4_5"


def analyse(page: Page) -> None:
    """Let the agent think for a while."""
    page.click("#analyse")
    time.sleep(4)


def point(page: Page) -> None:
    """Evaluate the match, then show how the best move would go on."""
    page.click("#evaluate")
    time.sleep(5)
    analyse(page)
    page.focus("#candidates li:first-child button")
    time.sleep(0.3)


def play_run(page: Page) -> None:
    """Play against what a run has learned."""
    page.click("#tab-runs")
    page.click(".run:has-text('connect_four')")
    page.wait_for_selector("#run-detail h2:has-text('connect_four')")
    page.click("#run-detail .primary")
    page.wait_for_selector("#seat-top:has-text('connect_four')")
    for move in ("4", "3", "3", "5"):
        page.wait_for_selector("#status:has-text('Your turn')")
        page.fill("#type", move)
        page.press("#type", "Enter")
        time.sleep(1.8)
    page.focus("#candidates li:first-child button")
    time.sleep(0.3)


def new(page: Page) -> None:
    """The dialog of a new match."""
    page.click("#new")
    page.click('.game-card[data-game="hex"]')
    page.fill("#parameter-size", "7")
    page.press("#parameter-size", "Tab")
    time.sleep(0.6)


def runs(page: Page) -> None:
    """The tab of runs."""
    page.click("#tab-runs")
    page.wait_for_selector("#run-detail .curve")
    time.sleep(0.5)


class Scene(NamedTuple):
    """A picture: its name, where it is taken, and what is done before."""

    name: str
    link: str
    act: Callable[[Page], None]
    dark: bool = False
    phone: bool = False


SCENES = [
    Scene("web-hex", HEX, point, dark=True),
    Scene("web-connect-four", "", play_run),
    Scene("web-surakarta", SURAKARTA, analyse),
    Scene("web-santorini", SANTORINI, analyse),
    Scene("web-runs", "", runs),
    Scene("web-new", "", new),
    Scene("web-phone-light", FOUR, analyse, phone=True),
    Scene("web-phone-dark", HEX, analyse, dark=True, phone=True),
]


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    command = [str(PROGRAM), "serve", "--port", "0", "--no-browser", *arguments]
    with Popen(command, stdout=PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            server.terminate()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's browser, without a window."""
    sandbox = [] if os.getuid() else ["--no-sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=sandbox)
        yield browser
        browser.close()


def photograph(address: str, scenes: list[Scene]) -> None:
    """Take the pictures."""
    with chromium() as browser:
        for scene in scenes:
            size = {"width": 390, "height": 844} if scene.phone else {"width": 1240, "height": 830}
            context = browser.new_context(
                viewport=size,
                color_scheme="dark" if scene.dark else "light",
                device_scale_factor=1.5,
            )
            page = context.new_page()
            page.goto(address + scene.link)
            page.wait_for_selector("html[data-ready=true]")
            time.sleep(0.5)
            scene.act(page)
            page.evaluate("scrollTo(0, 0)")
            time.sleep(0.2)
            file = FOLDER / f"{scene.name}.png"
            page.screenshot(path=file)
            context.close()
            Image.open(file).convert("RGB").save(file, optimize=True)
            print(f"{file.name}: {file.stat().st_size // 1000} kB")


def main() -> None:
    """Serve, and photograph."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("names", nargs="*", help="only these")
    chosen = parser.parse_args()
    scenes = [scene for scene in SCENES if not chosen.names or scene.name in chosen.names]
    with serving("--runs", str(chosen.runs)) as address:
        photograph(address, scenes)


if __name__ == "__main__":
    main()
