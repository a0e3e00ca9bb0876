"""Engines on the command line: matches are saved and shown, and no process is ever left behind."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from glaux.records.files import load_records
from tests.cli.runner import process, refusal, run, run_process
from tests.protocols.sessions import FAKE, marked, needs_rhino, on_linux, running_engines

pytestmark = on_linux

FOUR = "connect_four:rows=4,columns=4,length=3"


def wait_until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


@pytest.fixture
def mark() -> Iterator[str]:
    """A mark for the commands of engines; none of them is alive at the end."""
    text = secrets.token_hex(8)
    yield text
    wait_until(lambda: not marked(text), f"left behind: {marked(text)}")


def started(mark: str) -> list[int]:
    """The engines themselves, without the commands that asked for them."""
    return running_engines(marked(mark))


@pytest.mark.parametrize(
    "workers, number",
    [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM), ("2", signal.SIGKILL)],
)
def test_nothing_outlives_a_match(workers: str, number: signal.Signals, mark: str) -> None:
    arguments = ("match", FOUR, "random", f"gtp:{FAKE} deaf-{mark}", "--games", "2", "--workers", workers)
    with process(*arguments) as match:
        wait_until(lambda: len(started(mark)) == int(workers), "no engine was started")
        match.send_signal(number)
        match.wait(600)
        assert match.returncode == (130 if number == signal.SIGINT else -number)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_engine_that_is_killed_ends_the_match_with_a_sentence(workers: str, mark: str) -> None:
    arguments = ("match", FOUR, "random", f"gtp:{FAKE} silent-{mark}", "--games", "4", "--workers", workers)
    with process(*arguments) as match:
        wait_until(lambda: started(mark), "no engine was started")
        os.kill(started(mark)[0], signal.SIGKILL)
        stdout, stderr = match.communicate(timeout=600)
    assert (match.returncode, stdout) == (2, "")
    sentence = r"glaux: The program python\S* (ended|was gone) .* \(by the signal SIGKILL\)\.\n"
    assert re.fullmatch(sentence, stderr), stderr


def test_forfeits_are_counted_and_saved(tmp_path: Path, mark: str) -> None:
    file = tmp_path / "games.txt"
    text = f"gtp:forfeit=true,command={FAKE} die-{mark} 1"
    arguments = ("match", FOUR, "random", text, "--games", "2", "--workers", "1", "--save", str(file))
    output = run(*arguments).stdout
    assert "B forfeited 2 games; the last: The program python" in output
    assert "out of ideas" in output
    first, second = load_records(file)
    assert (first.result, second.result) == ("1-0", "0-1")
    assert first.reason.endswith("out of ideas")
    assert first.players == ("random", text) and second.players == (text, "random")
    assert json.loads(run(*arguments, "--json").stdout)["forfeits"] == [0, 2]


@needs_rhino
def test_a_match_with_gtp_rhino_is_saved_as_sgf(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    arguments = ("match", "othello", "random", "gtp:gtp-rhino", "--games", "2", "--save", str(file))
    result = run(*arguments, "--json")
    assert result.exit_code == 0
    figures = json.loads(result.stdout)
    records = load_records(file)
    assert [record.game.text for record in records] == ["othello:size=8"] * 2
    won = sum(record.result == ("1-0" if record.players[0] == "random" else "0-1") for record in records)
    assert won == figures["wins"]


def test_a_person_against_an_engine(mark: str) -> None:
    code, stdout, stderr = run_process("play", FOUR, f"gtp:{FAKE} resign-{mark} 1", stdin="4\n4\n")
    assert (code, stderr) == (0, "")
    assert re.search(r"you win \(python\S* resigned\) after 3 actions", stdout), stdout
    code, stdout, stderr = run_process("play", FOUR, f"gtp:{FAKE} die-{mark}", stdin="4\n")
    assert code == 2
    assert stderr.startswith("glaux: The program python") and stderr.count("\n") == 1


def test_a_program_that_is_not_there() -> None:
    assert "There is no program 'no-such'" in refusal("match", FOUR, "random", "gtp:no-such engine")


def test_a_file_that_cannot_be_saved(tmp_path: Path) -> None:
    assert "SGF can only hold" in refusal("match", FOUR, "random", "random", "--save", "games.sgf")
    assert "SGF can only hold" in refusal("play", FOUR, "--save", "games.sgf")
    missing = str(tmp_path / "missing" / "games.txt")
    assert "No such file" in refusal("match", FOUR, "random", "random", "--save", missing)
