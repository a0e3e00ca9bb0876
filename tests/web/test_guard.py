"""Who may ask, how much, and what browsers are told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from ipaddress import ip_address
from socket import gethostname

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from glaux.web.guard import Guard
from tests.web.clients import client, error

FOREIGN = ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example", "[", "a b"]
FOREIGN += ["evil@localhost", "localhost:80:80", "[localhost]", "[::1", "localhost/x", "localhost:x"]
OWN = ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.1.7", "box.example"]

STRANGE = ["null", "file://", "http://[", "http://]", "[", "", "//", "localhost:8000", "ftp://localhost:8000"]
STRANGE += ["http://localhost:8000/", "http://evil@localhost:8000", "http://[::1", "http://localhost:8000:"]
PART = st.sampled_from(
    ["http", "://", "localhost", ":8000", "[", "]", "::1", "@", "/", "#", "%", "\xff", "0"]
)
HEADER = st.lists(PART | st.characters(min_codepoint=33, max_codepoint=255), max_size=6).map("".join)


@pytest.fixture(scope="module")
def app() -> Iterator[TestClient]:
    with client(names=("box.example",)) as made:
        yield made


@pytest.mark.parametrize("host", FOREIGN)
def test_names_that_only_point_here_are_refused(app: TestClient, host: str) -> None:
    error(app.get("/api/games", headers={"host": host}), 421)
    with pytest.raises(WebSocketDisconnect), app.websocket_connect("/api/think", headers={"host": host}):
        pass


@pytest.mark.parametrize("host", OWN)
def test_addresses_and_own_names_are_served(app: TestClient, host: str) -> None:
    assert app.get("/api/games", headers={"host": host}).is_success


@pytest.mark.parametrize("origin", [*STRANGE, "http://evil.example", "http://localhost:9999"])
def test_pages_of_other_sites_are_refused(app: TestClient, origin: str) -> None:
    headers = {"host": "localhost:8000", "origin": origin}
    error(app.post("/api/position", json={"game": "hex"}, headers=headers), 403)
    with pytest.raises(WebSocketDisconnect), app.websocket_connect("/api/think", headers=headers):
        pass


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(host=HEADER | st.sampled_from(OWN), origin=st.none() | HEADER, length=st.none() | HEADER)
def test_no_header_breaks_the_guard(host: str, origin: str | None, length: str | None) -> None:
    """Every header is passed or refused, and only the own origin is passed."""
    given_headers = {"host": host, "origin": origin, "content-length": length}
    raw = [
        (key.encode(), value.encode("latin-1")) for key, value in given_headers.items() if value is not None
    ]
    reached, sent = [], list[Message]()

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope)

    async def nothing() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Guard(inside)({"type": "http", "path": "/", "headers": raw}, nothing, send))
    if reached:
        assert not sent
        assert host.partition(":")[0] in ("localhost", gethostname()) or is_address(host)
        assert origin is None or origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
    else:
        assert sent[0]["status"] in (403, 413, 421)


def is_address(host: str) -> bool:
    try:
        ip_address(host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0])
    except ValueError:
        return False
    return True


def test_the_own_page_is_served(app: TestClient) -> None:
    headers = {"host": "localhost:8000", "origin": "http://localhost:8000"}
    assert app.post("/api/position", json={"game": "hex"}, headers=headers).is_success
    with app.websocket_connect("/api/think", headers=headers):
        pass


def test_large_requests_are_refused(app: TestClient) -> None:
    error(app.post("/api/position", content=b"x" * 70_000), 413)

    def pieces() -> Iterator[bytes]:
        for _ in range(70):
            yield b" " * 1000

    error(app.post("/api/position", content=pieces()), 413)


def test_browsers_are_told_to_be_careful(app: TestClient) -> None:
    for answer in (
        app.get("/"),
        app.get("/api/games"),
        app.get("/nothing"),
        app.get("/", headers={"host": "evil.example"}),
    ):
        policy = answer.headers["content-security-policy"]
        assert (
            "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        )
        assert answer.headers["x-content-type-options"] == "nosniff"
