"""``glaux zoo``, and who plays where nobody names a player."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import glaux
from glaux.values.zoo import read_card
from tests.boxed import NAME, box, made_box, own_box, small_run
from tests.cli.runner import refusal, run, run_process

__all__ = ["box", "made_box", "own_box"]
MOVES = "4 4 4 4 4 4"


def test_an_empty_box(own_box: Path) -> None:
    assert "No agents ship with this installation" in run("zoo").stdout
    assert json.loads(run("zoo", "--json").stdout) == []
    assert "No agent 'connect_four' ships with Glaux" in refusal("zoo", "show", NAME)
    assert "No agent for connect_four ships with Glaux" in refusal("gtp", NAME)
    assert "No agent for connect_four ships with Glaux" in refusal("play", NAME, "zoo")
    assert "Your opponent" not in run("play", NAME, stdin="quit\n").stdout


def test_agents_are_listed_with_their_figures(box: Path) -> None:
    assert NAME in run("zoo").stdout and "not measured" in run("zoo").stdout
    [row] = json.loads(run("zoo", "--json").stdout)
    assert row == json.loads(run("zoo", "show", NAME, "--json").stdout)
    assert (row["name"], row["game"], row["measured"]) == (NAME, glaux.make(NAME).rules_text, [])
    assert row["bytes"] == sum(file.stat().st_size for file in (box / NAME).iterdir())
    shown = run("zoo", "show", NAME).stdout
    assert row["title"] in shown and f"glaux train {NAME} --preset laptop" in shown


def test_a_run_is_added_and_measured(own_box: Path, tmp_path: Path) -> None:
    place = small_run(tmp_path / "run").path
    assert "measured" in run("zoo", "add", str(place), "--search", "ubfm").stdout
    played = run("match", NAME, "zoo:level=1", "random", "--games", "2", "--workers", "1", "--json")
    (tmp_path / "match.json").write_text(played.stdout)
    assert "zoo:level=1" in run("zoo", "measure", NAME, str(tmp_path / "match.json")).stdout
    [match] = read_card(NAME).measured
    assert (read_card(NAME).search, match.player, match.opponent) == ("ubfm", "zoo:level=1", "random")
    assert "2" in run("zoo").stdout and "random" in run("zoo").stdout
    assert "There is no search 'x'" in refusal("zoo", "add", str(place), "--search", "x")
    assert "no run in" in refusal("zoo", "add", str(tmp_path))


def test_an_agent_is_built_anew_as_its_card_says(own_box: Path, tmp_path: Path) -> None:
    run("zoo", "add", str(small_run(tmp_path / "run").path))
    before = read_card(NAME)
    result = run("zoo", "build", NAME, "--minutes", "0.01", "--run", str(tmp_path / "again"))
    assert result.exit_code == 0, result.output
    after = read_card(NAME)
    assert (after.preset, after.settings) == (before.preset, before.settings)
    assert glaux.Run.open(tmp_path / "again").config == glaux.Run.open(tmp_path / "run").config
    assert "with default parameters only" in refusal("zoo", "build", "connect_four:rows=5")
    assert "--minutes must be more than 0" in refusal("zoo", "build", NAME, "--minutes", "0")


@pytest.mark.parametrize("words", [[], ["zoo:level=2"]], ids=str)
def test_play_is_against_the_agent(box: Path, words: list[str]) -> None:
    result = run("play", NAME, *words, "--moves", MOVES, "--side", "second", "--seed", "1", stdin="quit\n")
    assert result.exit_code == 0, result.output
    assert ("Your opponent is the shipped agent (zoo;" in result.stdout) == (not words)


def test_an_engine_is_the_agent(box: Path) -> None:
    code, said, complaint = run_process("gtp", NAME, stdin="name\nboardsize 5\nquit\n")
    assert code == 0 and said.startswith("= Glaux zoo\n")
    assert complaint.startswith("glaux: Connect Four is played by the shipped agent (zoo;")
