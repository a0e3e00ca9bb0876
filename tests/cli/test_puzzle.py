import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaux.cli.puzzle import read_numbers
from tests.cli.runner import refusal, run


def test_json():
    arguments = ("rubik2:limit=4", "alphabeta:depth=2", "--twists", "1..2", "--games", "3", "--workers", "1")
    result = run("puzzle", *arguments, "--json")
    assert result.exit_code == 0
    figures = json.loads(result.stdout)
    assert figures["game"] == "rubik2:limit=4,quarter=0,seed=0,twists=6"
    assert figures["player"] == "alphabeta:depth=2"
    assert (figures["games"], figures["solved"], figures["share"]) == (6, 6, 1)
    assert figures["mean_length"] == 1.5
    assert [row["twists"] for row in figures["by_twists"]] == [1, 2]
    assert all(row["low"] < row["share"] == row["high"] == 1 for row in figures["by_twists"])


def test_table():
    result = run(
        "puzzle", "rubik3:limit=2", "alphabeta:depth=1", "--twists", "1", "-n", "2", "--workers", "1"
    )
    assert result.exit_code == 0
    assert "alphabeta:depth=1: rubik3:limit=2" in result.stdout
    assert "100.0%" in result.stdout and "95% interval" in result.stdout
    assert "all" not in result.stdout.split(), "one row needs no total"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("othello", "random"), "Othello is not a game for one player: use glaux match."),
        (("rubik2", "random", "--twists", "3..1"), "'3..1' is not a range of at most 1000 numbers."),
        (
            ("rubik2", "random", "--twists", "1..99999999"),
            "'1..99999999' is not a range of at most 1000 numbers.",
        ),
        (("rubik2", "random", "--twists", "a"), "Write --twists as 7, 1..13 or 5,9, not 'a'."),
        (("rubik2", "random", "--twists", ""), "Write --twists as 7, 1..13 or 5,9, not ''."),
        (
            ("rubik2", "random", "--twists", "-1"),
            "random steps must be from 0 to 2^31 - 1, not -1.",
        ),
        (("rubik2", "random", "--games", "0"), "The number of scrambles must be at least 1, not 0."),
        (("rubik2", "solver"), "There is no player 'solver'"),
    ],
)
def test_mistakes(arguments, sentence):
    assert sentence in refusal("puzzle", *arguments)


def test_a_match_needs_two_players():
    assert "use glaux puzzle" in refusal("match", "rubik2", "random", "random")


@given(st.sets(st.integers(0, 200), min_size=1))
def test_numbers(numbers):
    written = ",".join(f"{n}..{n + 1}" if n + 1 in numbers else str(n) for n in sorted(numbers))
    assert read_numbers(written) == tuple(sorted(numbers))
