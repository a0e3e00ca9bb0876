"""A client of the application inside this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from fastapi.testclient import TestClient

from glaux.web.app import Options, create_app
from glaux.web.connections import Limits
from glaux.web.server import LIMITS, listen, make_server

HOST = "http://localhost"


@contextmanager
def client(runs: Path = Path("no such directory"), **options: Any) -> Iterator[TestClient]:
    """The page's server without a network."""
    with TestClient(create_app(Options(runs=runs, **options)), base_url=HOST) as made:
        yield made


def error(response: Any, status: int = 400) -> str:
    """The one sentence of a refusal."""
    assert response.status_code == status, response.text
    assert list(response.json()) == ["error"]
    sentence: str = response.json()["error"]
    assert sentence.endswith((".", "?")) and "\n" not in sentence and "Traceback" not in sentence
    return sentence


@contextmanager
def running(limits: Limits = LIMITS, **options: Any) -> Iterator[tuple[str, int]]:
    """A server at a port of this machine, in a thread of this process."""
    bound = listen("127.0.0.1", 0)
    server = make_server(Options(runs=Path("no such directory"), **options), limits)
    thread = Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield bound.getsockname()
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def thinking(made: TestClient, **headers: str) -> Iterator[Any]:
    """A socket on which the server thinks."""
    with made.websocket_connect("/api/think", headers={"host": "localhost", **headers}) as socket:
        yield socket


def question(**changes: Any) -> dict[str, Any]:
    """A question to answer with a move."""
    return {"type": "think", "id": 1, "game": "connect_four", "player": "mcts", "iterations": 100} | changes


def answer(socket: Any) -> dict[str, Any]:
    """The next message that is not a thought on the way."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] != "thought":
            return message
