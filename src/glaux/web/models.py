"""What a client may send, and within which bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from glaux.players.levels import FULL

ACTIONS = 5000
"""of a match at most"""
MAX_SECONDS = 30.0
"""for a move"""
MAX_ANALYSIS = 120.0
"""seconds for an analysis"""
MAX_ITERATIONS = 10_000_000
RECORD_TEXT = 500_000
"""characters of a file of records"""
GAME_TEXT = 200
"""characters of a GAME at most"""
REASON = 200
"""characters of why a match ended other than by the rules"""

GameText = Annotated[str, Field(min_length=1, max_length=GAME_TEXT)]


class Sent(BaseModel):
    """The base of all: nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Where(Sent):
    """A position: a game, a start if it is not the usual one, and actions by their numbers."""

    game: GameText
    start: Annotated[str, Field(max_length=20_000)] | None = None
    actions: Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(max_length=ACTIONS)] = []


class RecordText(Sent):
    """Records as a text; ``game`` is meant if the text names none, and ``number`` is one of them."""

    text: Annotated[str, Field(max_length=RECORD_TEXT)]
    game: GameText | None = None
    number: Annotated[int, Field(ge=0, lt=2**31)] = 0


Actions = Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(max_length=ACTIONS)]
PlayerName = Annotated[str, Field(max_length=200)]


class Branch(Sent):
    """A variation: actions instead of those of its line from a ply on."""

    ply: Annotated[int, Field(ge=0, le=ACTIONS)]
    actions: Actions
    variations: Annotated[list[Branch], Field(max_length=ACTIONS)] = []


class Written(Sent):
    """A match to be written as a record."""

    game: GameText
    start: Annotated[str, Field(max_length=20_000)] | None = None
    actions: Actions
    variations: Annotated[list[Branch], Field(max_length=ACTIONS)] = []
    first: PlayerName
    second: PlayerName
    verdict: Literal[1, 0, -1] | None = None
    """of a match that ended other than by the rules, for the first player"""
    reason: Annotated[str, Field(max_length=REASON)] = ""
    form: Literal["text", "sgf"]


class Train(Sent):
    """A training run to be started."""

    game: GameText
    preset: Annotated[str, Field(min_length=1, max_length=80)]
    minutes: Annotated[float, Field(ge=0.1, le=24 * 60, strict=False)]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$")]


class SetUp(Sent):
    """A position that somebody has set up: the codes of its cells."""

    game: GameText
    cells: Annotated[list[Annotated[int, Field(ge=0, lt=256)]], Field(max_length=4096)]
    first: bool


Seat = Annotated[str, Field(min_length=1, max_length=60)]


class OpenRoom(Sent):
    """A match with a friend; ``first`` says which side who opens it has."""

    game: GameText
    start: Annotated[str, Field(max_length=20_000)] | None = None
    first: bool


class PlayInRoom(Sent):
    """An action of the player with this seat."""

    seat: Seat
    ply: Annotated[int, Field(ge=0, le=ACTIONS)]
    action: Annotated[int, Field(ge=0, lt=2**31)]


class LeaveRoom(Sent):
    """A resignation."""

    seat: Seat


class Think(Where):
    """Think about a position: to answer with a move, or to analyse it."""

    type: Literal["think"]
    id: Annotated[int, Field(ge=0, lt=2**31)]
    player: Annotated[str, Field(min_length=1, max_length=200)]
    purpose: Literal["move", "analyse"] = "move"
    seconds: Annotated[float, Field(gt=0, le=MAX_ANALYSIS, strict=False)] | None = None
    iterations: Annotated[int, Field(gt=0, le=MAX_ITERATIONS)] | None = None
    level: Annotated[int, Field(ge=1, le=FULL)] | None = None
    """of a move; the highest one if there is none"""


class Stop(Sent):
    """Stop thinking; ``answer`` with what was found so far, or not at all."""

    type: Literal["stop"]
    answer: bool = False


Message: TypeAdapter[Think | Stop] = TypeAdapter(Annotated[Think | Stop, Field(discriminator="type")])


def sentence(error: ValidationError) -> str:
    """The first complaint as one sentence."""
    return complaint(error.errors(include_url=False, include_context=False, include_input=False)[0])


def complaint(detail: Any) -> str:
    """A detail of pydantic's as one sentence."""
    places = [str(part) for part in detail.get("loc", ()) if part not in ("body", "query", "think", "stop")]
    message = str(detail.get("msg", "is not valid")).rstrip(".")
    where = f"'{'.'.join(places)}': " if places else ""
    return f"The request is not valid: {where}{message[0].lower()}{message[1:]}."
