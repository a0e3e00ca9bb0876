"""``glaux serve`` as a process: starts, answers, ends, and refuses."""

import json
import re
import signal
import socket
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.cli.runner import process, refusal, run


def test_it_starts_answers_and_ends_with_ctrl_c() -> None:
    with process("serve", "--port", "0", "--no-browser") as started:
        assert started.stdout is not None
        line = started.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found is not None, line
        with urlopen(found[0]) as page:
            assert b"<title>Glaux</title>" in page.read()
        body = json.dumps({"game": "hex:size=5", "actions": [3]}).encode()
        with urlopen(
            Request(f"{found[0]}api/position", body, {"content-type": "application/json"})
        ) as answer:
            assert json.load(answer)["ply"] == 1
        started.send_signal(signal.SIGINT)
        _, stderr = started.communicate()
        assert started.returncode in (0, 130)
        assert "Traceback" not in stderr


def page_at(address: str) -> ClientConnection:
    """A page's socket that waits as long as it takes."""
    where = address.replace("http", "ws") + "api/think"
    return connect(where, open_timeout=120, close_timeout=120, ping_interval=None)


def test_pages_that_go_away_while_it_thinks() -> None:
    """Nothing is said about them, and Ctrl-C ends the searches that are still under way."""
    with process("serve", "--port", "0", "--no-browser") as started:
        assert started.stdout is not None
        address = next(word for word in started.stdout.readline().split() if word.startswith("http"))
        question = {
            "type": "think",
            "id": 1,
            "game": "hex",
            "player": "mcts",
            "purpose": "analyse",
            "seconds": 120,
        }
        for _ in range(4):
            with page_at(address) as page:
                page.send(json.dumps(question))
                assert json.loads(page.recv())["type"] == "thought"
        with page_at(address) as page:
            page.send(json.dumps(question))
            page.recv()
            started.send_signal(signal.SIGINT)
            _, stderr = started.communicate()
        assert stderr == ""


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in refusal("serve", "--no-browser", "--port", str(port))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--runs", "no/such/place"), "There is no directory 'no/such/place'"),
        (("--memory", "much"), "The setting memory must be a size"),
        (("--memory", "0"), "memory"),
        (("--game", "no_such.py:Game"), "There is no file"),
        (("--host", "no.such.host.invalid"), "can't be served"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], part: str) -> None:
    assert part in refusal("serve", "--no-browser", "--port", "0", *arguments)


def test_help_teaches() -> None:
    said = run("serve", "--help").stdout
    for word in ("--port", "--host", "--no-browser", "--runs", "--game", "Examples"):
        assert word in said


def test_the_page_is_in_the_package() -> None:
    import glaux.web  # noqa: PLC0415

    static = Path(glaux.web.__file__).parent / "static"
    names = {"app.js", "style.css", "index.html", "icon.svg", "rules.json"}
    assert {file.name for file in static.iterdir()} == names
