import re
import signal
import sys

import pytest
import typer

import glaux
from glaux.cli.commands import _exits
from glaux.errors import GlauxError
from tests.cli.runner import process, refusal, run, run_process

BROKEN_RULES = """
import glaux, numpy as np

class Broken(glaux.Rules):
    state = np.dtype(("i1", (2, 2)))
    action_count, max_plies = 4, 4
    def first_player(self, s): return True
    def actions(self, s): return [7]
    def apply(self, s, action): pass
    def outcome(self, s): return None
    def cells(self, s): return s
"""


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("otello", "There is no game 'otello': did you mean 'othello'?"),
        ("hex:sise=5", "Hex has no parameter 'sise': did you mean 'size'?"),
        ("hex:size", "Write a game as name:key=value,key=value, not 'hex:size'."),
        ("hex:size=many", "The parameter size must be a whole number, not 'many'."),
        ("hex:size=99", "Hex needs size between 3 and 19, not 99."),
        ("hex:swap=perhaps", "The parameter swap must be true or false, not 'perhaps'."),
        ("no_such.py", "There is no file 'no_such.py'."),
        ("open_spiel", "OpenSpielRules needs a value for its parameter 'game'."),
    ],
)
@pytest.mark.parametrize("command", [["play"], ["perft"]])
def test_wrong_games(command, game, sentence):
    assert refusal(*command, game, *(["2"] if command == ["perft"] else [])) == sentence


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("randm", "There is no player 'randm': did you mean 'random'?"),
        ("random:sed=1", "The player random has no setting 'sed': did you mean 'seed'?"),
        ("random:seed", "Write a player as name:key=value,key=value, not 'random:seed'."),
        ("random:seed=x", "The setting seed must be a whole number, not 'x'."),
    ],
)
def test_wrong_players(player, sentence):
    assert refusal("play", "othello", player) == sentence


def test_a_player_that_is_like_no_other():
    assert refusal("play", "othello", "zzz").startswith("There is no player 'zzz': there are random")


def test_wrong_start():
    assert "'a1' is not a legal action here" in refusal("play", "othello", "--moves", "a1")
    assert "A state is written as" in refusal("play", "othello", "--state", "nonsense")


def test_broken_rules_of_a_user(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(BROKEN_RULES)
    result = run("perft", str(path), "2")
    assert (result.exit_code, result.stderr) == (
        2,
        "glaux: Broken.actions gave 7, but the actions are 0 to 3.\n",
    )


def test_an_error_of_many_lines_is_printed_as_one(monkeypatch):
    def fail(*_):
        raise GlauxError("one\ntwo")

    monkeypatch.setattr("glaux.cli.perft.make", fail)
    assert refusal("perft", "othello", "2") == "one two"


def test_trouble_with_files_is_one_line(monkeypatch):
    def fail(*_):
        raise PermissionError(13, "Permission denied", "runs/hex7")

    monkeypatch.setattr("glaux.cli.perft.make", fail)
    assert refusal("perft", "othello", "2") == "'runs/hex7': Permission denied."


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["games", "--nonsense"],
        ["perft", "othello"],
        ["perft", "othello", "deep"],
        ["perft", "othello", "-3"],
        ["play"],
        ["play", "othello", "--side", "up"],
        ["play", "othello", "--seed", "x"],
        ["play", "othello", "--delay", "-1"],
        ["bench", "nonsense"],
    ],
)
def test_wrong_usage_is_one_line_like_every_other_mistake(arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"glaux: .+[.?'] ?.*\n", result.stderr)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["trian"], "There is no command 'trian': did you mean 'train'? See 'glaux --help'."),
        (["zoo", "shwo"], "There is no command 'shwo': did you mean 'show'? See 'glaux zoo --help'."),
        (["--foo"], "There is no option '--foo'. See 'glaux --help'."),
        (
            ["match", "--gmes", "3"],
            "There is no option '--gmes': did you mean '--games'? See 'glaux match --help'.",
        ),
        (["train"], "GAME is missing. See 'glaux train --help'."),
        (["compare"], "FILE is missing. See 'glaux compare --help'."),
        (["train", "hex", "--minutes"], "The option --minutes needs a value."),
        (["train", "hex", "--minutes", "abc"], "--minutes must be a number, not 'abc'."),
        (["games", "more"], "Unexpected argument 'more'. See 'glaux games --help'."),
        (["perft", "othello", "deep"], "DEPTH must be a whole number, not 'deep'."),
        (["play", "othello", "--side", "up"], "--side must be first, second, both or none, not 'up'."),
        (["play", "othello", "--delay", "-1"], "--delay must be at least 0, not '-1'."),
        (["serve", "--port", "99999"], "--port must be at most 65535, not '99999'."),
    ],
)
def test_what_is_wrong_with_a_command_line(arguments, sentence):
    assert refusal(*arguments).replace("root", "glaux") == sentence


def test_usage_is_plain():
    lines = [line.strip() for line in run("tournament", "--help").stdout.splitlines()]
    assert any(line.endswith("tournament [OPTIONS] GAME PLAYER...") for line in lines)
    assert "<bool>" not in run("match", "--help").stdout


def test_version():
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"glaux {glaux.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--help"],
        ["games", "-h"],
        ["play", "--help"],
        ["perft", "--help"],
        ["bench", "playouts", "--help"],
    ],
)
def test_help_teaches_by_examples(arguments):
    result = run(*arguments)
    assert result.exit_code == 0
    assert "Usage: glaux" in result.stdout.replace("root", "glaux")
    assert "Examples:" in result.stdout


@pytest.mark.parametrize("command", ["play", "perft"])
def test_help_explains_what_a_game_is(command):
    text = " ".join(run(command, "--help").stdout.split())
    for example in ("hex:size=7,swap=false", "file.py:ClassName", "open_spiel:game="):
        assert example in text


def test_the_installed_program_refuses_in_one_line():
    assert run_process("play", "otello") == (
        2,
        "",
        "glaux: There is no game 'otello': did you mean 'othello'?\n",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_is_quiet():
    with process("perft", "othello", "30") as started:
        assert started.stdout
        assert started.stdout.readline().split()[0] == "depth"
        started.send_signal(signal.SIGINT)
        _, stderr = started.communicate()
    assert (started.returncode, stderr) == (130, "")


@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["play", "hex", "--side", "none"]])
def test_a_reader_that_goes_away_is_no_error(arguments):
    with process(*arguments) as started:
        assert started.stdin and started.stdout and started.stderr
        started.stdin.close()
        started.stdout.close()
        assert started.stderr.read() == ""


def test_an_interrupt_while_a_class_is_made_is_an_interrupt() -> None:
    """Python 3.11 hides it: RuntimeError, "Error calling __set_name__"."""

    class Interrupts:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(typer.Exit) as raised, _exits():
        type("Made", (), {"field": Interrupts()})
    assert raised.value.exit_code == 130
    with pytest.raises(RuntimeError, match="of another kind"), _exits():
        raise RuntimeError("of another kind")
