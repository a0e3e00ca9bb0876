"""The server as an application: its addresses, and how mistakes are answered.

    GET  /                       the page
    GET  /api/games              the games there are
    GET  /api/game?text=GAME     one of them: board, parameters, opponents
    POST /api/position           a position: cells, legal actions, outcome
    POST /api/setup              a position that somebody has set up, as a start
    POST /api/records            the records of a file: what they say of themselves
    POST /api/record             one of them, read into actions
    POST /api/write              a match as a record: text or SGF
    GET  /api/runs               the training runs
    GET  /api/runs/curve?name=   the curves of one
    GET  /api/runs/about?name=   its settings, and its latest matches against itself
    GET  /api/runs/match?name=&match=   one of these
    GET  /api/ladders            the results of tournaments
    GET  /api/trainings?game=    whether one may be started here, which runs, and the presets of a game
    POST /api/trainings/start, /api/trainings/stop
    POST /api/rooms, GET /api/rooms?seat=&after=   a match with a friend
    POST /api/rooms/play, /api/rooms/resign
    WS   /api/think              searches that tell what they think (sessions.py)

Every mistake of a client is answered by {"error": one sentence}.
"""

from __future__ import annotations

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
from glaux.errors import GlauxError
from glaux.machine import cores
from glaux.players.levels import FULL
from glaux.web.catalogue import Catalogue
from glaux.web.editing import set_up
from glaux.web.guard import Guard, limit_of, too_large
from glaux.web.ladders import ladders
from glaux.web.models import (
    ACTIONS,
    GAME_TEXT,
    LeaveRoom,
    OpenRoom,
    PlayInRoom,
    RecordText,
    SetUp,
    Train,
    Where,
    Written,
    complaint,
)
from glaux.web.pages import INDEX, read_pages
from glaux.web.positions import describe, follow
from glaux.web.records import listed, read, write
from glaux.web.rooms import Rooms
from glaux.web.runs import Runs
from glaux.web.sessions import Sessions
from glaux.web.token import Token
from glaux.web.trainings import Trainings

MEMORY = 128 << 20
SESSIONS = 512
LONGEST = 600
"""characters of a sentence"""


@dataclass(frozen=True)
class Options:
    """What the person who starts the server decides."""

    runs: Path = field(default_factory=lambda: Path("runs"))
    tournaments: Path = field(default_factory=lambda: Path("tournaments"))
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
    threads: int = 1
    """of a page's search, where the search can have several"""
    train: bool = False
    """whether clients may start training runs: only where anyone who reaches the server may"""


def create_app(options: Options) -> FastAPI:
    """The application; GlauxError if the options name something that is not there."""
    catalogue = Catalogue(Runs(options.runs), options.games, options.threads)
    sessions = Sessions(catalogue, options.sessions, options.memory)
    trainings = Trainings(options.runs, options.train)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # No more threads than can run: with forty of them at work, the one that speaks with all the clients
        # would get a fortieth of the interpreter.
        to_thread.current_default_thread_limiter().total_tokens = cores() + 1
        yield
        sessions.close()
        trainings.close()

    app = FastAPI(title="Glaux", openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.add_middleware(Guard, names=options.names, token=options.token)
    _answer_mistakes(app)
    _add_pages(app)
    _add_games(app, catalogue)
    _add_runs(app, catalogue)
    _add_trainings(app, catalogue, trainings)
    _add_rooms(app, Rooms(catalogue))

    @app.get("/api/ladders")
    def all_ladders() -> dict[str, Any]:
        return {"ladders": ladders(options.tournaments)}

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
            405: f"{request.method} is not allowed at this address.",
            413: too_large(limit_of(request.url.path)),
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
        return {"version": glaux.__version__, "levels": FULL, "games": catalogue.games()}

    @app.get("/api/game")
    def game(text: Annotated[str, Query(min_length=1, max_length=200)]) -> dict[str, Any]:
        return catalogue.describe(catalogue.game(text))

    @app.post("/api/position")
    def position(where: Where) -> dict[str, Any]:
        line = follow(catalogue.game(where.game), where.start, where.actions)
        return describe(line) | {"game": where.game}

    @app.post("/api/setup")
    def setup(sent: SetUp) -> dict[str, Any]:
        game = catalogue.game(sent.game)
        return {"start": game.state_text(set_up(game, sent.cells, sent.first))}

    @app.post("/api/records")
    def records(sent: RecordText) -> dict[str, Any]:
        return listed(sent)

    @app.post("/api/record")
    def record(sent: RecordText) -> dict[str, Any]:
        return read(catalogue, sent)

    @app.post("/api/write")
    def written(sent: Written) -> dict[str, Any]:
        return write(catalogue, sent)


RunName = Annotated[str, Query(min_length=1, max_length=400)]


def _add_runs(app: FastAPI, catalogue: Catalogue) -> None:
    runs = catalogue.runs

    @app.get("/api/runs")
    def all_runs() -> dict[str, Any]:
        rows = [
            {"name": run.name, "game": run.game, "ready": run.ready, "live": run.live, "changed": run.changed}
            for run in runs.listed()
        ]
        return {"runs": rows}

    @app.get("/api/runs/curve")
    def curve(name: RunName) -> dict[str, Any]:
        return runs.curve(name)

    @app.get("/api/runs/about")
    def about(name: RunName) -> dict[str, Any]:
        return {"settings": runs.settings(name), "matches": runs.matches(name)}

    @app.get("/api/runs/match")
    def match(name: RunName, match: Annotated[int, Query(ge=0, lt=2**53)]) -> dict[str, Any]:
        return catalogue.run_match(name, match)


def _add_trainings(app: FastAPI, catalogue: Catalogue, trainings: Trainings) -> None:
    @app.get("/api/trainings")
    def status(game: Annotated[str, Query(min_length=1, max_length=GAME_TEXT)]) -> dict[str, Any]:
        return trainings.status() | {"presets": trainings.presets(catalogue.game(game))}

    @app.post("/api/trainings/start")
    def start(sent: Train) -> dict[str, Any]:
        trainings.start(catalogue.trainable(sent.game), sent.preset, sent.minutes, sent.name)
        return trainings.status()

    @app.post("/api/trainings/stop")
    def stop() -> dict[str, Any]:
        trainings.stop()
        return trainings.status()


def _add_rooms(app: FastAPI, rooms: Rooms) -> None:
    @app.post("/api/rooms")
    def open_room(sent: OpenRoom) -> dict[str, str]:
        return rooms.open(sent.game, sent.start, sent.first)

    @app.get("/api/rooms")
    def look(
        seat: Annotated[str, Query(min_length=1, max_length=60)],
        after: Annotated[int, Query(ge=0, le=ACTIONS)] = 0,
    ) -> dict[str, Any]:
        return rooms.look(seat, after)

    @app.post("/api/rooms/play")
    def play(sent: PlayInRoom) -> dict[str, Any]:
        rooms.play(sent.seat, sent.ply, sent.action)
        return {}

    @app.post("/api/rooms/resign")
    def resign(sent: LeaveRoom) -> dict[str, Any]:
        rooms.resign(sent.seat)
        return {}
