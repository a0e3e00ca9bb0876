r"""Records as plain text, in the manner of chess's PGN.

A record has tags, an empty line, and the actions in the game's notation:

    [Game "othello:size=8"]
    [First "mcts:iterations=100"]
    [Second "random"]
    [Result "1-0"]

    d3 c3 c4 e3 c2 b3 ...

A file has any number of them. Values of tags are JSON strings, and so is an action whose text has a
space or could be taken for something else. Lines that begin with # are comments. Besides those above,
``Start`` has the text of another state than the first, ``Opening`` says how many of the actions nobody
chose, ``Reason`` how a match ended that did not end by the rules; other tags are kept as they are.

Variations stand in parentheses behind the action that they replace, and may have variations of their own:
``d3 ( e3 f3 ) c3``.

What people paste is read too: comments in braces, numbers of moves (``1.``) and results among the
actions say nothing; ``State`` is ``Start``; a line that begins with ``Record:``, as ``glaux play`` prints,
has all the actions, and what stands before it is dropped unless it is a tag.

A text can come from anybody, so that reading takes time in proportion to its length: a line is matched
once, and no pattern can begin to match in more than one way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from glaux.errors import GlauxError, InvalidAction, InvalidFile
from glaux.records.record import RESULTS, Record
from glaux.rules.game import Game

OWN_TAGS = ("Game", "First", "Second", "Result", "Reason", "Opening", "Start")
SYNONYMS = {name.lower(): name for name in OWN_TAGS} | {"state": "Start"}
OUTCOMES = {text: outcome for outcome, text in RESULTS.items()}
HEAD = "Record:"
WIDTH = 100
OPEN, CLOSE = "(", ")"
DEEPEST = 32
"""variations inside variations"""

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_TAG = re.compile(rf"\[([A-Za-z][A-Za-z0-9_]*)\s+({_STRING})\]")
_BARE = re.compile(r'[^\s"#\[{()][^\s{]*')
_WORD = re.compile(rf"({_STRING}(?=\s|{{|$)|{_BARE.pattern})\s*")
_NUMBER = re.compile(r"[0-9]+\.+")


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
    words = list(_written(record))
    moves = [*filled(words), ""] if words else []
    return "\n".join([*lines, "", *moves, ""])


def _written(record: Record) -> Iterator[str]:
    for ply, text in enumerate(record.texts):
        yield text if _is_bare(text) else _quoted(text)
        for variation in record.variations.get(ply, []):
            yield from (OPEN, *_written(variation), CLOSE)


def read_text(text: str, make_game: Callable[[str], Game]) -> list[Record]:
    """All the records of a text; InvalidFile with the line of what is wrong."""
    records = []
    for draft in read_drafts(text):
        record = draft.play(make_game)
        _set_result(record, draft)
        records.append(record)
    return records


NO_OTHERS: list[list[Word]] = []
"""those of parentheses"""


class Word(NamedTuple):
    """An action as it was written, and the variations that replace it."""

    line: int
    text: str
    quoted: bool
    others: list[list[Word]]

    @property
    def says_nothing(self) -> bool:
        """Whether it is a number or a result, unless the game has an action of this text."""
        return not self.quoted and _says_nothing(self.text)


@dataclass
class Draft:
    """A record as it was written: each tag and action with its line."""

    line: int
    tags: dict[str, tuple[int, str]] = field(default_factory=dict)
    words: list[Word] = field(default_factory=list)
    size: int = 0
    """words in all, those of variations too"""
    _open: list[list[Word]] = field(default_factory=list)
    """the line that is being written, behind those that it is a variation of"""

    def add(self, words: Iterable[Word]) -> None:
        """Add words and parentheses."""
        if not self._open:
            self._open = [self.words]
        for word in words:
            line = self._open[-1]
            if word.quoted or word.text not in (OPEN, CLOSE):
                line.append(word)
                self.size += 1
            elif word.text == CLOSE:
                if len(self._open) == 1:
                    raise InvalidFile(f"Line {word.line}: a variation ends here that was never begun.")
                self._open.pop()
            else:
                self._open.append(_replacing(line, word, len(self._open)))

    def close(self) -> None:
        """Nothing follows: no variation may be open."""
        if len(self._open) > 1:
            raise InvalidFile(f"Line {self.line}: a variation of this record has no end.")

    def tag(self, name: str) -> str:
        """The value of a tag, empty if there is none."""
        return self.tags.get(name, (0, ""))[1]

    def decide(self, record: Record) -> None:
        """End a match that the rules have not ended, if a result is said."""
        outcome = OUTCOMES.get(self.tag("Result"))
        if outcome is not None and not record.game.terminal(record.state):
            record.decide(outcome, self.tag("Reason"))

    def play(self, make_game: Callable[[str], Game]) -> Record:
        """The record, whatever it says of its result; InvalidFile if the rules do not allow it."""
        number, game_text = self.tags["Game"]
        try:
            game = make_game(game_text)
            number, start = self.tags.get("Start", (number, ""))
            record = Record(
                game.parse_state(start) if start else game.initial(),
                (self.tag("First"), self.tag("Second")),
                tags={key: value for key, (_, value) in self.tags.items() if key not in OWN_TAGS},
            )
            lines = [(record, self.words)]
            while lines:
                line, words = lines.pop()
                for word in words:
                    number, ply = word.line, len(line.actions)
                    _play(line, word)
                    lines += [(line.branch(ply), other) for other in word.others if other]
        except InvalidFile:
            raise
        except GlauxError as error:
            raise InvalidFile(f"Line {number}: {error}") from None
        record.opening = _opening(self, len(record.actions))
        return record


def read_drafts(text: str, game: str | None = None) -> Iterator[Draft]:
    """The records of a text before any of it is checked by rules; ``game`` is meant if one names none."""
    lines = [line.strip() for line in text.split("\n")]
    begin = max((number for number, line in enumerate(lines, 1) if line.startswith(HEAD)), default=0)
    draft: Draft | None = None
    comment = 0
    """the line of a brace that is open"""
    for number, line in enumerate(lines, 1):
        if not line or (line.startswith("#") and not comment):
            continue
        found = None if comment else _TAG.fullmatch(line)
        if found is None and number < begin:
            continue
        if draft is None:
            draft = Draft(number)
        if found is None:
            words, comment = _words(line.removeprefix(HEAD) if number == begin else line, number, comment)
            draft.add(words)
            continue
        name = SYNONYMS.get(found[1].lower(), found[1])
        if name == "Game" and (draft.words or name in draft.tags):
            yield _with_game(draft, game)
            draft = Draft(number)
        if draft.words:
            raise InvalidFile(f"Line {number}: the tag {name} comes after actions.")
        draft.tags[name] = (number, _unquoted(found[2], number))
    if comment:
        raise InvalidFile(f"Line {comment}: the comment that begins here has no end.")
    if draft is not None:
        yield _with_game(draft, game)


def _replacing(line: list[Word], bracket: Word, depth: int) -> list[Word]:
    """A new variation of the last action of a line."""
    action = next((word for word in reversed(line[-3:]) if not word.says_nothing), None)
    if action is None:
        raise InvalidFile(f"Line {bracket.line}: a variation needs an action before it.")
    if depth > DEEPEST:
        raise InvalidFile(f"Line {bracket.line}: variations can be nested at most {DEEPEST} deep.")
    action.others.append([])
    return action.others[-1]


def _with_game(draft: Draft, game: str | None) -> Draft:
    draft.close()
    if "Game" not in draft.tags:
        if game is None:
            raise InvalidFile(
                f'Line {draft.line}: a record must begin with its game, as in [Game "hex:size=7"].'
            )
        draft.tags["Game"] = (draft.line, game)
    return draft


def _words(line: str, number: int, comment: int) -> tuple[list[Word], int]:
    """The words of a line, and the line of the comment that is open behind it, 0 if none is."""
    words: list[Word] = []
    position = 0
    while position < len(line):
        if comment or line[position] == "{":
            end = line.find("}", position)
            if end < 0:
                return words, comment or number
            position, comment = end + 1, 0
        elif line[position].isspace():
            position += 1
        elif line[position] in (OPEN, CLOSE):
            words.append(Word(number, line[position], False, NO_OTHERS))
            position += 1
        else:
            found = _WORD.match(line, position)
            if not found:
                raise InvalidFile(
                    f"Line {number}: '{line[position : position + 40]}' is neither a tag nor actions."
                )
            quoted = line[position] == '"'
            if quoted:
                words.append(Word(number, _unquoted(found[1], number), True, []))
                position = found.end()
            else:
                text = _without_ends(found[1])
                words.append(Word(number, text, False, []))
                position += len(text)
    return words, comment


def _without_ends(text: str) -> str:
    """A word without the ends of variations that are written right behind it: ``e5)``, but not ``x(1,1)``."""
    surplus = min(text.count(CLOSE) - text.count(OPEN), len(text) - len(text.rstrip(CLOSE)))
    return text[:-surplus] if surplus > 0 else text


def _is_bare(text: str) -> bool:
    """Whether an action can be written as it is."""
    return (
        text == _without_ends(text)
        and bool(_BARE.fullmatch(text))
        and text.isprintable()
        and not _says_nothing(text)
        and HEAD not in text
    )


def _says_nothing(text: str) -> bool:
    return text in OUTCOMES or bool(_NUMBER.fullmatch(text))


def _play(record: Record, word: Word) -> None:
    try:
        action = record.game.parse_action(record.state, word.text)
    except InvalidAction:
        if word.quoted or not _says_nothing(word.text):
            raise
    else:
        record.play(action)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def filled(words: Iterable[str]) -> list[str]:
    """Lines of whole words, as wide as they may be."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def _unquoted(text: str, number: int) -> str:
    try:
        value = json.loads(text, strict=False)
        value.encode()  # half of a pair of surrogates is not a character
    except ValueError:
        raise InvalidFile(f"Line {number}: {text[:60]} is not a string.") from None
    assert isinstance(value, str)
    return value


def _opening(draft: Draft, actions: int) -> int:
    number, text = draft.tags.get("Opening", (0, "0"))
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > actions:
        raise InvalidFile(f"Line {number}: '{text}' is not the number of an action.")
    return int(text)


def _set_result(record: Record, draft: Draft) -> None:
    number, text = draft.tags.get("Result", (draft.line, record.result))
    if text not in OUTCOMES:
        raise InvalidFile(f"Line {number}: a result must be {', '.join(OUTCOMES)}, not '{text}'.")
    if record.game.terminal(record.state) and OUTCOMES[text] != record.outcome:
        raise InvalidFile(f"Line {number}: by the rules this match ended {record.result}, not {text}.")
    draft.decide(record)
