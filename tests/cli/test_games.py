import json

import pytest

import glaux
from glaux import _core
from glaux.looks.look import KINDS
from tests.cli.runner import run, run_process

BUILT_IN = [info.name for info in _core.registry()]


@pytest.fixture(scope="module")
def facts():
    result = run("games", "--json")
    assert result.exit_code == 0
    return {row["name"]: row for row in json.loads(result.stdout)}


def test_json_lists_every_game(facts):
    assert list(facts) == BUILT_IN


@pytest.mark.parametrize("name", BUILT_IN)
def test_json_fields(facts, name):
    spec = glaux.make(name).spec
    row = facts[name]
    assert row["title"] == spec.title and row["summary"].endswith(".")
    assert row["players"] == spec.players
    assert row["board"] == f"{spec.board.rows}x{spec.board.columns}"
    assert row["state_bytes"] == spec.state_size
    assert row["max_plies"] == spec.max_plies and row["actions"] == spec.action_count
    assert row["planes"] == list(glaux.make(name).encode(glaux.make(name).initial()).shape[1:])
    assert row["symmetries"] == spec.symmetry_count
    defaults = {parameter["name"]: parameter["default"] for parameter in row["parameters"]}
    usual = glaux.make(name).parameters
    assert {key: defaults[key] for key in usual} == usual and defaults.keys() == spec.parameters.keys()


def test_json_of_parameters(facts):
    size, swap, _ = facts["hex"]["parameters"]
    assert (size["default"], size["low"], size["high"]) == (11, 3, 19)
    assert (swap["default"], swap["low"], swap["high"]) == (True, False, True)


def test_table():
    result = run("games")
    assert result.exit_code == 0
    for info in _core.registry():
        assert info.name in result.stdout and f"{info.title}. " in result.stdout
    assert "size=11 (3..19), swap=true" in result.stdout
    assert "\x1b" not in result.stdout


def test_games_stand_under_their_kinds(facts):
    """Every kind has a heading, and a game stands under its own."""
    lines = run("games").stdout.splitlines()
    headings = {title: kind for kind, title in KINDS.items()}
    kind, found = None, {}
    for line in lines:
        kind = headings.get(line.strip(), kind)
        if line.split()[:1] and line.split()[0] in facts:
            found[line.split()[0]] = kind
    assert found == {name: row["kind"] for name, row in facts.items()}
    assert "" not in found.values(), "every game of ours has a kind"


def test_the_installed_program_prints_json():
    code, stdout, stderr = run_process("games", "--json")
    assert (code, stderr) == (0, "")
    assert [row["name"] for row in json.loads(stdout)] == BUILT_IN
