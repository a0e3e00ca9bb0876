"""The clients that think: one socket each, one search each, and a queue in which all are equal.

    client                              server
    {"type": "think", "id": 1, ...}     {"type": "thought", "id": 1, ...} again and again
                                        {"type": "done", "id": 1, "move": ...} once
    {"type": "stop", "answer": true}    the last of these, now
                                        {"type": "error", "id": 1, "error": one sentence}

A new question ends the one before it. Searches run in as many threads as there are cores, a slice at a
time (thinking.py); the queue of the pool is first come, first served, so that slices take turns.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from glaux.errors import GlauxError, InvalidAction
from glaux.web.catalogue import Catalogue
from glaux.web.models import Message, Stop, Think, sentence
from glaux.web.positions import follow
from glaux.web.thinking import Thinker

log = logging.getLogger(__name__)

TELL_EVERY = 0.1
"""seconds between two thoughts that a client is told"""
IDLE_SECONDS = 600.0
"""after which the memory of a search is given back"""
TRY_LATER = 1013
"""the code with which a socket is closed for want of room"""


class Sessions:
    """All the clients of a server."""

    def __init__(self, catalogue: Catalogue, most: int, memory: int) -> None:
        self.catalogue = catalogue
        self.most = most
        self.memory = memory
        self.pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="search")
        self.open = 0

    async def serve(self, socket: WebSocket) -> None:
        """Serve a client until it goes away."""
        await socket.accept()
        if self.open >= self.most:
            await socket.send_json({"type": "error", "id": None, "error": self._crowded()})
            await socket.close(TRY_LATER)
            return
        self.open += 1
        session = Session(socket, self)
        try:
            await session.listen()
        except WebSocketDisconnect:
            pass
        finally:
            self.open -= 1
            await session.end()

    def _crowded(self) -> str:
        return f"{self.most} pages are playing here already: try again later."

    def close(self) -> None:
        """End all the searches."""
        self.pool.shutdown(wait=True, cancel_futures=True)


class Session:
    """One client."""

    def __init__(self, socket: WebSocket, sessions: Sessions) -> None:
        self.socket = socket
        self.sessions = sessions
        self.thinker = Thinker(sessions.catalogue, sessions.memory)
        self._task: asyncio.Task[None] | None = None
        self._stopped = self._answer = False

    async def listen(self) -> None:
        """Take messages, one after the other."""
        while True:
            try:
                text = await asyncio.wait_for(self.socket.receive_text(), IDLE_SECONDS)
            except TimeoutError:
                await self.end()
                self.thinker.forget()
                continue
            except KeyError:
                await self._send({"type": "error", "id": None, "error": "Messages are texts."})
                continue
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
            answer = {"type": "error", "error": "The search has failed: the server's log says why."}
        if answer is not None:
            await self._send(answer | {"id": think.id})

    async def _search(self, think: Think) -> dict[str, Any] | None:
        game = self.sessions.catalogue.game(think.game)
        line = follow(game, think.start, think.actions)
        if game.terminal(line.state):
            raise InvalidAction("The match is over: there is nothing to think about.")
        await asyncio.to_thread(self.thinker.prepare, game, think.player)
        loop = asyncio.get_running_loop()
        task = self.thinker.begin(think, line)
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

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self.socket.send_json(message)
        except (WebSocketDisconnect, RuntimeError):  # it has gone away: nobody waits for more
            self._stopped, self._answer = True, False
