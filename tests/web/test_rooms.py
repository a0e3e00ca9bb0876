"""Matches of two people: who may play when, what is sent twice, and how many rooms there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from glaux.errors import UnknownName
from glaux.web.catalogue import Catalogue
from glaux.web.rooms import Rooms
from glaux.web.runs import Runs
from tests.web.clients import client, error

GAME = "connect_four:columns=5,length=4,rows=4"


@pytest.fixture
def app() -> Iterator[TestClient]:
    with client() as made:
        yield made


def test_two_people_play_and_see_each_other(app: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaux.web.rooms.PRESENT_SECONDS", 3600.0)
    seats = app.post("/api/rooms", json={"game": GAME, "first": True}).json()
    mine, friend = seats["seat"], seats["friend"]
    assert app.get("/api/rooms", params={"seat": mine}).json()["present"] is False
    other = app.get("/api/rooms", params={"seat": friend}).json()
    assert other["game"] == GAME and other["first"] is False and other["present"] is True
    for seat, ply, action in ((mine, 0, 2), (friend, 1, 3), (mine, 2, 2)):
        assert app.post("/api/rooms/play", json={"seat": seat, "ply": ply, "action": action}).is_success
    seen = app.get("/api/rooms", params={"seat": friend, "after": 1}).json()
    assert seen["count"] == 3 and [move["text"] for move in seen["moves"]] == ["4", "3"]
    app.post("/api/rooms/resign", json={"seat": friend})
    assert app.get("/api/rooms", params={"seat": mine}).json()["resigned"] is False


def test_what_is_out_of_turn_or_wrong_is_refused(app: TestClient) -> None:
    seats = app.post("/api/rooms", json={"game": GAME, "first": False}).json()
    second, first = seats["seat"], seats["friend"]

    def play(seat: str, ply: int, action: int) -> str:
        return error(app.post("/api/rooms/play", json={"seat": seat, "ply": ply, "action": action}))

    assert "friend's turn" in play(second, 0, 1)
    assert "not legal" in play(first, 0, 99)
    assert "at move 0" in play(first, 3, 1)
    sent = {"seat": first, "ply": 0, "action": 1}
    assert app.post("/api/rooms/play", json=sent).is_success
    assert app.post("/api/rooms/play", json=sent).is_success, "sent twice after a lost answer"
    assert "at move 1" in play(first, 0, 2)
    app.post("/api/rooms/resign", json={"seat": first})
    assert "over" in play(second, 1, 1)
    assert "no longer on this server" in error(app.get("/api/rooms", params={"seat": "guessed"}))
    assert "two players" in error(app.post("/api/rooms", json={"game": "rubik2", "first": True}))


def test_an_old_room_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaux.web.rooms.MOST", 2)
    rooms = Rooms(Catalogue(Runs(Path("no such directory"))))
    old, kept = (rooms.open(GAME, None, True) for _ in range(2))
    rooms.look(old["seat"], 0)
    rooms.look(kept["seat"], 0)
    rooms.open(GAME, None, True)
    with pytest.raises(UnknownName):
        rooms.look(old["seat"], 0)
    rooms.look(kept["friend"], 0)
