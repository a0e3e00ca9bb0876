"""Programs of others: deadlines are kept, failures named, and no process is left behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import IO

import pytest

from glaux.errors import EngineError, InvalidParameter
from glaux.protocols.gtp import ask
from glaux.protocols.process import EngineProcess, split_command
from tests.protocols.sessions import FAKE, assert_ends, members, on_linux, running_engines

pytestmark = on_linux
PATIENCE = 120
"""seconds for an answer that comes"""


@pytest.fixture
def engines() -> Iterator[list[EngineProcess]]:
    """Engines that a test starts; it need not close them."""
    started: list[EngineProcess] = []
    yield started
    for engine in started:
        engine.close()
        assert_ends(engine.pid)


def start(engines: list[EngineProcess], behaviour: str, *moves: str) -> EngineProcess:
    engine = EngineProcess(split_command(f"{FAKE} '{behaviour}' {' '.join(moves)}"))
    engines.append(engine)
    return engine


def test_a_program_answers_and_ends(engines: list[EngineProcess]) -> None:
    engine = start(engines, "plays", "a1")
    assert ask(engine, "genmove black", PATIENCE) == "a1"
    assert len(members(engine.pid)) == 3  # the shell, the program, and who waits for our end
    engine.close()
    assert_ends(engine.pid)
    engine.close()  # twice is once


def test_a_deaf_program_is_killed(engines: list[EngineProcess]) -> None:
    engine = start(engines, "deaf")
    assert ask(engine, "clear_board", PATIENCE) == ""
    engine.close()
    assert_ends(engine.pid)


@pytest.mark.parametrize(
    "behaviour, sentence",
    [
        ("silent", "did not answer 'genmove black' in time"),
        ("flood", "did not answer 'genmove black' in time|did not end"),
        ("never done", "did not answer 'genmove black' in time|did not end"),
        ("endless", "with a line without an end"),
        (
            "die",
            r"ended when it was asked .* \(with the status 3\)\. .*first words / out of ideas",
        ),
        ("mumble", r"ended when it was asked .* \(with the status 4\)\. .*late words"),
        ("refuse", "refused 'genmove black': I will not"),
    ],
)
def test_failures_have_a_sentence(engines: list[EngineProcess], behaviour: str, sentence: str) -> None:
    engine = start(engines, behaviour)
    ask(engine, "clear_board", PATIENCE)
    with pytest.raises(EngineError, match=sentence):
        ask(engine, "genmove black", 0.3 if behaviour in ("silent", "flood", "never done") else PATIENCE)


@pytest.mark.parametrize(
    "behaviour, words", [("die", "first words / out of ideas"), ("mumble", "late words")]
)
def test_last_words_are_waited_for(
    engines: list[EngineProcess], monkeypatch: pytest.MonkeyPatch, behaviour: str, words: str
) -> None:
    """On a busy machine the thread that reads stderr comes long after the program has ended."""

    def read_late(stream: IO[bytes], said: deque[str]) -> None:
        data = stream.read()
        time.sleep(0.3)
        said.extend(data.decode().splitlines())

    monkeypatch.setattr("glaux.protocols.process._keep_last", read_late)
    engine = start(engines, behaviour)
    ask(engine, "clear_board", PATIENCE)
    with pytest.raises(EngineError, match=rf"It last said: {words}$"):
        ask(engine, "genmove black", PATIENCE)
    with pytest.raises(EngineError, match=rf"(ended|was gone) when .*It last said: {words}$"):
        ask(engine, "name", PATIENCE)


def test_bytes_that_are_no_text(engines: list[EngineProcess]) -> None:
    assert ask(start(engines, "bytes"), "clear_board", PATIENCE) == "\ufffd"


def test_a_program_that_is_killed_is_noticed(engines: list[EngineProcess]) -> None:
    engine = start(engines, "silent")
    ask(engine, "clear_board", PATIENCE)
    (program,) = running_engines(members(engine.pid))
    os.kill(program, signal.SIGKILL)
    with pytest.raises(EngineError, match=r"by the signal SIGKILL|was gone"):
        for _ in range(3):
            ask(engine, "clear_board", PATIENCE)


def test_a_program_that_ends_at_once(engines: list[EngineProcess]) -> None:
    engine = EngineProcess(split_command("false"))
    engines.append(engine)
    with pytest.raises(EngineError, match=r"false (ended|was gone)"):
        ask(engine, "name", PATIENCE)


def test_a_forgotten_program_is_killed() -> None:
    engine = EngineProcess(split_command(f"{FAKE} deaf"))
    session = engine.pid
    del engine
    gc.collect()
    assert_ends(session)


OWNER = """
import signal, sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):  # as if nobody had told us to ignore them
    signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
from glaux.protocols.gtp import ask
from glaux.protocols.process import EngineProcess, split_command
engine = EngineProcess(split_command(sys.argv[1]))
ask(engine, "clear_board", 120)
print(engine.pid, flush=True)
ask(engine, "genmove black", 1000)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_program_does_not_outlive_us(number: signal.Signals) -> None:
    command = [sys.executable, "-c", OWNER, f"{FAKE} deaf"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as owner:
        assert owner.stdout
        session = int(owner.stdout.readline())
        assert len(members(session)) == 3
        owner.send_signal(number)
        owner.wait(PATIENCE)
    assert_ends(session)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "engine's command is missing"),
        ("no-such-program --now", "There is no program 'no-such-program'"),
        ("sh -c 'a", "can't be read"),
        ("/", "There is no program"),
    ],
)
def test_commands_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        split_command(text)
