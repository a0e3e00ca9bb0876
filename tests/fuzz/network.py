"""Bytes that a client may send to ``glaux serve``, on a connection without a network.

The connections are those of the server, with a transport that keeps what is written; the application
answers on the event loop of this process. A fault inside shows as an answer 500, as a line in the log, or
as an exception that nobody takes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from functools import cache
from pathlib import Path
from typing import Any

from uvicorn.server import ServerState

from glaux.web.app import Options, create_app
from glaux.web.connections import Config, HttpConnection, Watch
from glaux.web.server import LIMITS
from tests.fuzz.target import mutate_json, target

PATIENCE = 5.0
"""seconds for all the answers to an input"""
UPGRADE = (
    b"GET /api/think HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n"
)


class _Wire(asyncio.Transport):
    """The other end of a connection."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 5), "sockname": ("127.0.0.1", 80)})
        self.written = bytearray()
        self.protocol: Any = None
        self.closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def writelines(self, parts: Any) -> None:
        self.written += b"".join(parts)

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class _Complaints(logging.Handler):
    """What the server writes into its log: every line is a fault of ours."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class _Server:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.complaints = _Complaints()
        self.ours: set[Any] = set()
        app = create_app(Options(runs=Path("no such directory"), memory=1 << 20))
        self.config = Config(
            app,
            Watch(LIMITS),
            log_level="error",
            access_log=False,
            server_header=False,
            ws_per_message_deflate=False,
            ws_max_size=1 << 16,
        )
        self.config.load()
        for name in ("uvicorn.error", "glaux.web.sessions", "asyncio"):
            logging.getLogger(name).handlers = [self.complaints]
            logging.getLogger(name).propagate = False
        self.loop.set_exception_handler(self._unhandled)

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.complaints.lines.append(f"{context.get('message')}: {context.get('exception')!r}")

    def talk(self, parts: list[bytes]) -> bytes:
        """Send the parts one after the other, hang up, and give all that was answered."""
        return self.loop.run_until_complete(asyncio.wait_for(self._talk(parts), PATIENCE))

    async def _talk(self, parts: list[bytes]) -> bytes:
        self.complaints.lines.clear()
        self.ours = asyncio.all_tasks()
        wire = _Wire()
        wire.protocol = HttpConnection(self.config, ServerState(), {}, self.loop)
        wire.protocol.connection_made(wire)
        for part in parts:
            if part and not wire.closed:
                wire.protocol.data_received(part)
            await asyncio.sleep(0)
        await self._settle()
        wire.closed = True
        wire.protocol.connection_lost(None)
        while others := asyncio.all_tasks() - self.ours:
            await asyncio.wait(others)
        return bytes(wire.written)

    async def _settle(self) -> None:
        """Wait a moment for those who answer."""
        others = asyncio.all_tasks() - self.ours
        if others:
            await asyncio.wait(others, timeout=0.02)


@cache
def _server() -> _Server:
    return _Server()


def _check(written: bytes) -> None:
    complaints = _server().complaints.lines
    assert not complaints, complaints
    assert b"HTTP/1.1 500" not in written, written[:400]


def _request(method: str, path: str, body: bytes = b"") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


BODIES = (
    {"game": "hex:size=4", "start": None, "actions": [3, 4]},
    {"text": '[Game "connect_four"]\n\n1. d1 e1 *', "game": "connect_four"},
)


def _http_seeds() -> list[bytes]:
    paths = ("/", "/static/app.js", "/api/games", "/api/game?text=hex", "/api/runs", "/api/runs/curve?name=a")
    posts = [
        _request("POST", path, json.dumps(body).encode())
        for path, body in zip(("/api/position", "/api/record"), BODIES, strict=True)
    ]
    return [*(_request("GET", path) for path in paths), *posts, posts[0] + posts[1], UPGRADE]


def _mutate_http(data: bytes, rng: random.Random) -> bytes:
    """Another body, with the length that it has."""
    head, end, body = data.partition(b"\r\n\r\n")
    if not body:
        return data
    body = mutate_json(body, rng)
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-length")]
    return b"\r\n".join([*lines, b"content-length: %d" % len(body)]) + end + body


@target(
    "GET ",
    "POST ",
    "HEAD ",
    " HTTP/1.1\r\n",
    "host: localhost\r\n",
    "content-length: ",
    "transfer-encoding: chunked\r\n",
    "origin: http://localhost\r\n",
    "expect: 100-continue\r\n",
    "/api/position",
    "/api/record",
    "/api/game?text=",
    "/api/runs/curve?name=",
    "/static/",
    "%00",
    "%ff",
    "cookie: ",
    "upgrade: websocket\r\n",
    seeds=_http_seeds,
    mutate=_mutate_http,
)
def http(data: bytes) -> None:
    # In two parts, so that a request does not come at once.
    half = len(data) // 2 if data[-1:] == b" " else len(data)
    _check(_server().talk([data[:half], data[half:]]))


QUESTION = {
    "type": "think",
    "id": 1,
    "game": "connect_four:rows=4,columns=4",
    "player": "mcts",
    "iterations": 20,
}


def _socket_seeds() -> list[bytes]:
    questions = [
        QUESTION,
        QUESTION | {"purpose": "analyse", "start": None, "actions": [1, 2]},
        QUESTION | {"player": "ubfms", "seconds": 0.01, "iterations": None},
        {"type": "stop", "answer": True},
    ]
    return [b"\x01" + json.dumps(question).encode() for question in questions]


def _mutate_message(data: bytes, rng: random.Random) -> bytes:
    return data[:1] + mutate_json(data[1:], rng) if data[:1] == b"\x01" else data


def _frame(payload: bytes, opcode: int = 1) -> bytes:
    size = len(payload)
    length = bytes([128 | size]) if size < 126 else bytes([254]) + size.to_bytes(2, "big")
    return bytes([128 | opcode]) + length + bytes(4) + payload


@target(
    '"type": "think"',
    '"type": "stop"',
    '"player": "',
    '"game": "',
    '"start": "',
    '"actions": [',
    '"seconds": ',
    '"iterations": ',
    '"purpose": "analyse"',
    "\x81\x80",
    "\x88\x80",
    seeds=_socket_seeds,
    mutate=_mutate_message,
)
def websocket(data: bytes) -> None:
    """After a byte 1 a message for each line, else frames as they are."""
    content = data[1:60_000]
    frames = [_frame(line) for line in content.split(b"\n")] if data[:1] == b"\x01" else [data]
    _check(_server().talk([UPGRADE, *frames[:4]]))
