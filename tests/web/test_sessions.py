"""Searches that think aloud: answers, limits, and many clients at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

import glaux
from glaux.search.registry import offered
from glaux.web import positions
from glaux.web.catalogue import Catalogue
from glaux.web.models import MAX_ANALYSIS
from glaux.web.runs import Runs
from glaux.web.sessions import Sessions
from tests.web.clients import answer, client, question, thinking

LONG: dict[str, Any] = {"purpose": "analyse", "seconds": MAX_ANALYSIS, "iterations": None}
"""far longer than all that is asked meanwhile"""


@pytest.fixture(scope="module")
def app() -> Iterator[TestClient]:
    with client() as made:
        yield made


@pytest.mark.parametrize("player", [*(entry.name for entry in offered()), "random"])
def test_every_player_answers_with_a_legal_move(app: TestClient, player: str) -> None:
    limits: dict[str, Any] = {"seconds": 0.1, "iterations": None} if player == "alphabeta" else {}
    game = glaux.make("othello", size=6)
    with thinking(app) as socket:
        socket.send_json(question(game="othello:size=6", player=player, **limits))
        done = answer(socket)
    assert done["type"] == "done" and done["id"] == 1
    assert done["move"]["action"] in game.actions(game.initial())


def test_a_win_is_seen_and_proven(app: TestClient) -> None:
    game = glaux.make("connect_four")
    actions = [3, 0, 3, 0, 3, 1]  # the first player has three in column 4
    with thinking(app) as socket:
        socket.send_json(question(player="ubfm", actions=actions, iterations=1000))
        done = answer(socket)
    assert done["move"]["text"] == "4" and done["outcome"] == 1 and done["share"] == 1
    assert done["rows"][0]["variation"][0]["action"] == 3 and done["rows"][0]["outcome"] == 1
    state = game.initial()
    for action in [*actions, done["move"]["action"]]:
        state = game.apply(state, action)
    assert game.outcome(state) == 1


def test_thoughts_come_while_it_thinks(app: TestClient) -> None:
    with thinking(app) as socket:
        socket.send_json(question(game="hex:size=7", **LONG))
        thoughts = [socket.receive_json() for _ in range(2)]
        assert all(thought["type"] == "thought" for thought in thoughts)
        socket.send_json({"type": "stop", "answer": True})
        message = answer(socket)
    assert [t["iterations"] for t in thoughts] == sorted(t["iterations"] for t in thoughts)
    game = glaux.make("hex", size=7)
    for row in message["rows"]:
        game.play([move["text"] for move in row["variation"]])  # legal, or this raises
        assert -1 <= row["share"] <= 1 and row["visits"] >= 0


@pytest.mark.parametrize(("player", "has_priors"), [("wrap", True), ("mcts", False)])
def test_priors_are_told_of_a_player_that_has_them(app: TestClient, player: str, has_priors: bool) -> None:
    with thinking(app) as socket:
        socket.send_json(question(player=player, iterations=200))
        rows = answer(socket)["rows"]
    priors = [row["prior"] for row in rows]
    assert sum(priors) == pytest.approx(1) if has_priors else set(priors) == {None}


def test_iterations_are_kept_to(app: TestClient) -> None:
    with thinking(app) as socket:
        socket.send_json(question(iterations=500))
        assert answer(socket)["iterations"] == 500


def test_a_new_question_ends_the_one_before(app: TestClient) -> None:
    with thinking(app) as socket:
        begun = time.monotonic()
        socket.send_json(question(id=1, **LONG))
        socket.send_json(question(id=2))
        assert answer(socket)["id"] == 2
        assert time.monotonic() - begun < MAX_ANALYSIS


def test_stop_answers_at_once_or_not_at_all(app: TestClient) -> None:
    with thinking(app) as socket:
        socket.send_json(question(id=1, game="hex", **LONG))
        socket.receive_json()
        socket.send_json({"type": "stop", "answer": True})
        assert answer(socket)["id"] == 1
        socket.send_json(question(id=2, game="hex", **LONG))
        socket.receive_json()
        socket.send_json({"type": "stop"})
        socket.send_json(question(id=3))
        assert answer(socket)["id"] == 3


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"player": "gtp:rm -rf /"}, "There is no player"),
        ({"player": "mctss"}, "did you mean 'mcts'"),
        ({"player": "run:../../etc"}, "There is no run"),
        ({"player": "ubfm:value=/etc"}, "There is no player"),
        ({"game": "nope"}, "There is no game"),
        ({"actions": [99]}, "not legal"),
        ({"seconds": 1e9}, "seconds"),
        ({"iterations": -5}, "iterations"),
        ({"iterations": 10**12}, "iterations"),
        ({"type": "shout"}, "not valid"),
        ({"purpose": "destroy"}, "purpose"),
        ({"actions": [0, 1, 0, 1, 0, 1, 0]}, "The match is over"),
        ({"memory": "100G"}, "memory"),
    ],
)
def test_bad_questions_get_one_sentence(app: TestClient, changes: dict[str, Any], part: str) -> None:
    with thinking(app) as socket:
        socket.send_json(question(**changes))
        refused = answer(socket)
        assert refused["type"] == "error" and part in refused["error"] and "\n" not in refused["error"]
        socket.send_json(question(id=7))  # and the client can go on
        assert answer(socket)["id"] == 7


@settings(max_examples=50)
@given(st.one_of(st.text(max_size=60), st.binary(max_size=60)))
def test_no_message_breaks_a_session(app: TestClient, message: str | bytes) -> None:
    with thinking(app) as socket:
        if isinstance(message, bytes):
            socket.send_bytes(message)
        else:
            socket.send_text(message)
        assert answer(socket)["type"] == "error"
        socket.send_json(question(iterations=10))
        assert answer(socket)["type"] == "done"


def test_memory_is_bounded_and_the_match_goes_on(app: TestClient) -> None:
    with client(memory=1 << 20) as small, thinking(small) as socket:
        for number in range(3):
            socket.send_json(question(id=number, game="hex", seconds=30, iterations=None))
            done = answer(socket)
            assert done["type"] == "done" and done["memory"] <= 1 << 20
            assert done["full"] and done["iterations"] > 500  # each time anew, with an empty table


def test_a_server_has_room_for_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaux.web.sessions.GIVE_WAY_SECONDS", 3600.0)
    with client(sessions=1) as app, thinking(app) as first:
        first.send_json(question())
        assert answer(first)["type"] == "done"
        with thinking(app) as second:
            assert "try again later" in answer(second)["error"]
        first.send_json(question(id=2))
        assert answer(first)["type"] == "done"


def test_a_socket_that_nobody_uses_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaux.web.sessions.GIVE_WAY_SECONDS", 0.0)
    with client(sessions=1) as app, thinking(app) as first:
        first.send_json(question())
        assert answer(first)["type"] == "done"
        with thinking(app) as second:
            second.send_json(question(id=2))
            assert answer(second)["id"] == 2
        with pytest.raises(WebSocketDisconnect):
            first.receive_json()


def test_one_address_has_so_many_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaux.web.sessions.SOCKETS_EACH", 1)
    monkeypatch.setattr("glaux.web.sessions.GIVE_WAY_SECONDS", 3600.0)
    with client() as app, thinking(app) as first:  # the client inside this process has no address
        first.send_json(question())
        assert answer(first)["type"] == "done"
        with thinking(app) as second:
            assert "already playing from your address" in answer(second)["error"]


def test_all_the_searches_have_a_part_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that stands still gives its memory to one that begins; the match goes on all the same."""
    monkeypatch.setattr("glaux.web.sessions.SHARE", 1 << 40)
    with client(memory=1 << 20) as app, thinking(app) as first, thinking(app) as second:
        for number in range(3):
            for socket in (first, second):
                socket.send_json(question(id=number, game="hex", iterations=5000))
                done = answer(socket)
                assert done["type"] == "done" and done["memory"] > 1 << 19


