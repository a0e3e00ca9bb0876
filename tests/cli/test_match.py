"""``glaux players``, ``glaux match`` and ``glaux solve``."""

from __future__ import annotations

import json

import pytest

from glaux.players.registry import players
from glaux.search.registry import SEARCHES
from tests.cli.runner import run

SMALL = "connect_four:rows=4,columns=4,length=3"


def test_players_are_listed_with_their_settings() -> None:
    rows = {row["name"]: row["settings"] for row in json.loads(run("players", "--json").stdout)}
    assert {"random", *SEARCHES} <= set(rows)
    assert rows["mcts"]["c"] == "1.0"
    assert {"seconds", "value", "memory"} <= set(rows["ubfms"])
    assert {"timeout", "forfeit", "setup", "seconds", "command"} <= set(rows["gtp"])
    listed = run("players").stdout
    assert "unbounded minimax" in listed
    assert listed.count("random_ties") == 1, "what all searches take is said once"


@pytest.mark.parametrize("name", players())
def test_every_setting_of_a_player_is_explained(name: str) -> None:
    (row,) = json.loads(run("players", name, "--json").stdout)
    assert row["name"] == name and set(row["help"]) == set(row["settings"]) and all(row["help"].values())
    said = run("players", name).stdout
    assert row["summary"].split()[0] in said and all(key in said for key in row["settings"])


def test_a_player_that_is_not_there() -> None:
    assert "There is no player 'mtcs': did you mean 'mcts'?" in run("players", "mtcs").stderr
    assert run("players", "uct").stdout == run("players", "mcts").stdout


def test_match_prints_a_table() -> None:
    result = run("match", SMALL, "mcts:iterations=50", "random", "--games", "4", "--workers", "1")
    assert result.exit_code == 0
    for word in ("A plays", "first", "second", "both", "95% interval", "games/s"):
        assert word in result.stdout


def test_match_json_has_the_promised_fields() -> None:
    result = run(
        "match",
        SMALL,
        "mcts:iterations=50",
        "random",
        "--games",
        "4",
        "--opening",
        "1",
        "--json",
        "--workers",
        "1",
    )
    figures = json.loads(result.stdout)
    assert figures["games"] == 4
    for key in ("wins", "draws", "losses", "score", "low", "high", "by_colour", "games_per_second"):
        assert key in figures
    assert figures["low"] <= figures["score"] <= figures["high"]


def test_match_plays_a_whole_book() -> None:
    result = run("match", SMALL, "mcts:iterations=20", "random", "--book", "1", "--json", "--workers", "1")
    figures = json.loads(result.stdout)
    assert figures["games"] == 4, "two first moves up to symmetry, each with both colours"
    assert figures["book"] == 1
    told = run("match", SMALL, "mcts:iterations=20", "random", "--book", "1", "--workers", "1")
    assert "Book openings of 1 action: 2." in told.stdout


def test_match_stops_when_the_test_is_decided() -> None:
    command = ("match", SMALL, "mcts:iterations=100", "random", "--opening", "1", "--sprt", "0,100")
    figures = json.loads(run(*command, "--json", "--workers", "1").stdout)
    test = figures["sprt"]
    assert test["verdict"] == "H1"
    assert test["llr"] >= test["upper"] > 0 > test["lower"]
    assert figures["games"] == 2 * test["pairs"] == 2 * sum(test["pentanomial"]) < 200
    told = run(*command, "--workers", "1")
    assert "H1: A is ahead of B by +100 Elo rather than by +0. LLR +" in " ".join(told.stdout.split())
    undecided = run(*command, "--games", "2", "--workers", "1")
    assert "Undecided" in undecided.stdout


def test_match_can_play_one_colour_only() -> None:
    command = ("match", SMALL, "random", "random", "--side", "second", "--book", "1", "--workers", "1")
    figures = json.loads(run(*command, "--json").stdout)
    assert figures["side"] == "second"
    assert figures["by_colour"]["first"] == {"wins": 0, "draws": 0, "losses": 0}
    told = run(*command)
    openings = figures["games"]
    assert f"Book openings of 1 action: {openings}." in told.stdout
    rows = [line.split()[0] for line in told.stdout.splitlines() if line.rstrip().endswith("%")]
    assert rows == ["second"]


def test_match_uses_all_cores_by_default() -> None:
    result = run("match", SMALL, "random", "random", "--games", "6", "--json")
    assert json.loads(result.stdout)["games"] == 6


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("match", "otello", "random", "random"), "did you mean 'othello'"),
        (("match", SMALL, "random", "radnom"), "did you mean 'random'"),
        (("match", SMALL, "random", "random", "--games", "0"), "at least 1"),
        (("match", SMALL, "random", "random", "--opening", "99"), "choose a shorter opening"),
        (("match", SMALL, "mcts:iteration=3", "random"), "did you mean 'iterations'"),
        (("match", SMALL, "random", "random", "--book", "99"), "choose a shorter opening"),
        (("match", SMALL, "random", "random", "--book", "-2"), "can't have -2 plies"),
        (("match", SMALL, "random", "random", "--book", "1", "--games", "5"), "must be even"),
        (("match", SMALL, "random", "random", "--book", "1", "--opening", "1"), "not both"),
        (("match", SMALL, "random", "random", "--sprt", "5"), "--sprt takes two numbers"),
        (("match", SMALL, "random", "random", "--sprt", "a,b"), "--sprt takes two numbers"),
        (("match", SMALL, "random", "random", "--sprt", "10,5"), "must be below"),
        (("match", SMALL, "random", "random", "--sprt", "0,5", "--alpha", "0.7"), "risk alpha"),
        (("match", SMALL, "random", "random", "--sprt", "0,5", "--games", "3"), "an even number"),
        (("match", SMALL, "random", "random", "--sprt", "0,5", "--side", "first"), "both colours"),
        (("solve", SMALL, "--moves", "1 1 1 1 1 1 1"), "not a legal action"),
        (("solve", SMALL, "--score"), "has no score"),
        (("solve", SMALL, "--memory", "big"), "must be a size"),
        (("solve", SMALL, "--seconds", "-1"), "--seconds must be a non-negative number, not -1."),
        (("solve", "docs/examples/tic_tac_toe.py", "--moves", "a1 b1 a2 b2 a3"), "The match is over"),
    ],
)
def test_wrong_input_gets_one_line(arguments: tuple[str, ...], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_solve_proves_a_small_game() -> None:
    result = run("solve", "othello:size=4", "--score")
    assert result.exit_code == 0
    assert "The second player wins, with a score of -8 for the first player." in result.stdout
    assert "Principal variation:" in result.stdout


def test_solve_json() -> None:
    figures = json.loads(run("solve", "hex:size=3,swap=false", "--json").stdout)
    assert figures["outcome"] == 1
    assert figures["resolved"] is True
    assert figures["score"] is None
    assert figures["pv"]
    assert figures["expansions"] > 0
    assert figures["seconds"] > 0


def test_solve_from_a_position() -> None:
    figures = json.loads(run("solve", "docs/examples/tic_tac_toe.py", "--moves", "a1 b1", "--json").stdout)
    assert figures["outcome"] == 1


def test_solve_that_gives_up_says_so() -> None:
    result = run("solve", "othello", "--seconds", "0.05")
    assert result.exit_code == 1
    assert "Not solved (out of time): " in result.stdout
