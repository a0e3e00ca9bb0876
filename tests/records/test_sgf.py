"""SGF of Hex, Othello, Go and Havannah: as other programs write it, and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill.sgf import Sgf_game

import glaux
from glaux.errors import InvalidFile, InvalidParameter
from glaux.looks.finding import look_of, looks
from glaux.records.record import RESIGNATION, TIME, Record
from glaux.records.sgf import read_sgf, write_sgf
from tests.protocols.matches import random_match
from tests.protocols.wild import WILD_BYTES

GAMES = [name for name, look in looks().items() if look.sgf.game or look.sgf.name]
NAMES = st.text("abc :;[]()\\\"'é", max_size=12).map(str.strip)


def test_hex_as_hexgui_writes_it() -> None:
    # Properties in the order and form of HexGui's files, with a variation that does not count.
    sgf = b"(;FF[4]AP[HexGui:0.2]GM[11]SZ[5];B[b4];W[swap-pieces](;B[c3];W[a5])(;B[a1]))\n"
    (record,) = read_sgf(sgf)
    assert record.game == glaux.make("hex:size=5")
    assert record.texts == ["b4", "swap", "c3", "a5"]
    assert record.result == "*"


def test_variations_are_read_and_written() -> None:
    sgf = b"(;FF[4]GM[11]SZ[5]RU[no swap](;B[c3];W[d4](;B[e5])(;B[e4];W[a1])(;AB[a2]))(;B[b2])(;W[b3]))"
    (record,) = read_sgf(sgf)
    assert record.texts == ["c3", "d4", "e5"]
    assert {ply: [one.texts for one in others] for ply, others in record.variations.items()} == {
        0: [["b2"]],
        2: [["e4", "a1"]],
    }, "those that the rules do not allow are dropped"
    assert read_sgf(write_sgf(record)) == [record]


def test_every_tree_that_is_written_begins_with_a_node() -> None:
    """Variations of the first action of a variation stand beside it, and empty ones nowhere."""
    game = glaux.make("hex:size=3,swap=false")
    record = Record(game.initial()).play_all([0, 4])
    record.branch(1)
    variation = record.branch(1).play_all([2, 5])
    variation.branch(0).play(3)
    variation.branch(1).play(6)
    data = write_sgf(record)
    assert b"()" not in data and b"((" not in data.replace(b"\n", b"")
    (again,) = read_sgf(data)
    assert again.texts == ["a1", "b2"]
    assert [one.texts for one in again.variations[1]] == [["c1", "c2"], ["a2"]]
    assert [one.texts for one in again.variations[1][0].variations[1]] == [["a3"]]
    assert len(Sgf_game.from_bytes(data).get_root()[0]) == 3, "as sgfmill sees it"


def test_a_resignation_in_hex() -> None:
    (record,) = read_sgf(b"(;GM[11]SZ[11];B[f6];W[resign])")
    assert record.result == "1-0" and record.reason == RESIGNATION
    (record,) = read_sgf(b"(;GM[11]SZ[11]RE[W+Forfeit];B[f6];W[e7])")
    assert record.result == "0-1"


@pytest.mark.parametrize(
    ("result", "verdict", "reason"),
    [("B+Resign", 1, RESIGNATION), ("W+Time", -1, TIME), ("W+R", -1, RESIGNATION), ("B+T", 1, TIME)],
)
def test_a_resignation_and_the_end_of_the_time_are_kept(result: str, verdict: int, reason: str) -> None:
    """Whatever a comment on the game says: other programs write about something else there."""
    (record,) = read_sgf(f"(;GM[11]SZ[5]GC[A fine match]RE[{result}];B[c3];W[d2])".encode())
    assert (record.verdict, record.reason) == (verdict, reason)
    written = write_sgf(record)
    assert f"RE[{result[:2]}{'Resign' if reason == RESIGNATION else 'Time'}]".encode() in written
    assert b"GC" not in written and read_sgf(written) == [record]


def test_othello_as_others_write_it() -> None:
    with_setup = b"(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PB[A]PW[B];B[f5];W[d6];B[C3])"
    with_letters = b"(;GM[2]AB[ed][de]AW[dd][ee]PB[A]PW[B];B[fe];W[df];B[cc])"
    for sgf in (with_setup, with_letters):
        (record,) = read_sgf(sgf)
        assert record.texts == ["f5", "d6", "c3"] and record.players == ("A", "B")


def test_go_as_others_write_it() -> None:
    sgf = b"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]RU[Chinese]RE[W+R];B[ee];W[gc]C[?];B[cg];W[])"
    (record,) = read_sgf(sgf)
    assert record.game == glaux.make("go:komi=6.5")
    assert record.texts == ["e5", "g7", "c3", "pass"] and record.result == "0-1"
    (record,) = read_sgf(b"(;SZ[19];B[pd];W[jj];B[tt])")
    assert record.game == glaux.make("go:size=19") and record.texts == ["q16", "k10", "pass"]


def test_handicap_and_other_stones_that_are_set_up() -> None:
    (record,) = read_sgf(b"(;GM[1]SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee])")
    assert record.start.game.state_text(record.start).startswith("........./........./......X../")
    assert record.texts == ["e5"] and record.game.first_player(record.state)
    assert read_sgf(write_sgf(record)) == [record]
    (record,) = read_sgf(b"(;GM[1]SZ[5]AB[aa]AW[bb]PL[W];W[cc])")
    assert record.texts == ["c3"]
    assert read_sgf(write_sgf(record)) == [record]


def test_what_is_written_of_go_and_havannah() -> None:
    record = Record(glaux.make("go:size=5,komi=0.5").initial()).play_all([2, 24, 25, 25])
    text = b"(;FF[4]AP[Glaux]CA[UTF-8]GM[1]KM[0.5]RE[W+0.5]SZ[5];B[ca];W[ee];B[];W[])"
    assert write_sgf(record).replace(b"\n", b"") == text
    game = glaux.make("havannah:size=4")
    record = Record(game.initial())
    for move in ("d4", "swap", "a1"):
        record.play(game.parse_action(record.state, move))
    text = b"(;FF[4]AP[Glaux]CA[UTF-8]GM[havannah]RE[?]SZ[4];B[d4];W[swap];B[a1])"
    assert write_sgf(record).replace(b"\n", b"") == text


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
    game=st.sampled_from(
        [*GAMES, "hex:size=4", "hex:size=5,swap=false", "othello:size=6", "go:size=5,komi=-1"]
    ),
    seed=st.integers(0, 10**6),
    cut=st.integers(0, 70),
    players=st.tuples(NAMES, NAMES),
    verdict=st.sampled_from([None, 1, -1, 0]),
)
def test_matches_come_back_as_they_were(game, seed, cut, players, verdict) -> None:
    made = glaux.make(game)
    record = Record(made.initial(), players)
    record.play_all(action for _, action in list(random_match(made, seed))[:cut])
    if look_of(made).sgf.silent_passes:
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
        (
            b"(;GM[3];B[dd])",
            r"Match 1 of the SGF: GM\[3\] is not supported: .*Go \(1\), Havannah \(havannah\), Hex \(11",
        ),
        (b"(;SZ[8]KM[7.25];B[dd])", "komi must be a multiple of 0.5"),
        (b"(;SZ[8];B[zz])", "'zz' is not a legal action"),
        (b"(;SZ[8]AB[zz];W[aa])", "outside the board"),
        (b"(;SZ[8];B[aa];AB[bb])", "Stones are set up"),
        (b"(;SZ[8](;AB[aa][bb];B[cc])(;B[dd]))", "Stones are set up"),
        (b"(;SZ[2]AB[aa][ab][ba][bb])", "without liberties"),
        (b"(;GM[11]SZ[5:6])", "not the size of a square board"),
        (b"(;GM[11]SZ[x])", "not the size"),
        (b"(;GM[11]SZ[99])", "19"),
        (b"(;GM[2]SZ[7])", "even"),
        (b"(;GM[2];B[a1])", "'a1' is not a legal action"),
        (b"(;GM[2];W[d3])", "wrong colour"),
        (b"(;GM[2];B[])", "passes who could move"),
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
    with pytest.raises(
        InvalidParameter, match=r"SGF can only hold matches of .*Go, Havannah, Hex, Othello and "
    ):
        write_sgf(Record(glaux.make("clobber").initial()))
    with pytest.raises(InvalidParameter, match="from their start"):
        write_sgf(Record(glaux.make("hex").play("a1")))


PIECES = st.sampled_from(
    [
        b"(",
        b";",
        b")",
        b"GM[11]",
        b"GM[2]",
        b"GM[1]",
        b"GM[havannah]",
        b"AB[bb]",
        b"KM[1]",
        b"SZ[5]",
        b"B[a1]",
        b"W[b2]",
        b"B[",
        b"W[tt]",
        b"]",
    ]
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


@pytest.mark.parametrize("name", GAMES)
def test_sgfmill_reads_what_we_write(name: str, seed: int) -> None:
    """The whole of it, not only its grammar: players, result, and a node for each move that is written."""
    game = glaux.make(name)
    record = Record(game.initial(), ("A", "B"))
    for _, action in random_match(game, seed, 60):
        record.play(action)
    found = Sgf_game.from_bytes(write_sgf(record))
    assert (found.get_player_name("b"), found.get_player_name("w")) == ("A", "B")
    assert found.get_size() == game.parameters.get("size", game.spec.board.rows)
    silent = look_of(game).sgf.silent_passes
    written = [text for text in record.texts if text != "pass" or not silent]
    nodes = found.get_main_sequence()[1:]
    assert len(nodes) == len(written) and all(
        node.has_property("B") or node.has_property("W") for node in nodes
    )
    if look_of(game).sgf.setup:  # where SGF's own cells are meant
        assert found.get_komi() == game.parameters["komi"]
        assert [_named(node.get_move()[1]) for node in nodes] == record.texts
    assert read_sgf(write_sgf(record)) == [record]


def _named(cell: tuple[int, int] | None) -> str:
    """A cell of sgfmill, which counts rows from the bottom, as Go writes it."""
    return "pass" if cell is None else f"{'abcdefghjklmnopqrst'[cell[1]]}{cell[0] + 1}"


@pytest.mark.parametrize("name", [name for name in GAMES if look_of(glaux.make(name)).sgf.setup])
def test_the_properties_of_real_files(name: str) -> None:
    """As servers write them: rules, ranks, dates, clocks, comments and variations are passed over."""
    sgf = rb"""(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]RU[Japanese]SZ[19]KM[0.50]HA[2]TM[1800]OT[3x30 byo-yomi]
PW[w\]x]PB[b]WR[5k]BR[7k]DT[2020-01-02]PC[The KGS Go Server]RE[W+12.50]AB[pd][dp];W[dd]WL[1795.2]C[hi
there: (not a tree)];B[pp]BL[1790](;W[tt]LB[aa:1]TR[bb];B[])(;W[aa];B[bb](;W[cc])(;W[dd])))"""
    (record,) = read_sgf(sgf)
    assert record.players == ("b", "w]x") and record.game == glaux.make(f"{name}:size=19,komi=0.5")
    assert record.texts == ["d16", "q4", "pass", "pass"]
    again = Sgf_game.from_bytes(write_sgf(record))
    black, white, _ = again.get_root().get_setup_stones()
    assert len(black) == 2 and not white and again.get_root().get("PL") == "w"
