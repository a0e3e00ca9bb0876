import builtins
import json
import sys

import pytest

import glaux
from glaux import _core
from glaux.bench import playouts
from tests.cli.runner import refusal, run

FIELDS = [
    "game",
    "playouts_per_second",
    "open_spiel_playouts_per_second",
    "ratio",
    "state_bytes",
    "mean_plies",
]


def rows(*arguments):
    result = run("bench", "playouts", "--json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


@pytest.mark.parametrize("arguments", [(), ("--no-open-spiel",)])
def test_every_game(arguments):
    figures = rows("--seconds", "0.01", *arguments)
    assert [row["game"] for row in figures] == glaux.games()
    for row in figures:
        assert list(row) == FIELDS
        assert row["playouts_per_second"] > 0
        spec = glaux.make(row["game"]).spec
        assert row["state_bytes"] == spec.state_size
        assert 1 <= row["mean_plies"] <= spec.max_plies


def test_open_spiel_figures_and_ratio():
    pytest.importorskip("pyspiel")
    connect_four, santorini = rows("--game", "connect_four", "--game", "santorini", "--seconds", "0.1")
    theirs = connect_four["open_spiel_playouts_per_second"]
    assert theirs > 0
    assert connect_four["ratio"] == pytest.approx(connect_four["playouts_per_second"] / theirs, rel=0.01)
    assert connect_four["mean_plies"] == pytest.approx(21.5, abs=1.5)
    assert santorini["open_spiel_playouts_per_second"] is santorini["ratio"] is None


def test_without_open_spiel(monkeypatch):
    real_import = builtins.__import__

    def no_pyspiel(name, *arguments, **keywords):
        if name == "pyspiel":
            raise ImportError
        return real_import(name, *arguments, **keywords)

    monkeypatch.delitem(sys.modules, "pyspiel", raising=False)
    monkeypatch.setattr(builtins, "__import__", no_pyspiel)
    (row,) = rows("--game", "othello", "--seconds", "0.01")
    assert row["open_spiel_playouts_per_second"] is row["ratio"] is None


def test_other_parameters_are_not_compared():
    (row,) = rows("--game", "hex:size=4", "--seconds", "0.01")
    assert row["game"] == "hex:size=4,swap=1"
    assert row["open_spiel_playouts_per_second"] is None


def test_the_games_of_open_spiel_are_ours():
    pyspiel = pytest.importorskip("pyspiel")
    assert playouts.OPEN_SPIEL_GAMES.keys() <= {info.name for info in _core.registry()}
    for name, text in playouts.OPEN_SPIEL_GAMES.items():
        game = glaux.make(name)
        spiel = pyspiel.load_game(text).new_initial_state()
        assert len(spiel.legal_actions()) == len(game.actions(game.initial())), name


def test_table():
    result = run("bench", "playouts", "--game", "hex:size=4", "--seconds", "0.01")
    assert result.stdout.splitlines()[0].split()[:2] == ["game", "playouts/s"]
    assert result.stdout.splitlines()[2].startswith("hex:size=4,swap=1 ")


def test_wrong_input():
    assert refusal("bench", "playouts", "--seconds", "0") == "--seconds must be more than 0, not 0."
    assert refusal("bench", "playouts", "--seconds", "nan") == "--seconds must be more than 0, not nan."
    assert "did you mean 'othello'?" in refusal("bench", "playouts", "--game", "otello")


def test_bench_alone_prints_help():
    result = run("bench")
    assert result.exit_code == 0
    assert "playouts" in result.stdout
