"""Records of matches as the page opens and saves them, with their variations."""

from __future__ import annotations

from typing import Any

from glaux.errors import InvalidParameter
from glaux.records.collection import outlines, read_one
from glaux.records.record import Record
from glaux.records.sgf import write_sgf
from glaux.records.text import DEEPEST, write_text
from glaux.web.catalogue import Catalogue
from glaux.web.models import ACTIONS, REASON, Branch, RecordText, Written
from glaux.web.positions import move

LISTED = 1000
"""records of a file that the page offers"""


def listed(sent: RecordText) -> dict[str, Any]:
    """What the records of a file say of themselves."""
    found = outlines(sent.text, sent.game)
    return {"records": [outline._asdict() for outline in found[:LISTED]], "count": len(found)}


def read(catalogue: Catalogue, sent: RecordText) -> dict[str, Any]:
    """One record as moves."""
    record = read_one(sent.text, sent.number, catalogue.game, sent.game, ACTIONS)
    start = None if record.start == record.game.initial() else record.game.state_text(record.start)
    return {
        "game": catalogue.text(record.game),
        "start": start,
        "first": record.players[0],
        "second": record.players[1],
        "ended": _ended(record),
        **_line(record),
    }


def _ended(record: Record) -> dict[str, Any] | None:
    """How a match ended that did not end by the rules."""
    if record.verdict is None:
        return None
    return {"outcome": record.verdict, "reason": record.reason[:REASON]}


def _line(record: Record) -> dict[str, Any]:
    moves = [move(record.game, *step) for step in zip(record.states, record.actions, strict=False)]
    variations = [
        {"ply": ply, **_line(variation)}
        for ply, others in sorted(record.variations.items())
        for variation in others
    ]
    return {"moves": moves, "variations": variations}


def write(catalogue: Catalogue, sent: Written) -> dict[str, Any]:
    """A match as a record."""
    game = catalogue.game(sent.game)
    start = game.initial() if sent.start is None else game.parse_state(sent.start)
    record = Record(start, (sent.first, sent.second)).play_all(sent.actions)
    _branch(record, sent.variations, 1)
    if sent.verdict is not None and record.outcome is None:
        record.decide(sent.verdict, sent.reason)
    return {"text": write_sgf(record).decode() if sent.form == "sgf" else write_text(record)}


def _branch(record: Record, variations: list[Branch], depth: int) -> None:
    if depth > DEEPEST and variations:
        raise InvalidParameter(f"Variations can be nested at most {DEEPEST} deep.")
    for variation in variations:
        if variation.ply >= len(record.actions):
            raise InvalidParameter(f"There is no action {variation.ply + 1} for a variation to replace.")
        branch = record.branch(variation.ply).play_all(variation.actions)
        _branch(branch, variation.variations, depth + 1)
