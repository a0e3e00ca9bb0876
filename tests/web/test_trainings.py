"""Trainings that clients start: only where they may, only ours, and they can be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from glaux.directories import checkpoints
from tests.web.clients import client, error

GAME = "connect_four:columns=4,length=3,rows=4"
WANTED = {"game": GAME, "preset": "laptop", "minutes": 30, "name": "by-page"}
PATIENCE = 300.0


def wait(happened: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


@pytest.mark.slow
def test_a_training_grows_and_stops_with_all_it_has_learned(tmp_path: Path) -> None:
    with client(tmp_path, train=True) as app:
        assert app.post("/api/trainings/start", json=WANTED).json()["running"] == "by-page"
        assert "still running" in error(app.post("/api/trainings/start", json={**WANTED, "name": "two"}))

        def matches() -> int:
            runs = [run["name"] for run in app.get("/api/runs").json()["runs"]]
            if "by-page" not in runs:
                return 0
            return int(app.get("/api/runs/curve", params={"name": "by-page"}).json()["matches"])

        wait(lambda: matches() > 3)
        app.post("/api/trainings/stop")
        wait(lambda: app.get("/api/trainings", params={"game": GAME}).json()["running"] is None)
        assert app.get("/api/trainings", params={"game": GAME}).json()["failure"] == ""
        assert checkpoints(tmp_path / "by-page"), "a training that is stopped saves itself"
        assert "already" in error(app.post("/api/trainings/start", json=WANTED))


@pytest.mark.slow
def test_a_training_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaux.web.trainings.STOP_SECONDS", PATIENCE)
    with client(tmp_path, train=True) as app:
        app.post("/api/trainings/start", json=WANTED)
        wait((tmp_path / "by-page" / "metrics.jsonl").exists)
    assert checkpoints(tmp_path / "by-page")


def test_where_others_reach_the_server_nothing_is_started(tmp_path: Path) -> None:
    with client(tmp_path) as app:
        assert "must be private or have a token" in error(app.post("/api/trainings/start", json=WANTED))
        assert "must be private or have a token" in error(app.post("/api/trainings/stop"))
        assert app.get("/api/trainings", params={"game": GAME}).json()["allowed"] is False
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"name": "../out"}, 422),
        ({"name": "a b"}, 422),
        ({"name": "--resume"}, 422),
        ({"name": ""}, 422),
        ({"minutes": 0}, 422),
        ({"minutes": 1e9}, 422),
        ({"settings": ["strength.opponent=gtp:sh"]}, 422),
        ({"preset": "nope"}, 400),
        ({"preset": "../../x"}, 400),
        ({"game": "x.py:Evil"}, 400),
        ({"game": "--help"}, 400),
        ({"game": "nope"}, 400),
    ],
)
def test_what_is_not_ours_is_refused(tmp_path: Path, changes: dict[str, Any], status: int) -> None:
    with client(tmp_path, train=True) as app:
        error(app.post("/api/trainings/start", json=WANTED | changes), status)
    assert list(tmp_path.iterdir()) == []


def test_a_game_of_the_command_line_is_not_trained(tmp_path: Path) -> None:
    with client(tmp_path, train=True, games=("docs/examples/tic_tac_toe.py:TicTacToe",)) as app:
        assert "Python file" in error(app.post("/api/trainings/start", json=WANTED | {"game": "tic_tac_toe"}))


def test_nothing_to_stop_is_said(tmp_path: Path) -> None:
    with client(tmp_path, train=True) as app:
        assert "No training" in error(app.post("/api/trainings/stop"))
