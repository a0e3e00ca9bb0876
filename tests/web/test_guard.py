"""Who may ask, how much, and what browsers are told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.web.clients import client, error

FOREIGN = ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example", "[", "a b"]
OWN = ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.1.7", "box.example"]


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


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9999", "file://"])
def test_pages_of_other_sites_are_refused(app: TestClient, origin: str) -> None:
    headers = {"host": "localhost:8000", "origin": origin}
    error(app.post("/api/position", json={"game": "hex"}, headers=headers), 403)
    with pytest.raises(WebSocketDisconnect), app.websocket_connect("/api/think", headers=headers):
        pass


def test_the_own_page_is_served(app: TestClient) -> None:
    headers = {"host": "localhost:8000", "origin": "http://localhost:8000"}
    assert app.post("/api/position", json={"game": "hex"}, headers=headers).is_success
    with app.websocket_connect("/api/think", headers=headers):
        pass


def test_large_requests_are_refused(app: TestClient) -> None:
    error(app.post("/api/record", content=b"x" * 70_000), 413)

    def pieces() -> Iterator[bytes]:
        for _ in range(70):
            yield b" " * 1000

    error(app.post("/api/record", content=pieces()), 413)


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
