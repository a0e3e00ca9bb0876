"""What a client may send, and within which bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

ACTIONS = 5000
"""of a match at most"""
MAX_SECONDS = 30.0
"""for a move"""
MAX_ANALYSIS = 120.0
"""seconds for an analysis"""
MAX_ITERATIONS = 10_000_000
GAME_TEXT = 200
"""characters of a GAME at most"""

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
    """A record as a text; ``game`` is meant if the text names none."""

    text: Annotated[str, Field(max_length=60_000)]
    game: GameText | None = None


class Think(Where):
    """Think about a position: to answer with a move, or to analyse it."""

    type: Literal["think"]
    id: Annotated[int, Field(ge=0, lt=2**31)]
    player: Annotated[str, Field(min_length=1, max_length=200)]
    purpose: Literal["move", "analyse"] = "move"
    seconds: Annotated[float, Field(gt=0, le=MAX_ANALYSIS, strict=False)] | None = None
    iterations: Annotated[int, Field(gt=0, le=MAX_ITERATIONS)] | None = None


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
