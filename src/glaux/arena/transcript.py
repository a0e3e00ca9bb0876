"""Matches as text for people and programs, in the manner of chess's PGN.

    [Game "connect_four:rows=6,columns=7,length=4"]
    [First "mcts:iterations=100"]
    [Second "random"]
    [Result "1-0"]
    [Opening "2"]
    [Round "1.2.1"]

    4 3 4 4 2 1 ...

Tags, an empty line, and the actions in the game's notation. ``Opening`` says how many of the first
actions nobody chose. Values of tags are JSON strings, and so is an action that can't stand as a word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from textwrap import wrap

from glaux.arena.match import Record
from glaux.rules.game import Game

WIDTH = 100
RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
_WORD = re.compile(r'[^\s"#\[]\S*')


def match_text(game: Game, players: tuple[str, str], record: Record, tags: Mapping[str, str]) -> str:
    """A match between the first and the second player as text, with an empty line at its end."""
    head = {
        "Game": game.text,
        "First": players[0],
        "Second": players[1],
        "Result": RESULTS[record.outcome],
        "Opening": str(record.opening),
        **tags,
    }
    lines = [f"[{name} {_quoted(value)}]" for name, value in head.items()]
    words = [text if _WORD.fullmatch(text) else _quoted(text) for text in _texts(game, record)]
    moves = wrap(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *moves, "", ""])


def _texts(game: Game, record: Record) -> list[str]:
    texts, state = [], game.initial()
    for action in record.actions:
        texts.append(game.action_text(state, action))
        state = game.apply(state, action)
    return texts


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
