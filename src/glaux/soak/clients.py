"""Clients of ``glaux serve`` that play: they click at random, and the server thinks."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import deque
from typing import Any
from urllib.parse import quote

from glaux.errors import GlauxError

GAMES = ("connect_four", "hex:size=5", "othello:size=6")
ITERATIONS = 200
PATIENCE = 120.0
"""seconds for an answer, on a machine that does many other things"""
REMEMBERED = 10_000
"""clicks whose times are kept"""


class Clicks:
    """What the clients have seen together."""

    def __init__(self) -> None:
        self.count = self.matches = 0
        self._times: deque[float] = deque(maxlen=REMEMBERED)
        self._lock = threading.Lock()

    def add(self, seconds: float) -> None:
        """A click was answered."""
        with self._lock:
            self.count += 1
            self._times.append(seconds)

    def at(self, share: float) -> float:
        """The seconds below which so large a share of the last clicks was answered."""
        with self._lock:
            times = sorted(self._times)
        return times[min(len(times) - 1, int(len(times) * share))] if times else 0.0


class Client:
    """One page."""

    def __init__(self, port: int, clicks: Clicks, stop: threading.Event, pause: float, seed: int) -> None:
        self.port, self.clicks, self.stop, self.pause = port, clicks, stop, pause
        self.random = random.Random(seed)

    def play(self) -> None:
        """Look at the page and the runs, and play a match; GlauxError if an answer is not as it should be."""
        from websockets.sync.client import connect  # noqa: PLC0415 (of the extra web)

        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            self._look(connection)
            with connect(f"ws://127.0.0.1:{self.port}/api/think", open_timeout=PATIENCE) as socket:
                self._match(connection, socket)
        finally:
            connection.close()

    def _ask(self, connection: http.client.HTTPConnection, path: str, body: Any = None) -> Any:
        method, content = ("GET", None) if body is None else ("POST", json.dumps(body))
        connection.request(method, path, content, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise GlauxError(f"{method} {path} was answered with {answer.status}: {text[:200]!r}")
        return json.loads(text) if path.startswith("/api") else text

    def _look(self, connection: http.client.HTTPConnection) -> None:
        for path in ("/", "/static/app.js", "/api/games"):
            self._ask(connection, path)
        for run in self._ask(connection, "/api/runs")["runs"]:
            self._ask(connection, f"/api/runs/curve?name={quote(run['name'], safe='')}")

    def _match(self, connection: http.client.HTTPConnection, socket: Any) -> None:
        game, first = self.random.choice(GAMES), self.random.random() < 0.5
        actions: list[int] = []
        while not self.stop.is_set():
            begun = time.perf_counter()
            position = self._ask(connection, "/api/position", {"game": game, "actions": actions})
            self.clicks.add(time.perf_counter() - begun)
            if position["outcome"] is not None:
                self.clicks.matches += 1
                return
            legal = [one["action"] for one in position["actions"]]
            if position["first"] == first:
                self.stop.wait(self.random.uniform(0, 2 * self.pause))
                actions.append(self.random.choice(legal))
                continue
            reply = self._reply(socket, {"game": game, "actions": actions})
            if reply not in legal:
                raise GlauxError(f"The server played {reply} in {game} after {actions}, which is not legal.")
            actions.append(reply)

    def _reply(self, socket: Any, where: dict[str, Any]) -> int:
        question = {"type": "think", "id": len(where["actions"]), "player": "mcts", "iterations": ITERATIONS}
        socket.send(json.dumps(question | where))
        while True:
            message = json.loads(socket.recv(timeout=PATIENCE))
            if message["type"] == "error":
                raise GlauxError(f"The server could not think: {message['error']}")
            if message["type"] == "done":
                return int(message["move"]["action"])
