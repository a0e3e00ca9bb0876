"""Clients that send half a request, take no answer or come in great numbers, and the others beside them."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.sync.client import ClientConnection, connect

from glaux.web.connections import LOCAL, Connection, Limits, Watch, client_of
from tests.web.clients import question, running

LONG = Limits(request_seconds=600.0, answer_seconds=600.0, idle_seconds=600)
"""long for an honest client on a busy machine; for others the server's clock goes fast"""
HEAD = b"POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
HALVES = {
    "nothing": b"",
    "a line": b"GET / HTTP/1.1\r\nhost: loc",
    "headers": HEAD,
    "a body": HEAD + b'content-length: 100\r\n\r\n{"game":',
    "chunks": HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\n{",
}
PATIENCE = 240.0


UPGRADE = (
    b"GET /api/think HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """No client can make the server write into its log."""
    yield
    assert capfd.readouterr().err == ""


class Later:
    """The server's clock, which can be put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead

    @contextmanager
    def hurrying(self) -> Iterator[None]:
        """Every time is over soon, whenever it began; after the block nobody is late any more."""
        done = Event()

        def hurry() -> None:
            while not done.wait(0.05):
                self.ahead += 2 * LONG.request_seconds

        thread = Thread(target=hurry)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    made = Later()
    monkeypatch.setattr("glaux.web.connections.time", made)
    return made


@contextmanager
def client(address: tuple[str, int], sent: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=PATIENCE) as made:
        made.sendall(sent)
        yield made


def answer(made: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    parts = []
    try:
        while part := made.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def first_answer(made: socket.socket) -> bytes:
    """What comes until an answer is whole."""
    told = b""
    while (head := told.partition(b"\r\n\r\n"))[1] == b"" or len(head[2]) < length(head[0]):
        part = made.recv(1 << 16)
        assert part, told
        told += part
    return told


def length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])


def send_until_cut_off(send: Callable[[], None]) -> None:
    """Send something again and again, until the server has had enough."""
    deadline = time.monotonic() + PATIENCE
    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        while time.monotonic() < deadline:
            send()
            time.sleep(0.05)


def page_at(address: tuple[str, int]) -> ClientConnection:
    """A page's socket that waits as long as we do."""
    where = f"ws://localhost:{address[1]}/api/think"
    return connect(where, open_timeout=PATIENCE, close_timeout=PATIENCE, ping_interval=None)


def is_served(address: tuple[str, int]) -> bool:
    with client(address, b"GET /api/games HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n") as made:
        return answer(made).startswith(b"HTTP/1.1 200")


def test_half_a_request_is_cut_off(later: Later) -> None:
    with running(LONG) as address, ExitStack() as stack:
        halves = [stack.enter_context(client(address, half)) for half in HALVES.values()]
        with later.hurrying():
            for slow in halves:
                told = answer(slow)
                assert told.startswith(b"HTTP/1.1 408") and b"must be complete" in told
        assert is_served(address)


def test_who_sends_a_byte_now_and_then_is_cut_off_too(later: Later) -> None:
    with running(LONG) as address, client(address, HEAD) as slow:
        with later.hurrying():
            send_until_cut_off(lambda: slow.sendall(b"x: y\r\n"))
        assert is_served(address)


@pytest.mark.slow
def test_the_second_request_of_a_connection_has_its_own_time(later: Later) -> None:
    whole = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with running(LONG) as address, client(address, whole) as kept:
        assert first_answer(kept).startswith(b"HTTP/1.1 200")
        later.ahead += 2 * LONG.request_seconds
        time.sleep(2)  # for a look of the server at its connections
        kept.sendall(whole[:20])
        time.sleep(0.1)
        kept.sendall(whole[20:])
        assert first_answer(kept).startswith(b"HTTP/1.1 200")
        kept.sendall(whole[:20])
        with later.hurrying():
            assert b"HTTP/1.1 200" not in answer(kept)


def test_half_requests_shut_nobody_out() -> None:
    with running(Limits(connections=8)) as address, ExitStack() as stack:
        for number in range(40):
            stack.enter_context(client(address, list(HALVES.values())[number % len(HALVES)]))
        assert all(is_served(address) for _ in range(3))


def test_who_takes_no_answer_is_cut_off(later: Later) -> None:
    """Many answers are asked for and none is taken, until they fill the buffers of both sides."""
    ask = b"GET /static/app.js HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with running(LONG) as address, socket.socket() as greedy:
        greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        greedy.settimeout(PATIENCE)
        greedy.connect(address)
        with later.hurrying():
            send_until_cut_off(lambda: greedy.sendall(ask * 20))
        assert is_served(address)


def frame(opcode: int, payload: bytes, last: bool) -> bytes:
    """A frame of a WebSocket, masked by zeros."""
    return bytes([opcode | (0x80 if last else 0), 0x80 | len(payload), 0, 0, 0, 0]) + payload


def test_a_message_that_never_ends_is_cut_off(later: Later) -> None:
    with running(LONG) as address, client(address, UPGRADE) as slow:
        assert slow.recv(1 << 16).startswith(b"HTTP/1.1 101")
        slow.sendall(frame(1, b"{", last=False))
        with later.hurrying():
            send_until_cut_off(lambda: slow.sendall(frame(0, b" ", last=False)))
        with page_at(address) as page:
            page.send(json.dumps(question(iterations=10)))
            assert json.loads(page.recv())["type"] == "done"


PART = st.sampled_from(
    [
        *HALVES.values(),
        UPGRADE,
        b"\r\n",
        b"\r\n\r\n",
        b"GET / HTTP/1.1",
        b" ",
        b"\x00",
        b"host: [\r\n",
        b"\x81\xfe",
    ]
)
FRAMES = st.builds(frame, st.sampled_from([0, 1, 2, 8, 9, 10, 3, 15]), st.binary(max_size=125), st.booleans())


def test_no_bytes_break_the_server() -> None:
    """Whatever a client sends, on either kind of connection, the next one is served."""
    with running() as address:

        @settings(max_examples=150, deadline=None)
        @given(
            parts=st.lists(PART | st.binary(max_size=40), max_size=6)
            | st.lists(FRAMES, max_size=6).map(upgraded)
        )
        def send(parts: list[bytes]) -> None:
            with client(address, b"".join(parts)) as made:
                made.shutdown(socket.SHUT_WR)
                made.recv(1 << 16)

        send()
        assert is_served(address)
        with page_at(address) as page:
            page.send(json.dumps(question(iterations=10)))
            assert json.loads(page.recv())["type"] == "done"


def upgraded(frames: list[bytes]) -> list[bytes]:
    return [UPGRADE, *frames]


def test_a_text_that_is_none_ends_a_socket() -> None:
    with running() as address, client(address, UPGRADE) as wrong:
        assert wrong.recv(1 << 16).startswith(b"HTTP/1.1 101")
        wrong.sendall(frame(1, b"\xff", last=True))
        assert b"\x03\xef" in answer(wrong), "closed with 1007"
        assert is_served(address)


def test_large_messages_end_a_socket() -> None:
    with running() as address, page_at(address) as page:
        page.send(" " * (1 << 17))
        with pytest.raises(Exception, match="1009"):
            page.recv()


# The watch itself


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("127.0.0.1", LOCAL),
        ("127.9.9.9", LOCAL),
        ("::1", LOCAL),
        ("::ffff:127.0.0.1", LOCAL),
        (None, LOCAL),
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8::7", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somebody", "somebody"),
    ],
)
def test_who_counts_as_one_client(host: str | None, client: str) -> None:
    assert client_of(host) == client


