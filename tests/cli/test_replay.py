"""``glaux replay``: all the moves at once, and step by step on a terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

import glaux
from glaux.cli.output import make_console
from glaux.cli.viewing import Viewing
from glaux.players.registry import make_player
from glaux.records.files import add_records, load_records
from glaux.records.record import Record
from tests.cli.runner import process, refusal, run

termios = pytest.importorskip("termios")

FOUR = "connect_four:rows=4,columns=4,length=3"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two matches: one that black wins, one that is stopped."""
    game = glaux.make(FOUR)
    won = Record(game.initial(), ("ann", "bob"), opening=1).play_all([0, 1, 0, 1, 0])
    stopped = Record(game.initial()).play_all([3])
    add_records(tmp_path / "games.txt", [won, stopped])
    return tmp_path / "games.txt"


def test_all_the_moves(file: Path) -> None:
    output = run("replay", str(file)).stdout
    lines = [line.split() for line in output.split("\n")]
    assert ["3", "●", "ann", "1"] in lines and ["4", "○", "bob", "2"] in lines
    assert "● ann   ○ bob   1-0" in output
    assert "ply 5 of 5   ● ann played 1" in output
    assert "ply 1 of 1" in run("replay", str(file), "--match", "2", "--all").stdout


def test_with_the_evaluation_of_a_player(file: Path) -> None:
    output = run("replay", str(file), "ubfm:iterations=500").stdout
    assert "value before it" in output
    (row,) = [line for line in output.split("\n") if line.strip().startswith("5 ")]
    assert row.split() == ["5", "●", "ann", "1", "+1.000", "proven", "1"]


def test_json(file: Path) -> None:
    figures = json.loads(run("replay", str(file), "ubfm:iterations=500", "--json").stdout)
    assert (figures["game"], figures["players"], figures["outcome"]) == (
        glaux.make(FOUR).text,
        ["ann", "bob"],
        1,
    )
    assert [state["action"] for state in figures["states"]] == ["1", "2", "1", "2", "1", None]
    assert figures["states"][4]["value"] == 1 and figures["states"][4]["resolved"] is True
    assert "value" not in figures["states"][5]
    game = glaux.make(FOUR)
    assert game.parse_state(figures["states"][2]["state"]) == game.play("1 2")


def test_values_are_those_of_the_search(file: Path) -> None:
    figures = json.loads(run("replay", str(file), "mcts:iterations=50,seed=3", "--json").stdout)
    game = glaux.make(FOUR)
    tree = glaux.MCTS(game, glaux._core.PlayoutValue(1, 3), c=1.0, seed=3).run(game.initial(), iterations=50)
    assert figures["states"][0]["value"] == pytest.approx(tree.value)
    assert figures["states"][0]["best"] == game.action_text(game.initial(), tree.action)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("--match", "3"), "has matches 1 to 2, not 3"),
        (("random",), "does not search"),
        (("radnom",), "did you mean 'random'"),
        (("--rules", "hex"), "not of hex"),
    ],
)
def test_what_is_wrong(file: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal("replay", str(file), *arguments)


def test_files_that_are_none(tmp_path: Path) -> None:
    assert "There is no file" in refusal("replay", str(tmp_path / "none"))
    (tmp_path / "wrong.sgf").write_bytes(b"\xff")
    assert "This is not SGF" in refusal("replay", str(tmp_path / "wrong.sgf"))


def test_matches_of_play_are_saved(tmp_path: Path) -> None:
    file = str(tmp_path / "games.txt")
    run("play", FOUR, "random", "--seed", "1", "--save", file, stdin="1\nquit\n")
    run("play", FOUR, "random", "--seed", "1", "--save", file, stdin="quit\n")  # nothing to save
    run("play", FOUR, "random", "--side", "none", "--seed", "1", "--save", file)
    output = run("replay", file).stdout
    assert "● a person   ○ random   *" in output and "ply 2 of 2" in output
    assert "● random   ○ random   " in run("replay", file, "--match", "2").stdout
    assert "has matches 1 to 2" in refusal("replay", file, "--match", "3")


# Steps


def viewing(file: Path) -> Viewing:
    record = load_records(file)[0]
    return Viewing(record, make_player("ubfm:iterations=20", record.game, 1), "ubfm", make_console())


@pytest.mark.parametrize(
    "keys, plies",
    [
        (["n", "n", " ", "p", "q"], [0, 1, 2, 3, 2]),
        (["\x1b[C", "\x1b[D", "\x1b[D", "q"], [0, 1, 0, 0]),
        (["l", "n", "f", "x", "q"], [0, 5, 5, 0, 0]),
        (["\x1b[F", "\x1b[H", "\x1b"], [0, 5, 0]),
        (["nnn", "q"], [0, 3]),
        (["\x1b[99~", "n", "q"], [0]),
    ],
)
def test_keys(file: Path, monkeypatch, keys: list[str], plies: list[int]) -> None:
    steps = viewing(file)
    seen: list[int] = []
    monkeypatch.setattr("typer.getchar", lambda: keys.pop(0))
    monkeypatch.setattr(Viewing, "show", lambda self: seen.append(self.ply))
    steps.run()
    assert seen == plies


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_on_a_terminal(file: Path) -> None:
    main, side = os.openpty()
    environment = {"TERM": "xterm-256color", "COLUMNS": "100"}
    output = b""
    steps = ((b"ply 0 of 5", b"n"), (b"ply 1 of 5", b"l"), (b"ply 5 of 5", b"\x1b[D"), (b"ply 4 of 5", b"q"))
    command = ("replay", str(file), "ubfm:iterations=100")
    with process(*command, stdin=side, stdout=side, environment=environment) as started:
        for ply, key in steps:
            while b"q quit" not in output.rpartition(ply)[2] or ply not in output:
                output += os.read(main, 4096)
            wait_for_a_key(main)
            os.write(main, key)
        started.wait(600)
    os.close(side)
    os.close(main)
    assert started.returncode == 0
    assert b"(opening)" in output and b"(proven)" in output


def wait_for_a_key(terminal: int) -> None:
    """Wait until the program reads single keys; what is typed before that is lost."""
    while termios.tcgetattr(terminal)[3] & termios.ICANON:
        time.sleep(0.01)