def test_a_long_match_is_followed_beside_the_others() -> None:
    """Playing the actions of a question is work for a thread: the loop that serves all has none of it."""
    threads = set()

    def follow(*arguments: Any) -> Any:
        threads.add(current_thread())
        return positions.follow(*arguments)

    with pytest.MonkeyPatch.context() as patch, client() as app, thinking(app) as socket:
        patch.setattr("glaux.web.sessions.follow", follow)
        socket.send_json(question())
        assert answer(socket)["type"] == "done"
    assert all("asyncio" in thread.name for thread in threads) and threads


def test_nobody_waits_for_those_who_think_long(app: TestClient) -> None:
    """Eight clients think for long; another one is answered meanwhile, before any of them."""
    sockets = [app.websocket_connect("/api/think", headers={"host": "localhost"}) for _ in range(8)]
    try:
        for socket in sockets:
            socket.__enter__()
            socket.send_json(question(**LONG))
        with thinking(app) as quick:
            for number in range(3):
                quick.send_json(question(id=number, iterations=100))
                assert answer(quick)["type"] == "done"
        for socket in sockets:
            socket.send_json({"type": "stop", "answer": True})
            assert answer(socket)["seconds"] < MAX_ANALYSIS
    finally:
        for socket in sockets:
            socket.__exit__(None, None, None)


def test_a_client_that_is_gone_when_it_is_answered_is_forgotten() -> None:
    class Gone:
        client = None
        asked = 0

        async def accept(self) -> None:
            pass

        async def receive_text(self) -> str:
            self.asked += 1
            if self.asked > 1:
                raise RuntimeError("not connected any more")
            return "no JSON"

        async def send_json(self, _: Any) -> None:
            raise WebSocketDisconnect(1006)

    sessions = Sessions(Catalogue(Runs(Path("no such directory")), ()), 1, 1 << 20)
    socket: Any = Gone()
    asyncio.run(sessions.serve(socket))
    assert socket.asked == 1 and not sessions.open
    sessions.close()