class Stub(Connection):
    """A connection that has kept the server waiting since then."""

    def __init__(self, since: float | None) -> None:
        self.since = since
        self.aborted = False
        self.transport: Any = self

    @property
    def waits_since(self) -> float | None:
        return self.since

    def abort(self) -> None:
        self.aborted = True


def test_one_address_does_not_take_the_room_of_others() -> None:
    watch = Watch(Limits(connections=100, connections_each=3))
    busy = [Stub(None) for _ in range(3)]
    assert all(watch.enter(one, "a") for one in busy)
    assert not watch.enter(Stub(None), "a"), "who is being answered is not cut off"
    assert watch.enter(Stub(None), "b")
    watch.leave(busy[0])
    idle = [Stub(2.0), Stub(1.0)]
    watch.leave(busy[1])
    assert all(watch.enter(one, "a") for one in idle)
    assert watch.enter(Stub(3.0), "a") and idle[1].aborted and not idle[0].aborted
    assert len(watch) == 4


def test_room_is_made_for_many_at_a_time() -> None:
    """Where all are taken, those that wait are looked through for some of the new ones, not for each."""
    looks = 0

    class Counted(Stub):
        @property
        def waits_since(self) -> float | None:
            nonlocal looks
            looks += 1
            return self.since

    watch = Watch(Limits(connections=320))
    made = [Counted(float(number)) for number in range(3200)]
    assert all(watch.enter(one, LOCAL) for one in made)
    assert looks < 3200 * 20 and len(watch) <= 320
    assert not made[-1].aborted and sum(one.aborted for one in made) == 3200 - len(watch)


def test_this_machine_has_the_room_of_all() -> None:
    watch = Watch(Limits(connections=5, connections_each=1))
    assert all(watch.enter(Stub(None), LOCAL) for _ in range(5))
    assert not watch.enter(Stub(None), LOCAL) and not watch.enter(Stub(None), "a")
