import io
import json
import os
import time
from pathlib import Path

import pytest
from rich.console import Console

import glaux
from glaux.bench.train import FAMILIES, LOCKSTEP
from glaux.cli.train_display import clock, dashboard, plain_line, summary
from glaux.learn.preset import configure, find_preset
from glaux.learn.run import Run
from glaux.learn.strength import Measured
from glaux.learn.training import Training
from tests.boards import GAMES
from tests.cli.runner import process, refusal, run
from tests.learn.small import small

GAME = "connect_four:rows=4,columns=4,length=3"
SHORT = ["--set", "warm_start=100", "--set", "strength.every=0"]
QUICK = ["--set", "search.evaluations=50", *SHORT]


def train(path: Path, *arguments: str):
    return run("train", GAME, "--run", str(path), *arguments)


def test_a_training_and_its_summary(tmp_path):
    result = train(tmp_path / "run", "--matches", "5", *QUICK)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "5 matches" in result.stdout
    for command in ("glaux play", "glaux match", "--resume"):
        assert command in result.stdout
    assert glaux.load(tmp_path / "run").learned > 100
    # The summary's commands work.
    player = f"ubfms:value={tmp_path / 'run'},evaluations=50"
    assert run("match", GAME, player, "random", "--games", "2").exit_code == 0
    assert run("value", "info", str(tmp_path / "run"), "--seconds", "0", "--positions", "50").exit_code == 0


def test_resume_goes_on(tmp_path):
    train(tmp_path / "run", "--matches", "3", *QUICK)
    shown = train(tmp_path / "run", "--resume", "--dry-run")
    assert json.loads(shown.stdout)["search"]["evaluations"] == 50
    result = train(tmp_path / "run", "--resume", "--matches", "6")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [line["match"] for line in lines] == [1, 2, 3, 4, 5, 6]


def test_slow_rules_are_announced_at_once_and_not_in_json(tmp_path):
    path = "docs/examples/tic_tac_toe.py"
    arguments = ("train", path, "--run", str(tmp_path / "run"), "--minutes", "0.05", *SHORT)
    begun = run(*arguments)
    assert begun.exit_code == 0
    assert begun.stdout.startswith("Measuring the speed of the rules ...\n")
    assert json.loads(run(*arguments, "--dry-run").stdout)["workers"] == 1


def test_dry_run_prints_the_configuration(tmp_path):
    result = train(tmp_path / "run", "--dry-run", "--seed", "7", "--set", "search.seconds=0.25")
    config = json.loads(result.stdout)
    assert config["game"] == "connect_four:columns=4,length=3,rows=4"
    assert (config["seed"], config["search"]["seconds"]) == (7, 0.25)
    assert not (tmp_path / "run").exists()


def test_the_presets_are_listed():
    result = run("train", "hex", "--list")
    assert result.exit_code == 0
    for name in ("laptop", "paper-protocol", "paper-9.3", "paper-9.4", "minimax-strikes-back"):
        assert name in result.stdout


def test_mistakes(tmp_path):
    path = str(tmp_path / "run")
    for arguments, sentence in [
        (("train", "hexx"), "There is no game 'hexx'"),
        (
            ("train", "hex", "--preset", "labtop"),
            "There is no preset 'labtop' for hex: did you mean 'laptop'?",
        ),
        (
            ("train", GAME, "--run", path, "--set", "sed=1"),
            "A training run has no setting 'sed': did you mean 'seed'?",
        ),
        (("train", GAME, "--run", path, "--set", "value.cout=1"), "did you mean 'count'?"),
        (
            ("train", GAME, "--run", path, "--set", "td.lambda_=1"),
            "The setting 'td' belongs to the learner td, but this is athenan: set learner=td first.",
        ),
        (("train", GAME, "--run", path, "--minutes", "0"), "--minutes must be more than 0, not 0."),
        (("train", GAME, "--run", path, "--matches", "0"), "--matches must be at least 1, not 0."),
        (
            ("train", GAME, "--resume"),
            f"There is no run of {GAME} in 'runs': name the run to resume with --run DIR.",
        ),
        (("train", GAME, "--run", path, "--resume"), "There is no run in"),
        (("train", GAME, "--run", "docs"), "The directory 'docs' is not empty"),
        (
            ("train", GAME, "--run", "/dev/null"),
            "'/dev/null' is not a directory: choose another path for the run.",
        ),
    ]:
        assert sentence in refusal(*arguments)
        assert not (tmp_path / "run").exists()
    train(tmp_path / "run", "--matches", "1", *QUICK)
    for arguments, sentence in [
        (("train", GAME, "--run", path), "already holds a run"),
        (
            ("train", "hex", "--run", path, "--resume"),
            "is a run of connect_four:columns=4,length=3,rows=4, not of hex.",
        ),
        (("train", GAME, "--run", path, "--resume", "--seed", "1"), "leave out --set and --seed"),
    ]:
        assert sentence in refusal(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(2, 130), (15, 143), (1, 129)])
