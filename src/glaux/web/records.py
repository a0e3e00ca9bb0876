"""Records that people paste or load: the game if it is said, the moves, and nothing executable.

Read are the moves as ``glaux play`` prints them after ``Record:``, and PGN-like texts with tags such
as ``[Game "hex:size=7"]`` and ``[State "..."]`` before the moves. Numbers of moves (``1.``),
comments in braces and results are left out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from glaux.errors import GlauxError, InvalidAction
from glaux.rules.game import Game

TAG = re.compile(r'^\s*\[(\w+)\s+"([^"]*)"\]\s*$', re.MULTILINE)
RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
HEAD = re.compile(r"^.*\bRecord:", re.DOTALL)
NUMBER = re.compile(r"\d+\.+")
TEXT_MOVES = 5000


class Written(NamedTuple):
    """What a text says before any of it is checked by rules."""

    game: str | None
    start: str | None
    moves: list[str]


def read_record(text: str) -> Written:
    """The parts of a record; GlauxError if there is no move in it."""
    tags = {key.lower(): value for key, value in TAG.findall(text)}
    body = re.sub(r"\{[^}]*\}", " ", TAG.sub("", text))
    body = HEAD.sub("", body)
    words = [word for word in body.split() if word not in RESULTS and not NUMBER.fullmatch(word)]
    if not words:
        raise GlauxError("There is no move in this record.")
    if len(words) > TEXT_MOVES:
        raise GlauxError(f"A record has at most {TEXT_MOVES} moves.")
    return Written(tags.get("game"), tags.get("state") or tags.get("start"), words)


def parse_moves(game: Game, start: str | None, moves: list[str]) -> list[int]:
    """The actions of moves by their texts; InvalidAction that says which one can't be played."""
    state = game.initial() if start is None else game.parse_state(start)
    actions: list[int] = []
    for number, text in enumerate(moves, 1):
        try:
            actions.append(game.parse_action(state, text))
        except InvalidAction as error:
            raise InvalidAction(f"Move {number} can't be played: {error}") from None
        state = game.apply(state, actions[-1])
    return actions
