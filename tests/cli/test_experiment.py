"""``glaux experiment`` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

from glaux.experiments.shipped import find_text, shipped
from tests.cli.runner import refusal, run
from tests.experiments.small import TEXT


def test_the_list_has_every_experiment() -> None:
    shown = run("experiment").stdout
    rows = json.loads(run("experiment", "--json").stdout)
    assert [row["name"] for row in rows] == shipped()
    for row in rows:
        assert row["name"] in shown
        assert {"title", "source", "scales", "games", "trainings", "seconds"} <= set(row)


def test_a_file_can_be_copied_changed_and_run(tmp_path: Path) -> None:
    assert run("experiment", "table3", "--show").stdout == find_text("table3")[1]
    mine, out = tmp_path / "mine.toml", tmp_path / "x"
    mine.write_text(TEXT.replace("matches = 6", "matches = 2").replace("stages = 3", "stages = 1"))
    command = ("experiment", str(mine), "--out", str(out), "--workers", "1", "--repetitions", "1")
    result = run(*command)
    assert result.exit_code == 0, result.output
    assert "Tree learning is better" in result.stdout
    assert "undecided" in result.stdout
    for name in ("report.md", "report.html", "statistics.json", "figures", "runs", "games"):
        assert (out / name).exists()
    figures = json.loads(run(*command, "--report", "--json").stdout)
    assert figures["trainings"] == {"done": 2, "of": 2}
    assert figures["claims"][0]["published"] == 20.0


def test_a_quick_look_is_small(tmp_path: Path) -> None:
    mine, out = tmp_path / "mine.toml", tmp_path / "x"
    mine.write_text(TEXT.replace("opening = 1", "opening = 1\ngames = 9").replace("stages = 3", "stages = 1"))
    command = (
        "experiment",
        str(mine),
        "--quick",
        "--matches",
        "1",
        "--out",
        str(out),
        "--workers",
        "1",
        "--json",
    )
    figures = json.loads(run(*command).stdout)
    assert (figures["repetitions"], len(figures["games"]), figures["matches"]) == (2, 1, 1)
    assert sum(figures["plays"]["mcts"]["games"].values()) == 2 * 2 * 2 * 2 * 2


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    assert "did you mean 'table3'?" in refusal("experiment", "table33")
    assert "no scale 'papr'" in refusal("experiment", "table3", "--scale", "papr")
    assert "one of them" in refusal("experiment", "table3", "--minutes", "1", "--matches", "3")
    assert "There is no game" in refusal("experiment", "table3", "--games", "hexx")
    out = str(tmp_path / "nowhere")
    assert "no experiment in" in refusal("experiment", "table3", "--report", "--out", out)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(TEXT.replace("title", "titel", 1))
    assert "no setting 'titel': did you mean 'title'?" in refusal("experiment", str(wrong))
