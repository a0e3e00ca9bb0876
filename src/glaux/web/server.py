"""Runs the application on a port of this machine, and shows the page."""

from __future__ import annotations

import ipaddress
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
from glaux.web.token import Token

MESSAGE_LIMIT = 64 << 10
"""bytes of a message at most"""
BACKLOG = 1024
"""connections that wait to be taken"""
SHUTDOWN_SECONDS = 2
SPARE_DESCRIPTORS = 256
"""for what is not a connection"""
LIMITS = Limits()
EVERYWHERE = ("0.0.0.0", "::", "")
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
            f"The page can't be served at {host}, port {port}: {reason}; choose others with --host and "
            "--port."
        ) from None
    bound.listen(BACKLOG)
    return bound


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server at this address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address(host: str, bound: socket.socket, token: Token | None = None) -> str:
    """Where the page is, as a link with the token."""
    shown = "127.0.0.1" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{bound.getsockname()[1]}/" + (f"?token={token.text}" if token else "")


def outside(host: str) -> str:
    """The address by which other machines reach a server that listens everywhere."""
    if host not in EVERYWHERE:
        return host
    family, somewhere = (
        (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    )  # addresses of nobody: nothing is sent, the system only says from where it would be
    with socket.socket(family, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((somewhere, 9))
            return str(asked.getsockname()[0])
        except OSError:
            return socket.gethostname()


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
        log_level="error",  # what a client does wrong is told to the client
        log_config=None,  # which would set up logging for the whole process anew
        access_log=False,
        ws_max_size=MESSAGE_LIMIT,
        ws_per_message_deflate=False,  # which has buffers for each page that are larger than its messages
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        server_header=False,
    )
    return uvicorn.Server(config)


def serve(
    options: Options, host: str, port: int, *, browser: bool, ready: Callable[[str, str], None]
) -> None:
    """Serve until Ctrl-C; ``ready`` is told the links for this machine and others when they work."""
    server = make_server(options)
    bound = listen(host, port)
    page = address(host, bound, options.token)
    ready(page, address(outside(host), bound, options.token))
    if browser:
        threading.Timer(BROWSER_DELAY, webbrowser.open, [page]).start()
    with bound:
        server.run(sockets=[bound])
