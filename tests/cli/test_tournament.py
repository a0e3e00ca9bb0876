"""``glaux tournament`` and ``glaux compare`` as a person meets them."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.cli.runner import process, refusal, run, run_process

SMALL = "connect_four:rows=4,columns=4,length=3"
PLAYERS = ("random", "mcts:iterations=30", "mcts:iterations=100")


def small(out: Path, *more: str) -> tuple[str, ...]:
    return ("tournament", SMALL, *PLAYERS, "--games", "6", "--out", str(out), "--workers", "1", *more)


def test_a_tournament_prints_its_cross_table_and_leaves_its_files(tmp_path: Path) -> None:
    out = tmp_path / "t"
    result = run(*small(out))
    assert result.exit_code == 0, result.output
    for word in ("6 games per pair", "Elo", "95% interval", "mcts:iterations=100", "result.json"):
        assert word in result.stdout
    names = {"tournament.json", "matches.jsonl", "matches.txt", "result.json", "ratings.png", "ratings.svg"}
    assert names <= {path.name for path in out.iterdir()}


def test_json_has_the_promised_fields(tmp_path: Path) -> None:
    figures = json.loads(run(*small(tmp_path / "t", "--json")).stdout)
    assert figures["players"] == list(PLAYERS)
    assert (figures["games"], figures["book"], figures["opening"]) == (6, 2, 0)
    assert [row["games"] for row in figures["ratings"]] == [12] * 3
    for row in figures["ratings"]:
        assert row["low"] <= row["elo"] <= row["high"]
        assert {"wins", "draws", "losses", "score", "open_below", "open_above"} <= set(row)
    assert len(figures["pairs"]) == 3
    kept = json.loads((tmp_path / "t" / "result.json").read_text())
    assert {key: figures[key] for key in kept} == kept


def test_the_same_command_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "t"
    whole = json.loads(run(*small(out, "--json")).stdout)
    lines = (out / "matches.jsonl").read_text().splitlines(keepends=True)
    (out / "matches.jsonl").write_text("".join(lines[:7]) + lines[7][:20])
    result = run(*small(out, "--json"))
    assert "Continuing after 7 of 18 games" in result.stderr
    again = json.loads(result.stdout)
    assert again["pairs"] == whole["pairs"]
    assert [row["elo"] for row in again["ratings"]] == [row["elo"] for row in whole["ratings"]]


def test_a_directory_of_its_own_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("tournament", SMALL, "random", "mcts:iterations=20", "--games", "2", "--workers", "1")
    first = json.loads(run(*command, "--json").stdout)["directory"]
    assert json.loads(run(*command, "--json").stdout)["directory"] == first
    assert json.loads(run(*command, "--json", "--seed", "1").stdout)["directory"] != first
    assert len(list((tmp_path / "tournaments").iterdir())) == 2


def test_without_matplotlib_there_is_all_but_the_chart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glaux.arena.chart.find_spec", lambda _: None)
    result = run(*small(tmp_path / "t"))
    assert result.exit_code == 0
    assert "No chart: Charts need the package matplotlib: pip install 'glaux[figures]'." in result.stdout
    assert not (tmp_path / "t" / "ratings.png").exists()
    assert (tmp_path / "t" / "result.json").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("otello", "random", "mcts"), "did you mean 'othello'"),
        ((SMALL, "random"), "at least two players"),
        ((SMALL, "random", "random"), "The player random is listed twice."),
        ((SMALL, "random", "radnom"), "did you mean 'random'"),
        ((SMALL, "random", "mcts", "--games", "5"), "must be an even number"),
        ((SMALL, "random", "mcts", "--opening", "2", "--book", "2"), "not both"),
        ((SMALL, "random", "mcts", "--book", "-1"), "can't have -1 plies"),
        ((SMALL, "random", "mcts", "--book", "40"), "choose a shorter opening"),
        ((SMALL, "random", "mcts", "--out", "README.md"), "is not a directory"),
        ((SMALL, "random", "mcts", "--out", "docs"), "holds no tournament"),
    ],
)
def test_wrong_tournaments_get_one_line(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal("tournament", *arguments)


def test_another_tournament_in_the_directory_is_refused(tmp_path: Path) -> None:
    run(*small(tmp_path / "t"))
    sentence = refusal("tournament", SMALL, "random", "mcts:iterations=1", "--out", str(tmp_path / "t"))
    assert "holds another tournament, with players: random, mcts:iterations=30" in sentence


@pytest.mark.parametrize(
    ("option", "least"), [(("--workers", "0"), 1), (("--workers", "-1"), 1), (("--seed", "-1"), 0)]
)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_numbers_out_of_range(command: str, option: tuple[str, str], least: int) -> None:
    name, given = option
    sentence = refusal(command, SMALL, "random", "mcts:iterations=1", *option)
    assert sentence == f"{name} must be at least {least}, not '{given}'."


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_program_can_be_killed_and_interrupted(tmp_path: Path) -> None:
    """One of many games, which is never done before the signal comes, and one that comes to its end."""
    for games, ends in ((10**5, (signal.SIGKILL, signal.SIGINT)), (60, (signal.SIGKILL,))):
        out = tmp_path / str(games)
        players = ("tournament", SMALL, "random", "mcts:iterations=6000")
        command = (*players, "--games", str(games), "--workers", "1", "--out", str(out))
        for end in ends:
            with process(*command) as started:
                before = lines_of(out)
                while lines_of(out) < before + 3 and started.poll() is None:
                    time.sleep(0.02)
                started.send_signal(end)
                _, stderr = started.communicate()
            assert lines_of(out) >= before + 3
            if end == signal.SIGINT:
                assert started.returncode == 130
                assert "run the same command again to continue" in stderr
    code, stdout, _ = run_process(*command, "--json")
    assert code == 0
    assert json.loads(stdout)["pairs"][0]["games"] == 60
    assert lines_of(out) == 60


def lines_of(out: Path) -> int:
    file = out / "matches.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def match_files(folder: Path, *games: str) -> Path:
    folder.mkdir()
    for number, game in enumerate(games):
        command = ("match", game, "mcts:iterations=4", "random", "--games", "10", "--workers", "1", "--json")
        (folder / f"{number}.json").write_text(run(*command, "--seed", str(number)).stdout)
    return folder


def test_compare_takes_what_match_prints(tmp_path: Path) -> None:
    ours = match_files(tmp_path / "ours", SMALL, "hex:size=3")
    result = run("compare", str(ours))
    assert result.exit_code == 0, result.output
    for word in ("hex:size=3", "mean of the games", "losses", "over matches, 10,000 resamples"):
        assert word in result.stdout
    figures = json.loads(run("compare", str(ours), "--against", str(ours), "--json").stdout)
    assert figures["over"] == "matches"
    assert [row["matches"] for row in figures["games"]] == [10, 10]
    score = figures["mean"]["score"]
    assert score["low"] <= score["mean"] <= score["high"]
    assert figures["gain"]["mean"] == 0
    assert figures["gain"]["low"] < 0 < figures["gain"]["high"]


def test_compare_over_repetitions(tmp_path: Path) -> None:
    ours = match_files(tmp_path / "ours", SMALL, SMALL, SMALL)
    assert json.loads(run("compare", str(ours), "--json").stdout)["over"] == "repetitions"
    assert json.loads(run("compare", str(ours), "--over", "matches", "--json").stdout)["over"] == "matches"
    assert "over repetitions or matches" in refusal("compare", str(ours), "--over", "colours")
    assert "at least 100 resamples" in refusal("compare", str(ours), "--resamples", "1")


def test_compare_refuses_other_files(tmp_path: Path) -> None:
    assert "There is no file" in refusal("compare", str(tmp_path / "none.json"))
    assert "is not the output of glaux match --json" in refusal("compare", "pyproject.toml")


@pytest.mark.parametrize("command", ["tournament", "compare", "match"])
def test_help_teaches_by_examples(command: str) -> None:
    text = run(command, "--help").stdout
    assert "Examples:" in text
    assert f"glaux {command}" in text
