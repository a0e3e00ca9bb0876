"""SGF of Hex and Othello: as other programs write it, and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.errors import InvalidFile, InvalidParameter
from glaux.records.record import Record
from glaux.records.sgf import read_sgf, write_sgf
from tests.protocols.matches import random_match
from tests.protocols.wild import WILD_BYTES

NAMES = st.text("abc :;[]()\\\"'é", max_size=12).map(str.strip)


def test_hex_as_hexgui_writes_it() -> None:
    # Properties in the order and form of HexGui's files, with a variation that does not count.
    sgf = b"(;FF[4]AP[HexGui:0.2]GM[11]SZ[5];B[b4];W[swap-pieces](;B[c3];W[a5])(;B[a1]))\n"
    (record,) = read_sgf(sgf)
    assert record.game == glaux.make("hex:size=5")
    assert record.texts == ["b4", "swap", "c3", "a5"]
    assert record.result == "*"


def test_a_resignation_in_hex() -> None:
    (record,) = read_sgf(b"(;GM[11]SZ[11];B[f6];W[resign])")
    assert record.result == "1-0" and record.reason == "resign"
    (record,) = read_sgf(b"(;GM[11]SZ[11]RE[W+Forfeit];B[f6];W[e7])")
    assert record.result == "0-1"


def test_othello_as_others_write_it() -> None:
    with_setup = b"(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PB[A]PW[B];B[f5];W[d6];B[C3])"
    with_letters = b"(;GM[2]AB[ed][de]AW[dd][ee]PB[A]PW[B];B[fe];W[df];B[cc])"
    for sgf in (with_setup, with_letters):
        (record,) = read_sgf(sgf)
        assert record.texts == ["f5", "d6", "c3"] and record.players == ("A", "B")


def passing_match() -> Record:
    game = glaux.make("othello")
    for seed in range(1000):
        match = list(random_match(game, seed))
        if any(game.action_text(state, action) == "pass" for state, action in match):
            return Record(game.initial()).play_all(action for _, action in match)
    raise AssertionError


@pytest.mark.parametrize("word", ["", "pass", "tt", None])
def test_passes_may_be_written_or_not(word: str | None) -> None:
    record = passing_match()
    nodes = ""
    for state, text in zip(record.states, record.texts, strict=False):
        colour = "B" if record.game.first_player(state) else "W"
        if text != "pass":
            nodes += f";{colour}[{text}]"
        elif word is not None:
            nodes += f";{colour}[{word}]"
    (read,) = read_sgf(f"(;GM[2]{nodes})".encode())
    assert read.texts == record.texts and read.outcome == record.outcome


def test_what_is_written() -> None:
    game = glaux.make("hex:size=4,swap=false")
    record = Record(game.initial(), ("A]", "B"))
    record.play_all([0, 5]).decide(1, "B fell asleep.")
    assert write_sgf(record) == (
        b"(;FF[4]AP[Glaux]CA[UTF-8]GC[B fell asleep.]GM[11]PB[A\\]]PW[B]RE[B+Forfeit]\n"
        b"RU[no swap]SZ[4];B[a1];W[b2])\n"
    )


@settings(max_examples=60)
@given(
    game=st.sampled_from(["hex:size=4", "hex:size=5,swap=false", "othello:size=6", "othello"]),
    seed=st.integers(0, 10**6),
    cut=st.integers(0, 70),
    players=st.tuples(NAMES, NAMES),
    verdict=st.sampled_from([None, 1, -1, 0]),
)
def test_matches_come_back_as_they_were(game, seed, cut, players, verdict) -> None:
    made = glaux.make(game)
    record = Record(made.initial(), players)
    record.play_all(action for _, action in list(random_match(made, seed))[:cut])
    record.play_passes()  # SGF does not say where a match stops before a pass
    if verdict is not None and record.outcome is None:
        record.decide(verdict, "reasons")
    data = write_sgf(record)
    assert read_sgf(data) == [record]
    assert read_sgf(data + b"\n" + data) == [record, record]


@pytest.mark.parametrize(
    "sgf, sentence",
    [
        (b"", "This is not SGF"),
        (b"(;GM[2]", "This is not SGF"),
        (b"(;GM[1];B[dd])", r"Match 1 of the SGF: GM\[1\] is none of Hex \(11\) and Othello"),
        (b"(;SZ[8];B[dd])", "none of Hex"),
        (b"(;GM[11]SZ[5:6])", "not the size of a square board"),
        (b"(;GM[11]SZ[x])", "not the size"),
        (b"(;GM[11]SZ[99])", "19"),
        (b"(;GM[2]SZ[7])", "even"),
        (b"(;GM[2];B[a1])", "'a1' is not a legal action"),
        (b"(;GM[2];W[d3])", "wrong colour"),
        (b"(;GM[2];B[])", "passes who has a move"),
        (b"(;GM[2];B[d3])(;GM[2];B[d9])", "Match 2 of the SGF"),
        (b"(;GM[2]AB[a1];B[d3])", "Stones are set up"),
        (b"(;GM[2]AE[d4];B[d3])", "Stones are set up"),
        (b"(;GM[11]SZ[3];B[a1];W[b1];B[a2];W[b2];B[a3];W[b3])", "after the end"),
        (b"(;GM[11];B[resign];W[resign])", "decided again"),
    ],
)
def test_what_is_wrong_is_named(sgf: bytes, sentence: str) -> None:
    with pytest.raises(InvalidFile, match=sentence):
        read_sgf(sgf)


def test_other_games_and_starts_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="SGF holds matches of Hex and Othello"):
        write_sgf(Record(glaux.make("clobber").initial()))
    with pytest.raises(InvalidParameter, match="from their start"):
        write_sgf(Record(glaux.make("hex").play("a1")))


PIECES = st.sampled_from(
    [b"(", b";", b")", b"GM[11]", b"GM[2]", b"SZ[5]", b"B[a1]", b"W[b2]", b"B[", b"W[tt]", b"]"]
)


@settings(max_examples=200)
@given(
    data=WILD_BYTES
    | st.lists(PIECES | WILD_BYTES, max_size=15).map(lambda parts: b"(;" + b"".join(parts) + b")")
)
def test_any_bytes_are_records_or_wrong(data: bytes) -> None:
    try:
        records = read_sgf(data)
    except InvalidFile:
        return
    assert all(isinstance(record, Record) for record in records)
