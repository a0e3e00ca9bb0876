"""Connections: how many there may be, and how long a client may keep the server waiting.

Half a request costs a client nothing and the server a connection, so that who waits for whom is watched. A
request is complete some seconds after its first byte, a message on a WebSocket likewise, and an answer is
read within a time limit; slower clients are cut off. Where all the connections are taken, or all that one
address may have, a new one takes the place of the one that has kept the server waiting longest: somebody
who sends requests at once finds room beside any number of those who never finish theirs.

This machine itself has no limit of its own besides the one for all, because a proxy on it speaks for many.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest
from operator import itemgetter
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

AT_ONCE = 16
"""one in this many connections gives way at once, where all are taken"""
LOCAL = ""
"""the client that is this machine"""


@dataclass(frozen=True)
class Limits:
    """What clients may take of the server."""

    connections: int = 2048
    """open at once"""
    connections_each: int = 64
    """of one address"""
    request_seconds: float = 15.0
    """from the first byte of a request to its last"""
    answer_seconds: float = 30.0
    """until an answer has been taken"""
    idle_seconds: int = 30
    """for which a connection is kept between two requests"""


def client_of(host: str | None) -> str:
    """Who counts as one client: an address, for IPv6 its network of 64 bits, LOCAL for this machine."""
    try:
        address = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return LOCAL if host in (None, "localhost") else str(host)
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return LOCAL
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


class Watch:
    """All the connections of a server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open: dict[Connection, str] = {}
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, connection: Connection, client: str) -> bool:
        """Take a connection in; False if there is no room for it."""
        if client != LOCAL and self._of[client] >= self.limits.connections_each:
            own = [other for other, whose in self._open.items() if whose == client]
            if not self._make_room(own, self.limits.connections_each):
                return False
        elif len(self._open) >= (most := self.limits.connections) and not self._make_room(self._open, most):
            return False
        self._open[connection] = client
        self._of[client] += 1
        return True

    def leave(self, connection: Connection) -> None:
        """Forget a connection that is gone, or that never entered."""
        client = self._open.pop(connection, None)
        if client is not None:
            self._of[client] -= 1
            if not self._of[client]:
                del self._of[client]

    async def sweep(self) -> None:
        """Cut off who keeps the server waiting too long."""
        now = time.monotonic()
        for connection in list(self._open):
            connection.check(now, self.limits)

    def _make_room(self, others: Iterable[Connection], most: int) -> bool:
        """Cut off those that have kept the server waiting longest: a part of them, so that looking through
        all is not the price of each new one."""
        waiting = [(since, other) for other in others if (since := other.waits_since) is not None]
        for _, longest in nsmallest(max(1, most // AT_ONCE), waiting, key=itemgetter(0)):
            self.leave(longest)
            longest.transport.abort()
        return bool(waiting)


class Config(uvicorn.Config):
    """uvicorn's, with the watch that its connections report to."""

    def __init__(self, app: Any, watch: Watch, **settings: Any) -> None:
        self.watch = watch
        super().__init__(
            app,
            http=HttpConnection,
            ws=SocketConnection,
            timeout_keep_alive=watch.limits.idle_seconds,
            callback_notify=watch.sweep,
            timeout_notify=0,
            **settings,
        )
        logging.getLogger("uvicorn.error").addFilter(is_fault)


def is_fault(record: logging.LogRecord) -> bool:
    """Whether a line of the log is about the server, and not about a client that sent no text, or that was
    still there when the server ended."""
    said = record.getMessage()
    if "Invalid UTF-8" in said or "timeout graceful shutdown exceeded" in said:
        return False
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)


class Connection:
    """What both kinds of connections have."""

    transport: asyncio.Transport
    unsent_since: float | None = None
    """since when there are bytes that the client does not take"""

    @property
    def waits_since(self) -> float | None:
        """Since when the server waits for a whole request of this client, None if it does not."""
        return None

    def check(self, now: float, limits: Limits) -> None:
        """Cut the client off if it has kept the server waiting too long."""
        if not self.transport.get_write_buffer_size():
            self.unsent_since = None
        elif self.unsent_since is None:
            self.unsent_since = now
        elif now - self.unsent_since > limits.answer_seconds:
            self.transport.abort()


class HttpConnection(Connection, H11Protocol):
    """A connection that is asked by requests."""

    config: Config
    begun = 0.0
    """when the client began to owe a request"""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the client in, or tell it to come later."""
        super().connection_made(transport)
        self.begun = time.monotonic()
        if not self.config.watch.enter(self, client_of(self.client[0] if self.client else None)):
            self._refuse(503, "There are too many connections: try again later.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self.config.watch.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        if self.transport.is_closing():
            return
        if self.timeout_keep_alive_task is not None:
            self.begun = time.monotonic()  # the first of another request
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Wait for another request."""
        self.begun = time.monotonic()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the client over to a connection of the other kind."""
        self.config.watch.leave(self)
        super().handle_websocket_upgrade(event)

    @property
    def waits_since(self) -> float | None:
        """Since when the server waits for a whole request, or for any."""
        return self.begun if self.conn.their_state in (h11.IDLE, h11.SEND_BODY) else None

    def check(self, now: float, limits: Limits) -> None:
        """Also the time of a request; between two of them uvicorn's own clock runs."""
        super().check(now, limits)
        since = self.waits_since
        idle = self.timeout_keep_alive_task is not None and not self.conn.trailing_data[0]
        if since is None or idle or self.transport.is_closing():
            return
        if now - since > limits.request_seconds:
            self._refuse(408, f"A request must be complete within {limits.request_seconds:g} seconds.")

    def _refuse(self, status: int, sentence: str) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps({"error": sentence}).encode()
            self.transport.write(
                b"HTTP/1.1 %d \r\ncontent-type: application/json\r\ncontent-length: %d\r\n"
                b"connection: close\r\n\r\n%s" % (status, len(body), body)
            )
        self.transport.close()


class SocketConnection(Connection, WebSocketsSansIOProtocol):
    """A connection on which messages go to and fro."""

    config: Config
    message_since: float | None = None
    """since when a message has begun and not ended"""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the client over from the connection by which it came."""
        super().connection_made(transport)
        if not self.config.watch.enter(self, client_of(self.client[0] if self.client else None)):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self.config.watch.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a message. Half a frame is found out by the ping that nobody can answer within it."""
        super().data_received(data)
        if not self.frames:
            self.message_since = None
        elif self.message_since is None:
            self.message_since = time.monotonic()

    def check(self, now: float, limits: Limits) -> None:
        """Also the time of a message."""
        super().check(now, limits)
        if self.message_since is not None and now - self.message_since > limits.request_seconds:
            self.transport.abort()
