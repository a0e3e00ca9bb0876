"""Runs as players, their list, the newest to resume, and results of what Ctrl-C has stopped."""

import json
import signal
from pathlib import Path

import numpy as np
import pytest

import glaux
from glaux.arena.bootstrap import Stratum, estimate
from glaux.arena.contest import play_contest
from glaux.arena.puzzle import Trial
from glaux.learn.run import Run
from glaux.learn.training import Training
from glaux.search import solve as solving
from glaux.search.alpha_beta import AlphaBeta
from tests.cli.runner import refusal, run
from tests.learn.small import small

GAME = "connect_four:columns=4,length=3,rows=4"


def trained(path: Path, **changes: object) -> Path:
    place = Run.create(path, small(warm_start=50, strength={"every": 0}, **changes))
    Training(place, place.resume(), matches=2).go()
    return path


def test_a_run_is_a_player_and_can_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "'glaux train GAME' creates it" in refusal("runs")
    trained(Path("runs/old one"))
    trained(Path("runs/new"))
    rows = json.loads(run("runs", "--json").stdout)
    assert [row["run"] for row in rows] == ["runs/new", "runs/old one"]
    assert rows[0]["matches"] == 2 and glaux.make(rows[0]["game"]) == glaux.make(GAME) and rows[0]["live"]
    assert "runs/old one" in run("runs").stdout
    quick = ("--games", "2", "--workers", "1", "--json")
    played = run("match", GAME, "runs/new,seconds=0.01", "random", *quick)
    assert json.loads(played.stdout)["games"] == 2
    assert "There is no run or value function in 'runs/none'" in refusal("match", GAME, "runs/none", "random")
    more = run("train", GAME, "--resume", "--matches", "3")
    assert more.exit_code == 0, more.output
    assert "runs/new" in more.stdout and len(list(Run.open(Path("runs/new")).matches())) == 3
    assert "There is no run of othello in 'runs'" in refusal("train", "othello", "--resume")


def test_commands_are_quoted(tmp_path: Path) -> None:
    quick = ("--matches", "1", "-s", "warm_start=10", "-s", "strength.every=0")
    output = run("train", GAME, "--run", str(tmp_path / "my run"), *quick).stdout
    assert f"--run '{tmp_path}/my run' --resume" in output
    assert f"'ubfms:value={tmp_path}/my run,seconds=1'" in output


def test_what_ctrl_c_leaves_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_contest

    def stopped(*arguments, **options):
        games = whole(*arguments, **options)
        yield next(games)
        yield next(games)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("glaux.cli.match.play_contest", stopped)
    result = run("match", GAME, "random", "random", "--games", "10", "--workers", "1")
    assert result.exit_code == 130
    assert "Stopped after 2 of 10 games" in result.stderr and "95% interval" in result.stdout


def test_what_ctrl_c_leaves_of_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Trial.played

    def stopped(self, workers):
        yield next(whole(self, 1))
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Trial, "played", stopped)
    result = run("puzzle", "rubik2", "alphabeta:depth=2", "--twists", "1,2", "--games", "3")
    assert result.exit_code == 130 and "Stopped after" in result.stderr and "share" in result.stdout


def test_what_ctrl_c_leaves_of_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "REPORT_SECONDS", 0.01)
    search, times = AlphaBeta.run, [0]

    def stopped(self, state, **limits):
        times[0] += 1
        if times[0] == 3:
            raise KeyboardInterrupt
        return search(self, state, **limits)

    monkeypatch.setattr(AlphaBeta, "run", stopped)
    result = run("solve", "othello")
    assert result.exit_code == 130
    assert "Not solved (stopped): " in result.stdout and "Best line so far (unproven): " in result.stdout


def test_a_proof_in_slices_is_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "REPORT_SECONDS", 0.001)
    whole = json.loads(run("solve", "connect_four:rows=4,columns=4,length=3", "--json").stdout)
    assert whole["outcome"] == 1 and whole["resolved"]


def test_one_result_is_not_certain() -> None:
    alone = estimate([Stratum(np.ones(1), 1.0)])
    assert (alone.mean, alone.high) == (1, 1) and 0.15 < alone.low < 0.25  # Wilson's of one game
    twenty = estimate([Stratum(np.ones(20), 1.0)])
    assert alone.low < twenty.low < 0.9
    mixed = estimate([Stratum(np.ones(1), 0.5), Stratum(np.array([0.0, 1.0] * 20), 0.5)])
    assert mixed.low < 0.75 - 0.3


def test_disk_errors_name_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    where = str(tmp_path / "file" / "games.txt")
    assert where in refusal("match", GAME, "random", "random", "--save", where)
    assert str(tmp_path / "file") in refusal("train", GAME, "--run", str(tmp_path / "file" / "run"))
