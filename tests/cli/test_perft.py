import json

import pytest

import glaux
from tests.cli.runner import refusal, run

OTHELLO = [4, 12, 56, 244, 1396]


def leaves(*arguments):
    result = run("perft", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return [row["leaves"] for row in json.loads(result.stdout)]


def test_json():
    result = run("perft", "othello", "3", "--json")
    rows = json.loads(result.stdout)
    assert [set(row) for row in rows] == [{"depth", "leaves", "seconds", "leaves_per_second"}] * 3
    assert [row["depth"] for row in rows] == [1, 2, 3]
    assert [row["leaves"] for row in rows] == OTHELLO[:3]
    assert all(row["seconds"] >= 0 and row["leaves_per_second"] > 0 for row in rows)


def test_table():
    result = run("perft", "othello", "5")
    header, *rows = result.stdout.splitlines()
    assert header.split() == ["depth", "leaves", "seconds", "leaves/s"]
    assert [row.split()[:2] for row in rows] == [[str(d), f"{n:,}"] for d, n in enumerate(OTHELLO, 1)]


def test_parameters_of_the_game():
    assert leaves("hex:size=3,swap=false", "2") == [9, 72]


def test_moves_and_state():
    game = glaux.make("othello")
    after = game.play("d3 c3")
    expected = [game.perft(d, after) for d in (1, 2, 3)]
    assert leaves("othello", "3", "--moves", "d3 c3") == expected
    assert leaves("othello", "3", "--state", game.state_text(after)) == expected
    one = game.state_text(game.play("d3"))
    assert leaves("othello", "3", "--state", one, "--moves", "c3") == expected


@pytest.mark.parametrize("depth", ["0", "-1"])
def test_depth_must_be_positive(depth):
    assert refusal("perft", "othello", "--", depth) == f"The depth must be at least 1, not {depth}."


def test_wrong_moves():
    assert "'a1' is not a legal action here" in refusal("perft", "othello", "2", "--moves", "d3 a1")


@pytest.mark.parametrize("state", ["", "nonsense", "......../.. X 0", "X" * 1000])
def test_wrong_state(state):
    refusal("perft", "othello", "2", "--state", state)
