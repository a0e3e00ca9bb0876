"""Runs the application on a port of this machine, and shows the page."""

from __future__ import annotations

import resource
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from glaux.errors import InvalidParameter
from glaux.web.app import Options, create_app
from glaux.web.connections import Config, Limits, Watch

MESSAGE_LIMIT = 64 << 10
"""bytes of a message at most"""
BACKLOG = 1024
"""connections that wait to be taken"""
SHUTDOWN_SECONDS = 2
SPARE_DESCRIPTORS = 256
"""for what is not a connection"""
LIMITS = Limits()
BROWSER_DELAY = 0.3


def listen(host: str, port: int) -> socket.socket:
    """A socket that is bound; InvalidParameter with a sentence if it can't be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named TCP, because asyncio sends small packets at once (TCP_NODELAY) only where that is said; else
    # a body waits some 40 ms until the client has acknowledged its headers.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, OverflowError) as error:
        bound.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InvalidParameter(
            f"The page can't be served at {host}, port {port}: {reason}; choose others by --host and --port."
        ) from None
    bound.listen(BACKLOG)
    return bound


def address(host: str, bound: socket.socket) -> str:
    """Where the page is."""
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{bound.getsockname()[1]}/"


def within_descriptors(limits: Limits) -> Limits:
    """The limits, with no more connections than this process may open; the system is asked for them."""
    wanted = limits.connections + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return replace(limits, connections=max(1, allowed - SPARE_DESCRIPTORS))


def make_server(options: Options, limits: Limits = LIMITS) -> uvicorn.Server:
    """A server that runs on a socket which listens."""
    config = Config(
        create_app(options),
        Watch(within_descriptors(limits)),
        log_level="warning",
        access_log=False,
        ws_max_size=MESSAGE_LIMIT,
        ws_per_message_deflate=False,  # which has buffers for each page that are larger than its messages
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        server_header=False,
    )
    return uvicorn.Server(config)


def serve(options: Options, host: str, port: int, *, browser: bool, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; ``ready`` is told the address when the port is open."""
    server = make_server(options)
    bound = listen(host, port)
    page = address(host, bound)
    ready(page)
    if browser:
        threading.Timer(BROWSER_DELAY, webbrowser.open, [page]).start()
    with bound:
        server.run(sockets=[bound])
