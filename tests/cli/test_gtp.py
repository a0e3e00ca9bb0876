"""``glaux gtp`` as a process: a controller speaks to it through pipes."""

from __future__ import annotations

import signal

from tests.cli.runner import process, refusal, run_process
from tests.protocols.sessions import on_linux


def test_a_conversation() -> None:
    commands = "1 name\nboardsize 4 4\nplay black a1\n2 genmove white\n\nfly\nquit\n"
    code, stdout, stderr = run_process("gtp", "hex", "random:seed=1", stdin=commands)
    assert (code, stderr) == (0, "")
    name, board, play, move, fly, end, rest = stdout.split("\n\n")
    assert (name, board, play, fly, end, rest) == (
        "=1 Glaux random:seed=1",
        "=",
        "=",
        "? unknown command",
        "=",
        "",
    )
    assert move.startswith("=2 ")


def test_answers_come_before_the_next_command() -> None:
    with process("gtp", "othello", "mcts:iterations=10") as engine:
        assert engine.stdin and engine.stdout
        for _ in range(3):
            engine.stdin.write("protocol_version\n")
            engine.stdin.flush()
            assert engine.stdout.readline() == "= 2\n"
            assert engine.stdout.readline() == "\n"
        engine.stdin.close()
        assert engine.wait(600) == 0


@on_linux
def test_ctrl_c_while_it_thinks() -> None:
    with process("gtp", "othello", "mcts:seconds=1000") as engine:
        assert engine.stdin and engine.stdout
        engine.stdin.write("name\ngenmove black\n")
        engine.stdin.flush()
        assert "Glaux" in engine.stdout.readline()
        engine.send_signal(signal.SIGINT)
        assert engine.wait(600) == 130


def test_wrong_arguments() -> None:
    assert "did you mean 'othello'" in refusal("gtp", "otello", "random")
    assert "did you mean 'random'" in refusal("gtp", "othello", "radnom")