def test_a_signal_saves(number, code, tmp_path):
    path = tmp_path / "run"
    with process("train", GAME, "--run", str(path), "--minutes", "60", *QUICK) as training:
        while not (path / "metrics.jsonl").exists():
            assert training.poll() is None
            time.sleep(0.01)
        training.send_signal(number)
        stdout, stderr = training.communicate(timeout=600)
    assert (training.returncode, stderr) == (code, "")
    assert "stopped" in stdout
    assert glaux.load(path).learned > 0
    reached = Run.open(path).resume().matches
    assert [row["match"] for row in Run.open(path).matches()] == list(range(1, reached + 1))


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(2, 130), (15, 143)])
def test_a_signal_for_all_processes_saves(number, code, tmp_path):
    path, processes = tmp_path / "run", ["--set", "processes=true", "--set", "workers=2"]
    with process("train", GAME, "--run", str(path), "--minutes", "60", *QUICK, *processes) as training:
        while not (path / "metrics.jsonl").exists():
            assert training.poll() is None
            time.sleep(0.01)
        children = Path(f"/proc/{training.pid}/task/{training.pid}/children").read_text().split()
        for one in (training.pid, *map(int, children)):
            os.kill(one, number)
        _, stderr = training.communicate(timeout=600)
    assert (training.returncode, stderr) == (code, "")
    reached = Run.open(path).resume().matches
    assert [row["match"] for row in Run.open(path).matches()] == list(range(1, reached + 1))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_trains_with_its_laptop_preset(name, tmp_path):
    settings = {"warm_start": 50, "strength.every": 0, "workers": 1}
    if configure(name, find_preset(name)).learner == "athenan":
        settings |= {"search.seconds": 0, "search.evaluations": 100}
    changes = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    result = run("train", name, "--matches", "1", "--run", str(tmp_path / "run"), *changes)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert "1 match\n" in result.stdout


def test_the_settings_of_a_learner_are_listed():
    athenan, td = (run("train", "othello", "--preset", p, "--settings").stdout for p in ("laptop", "tcl"))
    assert "search.evaluations" in athenan and "replay.mu" in athenan and "td.lambda_" not in athenan
    assert "td.lambda_" in td and "search.evaluations" not in td
    assert "value.alpha" in td and "value.filters" not in td


def test_the_display(tmp_path):
    place = Run.create(tmp_path / "run", small(warm_start=100))
    learner = place.resume()
    training = Training(place, learner, seconds=60, matches=10)
    training.status.ended = training.status.begun  # however long it takes until it is drawn
    text = drawn(dashboard(place, learner, training.status))
    assert "0:00 of 1:00, 1:00 left" in text
    assert "playing the first match" in text and "not measured yet" in text
    training.status.warm = (50, 100)
    assert "warm start: 50 of 100" in drawn(dashboard(place, learner, training.status))
    training.status.warm = training.status.ended = None
    training.status.goal_seconds = 3600  # all the matches are played, however long that takes
    training.go()
    training.status.goal_seconds = 60
    training.status.strengths = [(1.0, Measured(0.1, 0.0, 0.3, 20)), (2.0, Measured(0.95, 0.8, 1.0, 20))]
    training.status.ended = training.status.begun + 62
    text = drawn(dashboard(place, learner, training.status))
    for part in ("100%", "match 10 of 10", "states learned/s", "evaluations/s", "▁█", "95% of 20 games"):
        assert part in text
    assert plain_line(training.status).startswith("100%")
    assert "80% to 100%), 1:00 ago" in text
    training.status.last, training.status.measuring = True, (6, 20)
    assert "measuring strength, game 7 of 20" in drawn(dashboard(place, learner, training.status))
    assert "measuring strength, game 7 of 20" in plain_line(training.status)
    for width in (40, 80):
        lines = drawn(dashboard(place, learner, training.status), width).splitlines()
        assert max(map(len, lines)) <= width
        assert all(any(name in line for line in lines) for name in ("checkpoints", "evaluations/s", "replay"))
    again = Training(place, place.resume(), seconds=60)
    assert "resumed after match 10" in drawn(dashboard(place, learner, again.status))
    text = drawn(summary(learner, training.status, interrupted=False))
    assert "10% at first, now 95% of 20 games (95% interval 80% to 100%)" in text


def drawn(what, width=110):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(what)
    return console.export_text()


def test_clock():
    assert [clock(s) for s in (0, 59.6, 61, 3599, 3600, 36_061)] == [
        "0:00", "1:00", "1:01", "59:59", "1:00:00", "10:01:01",
    ]  # fmt: skip


@pytest.mark.slow
def test_bench_train():
    arguments = ["--game", GAME, "--seconds", "0.5"]
    rows = json.loads(run("bench", "train", *arguments, "--json").stdout)
    found = {(row["family"], row["lockstep"]): row for row in rows}
    assert list(found) == [(family, m) for family in FAMILIES for m in LOCKSTEP[family]]
    native, *_ = rows
    assert native["batch"] is None
    assert found["network", 16]["batch"] > found["network", 1]["batch"]
    for row in rows:
        assert row["matches"] > 0 and row["evaluations_per_second"] > 0
        shares = [row[name] for name in ("search", "encoding", "fitting", "everything_else")]
        assert sum(shares) == pytest.approx(1, abs=0.01)
    assert native["encoding"] == 0
    assert (
        "learned/s" in run("bench", "train", "--game", GAME, "--seconds", "0.2", "--family", "ntuple").stdout
    )
    assert refusal("bench", "train", "--family", "tuple") == (
        "There is no family 'tuple': did you mean 'ntuple'?"
    )


@pytest.mark.slow
def test_a_training_of_a_puzzle_says_how_to_measure_it(tmp_path):
    result = run("train", "rubik2:twists=2,limit=4", "--run", str(tmp_path / "run"), "--matches", "3", *SHORT)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "glaux puzzle rubik2" in result.stdout and "glaux match" not in result.stdout
    player = f"ubfms:value={tmp_path / 'run'},evaluations=50"
    assert run("puzzle", "rubik2:limit=4", player, "--twists", "1", "--workers", "1").exit_code == 0
