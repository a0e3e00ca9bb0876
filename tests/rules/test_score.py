"""Games of one player that are played for their score: searched, proven, learned, played and measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import glaux
from glaux.arena.puzzle import Trial
from glaux.cli import app
from glaux.errors import BrokenRules
from glaux.search.heuristics import make_heuristic, recommended
from glaux.search.registry import SEARCHES, make_search
from glaux.search.solve import solve
from tests.contract import check_match

FILE = "tests/rules/picking.py"


def best_score(game: glaux.Game, state: glaux.State) -> float:
    """By trying everything."""
    if game.terminal(state):
        return game.score(state)
    return max(best_score(game, game.apply(state, action)) for action in game.actions(state))


@pytest.fixture
def game() -> glaux.Game:
    return glaux.make(FILE)


def test_contract(game: glaux.Game, seed: int) -> None:
    assert game.spec.aim.name == "score"
    check_match(game, seed)


def test_the_score_is_what_ends_are_worth(game: glaux.Game) -> None:
    end = game.states(game.playouts(game.initial(), 1, 1))[0]
    assert game.outcome(end) == 0 and game.score(end) > 0
    assert recommended(game) == "score"
    for text in ("classic", "score"):
        heuristic = make_heuristic(game, text)
        assert heuristic.text == "score" and heuristic.value(end) == game.score(end)
        assert heuristic.scale > 1


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_look_for_the_score(name: str, game: glaux.Game) -> None:
    late = game.play("b1")
    most = best_score(game, late)
    tree = make_search(name, game).run(late, iterations=2000)
    if SEARCHES[name].proves:
        assert tree.resolved and tree.value == most
    if name != "greedy":
        child = game.apply(late, tree.action)
        assert best_score(game, child) == most


def test_the_best_score_is_proven(game: glaux.Game) -> None:
    found = solve(game.initial())
    assert found.resolved and found.score == best_score(game, game.initial())
    shown = CliRunner().invoke(app, ["solve", FILE]).output
    assert f"The best score is {found.score:g}." in shown


def test_play_and_puzzle_say_the_score(game: glaux.Game) -> None:
    shown = CliRunner().invoke(app, ["play", FILE, "ubfm:iterations=200", "--side", "none"]).output
    most = best_score(game, game.initial())
    assert f"Score {most:g}" in shown and "Drawn" not in shown
    shown = (
        CliRunner()
        .invoke(
            app,
            ["puzzle", FILE, "ubfm:iterations=200", "--twists", "0", "-n", "2", "--workers", "1", "--json"],
        )
        .output
    )
    figures = json.loads(shown)
    assert figures["mean_score"] == figures["best_score"] == most
    by_luck = [a for _, some in Trial(game, "random", (0,), 20).played(1) for a in some]
    assert all(0 < (attempt.score or 0) <= most for attempt in by_luck)
    table = CliRunner().invoke(
        app, ["puzzle", FILE, "random", "--twists", "0..1", "-n", "2", "--workers", "1"]
    )
    assert "mean score" in table.output and "solved" not in table.output


@pytest.mark.slow
def test_it_is_learned(game: glaux.Game, tmp_path: Path) -> None:
    """After some matches the value function alone finds the best sum, which random play seldom does."""
    command = ["train", FILE, "--matches", "40", "--run", str(tmp_path / "run"), "--set", "warm_start=200"]
    command += ["--set", "strength.every=0.01", "--set", "strength.games=2", "--set", "search.iterations=20"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    value = glaux.load(tmp_path / "run", game)
    assert value.heuristic == "score"
    most = best_score(game, game.initial())
    random_ends = game.states(game.playouts(game.initial(), 200, 1))
    assert sum(game.score(end) == most for end in random_ends) < 100
    state = game.initial()
    while not game.terminal(state):
        state = game.apply(state, make_search("greedy", game, value).run(state, iterations=1).action)
    assert game.score(state) == most


def test_the_aim_needs_a_score_and_one_player() -> None:
    for change in ({"aim": "fame"}, {"players": 2}, {"score": glaux.Rules.score}):
        rules = type("Wrong", (type(glaux.make(FILE).adapter.rules),), change)  # type: ignore[union-attr]
        with pytest.raises(BrokenRules, match=r"^Wrong.*aim"):
            glaux.make(rules)
