"""What GUIs of Go ask for: streams of analysis, SGF files, handicaps and clocks."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

import pytest

import glaux
from glaux.engine.analysis import parse_wish
from glaux.engine.gtp import GtpEngine
from glaux.engine.serving import serve
from glaux.errors import InvalidParameter
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer
from glaux.protocols.gtp import Refusal
from glaux.protocols.gtp import ask as gtp_ask
from glaux.protocols.process import EngineProcess, split_command
from glaux.records.record import Record
from glaux.records.sgf import write_sgf
from glaux.search.tree import Tree
from tests.engine.test_gtp import ask, engine_of, refusal
from tests.protocols.matches import random_match
from tests.protocols.sessions import needs_gnu_go, on_linux

INFO = re.compile(r"info move (\S+) visits (\d+) (.*?) order (\d+) pv (.*)")


def stream(engine: GtpEngine, line: str, looks: int = 3) -> list[str]:
    """The lines of an answer that is interrupted after so many looks at what is said."""
    heard = iter([None] * looks)
    engine.waiting = lambda: next(heard, "name\n")
    text = "".join(engine.answers(line))
    engine.waiting = lambda: None
    return text.split("\n")


def infos(line: str) -> list[re.Match[str]]:
    found = [INFO.fullmatch(part.strip()) for part in re.split(r"(?=info move )", line) if part]
    assert all(found)
    return [match for match in found if match]


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze"])
def test_an_analysis_goes_on_until_something_is_said(command: str) -> None:
    engine = engine_of("go", "mcts:iterations=1")
    ask(engine, "play b E5")
    head, *lines, last, end = stream(engine, f"7 {command} w 1 maxmoves 4")
    assert head == "=7" and last == end == "" and len(lines) >= 3
    visits = []
    for line in lines:
        rows = infos(line)
        assert 1 <= len(rows) <= 4 and [int(row[4]) for row in rows] == list(range(len(rows)))
        for row in rows:
            assert row[5].split()[0] == row[1], "a variation begins with its move"
            words = row[3].split()
            fields = dict(zip(words[::2], map(float, words[1::2]), strict=True))
            assert 0 <= fields["winrate"] <= (10000 if command.startswith("lz") else 1)
            assert fields.keys() >= {"winrate", "prior", "lcb"}
        visits.append(int(rows[0][2]))
    assert visits[-1] > visits[0], "it goes on where it was"
    assert engine.session.record.texts == ["e5"], "nothing is played"


def test_values_are_the_movers() -> None:
    """Of a win in one, whoever has it."""
    engine = engine_of("connect_four:rows=4,columns=4,length=3", "ubfms:seconds=1")
    for moves, colour in (("1 2 1 2", "black"), ("1 2 1 2 3 ", "white")):
        ask(engine, "clear_board")
        for i, move in enumerate(moves.split()):
            ask(engine, f"play {'white' if i % 2 else 'black'} {move}")
        best = infos(stream(engine, f"kata-analyze {colour} interval 1")[1])[0]
        assert best[1] == ("1" if colour == "black" else "2") and " winrate 1.0000 " in f" {best[3]} "


def test_a_move_with_its_analysis() -> None:
    engine = engine_of("go", "mcts:seconds=0.3")
    *lines, play, _, _ = stream(engine, "lz-genmove_analyze b 10")
    assert lines[0] == "=" and infos(lines[-1])
    assert play.startswith("play ") and engine.session.record.texts == [play[5:].lower()]
    assert infos(lines[-1])[0][1] == play[5:]


def test_a_move_with_its_analysis_is_of_the_players_level() -> None:
    engine = engine_of("connect_four", "mcts:level=1")
    player = engine.session.player
    assert isinstance(player, SearchPlayer)
    best: list[int] = []

    def worse(tree: Tree) -> int:
        best.append(tree.action)
        return next(row.action for row in tree.children() if row.action != tree.action)

    player.decide = worse  # type: ignore[method-assign]
    *_, play, _, _ = stream(engine, "lz-genmove_analyze b 10")
    (action,) = engine.session.record.actions
    assert action != best[0] and play == f"play {engine.session.record.texts[0]}"
    assert engine.opponents_turn() == (player, engine.session.state), "there is something to ponder"


def test_what_can_not_be_analysed_is_refused() -> None:
    engine = engine_of("go")
    assert "".join(engine.answers("kata-analyze")) == "? This player does not search: it has no analysis.\n\n"
    engine = engine_of("go", "mcts:iterations=1")
    hex_engine = engine_of("hex:size=3", "mcts:iterations=1")
    assert "".join(hex_engine.answers("kata-analyze w")).startswith("? It is black's turn")
    assert "".join(engine.answers("kata-analyze interval soon")).startswith("? syntax error")
    ask(engine, "play b pass", "play w pass")
    assert "".join(engine.answers("3 lz-analyze")) == "?3 The match is over.\n\n"
    assert {"lz-analyze", "kata-analyze"} <= set(ask(engine, "list_commands").split())
    assert ask(engine, "known_command kata-analyze") == "true"


def test_wishes() -> None:
    assert parse_wish([]).interval == 0.5 and parse_wish(["100"]).interval == 1
    assert parse_wish(["w", "20"]).colour == "white"
    wish = parse_wish(["B", "interval", "7", "ownership", "true", "maxmoves", "0"])
    assert (wish.colour, wish.interval, wish.moves) == ("black", 0.07, 1)
    with pytest.raises(InvalidParameter):
        parse_wish(["5x"])


def test_the_loop_ends_an_analysis() -> None:
    """Through the thread that reads ahead, as a GUI does it."""

    replies = io.BytesIO()

    class Slowly(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            """The next line comes when something was said about the one before."""
            deadline = time.monotonic() + 240
            while self.tell() and replies.tell() < 10:
                assert time.monotonic() < deadline, "it says nothing"
                time.sleep(0.01)
            return super().readline(size)

    made = GtpEngine(
        glaux.make("go:size=5"), lambda game: make_player("mcts:iterations=1", game, 1), "Glaux", "1"
    )
    serve(made, Slowly(b"kata-analyze 1\nname\nquit\n"), replies)
    text = replies.getvalue().decode()
    assert re.fullmatch(r"=\n(info move [^\n]*\n)+\n= Glaux\n\n=\n\n", text), text


# How a match begins


def test_sgf_files(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_bytes(b"(;GM[1]SZ[9]KM[6.5]AB[cc][gg];W[ee];B[ce](;W[gc];B[tt])(;W[aa]))")
    engine = engine_of("go:size=5")
    assert ask(engine, f"loadsgf {file}") == ""
    assert engine.session.game == glaux.make("go:size=9,komi=6.5")
    assert engine.session.record.texts == ["e5", "c5", "g7", "pass"]
    printed = ask(engine, "printsgf")
    assert "KM[6.5]" in printed and "AB[" in printed and printed.startswith("(;FF[4]")
    ask(engine, f"loadsgf {file} 3")
    assert engine.session.record.texts == ["e5", "c5"], "before the third move"
    ask(engine, "komi 5.5")
    assert engine.session.record.texts == ["e5", "c5"] and "KM[5.5]" in ask(engine, "printsgf")
    other = tmp_path / "other.sgf"
    ask(engine, f"printsgf {other}", f"loadsgf {other}")
    assert engine.session.record.texts == ["e5", "c5"]
    assert "cannot load file" in refusal(engine, "loadsgf no-such.sgf")
    assert "match of Hex" in refusal(engine_of("go"), f"loadsgf {_hex(tmp_path)}")
    assert "cannot write file" in refusal(engine, f"printsgf {tmp_path}")
    assert "syntax error" in refusal(engine, "loadsgf")
    assert "SGF can only hold" in refusal(engine_of("breakthrough"), "printsgf")


def _hex(folder: Path) -> Path:
    file = folder / "hex.sgf"
    file.write_bytes(b"(;GM[11]SZ[5];B[a1])")
    return file


def test_passes_that_nobody_says_are_no_moves_of_a_file(tmp_path: Path) -> None:
    engine = engine_of("othello:size=6")
    game = engine.session.game
    matches = ([action for _, action in random_match(game, seed)] for seed in range(100))
    records = (Record(game.initial()).play_all(actions) for actions in matches)
    record = next(record for record in records if "pass" in record.texts[:-1])
    file = tmp_path / "match.sgf"
    file.write_bytes(write_sgf(record))
    ply = record.texts.index("pass")
    ask(engine, f"loadsgf {file} {ply + 1}")  # this move of the file stands behind the pass
    assert engine.session.record.texts == record.texts[: ply + 1]
    ask(engine, f"loadsgf {file} {ply}")
    assert engine.session.record.texts == record.texts[: ply - 1]
    ask(engine, f"loadsgf {file} 999")
    assert engine.session.record.texts == record.texts


def test_handicaps() -> None:
    """The points of GTP's table, told as GNU Go tells them."""
    engine = engine_of("go:size=19")
    assert ask(engine, "fixed_handicap 5").split() == ["D4", "Q16", "D16", "Q4", "K10"]
    assert not engine.session.game.first_player(engine.session.state)
    assert "board not empty" in refusal(engine, "fixed_handicap 2")
    ask(engine, "play w K3", "undo", "clear_board")
    assert ask(engine, "place_free_handicap 9").split()[4:] == ["D10", "Q10", "K4", "K16", "K10"]
    ask(engine, "boardsize 9", "set_free_handicap C3 G7 E5")
    assert (engine.session.game.cells(engine.session.state) == 1).sum() == 3
    ask(engine, "clear_board")
    for line in ("fixed_handicap 1", "fixed_handicap 10", "fixed_handicap x", "set_free_handicap C3 C3"):
        assert refusal(engine, line) in (
            "invalid number of stones",
            "bad vertex list",
            "syntax error: a number of stones is needed",
        )
    assert "Othello has no handicap" in refusal(engine_of("othello"), "set_free_handicap c3 d3")


