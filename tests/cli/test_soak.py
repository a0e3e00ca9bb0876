import csv
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from glaux.cli.soak_display import plain_line
from glaux.learn.registry import LEARNERS
from glaux.soak.kinds import choose, kinds
from glaux.soak.soak import Soak, SoakOptions
from tests.cli.runner import PROGRAM, refusal, run


@pytest.mark.slow
def test_some_seconds_of_everything(tmp_path: Path) -> None:
    out = tmp_path / "soak"
    options = ["--out", str(out), "--training", "td", "--training", "athenan-processes"]
    # It ends when there were so many kills: how long that takes is up to the machine.
    pace = ["--kills", "3", "--minutes", "10", "--kill-every", "0.2", "--pause", "0.1"]
    result = run("soak", *pace, *options, "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["faults"] == [] and summary["kills"] >= 2
    assert (out / "soak.png").read_bytes().startswith(b"\x89PNG")
    with (out / "kills.csv").open() as file:
        assert len(list(csv.DictReader(file))) == summary["kills"]
    with (out / "samples.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {"soak", "serve", "steady"} <= {row["part"] for row in rows}
    own = [row for row in rows if row["part"] == "soak"]
    assert all(float(row["memory_mb"]) > 1 and int(row["descriptors"]) > 2 for row in own)
    assert "Soak" not in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_with_its_report(number: signal.Signals, tmp_path: Path) -> None:
    out = tmp_path / "soak"
    arguments = ["soak", "--hours", "1", "--parts", "matches", "--out", str(out), "--json"]
    with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True) as soak:
        samples = out / "samples.csv"
        while not samples.exists() or samples.read_text().count("\n") < 2:  # the head and a sample
            assert soak.poll() is None
            time.sleep(0.01)
        soak.send_signal(number)
        stdout, _ = soak.communicate(timeout=600)
    assert soak.returncode == 0
    assert json.loads(stdout)["faults"] == []
    assert (out / "summary.json").exists()


@pytest.mark.slow
def test_a_training_that_crashes_is_a_fault(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("glaux.soak.trainings.GAME", "hexx")
    arguments = ["--parts", "trainings", "--training", "td", "--minutes", "0.02"]
    result = run("soak", "--out", str(tmp_path / "soak"), *arguments)
    assert result.exit_code == 1
    assert "There is no game 'hexx'" in result.stdout


def test_a_fault_is_shown_at_once(tmp_path: Path) -> None:
    soak = Soak(tmp_path / "soak", SoakOptions(seconds=60.0, kinds=tuple(choose([]))))
    assert plain_line(soak).endswith("faults: 0")
    soak.ledger.fault("td: no match in 900 s.")
    line = plain_line(soak)
    assert "; faults: 1, the newest: [" in line and line.endswith("td: no match in 900 s.")


def test_every_learner_is_killed() -> None:
    assert set(LEARNERS) <= set(kinds())


def test_mistakes(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments, sentence in [
        (("--minutes", "0"), "--hours and --minutes must be more than 0"),
        (("--hours", "nan"), "--hours must be a number up to 1,000,000,000, not 'nan'."),
        (("--hours", "1", "--minutes", "1"), "not both"),
        (("--parts", "training"), "A soak has no part 'training': did you mean 'trainings'?"),
        (("--training", "athena"), "There is no kind of training run 'athena': did you mean 'athenan'?"),
        (("--trainings", "99"), "training runs in parallel, not 99."),
        (("--out", str(tmp_path)), "is not an empty directory"),
    ]:
        assert sentence in refusal("soak", *arguments)
