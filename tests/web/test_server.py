"""The socket that listens."""

from __future__ import annotations

import asyncio
import socket

from glaux.web.server import listen


def test_small_packets_are_sent_at_once() -> None:
    """asyncio sets TCP_NODELAY, but only on sockets that say that they are TCP."""

    async def option() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        class Protocol(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                taken = transport.get_extra_info("socket")
                found.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        bound = listen("127.0.0.1", 0)
        server = await asyncio.get_running_loop().create_server(Protocol, sock=bound)
        with socket.create_connection(bound.getsockname()):
            option = await found
        server.close()
        return option

    assert asyncio.run(option()) != 0
