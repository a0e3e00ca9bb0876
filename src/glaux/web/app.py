"""The server as an application: its addresses, and how mistakes are answered.

    GET  /                       the page
    GET  /api/games              the games there are
    GET  /api/game?text=GAME     one of them: board, parameters, opponents
    POST /api/position           a position: cells, legal actions, outcome
    POST /api/record             a record as a text, read into actions
    GET  /api/runs               the training runs
    GET  /api/runs/curve?name=   the curves of one
    WS   /api/think              searches that tell what they think (sessions.py)

Every mistake of a client is answered by {"error": one sentence}.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

import glaux
from glaux.errors import GlauxError, InvalidFile
from glaux.records.text import read_drafts
from glaux.web.catalogue import Catalogue
from glaux.web.guard import TOO_LARGE, Guard
from glaux.web.models import ACTIONS, RecordText, Where, complaint
from glaux.web.pages import INDEX, read_pages
from glaux.web.positions import describe, follow, move
from glaux.web.runs import Runs
from glaux.web.sessions import Sessions
from glaux.web.token import Token

MEMORY = 128 << 20
SESSIONS = 512
LONGEST = 600
"""characters of a sentence"""


@dataclass(frozen=True)
class Options:
    """What the person who starts the server decides."""

    runs: Path = field(default_factory=lambda: Path("runs"))
    games: Sequence[str] = ()
    """GAME texts to offer besides the registered games"""
    names: Sequence[str] = ()
    """host names by which the server may be called"""
    token: Token | None = None
    """what clients must bring, if anything"""
    sessions: int = SESSIONS
    """pages that may think at the same time"""
    memory: int = MEMORY
    """bytes of a page's search"""


def create_app(options: Options) -> FastAPI:
    """The application; GlauxError if the options name something that is not there."""
    catalogue = Catalogue(Runs(options.runs), options.games)
    sessions = Sessions(catalogue, options.sessions, options.memory)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # No more threads than can run: with forty of them at work, the one that speaks with all the clients
        # would get a fortieth of the interpreter.
        to_thread.current_default_thread_limiter().total_tokens = (os.cpu_count() or 1) + 1
        yield
        sessions.close()

    app = FastAPI(title="Glaux", openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.add_middleware(Guard, names=options.names, token=options.token)
    _answer_mistakes(app)
    _add_pages(app)
    _add_games(app, catalogue)
    _add_runs(app, catalogue.runs)

    @app.websocket("/api/think")
    async def think(socket: WebSocket) -> None:
        await sessions.serve(socket)

    return app


def shortened(sentence: str) -> str:
    """A sentence without the middle of what a client has sent, if that is long."""
    return (
        sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST // 2]}...{sentence[-LONGEST // 2 :]}"
    )


def _answer_mistakes(app: FastAPI) -> None:
    def answer(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"error": sentence}, status_code=status)

    @app.exception_handler(GlauxError)
    async def mistake(_: Request, error: GlauxError) -> JSONResponse:
        return answer(400, shortened(str(error)))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return answer(422, complaint(error.errors()[0]))

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> JSONResponse:
        sentences = {
            404: "There is nothing at this address.",
            405: f"{request.method} is not for this address.",
            413: TOO_LARGE,
        }
        return answer(error.status_code, sentences.get(error.status_code, "The request can't be read."))


def _add_pages(app: FastAPI) -> None:
    pages = read_pages()

    @app.get("/")
    async def index(request: Request) -> Response:
        return pages[INDEX].response(request)

    @app.get("/static/{name}")
    async def page(request: Request, name: str) -> Response:
        if name not in pages:
            raise HTTPException(404)
        return pages[name].response(request)


def _add_games(app: FastAPI, catalogue: Catalogue) -> None:
    @app.get("/api/games")
    def games() -> dict[str, Any]:
        return {"version": glaux.__version__, "games": catalogue.games()}

    @app.get("/api/game")
    def game(text: Annotated[str, Query(min_length=1, max_length=200)]) -> dict[str, Any]:
        return catalogue.describe(catalogue.game(text))

    @app.post("/api/position")
    def position(where: Where) -> dict[str, Any]:
        line = follow(catalogue.game(where.game), where.start, where.actions)
        return describe(line) | {"game": where.game}

    @app.post("/api/record")
    def record(sent: RecordText) -> dict[str, Any]:
        draft = next(read_drafts(sent.text, sent.game), None)
        if draft is None or not draft.words:
            raise InvalidFile("There is no move in this record.")
        if len(draft.words) > ACTIONS:
            raise InvalidFile(f"A record has at most {ACTIONS} moves.")
        read = draft.play(catalogue.game)
        moves = [move(read.game, *step) for step in zip(read.states, read.actions, strict=False)]
        return {"game": catalogue.text(read.game), "start": draft.tag("Start") or None, "moves": moves}


def _add_runs(app: FastAPI, runs: Runs) -> None:
    @app.get("/api/runs")
    def listed() -> dict[str, Any]:
        rows = [
            {"name": run.name, "game": run.game, "ready": run.ready, "live": run.live, "changed": run.changed}
            for run in runs.listed()
        ]
        return {"runs": rows}

    @app.get("/api/runs/curve")
    def curve(name: Annotated[str, Query(min_length=1, max_length=400)]) -> dict[str, Any]:
        return runs.curve(name)
