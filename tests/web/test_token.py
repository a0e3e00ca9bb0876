"""Who has the link of a server that other machines reach can use it, and nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.websockets import WebSocketDisconnect

from glaux.errors import InvalidParameter
from glaux.web.server import address, is_loopback, listen, outside
from glaux.web.token import Token
from tests.cli.runner import process, refusal
from tests.web.clients import answer, client, error, question, thinking

TOKEN = Token("a-token-of-24-characters")
OTHER = Token.random()


@pytest.fixture
def app() -> Iterator[TestClient]:
    with client(token=TOKEN) as made:
        yield made


@pytest.mark.parametrize(
    "path", ["/", "/static/app.js", "/api/games", "/nothing", "/?token=", "/?token=x", "/?x"]
)
def test_without_the_token_there_is_nothing(app: TestClient, path: str) -> None:
    assert "open the link" in error(app.get(path), 401)
    assert "open the link" in error(app.post(path, json={}), 401)


def test_sockets_need_it_too(app: TestClient) -> None:
    for headers in (
        dict[str, str](),
        {"authorization": f"Bearer {OTHER.text}"},
        {"cookie": f"{TOKEN.name}={OTHER.text}"},
    ):
        with pytest.raises(WebSocketDisconnect) as refused, thinking(app, **headers):
            pass
        assert "needs its token" in refused.value.reason


def test_the_link_gives_a_cookie_and_the_page(app: TestClient) -> None:
    opened = app.get(f"/?token={TOKEN.text}", follow_redirects=False)
    assert opened.status_code == 303 and opened.headers["location"] == "/"
    cookie = opened.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie
    page = app.get("/")  # the client keeps cookies as a browser does
    assert "<title>Glaux</title>" in page.text and TOKEN.text not in str(page.url)
    assert app.post("/api/position", json={"game": "hex"}).is_success
    with thinking(app, cookie=f"{TOKEN.name}={TOKEN.text}") as socket:
        socket.send_json(question(iterations=10))
        assert answer(socket)["type"] == "done"


def test_programs_bring_it_in_a_header(app: TestClient) -> None:
    assert app.get("/api/games", headers={"authorization": f"Bearer {TOKEN.text}"}).is_success
    error(app.get("/api/games", headers={"authorization": f"Basic {TOKEN.text}"}), 401)


def test_the_token_does_not_open_other_doors(app: TestClient) -> None:
    brought = {"authorization": f"Bearer {TOKEN.text}"}
    error(app.get("/api/games", headers={**brought, "host": "evil.example"}), 421)
    error(app.get("/api/games", headers={**brought, "origin": "http://evil.example"}), 403)
    error(app.get(f"/?token={TOKEN.text}", headers={"host": "evil.example"}), 421)


@pytest.mark.slow
@settings(max_examples=200)
@given(name=st.sampled_from(["cookie", "authorization"]), value=st.binary(max_size=60))
def test_no_header_is_the_token_by_chance(name: str, value: bytes) -> None:
    assert not TOKEN.is_brought(Headers(raw=[(name.encode(), value)]))
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"token=" + value}
    assert TOKEN.is_link(scope) == (value.split(b"&")[0].strip() == TOKEN.text.encode())


@pytest.mark.parametrize(
    "text", ["", "short", "with a space in it", "x" * 201, "ä" * 20, "a=b;c=d;e=f;g=h;i"]
)
def test_tokens_that_are_none(text: str) -> None:
    with pytest.raises(InvalidParameter, match="A token must have at least 16 letters"):
        Token(text)


def test_tokens_are_not_repeated() -> None:
    assert len({Token.random().text for _ in range(100)}) == 100


# The command


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("box", False),
    ],
)
def test_who_is_reached_by_others(host: str, alone: bool) -> None:
    assert is_loopback(host) == alone


def test_links_have_the_token() -> None:
    with listen("127.0.0.1", 0) as bound:
        assert address("0.0.0.0", bound, TOKEN).endswith(f"/?token={TOKEN.text}")
        assert "?" not in address("127.0.0.1", bound)
    assert outside("10.0.0.7") == "10.0.0.7" and outside("0.0.0.0") not in ("", "0.0.0.0")


@pytest.mark.slow
def test_a_server_for_others_says_so_and_asks_for_its_token() -> None:
    with process("serve", "--port", "0", "--no-browser", "--host", "0.0.0.0") as started:
        assert started.stdout is not None
        here, elsewhere, warning = (started.stdout.readline() for _ in range(3))
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S{32})", here)
        assert found is not None, here
        assert f"/?token={found[2]}" in elsewhere and "not encrypted" in warning
        with pytest.raises(HTTPError, match="401"):
            urlopen(found[1])
        brought = {"authorization": f"Bearer {found[2]}"}
        assert urlopen(Request(f"{found[1]}/", headers=brought)).status == 200
        started.kill()


def test_mistakes() -> None:
    assert "A token must have at least 16" in refusal(
        "serve", "--no-browser", "--port", "0", "--token", "secret"
    )
