"""Records as text: they come back as they were, and what is wrong is named by its line."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.errors import InvalidFile
from glaux.records.files import add_records, load_records
from glaux.records.record import Record
from glaux.records.text import read_drafts, read_text, write_text
from tests.boards import SMALL, small_game
from tests.protocols.matches import random_match
from tests.protocols.wild import WILD_BYTES, WILD_TEXT

EXAMPLE = """\
[Game "connect_four:columns=4,length=3,rows=4"]
[First "mcts:iterations=10"]
[Second "gtp:x --y \\"z\\""]
[Result "0-1"]
[Reason "x resigned."]
[Opening "2"]
[Round "7"]

1 2 3

"""


def example() -> Record:
    record = Record(
        glaux.make("connect_four:rows=4,columns=4,length=3").initial(),
        ("mcts:iterations=10", 'gtp:x --y "z"'),
        opening=2,
        tags={"Round": "7"},
    )
    record.play_all([0, 1, 2]).decide(-1, "x resigned.")
    return record


def test_the_format() -> None:
    text = write_text(example()).replace("length=3,rows=4,columns=4", "columns=4,length=3,rows=4")
    assert sorted(text.split("\n")) == sorted(EXAMPLE.split("\n"))
    assert read_text(EXAMPLE, glaux.make) == [example()]


def test_comments_windows_and_bare_records() -> None:
    bare = '# a comment\r\n[Game "hex:size=4"]\r\n\r\na1 B2\r\n# more\r\nc3 "d4"\r\n'
    (record,) = read_text(bare, glaux.make)
    assert record.texts == ["a1", "b2", "c3", "d4"]
    assert record.players == ("", "") and record.result == "*"


@settings(max_examples=60)
@given(
    name=st.sampled_from(list(SMALL)),
    seed=st.integers(0, 10**6),
    cut=st.integers(0, 60),
    start=st.integers(0, 5),
    players=st.tuples(WILD_TEXT, WILD_TEXT),
    verdict=st.sampled_from([None, 1, 0, -1]),
    reason=WILD_TEXT,
    tags=st.dictionaries(st.text("AbZ_9", min_size=1).map(lambda key: f"T{key}"), WILD_TEXT, max_size=3),
)
def test_matches_come_back_as_they_were(name, seed, cut, start, players, verdict, reason, tags) -> None:
    game = small_game(name)
    match = list(random_match(game, seed))
    start = min(start, len(match) - 1)
    record = Record(match[start][0], players, opening=min(1, cut), tags=tags)
    record.play_all(action for _, action in match[start : start + cut])
    record.opening = min(record.opening, len(record.actions))
    if verdict is not None and record.outcome is None:
        record.decide(verdict, reason)
    text = write_text(record)
    assert read_text(text, glaux.make) == [record]
    assert read_text(text * 2, glaux.make) == [record] * 2
    assert text.isascii() or text.encode()


def test_what_people_paste_is_read() -> None:
    pasted = '[first "you"]\n[game "hex:size=5,swap=1"]\n\n1. c3 swap 2. b2{best\nof all} d3 {x} "e1" *'
    (record,) = read_text(pasted, glaux.make)
    assert record.texts == ["c3", "swap", "b2", "d3", "e1"] and record.players == ("you", "")
    (draft,) = read_drafts('[ [ "\n● you win after 3 actions.\nRecord: 4 4 3\n2 1-0', "connect_four")
    assert draft.play(glaux.make).texts == ["4", "4", "3", "2"]
    game = glaux.make("hex:size=3")
    start = game.state_text(game.play("a1"))
    (record,) = read_text(f'[Game "hex:size=3"]\n[State "{start}"]\n\nb2', glaux.make)
    assert record.start == game.play("a1")


def test_variations_are_read_and_written() -> None:
    text = '[Game "hex:size=5,swap=0"]\n\n1. c3 (b2 c2 (d2 d3) e1) (a1) 2. d4 (d1) e5 *'
    (record,) = read_text(text, glaux.make)
    assert record.texts == ["c3", "d4", "e5"]
    assert {ply: [one.texts for one in others] for ply, others in record.variations.items()} == {
        0: [["b2", "c2", "e1"], ["a1"]],
        1: [["d1"]],
    }
    (inner,) = record.variations[0][0].variations[1]
    assert inner.texts == ["d2", "d3"] and inner.start == record.game.play("b2")
    written = write_text(record)
    assert written.split("\n\n")[1].strip() == "c3 ( b2 c2 ( d2 d3 ) e1 ) ( a1 ) d4 ( d1 ) e5"
    assert read_text(written, glaux.make) == [record]


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("c3 ) d3", "Line 3: a variation ends here that was never begun."),
        ("( c3 )", "Line 3: a variation needs an action before it."),
        ("c3 ( d3", "Line 1: a variation of this record has no end."),
        ("c3 ( c9 )", "Line 3: 'c9' is not a legal action here"),
        ("c3 " + "( b1 " * 40 + ") " * 40, "at most 32 deep"),
    ],
)
def test_variations_that_are_wrong_are_named(moves: str, sentence: str) -> None:
    with pytest.raises(InvalidFile, match=re.escape(sentence)):
        read_text(f'[Game "hex:size=5,swap=0"]\n\n{moves}', glaux.make)


class Sentences(glaux.Rules):
    """Actions whose texts look like everything else."""

    state = np.dtype(("i1", (1, 4)))
    action_count, max_plies = 8, 4
    texts = ("# a comment", '[Game "x"]', 'two\n"words"', "\\", "1-0", "7.", "{x}", "Record:")

    def first_player(self, s):
        return np.count_nonzero(s) % 2 == 0

    def actions(self, s):
        return list(range(8))

    def apply(self, s, action):
        s[0, np.count_nonzero(s)] = action + 1

    def outcome(self, s):
        return 1 if np.count_nonzero(s) == 4 else None

    def cells(self, s):
        return s

    def action_text(self, s, a):
        return self.texts[a]


def test_any_text_of_an_action_is_kept() -> None:
    game = glaux.make(Sentences)
    for actions in ([0, 1, 2, 3], [4, 5, 6, 7], [7, 6, 5, 4]):
        record = Record(game.initial()).play_all(actions)
        assert read_text(write_text(record), lambda _: game) == [record]


GAME = '[Game "connect_four:rows=4,columns=4,length=3"]\n'


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("1 2 3", "Line 1: a record must begin with its game"),
        ('[First "x"]', "Line 1: a record must begin with its game"),
        ('[Game "otello"]', "Line 1: There is no game 'otello': did you mean 'othello'"),
        ('[Game "hex:size=99"]', "Line 1: .*19"),
        ('[Game ""]', "Line 1: There is no game"),
        (GAME + "1 1 1\n1 1", "Line 3: '1' is not a legal action"),
        (GAME + "1 5", "Line 2: '5' is not a legal action"),
        (GAME + '1 "5', "Line 2: '\"5' is neither a tag nor actions"),
        (GAME + "1 {x\n2", "Line 2: the comment that begins here has no end"),
        (GAME + "[First x]", r"Line 2: '\[First x\]' is neither"),
        (GAME + '1\n[First "x"]', "Line 3: the tag First comes after actions"),
        (GAME + '[First "\\x"]', "Line 2: .* is not a string"),
        (GAME + '[Result "2-0"]', "Line 2: a result must be 1-0, 1/2-1/2, 0-1"),
        (GAME + '[Result "0-1"]\n1 2 1 2 1', "Line 2: by the rules this match ended 1-0, not 0-1"),
        (GAME + '[Result "*"]\n1 2 1 2 1', "Line 2: by the rules"),
        (GAME + "1 2 1 2 1 3", "Line 2: The match is over"),
        (GAME + '[Opening "5"]\n1', "Line 2: '5' is not the number of an action"),
        (GAME + '[Opening "x"]\n1', "Line 2: 'x' is not the number of an action"),
        (GAME + '[Start "nonsense"]\n1', "Line 2: "),
    ],
)
def test_what_is_wrong_is_named(text: str, sentence: str) -> None:
    with pytest.raises(InvalidFile, match=sentence):
        read_text(text, glaux.make)


LINES = st.sampled_from(
    [GAME.strip(), "1 2 3", '[Result "1-0"]', '[Opening "1"]', '"1"', "# x", '["x"]', "[x "]
)


@given(text=WILD_TEXT | st.lists(LINES | WILD_TEXT, max_size=8).map("\n".join))
def test_any_text_is_records_or_wrong(text: str) -> None:
    try:
        records = read_text(text, glaux.make)
    except InvalidFile as error:
        assert str(error).startswith("Line ")
    else:
        assert all(isinstance(record, Record) for record in records)


# Files


def test_files_grow(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    add_records(file, [example()])
    add_records(file, [example(), example()])
    assert load_records(file) == [example()] * 3


def test_a_record_from_elsewhere_runs_no_code(tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    file = tmp_path / "games.txt"
    file.write_text(f'[Game "{rules}"]\n')
    with pytest.raises(InvalidFile, match="runs only if you name it"):
        load_records(file)
    assert not (tmp_path / "ran").exists()


def test_rules_in_python_are_named_by_the_caller(tmp_path: Path) -> None:
    game = glaux.make("docs/examples/tic_tac_toe.py")
    record = Record(game.initial()).play_all(game.actions(game.initial())[:1])
    add_records(tmp_path / "games.txt", [record])
    assert load_records(tmp_path / "games.txt", game)[0].texts == record.texts
    with pytest.raises(InvalidFile, match="not of hex"):
        load_records(tmp_path / "games.txt", glaux.make("hex"))


@pytest.mark.parametrize(
    "data, sentence", [(b"", "has no records"), (b"\xff", "byte 0 is not text"), (None, "no file")]
)
def test_files_that_are_none(tmp_path: Path, data: bytes | None, sentence: str) -> None:
    if data is not None:
        (tmp_path / "games.txt").write_bytes(data)
    with pytest.raises(InvalidFile, match=sentence):
        load_records(tmp_path / "games.txt")


@settings(max_examples=50)
@given(data=WILD_BYTES, suffix=st.sampled_from([".txt", ".sgf", ".SGF"]))
def test_any_bytes_are_records_or_wrong(tmp_path_factory, data: bytes, suffix: str) -> None:
    file = tmp_path_factory.mktemp("records") / f"games{suffix}"
    file.write_bytes(data)
    with pytest.raises(InvalidFile):
        load_records(file)
