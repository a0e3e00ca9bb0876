"""The clients that think: one socket each, one search each, and a queue in which all are equal.

    client                              server
    {"type": "think", "id": 1, ...}     {"type": "thought", "id": 1, ...} again and again
                                        {"type": "done", "id": 1, "move": ...} once
    {"type": "stop", "answer": true}    the last of these, now
                                        {"type": "error", "id": 1, "error": one sentence}

A new question ends the one before it. Where all the sockets are taken, one that nobody has used for a
while gives way: its page opens another when it needs it. Searches run in as many threads as there are
cores, a slice at a time (thinking.py); the queue of the pool is first come, first served, so that slices
take turns.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from glaux.errors import GlauxError, InvalidAction
from glaux.machine import cores
from glaux.web.catalogue import Catalogue
from glaux.web.connections import LOCAL, client_of
from glaux.web.models import Message, Stop, Think, sentence
from glaux.web.positions import follow
from glaux.web.thinking import Task, Thinker

log = logging.getLogger(__name__)

TELL_EVERY = 0.1
"""seconds between two thoughts that a client is told"""
IDLE_SECONDS = 600.0
"""after which the memory of a search is given back"""
GIVE_WAY_SECONDS = 60.0
"""after which a socket that nobody uses gives way to a new one"""
SOCKETS_EACH = 16
"""sockets of one address; this machine may have them all, because a proxy on it speaks for many"""
SHARE = 4
"""the part of the machine's memory that all the searches may have: one part in this many"""
TRY_LATER = 1013
"""the code with which a socket is closed for want of room"""


class Sessions:
    """All the clients of a server."""

    def __init__(self, catalogue: Catalogue, most: int, memory: int) -> None:
        self.catalogue = catalogue
        self.most = most
        self.memory = memory
        self.memory_in_all = max(memory, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // SHARE)
        self.pool = ThreadPoolExecutor(cores(), thread_name_prefix="search")
        self.open: set[Session] = set()

    async def serve(self, socket: WebSocket) -> None:
        """Serve a client until it goes away."""
        await socket.accept()
        session = Session(socket, self)
        refusal = await self._refusal(session.client)
        if refusal is not None:
            await socket.send_json({"type": "error", "id": None, "error": refusal})
            await socket.close(TRY_LATER)
            return
        self.open.add(session)
        try:
            await session.listen()
        except WebSocketDisconnect:
            pass
        finally:
            self.open.discard(session)
            await session.end()

    async def _refusal(self, client: str) -> str | None:
        own = [session for session in self.open if session.client == client]
        if client != LOCAL and len(own) >= SOCKETS_EACH:
            if not await self._make_room(own):
                return f"{SOCKETS_EACH} pages from your address are already playing here: try again later."
        elif len(self.open) >= self.most and not await self._make_room(self.open):
            return f"{self.most} pages are already playing here: try again later."
        return None

    async def _make_room(self, sessions: Iterable[Session]) -> bool:
        """Close the socket that nobody has used for the longest time, if that is long enough."""
        idle = [session for session in sessions if session.idle_seconds > GIVE_WAY_SECONDS]
        if not idle:
            return False
        longest = max(idle, key=lambda session: session.idle_seconds)
        self.open.discard(longest)
        longest.thinker.forget()
        await longest.give_way()
        return True

    def check_memory(self) -> None:
        """Take memory from searches that stand still, the oldest first; GlauxError if that is not enough."""
        used = sum(session.thinker.bytes for session in self.open)
        still = sorted((session for session in self.open if session.still), key=lambda s: -s.idle_seconds)
        for session in still:
            if used <= self.memory_in_all:
                return
            used -= session.thinker.bytes
            session.thinker.forget()
        if used > self.memory_in_all:
            raise GlauxError("The memory for searches is full: try again later.")

    def close(self) -> None:
        """End all the searches."""
        self.pool.shutdown(wait=True, cancel_futures=True)


class Session:
    """One client."""

    def __init__(self, socket: WebSocket, sessions: Sessions) -> None:
        self.socket = socket
        self.sessions = sessions
        self.thinker = Thinker(sessions.catalogue, sessions.memory)
        self.client = client_of(socket.client.host if socket.client else None)
        self._task: asyncio.Task[None] | None = None
        self._stopped = self._answer = self._gone = False
        self._used = time.monotonic()

    @property
    def still(self) -> bool:
        """Whether nothing is thought about."""
        return self._task is None or self._task.done()

    @property
    def idle_seconds(self) -> float:
        """How long nothing was asked or thought about."""
        return time.monotonic() - self._used if self.still else 0.0

    async def give_way(self) -> None:
        """Make room for somebody else."""
        with suppress(WebSocketDisconnect, RuntimeError):  # it has gone away by itself
            await self.socket.close(TRY_LATER)

    async def listen(self) -> None:
        """Take messages, one after the other, until the client has gone away."""
        while not self._gone:
            try:
                text = await asyncio.wait_for(self.socket.receive_text(), IDLE_SECONDS)
            except TimeoutError:
                await self.end()
                self.thinker.forget()
                continue
            except KeyError:
                await self._send({"type": "error", "id": None, "error": "Messages must be text."})
                continue
            self._used = time.monotonic()
            try:
                message = Message.validate_json(text)
            except ValidationError as error:
                await self._send({"type": "error", "id": None, "error": sentence(error)})
                continue
            await self._take(message)

    async def _take(self, message: Think | Stop) -> None:
        if isinstance(message, Stop):
            self._answer = message.answer
            self._stopped = True
            return
        await self.end()
        self._stopped = self._answer = False
        self._task = asyncio.create_task(self._think(message))

    async def end(self) -> None:
        """Stop thinking without an answer; a slice that has begun is waited for."""
        self._stopped, self._answer = True, False
        if self._task is not None:
            await self._task
            self._task = None

    async def _think(self, think: Think) -> None:
        try:
            answer = await self._search(think)
        except GlauxError as error:
            answer = {"type": "error", "error": str(error)}
        except Exception:
            # A fault of ours: the client shall not wait for ever, and the log shall say why.
            log.exception("A search has failed")
            answer = {"type": "error", "error": "The search failed: the server's log says why."}
        self._used = time.monotonic()
        if answer is not None:
            await self._send(answer | {"id": think.id})

    async def _search(self, think: Think) -> dict[str, Any] | None:
        self.sessions.check_memory()
        task = await asyncio.to_thread(self._begin, think)
        loop = asyncio.get_running_loop()
        told = time.monotonic()
        while True:
            thought = await loop.run_in_executor(self.sessions.pool, self.thinker.step, task)
            if task.over or (self._stopped and self._answer):
                return thought | {"type": "done"}
            if self._stopped:
                return None
            if time.monotonic() - told >= TELL_EVERY:
                told = time.monotonic()
                await self._send(thought | {"type": "thought", "id": think.id})

    def _begin(self, think: Think) -> Task:
        """All that may take a while, for a match can be long and a value function large."""
        game = self.sessions.catalogue.game(think.game)
        line = follow(game, think.start, think.actions)
        if game.terminal(line.state):
            raise InvalidAction("The match is over: there is nothing to think about.")
        self.thinker.prepare(game, think.player)
        return self.thinker.begin(think, line)

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self.socket.send_json(message)
        except (WebSocketDisconnect, RuntimeError):  # it has gone away: nobody waits for more
            self._stopped, self._answer, self._gone = True, False, True
