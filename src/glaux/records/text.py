r"""Records as plain text, in the manner of chess's PGN.

A record has tags, an empty line, and the actions in the game's notation:

    [Game "othello:size=8"]
    [First "mcts:iterations=100"]
    [Second "random"]
    [Result "1-0"]

    d3 c3 c4 e3 c2 b3 ...

A file has any number of them. Values of tags are JSON strings, and so is an action whose text has a
space or begins like a tag, a string or a comment. Lines that begin with # are comments. Besides those
above, ``Start`` has the text of another state than the first, ``Opening`` says how many of the actions
nobody chose, ``Reason`` how a match ended that did not end by the rules; other tags are kept as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from glaux.errors import GlauxError, InvalidFile
from glaux.records.record import RESULTS, Record
from glaux.rules.game import Game

OWN_TAGS = ("Game", "First", "Second", "Result", "Reason", "Opening", "Start")
OUTCOMES = {text: outcome for outcome, text in RESULTS.items()}
WIDTH = 100

_STRING = r'"(?:[^"\\]|\\.)*"'
_TAG = re.compile(rf"\[([A-Za-z][A-Za-z0-9_]*)\s+({_STRING})\]")
_BARE = re.compile(r'[^\s"#\[]\S*')
_WORD = re.compile(rf"({_STRING}|{_BARE.pattern})(?:\s+|$)")


def write_text(record: Record) -> str:
    """The record, with an empty line at its end."""
    tags = {
        "Game": record.game.text,
        "First": record.players[0],
        "Second": record.players[1],
        "Result": record.result,
    }
    if record.verdict is not None:
        tags["Reason"] = record.reason
    if record.opening:
        tags["Opening"] = str(record.opening)
    if record.start != record.game.initial():
        tags["Start"] = record.game.state_text(record.start)
    tags |= {key: value for key, value in record.tags.items() if key not in tags}
    lines = [f"[{key} {_quoted(value)}]" for key, value in tags.items()]
    words = [text if _BARE.fullmatch(text) and text.isprintable() else _quoted(text) for text in record.texts]
    moves = [*_filled(words), ""] if words else []
    return "\n".join([*lines, "", *moves, ""])


def read_text(text: str, make_game: Callable[[str], Game]) -> list[Record]:
    """All the records of a text; InvalidFile with the line of what is wrong."""
    return [_record(draft, make_game) for draft in _drafts(text)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _filled(words: Iterable[str]) -> list[str]:
    """Lines of whole words, as wide as they may be."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


@dataclass
class _Draft:
    """A record as it was written: each tag and action with its line."""

    line: int
    tags: dict[str, tuple[int, str]] = field(default_factory=dict)
    words: list[tuple[int, str]] = field(default_factory=list)


def _drafts(text: str) -> Iterator[_Draft]:
    draft: _Draft | None = None
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        found = _TAG.fullmatch(line)
        if found and found[1] == "Game":
            if draft:
                yield draft
            draft = _Draft(number)
        if draft is None:
            raise InvalidFile(f'Line {number}: a record begins with its game, as in [Game "hex:size=7"].')
        if found:
            if draft.words:
                raise InvalidFile(f"Line {number}: the tag {found[1]} stands behind actions.")
            draft.tags[found[1]] = (number, _unquoted(found[2], number))
        else:
            draft.words += _words(line, number)
    if draft:
        yield draft


def _words(line: str, number: int) -> Iterator[tuple[int, str]]:
    position = 0
    while position < len(line):
        found = _WORD.match(line, position)
        if not found:
            raise InvalidFile(
                f"Line {number}: '{line[position : position + 40]}' is neither a tag nor actions."
            )
        yield number, _unquoted(found[1], number) if found[1].startswith('"') else found[1]
        position = found.end()


def _unquoted(text: str, number: int) -> str:
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        raise InvalidFile(f"Line {number}: {text[:60]} is not a string.") from None
    assert isinstance(value, str)
    return value


def _record(draft: _Draft, make_game: Callable[[str], Game]) -> Record:
    number, game_text = draft.tags["Game"]
    try:
        game = make_game(game_text)
        number, start = draft.tags.get("Start", (number, ""))
        state = game.parse_state(start) if start else game.initial()
        record = Record(
            state,
            (draft.tags.get("First", (0, ""))[1], draft.tags.get("Second", (0, ""))[1]),
            opening=_opening(draft),
            tags={key: value for key, (_, value) in draft.tags.items() if key not in OWN_TAGS},
        )
        for number, word in draft.words:  # noqa: B007 (the line of the word that is wrong)
            record.play(game.parse_action(record.state, word))
    except InvalidFile:
        raise
    except GlauxError as error:
        raise InvalidFile(f"Line {number}: {error}") from None
    _set_result(record, draft)
    return record


def _opening(draft: _Draft) -> int:
    number, text = draft.tags.get("Opening", (0, "0"))
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > len(draft.words):
        raise InvalidFile(f"Line {number}: '{text}' is not a number of the actions.")
    return int(text)


def _set_result(record: Record, draft: _Draft) -> None:
    number, text = draft.tags.get("Result", (draft.line, record.result))
    if text not in OUTCOMES:
        raise InvalidFile(f"Line {number}: a result is {', '.join(OUTCOMES)}, not '{text}'.")
    outcome = OUTCOMES[text]
    if record.game.terminal(record.state):
        if outcome != record.outcome:
            raise InvalidFile(f"Line {number}: by the rules this match ended {record.result}, not {text}.")
    elif outcome is not None:
        record.decide(outcome, draft.tags.get("Reason", (0, ""))[1])
