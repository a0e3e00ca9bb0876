"""What stands before every request: who may ask, how much, and what browsers may do with answers.

A page of another site must not reach a server on this machine. Its requests carry its Origin, which
must be the server's own; and a name that was made to point here (DNS rebinding) shows in Host, which
must be localhost, an address, or a name that the server was told.

Where other machines reach the server, a client also needs its token (token.py).
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from glaux.web.token import Token

BODY_LIMIT = 64 << 10
"""bytes of a request at most"""
BODY_LIMITS = dict.fromkeys(("/api/record", "/api/records"), 1 << 20)
"""of the addresses that take a file"""
NO_TOKEN = "This server needs its token: open the link that 'glaux serve' printed."
HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s\[\]:@/?#\\]+))(?::[0-9]{0,5})?")
LENGTH = re.compile("[0-9]{1,9}")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def limit_of(path: str) -> int:
    """The bytes that a request to this address may have."""
    return BODY_LIMITS.get(path, BODY_LIMIT)


def too_large(limit: int) -> str:
    """The sentence about a request that is larger."""
    return f"A request can have at most {limit} bytes here."


class Guard:
    """Refuses what must not pass, and adds the headers that keep browsers safe."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = (), token: Token | None = None) -> None:
        self.app = app
        self.token = token
        self.names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it with a sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(headers, limit_of(scope["path"]))
        if refusal is not None:
            await _refuse(scope, send, *refusal)
        elif self.token is not None and self.token.is_link(scope):
            await _send(send, 303, {"location": "/", "set-cookie": self.token.cookie(scope)})
        elif self.token is not None and not self.token.is_brought(headers):
            await _refuse(scope, send, 401, NO_TOKEN)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._pass(scope, receive, send)

    def _refusal(self, headers: Headers, limit: int) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, "This server does not go by that name."
        origin = headers.get("origin")
        if origin is not None and not _is_same(origin, host):
            return 403, "Pages of other sites may not use this server."
        length = headers.get("content-length", "0")
        if not LENGTH.fullmatch(length) or int(length) > limit:
            return 413, too_large(limit)
        return None

    def _is_ours(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = (found[1] or found[2]).lower()
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        got, limit = 0, limit_of(scope["path"])

        async def counted() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > limit:
                raise HTTPException(413)
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, counted, with_headers)


def _is_same(origin: str, host: str) -> bool:
    """Whether an Origin is the page of this host: a scheme and the host, and nothing else (RFC 6454)."""
    scheme, _, rest = origin.lower().partition("://")
    return scheme in ("http", "https") and rest == host.lower()


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence})
        return
    body = json.dumps({"error": sentence}).encode()
    await _send(send, status, {"content-type": "application/json"}, body)


async def _send(send: Send, status: int, named: dict[str, str], body: bytes = b"") -> None:
    named = {**named, "content-length": str(len(body)), **HEADERS}
    headers = [(key.encode(), value.encode()) for key, value in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
