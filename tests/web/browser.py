"""A real browser at the page of a real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from tests.cli.runner import PROGRAM

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = "Chromium is not installed: apt-get install chromium"
PATIENCE_MS = int(os.environ.get("GLAUX_TEST_PATIENCE", "120")) * 1000
DESKTOP: dict[str, Any] = {"viewport": {"width": 1240, "height": 830}, "color_scheme": "light"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
SIZES = {"desktop": DESKTOP, "phone": PHONE}
"""what the page can do is tested in both sizes and both colours, and not four times"""
SIDEWAYS: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
SCREENS = SIZES | {"sideways": SIDEWAYS}
"""with a phone that is held sideways, where the layout is tested"""


BROWSER_MARKS = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason=MISSING),
    # Playwright's loop and its sockets end with the interpreter and not with a test.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """The address of a page that ``glaux serve`` serves."""
    command = [PROGRAM, "serve", "--port", "0", "--no-browser", *arguments]
    variables = os.environ | {"SKBUILD_EDITABLE_VERBOSE": "0"}
    with Popen(command, text=True, stdout=PIPE, env=variables) as started:
        try:
            assert started.stdout is not None
            line = started.stdout.readline()
            yield next(word for word in line.split() if word.startswith("http"))
        finally:
            started.kill()


@contextmanager
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (only where Chromium is)

    sandbox = [] if os.getuid() else ["--no-sandbox"]  # root has none
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox, timeout=PATIENCE_MS)
        yield made
        made.close()


@contextmanager
def opened(made: Browser, address: str, **context: object) -> Iterator[Page]:
    """The page, ready; what it complains of to the console is a failure."""
    complaints: list[str] = []
    with made.new_context(reduced_motion="reduce", **context) as fresh:  # type: ignore[arg-type]
        page = fresh.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type == "error" else None
        )
        page.goto(address)
        page.wait_for_selector("html[data-ready=true]")
        yield page
    expected = ("status of 4", "net::ERR_FAILED")  # refusals, and what a test itself has cut off
    assert [text for text in complaints if not any(part in text for part in expected)] == []


def until(page: Page, expression: str) -> Any:
    """Wait until something is true in the page, whose policy forbids a script to wait for it there; say what
    it was then, for it may be something else when the page is asked again."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not (found := page.evaluate(expression)):
        assert time.monotonic() < deadline, f"waited in vain for {expression}"
        page.wait_for_timeout(15)
    return found


def stop_time(page: Page) -> None:
    """From now on the page's time stands still, but for ``page.clock.run_for``: nothing that lasts a while is
    over before the test has seen it."""
    page.clock.install()
    page.clock.pause_at(time.time() + 3600)


def think_by_iterations(page: Page, iterations: int) -> None:
    """Whatever the page asks from now on gets so many iterations, in whatever time: in a fraction of a second
    a busy machine may find nothing."""

    def ask(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def sent(message: str | bytes) -> None:
            asked = json.loads(message)
            if asked["type"] == "think":
                asked |= {"seconds": None, "iterations": iterations}
            server.send(json.dumps(asked))

        socket.on_message(sent)

    page.route_web_socket("**/api/think", ask)


def begin(page: Page, game: str, parameters: dict[str, int] | None = None, **choices: str) -> None:
    """Begin a match by the dialog; 100 iterations of MCTS unless told otherwise."""
    page.click("#new")
    page.click(f'.game-card[data-game="{game}"]')
    for name, value in (parameters or {}).items():
        page.fill(f"#parameter-{name}", str(value))
        page.press(f"#parameter-{name}", "Tab")
    chosen(page)
    page.evaluate("document.querySelector('#setup-more').open = true")
    player = choices.get("player", "mcts")
    page.select_option("#setup-opponent" if player.startswith("run:") else "#setup-search", player)
    page.select_option("#setup-effort", label=choices.get("effort", "100 iterations"))
    page.select_option("#setup-clock", label=choices.get("clock", "None"))
    page.click(f'.sides label:has(input[value="{choices.get("side", "first")}"])')
    page.click("#setup-start:enabled")
    until(page, "!document.querySelector('#setup').open")


def chosen(page: Page) -> None:
    """Wait until the dialog knows the game that is chosen, and who plays it."""
    page.wait_for_selector("#setup:not([aria-busy])")
    page.wait_for_selector("#setup-start:enabled")


def moves(page: Page) -> list[str]:
    """The moves so far, as the address of the page says them."""
    parts = dict(part.split("=", 1) for part in page.evaluate("location.hash").lstrip("#").split("&"))
    return [text for text in unquote(parts.get("moves", "")).split("_") if text]


def play(page: Page, *texts: str) -> None:
    """Type moves, one after the other, each when the last one is there."""
    for text in texts:
        until(page, "document.querySelector('#legal-moves').options.length > 0")
        before = moves(page)
        page.fill("#type", text)
        page.press("#type", "Enter")
        until(page, f"location.hash.endsWith('{text}')")
        assert moves(page)[: len(before) + 1] != before
        settled(page)


def resign(page: Page) -> None:
    """Press the button twice; after some seconds the second time would be a first one again."""
    stop_time(page)
    page.click("#resign")
    until(page, "document.querySelector('#resign').textContent === 'Sure?'")
    page.click("#resign")
    page.clock.resume()


def settled(page: Page) -> str:
    """Wait until a person is to move or the match is over, and say what the page says."""
    until(page, "/^(?!.*thinking)./.test(document.querySelector('#status').textContent)")
    return page.text_content("#status") or ""


def show(page: Page, game: str) -> None:
    """Follow the link to the start of a game, or to moves of it (``hex&moves=a1``)."""
    page.evaluate(f"location.hash = '#game={game}'")
    name = re.split("[:&]", game)[0]
    until(page, f"document.querySelector('#game-title').dataset.game === '{name}'")
    settled(page)