def test_clocks_of_kgs() -> None:
    engine = engine_of("go")
    for line, time_ in (
        ("absolute 600", (600, 0, 0)),
        ("byoyomi 60 30 5", (60, 30, 1)),
        ("canadian 60 300 25", (60, 300, 25)),
        ("none", (0, 0, 0)),
    ):
        ask(engine, f"kgs-time_settings {line}")
        assert engine.session.time == time_
    assert not engine.session.clocks
    assert "syntax error" in refusal(engine, "kgs-time_settings byoyomi 3")


@on_linux
@needs_gnu_go
@pytest.mark.parametrize("size", [7, 9, 12, 13, 19])
def test_handicaps_are_those_of_gnu_go(size: int) -> None:
    process = EngineProcess(split_command("gnugo --mode gtp"))
    try:
        gtp_ask(process, f"boardsize {size}", 120)
        for number in range(2, 10):
            gtp_ask(process, "clear_board", 120)
            engine = engine_of(f"go:size={size}")
            try:
                theirs = set(gtp_ask(process, f"fixed_handicap {number}", 120).split())
            except Refusal:
                assert refusal(engine, f"fixed_handicap {number}") == "invalid number of stones"
                continue
            assert set(ask(engine, f"fixed_handicap {number}").split()) == theirs
    finally:
        process.close()
