"""Training runs: what is listed, played and drawn, also while it changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glaux
from glaux.learn.registry import read_config
from glaux.learn.run import MATCHES, METRICS, Run
from glaux.web.runs import POINTS, Curve, Runs, Thinned
from tests.web.clients import answer, client, error, question, thinking

GAME = "connect_four:columns=5,length=4,rows=4"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two runs, one of them a level deeper and without a checkpoint, and things that are none."""
    run = Run.create(tmp_path / "four", read_config({"game": GAME}))
    glaux.NTupleNetwork(glaux.make(GAME), count=4, length=4).save(
        run.path / "checkpoints" / "00000003" / "value"
    )
    for match in range(1, 4):
        run.add_metrics(
            {"kind": "match", "match": match, "elapsed": match * 1.5, "loss": 1 / match, "plies": 9}
        )
    run.add_metrics(
        {"kind": "strength", "match": 3, "elapsed": 4.5, "score": 0.7, "low": 0.5, "high": 0.8, "games": 20}
    )
    Run.create(tmp_path / "monday" / "hex", read_config({"game": "hex:size=5"}))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_text("{}")
    (tmp_path / "note.txt").write_text("nothing")
    return tmp_path


def test_runs_are_listed(folder: Path) -> None:
    with client(folder) as app:
        listed = {run["name"]: run for run in app.get("/api/runs").json()["runs"]}
    assert set(listed) == {"four", "monday/hex"}
    assert listed["four"]["ready"] and not listed["monday/hex"]["ready"]
    assert listed["four"]["game"] == GAME and listed["four"]["live"]


def test_no_directory_is_no_mistake() -> None:
    with client(Path("there is none")) as app:
        assert app.get("/api/runs").json() == {"runs": []}


def test_curves(folder: Path) -> None:
    with client(folder) as app:
        told = app.get("/api/runs/curve", params={"name": "four"}).json()
        assert told["matches"] == 3 and told["curve"]["loss"] == pytest.approx([1, 1 / 2, 1 / 3])
        assert told["strength"] == [{"elapsed": 4.5, "score": 0.7, "low": 0.5, "high": 0.8}]
        assert told["share"]
        Run.open(folder / "four").add_metrics(
            {"kind": "match", "match": 4, "elapsed": 6, "loss": 0, "plies": 9}
        )
        assert app.get("/api/runs/curve", params={"name": "four"}).json()["matches"] == 4


@pytest.mark.parametrize("name", ["five", "../four", "four/../four", "/etc", "other", "monday", "."])
def test_only_names_of_the_list_are_runs(folder: Path, name: str) -> None:
    with client(folder) as app:
        assert "There is no run" in error(app.get("/api/runs/curve", params={"name": name}))


def test_a_run_is_an_opponent_of_its_game_and_plays(folder: Path) -> None:
    with client(folder) as app:
        opponents = app.get("/api/game", params={"text": GAME}).json()["opponents"]
        assert opponents[0]["name"] == "run:four"
        others = app.get("/api/game", params={"text": "connect_four"}).json()["opponents"]
        assert "run:four" not in [one["name"] for one in others]
        with thinking(app) as socket:
            socket.send_json(question(game=GAME, player="run:four"))
            assert answer(socket)["type"] == "done"
            socket.send_json(question(game="connect_four", player="run:four"))
            assert "not of connect_four" in answer(socket)["error"]
            socket.send_json(question(game="hex:size=5", player="run:monday/hex"))
            assert "no checkpoint" in answer(socket)["error"]


@pytest.mark.parametrize("number", ['"1.5"', "1e999", "NaN", "1e308"])
def test_figures_that_can_not_be(tmp_path: Path, number: str) -> None:
    """Whoever has written them: the answer is JSON, and the other lines count."""
    row = '{"kind": "match", "match": %s, "elapsed": %s, "loss": %s, "plies": 9}\n' % ((number,) * 3)
    path = tmp_path / METRICS
    path.write_text(row * (POINTS + 2))
    curve = Curve(path)
    curve.read()
    json.dumps(curve.summary(), allow_nan=False)


def test_a_file_that_is_cut_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / METRICS
    rows = [{"kind": "match", "match": n, "elapsed": n, "loss": 1.0, "plies": 5} for n in range(1, 6)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"kind": "match", "mat')
    curve = Curve(path)
    curve.read()
    assert curve.summary()["matches"] == 5  # the line that is not whole is left for later
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:2]))
    curve.read()
    assert curve.summary()["matches"] == 2


def test_the_mean_score_of_a_game_is_no_share(tmp_path: Path) -> None:
    path = tmp_path / METRICS
    row = {"kind": "strength", "match": 1, "elapsed": 1, "score": 61.5, "low": 60, "high": 63, "share": False}
    path.write_text(json.dumps(row) + "\n")
    curve = Curve(path)
    curve.read()
    assert curve.summary()["strength"][0]["score"] == 61.5
    assert not curve.summary()["share"]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5 * POINTS))
def test_thinned_series_keep_their_mean(values: list[float]) -> None:
    series = Thinned(("y",))
    for value in values:
        series.add([value])
    points = series.columns()["y"]
    assert len(points) <= POINTS
    whole = len(values) // series.step
    weights = [series.step] * whole + (
        [len(values) - whole * series.step] if len(values) % series.step else []
    )
    mean = sum(w * p for w, p in zip(weights, points, strict=True)) / len(values)
    assert mean == pytest.approx(sum(values) / len(values), abs=1e-3)


def test_runs_that_go_away(folder: Path) -> None:
    runs = Runs(folder)
    assert {run.name for run in runs.listed()} == {"four", "monday/hex"}
    (folder / "four" / METRICS).unlink()
    assert runs.curve("four")["matches"] == 0


def test_settings_and_matches_are_told_and_nothing_of_the_disk(folder: Path) -> None:
    config = read_config({"game": GAME, "start_from": "/home/me/secret"})
    run = Run.create(folder / "told", config)
    for match in range(1, 100):
        run.add_match({"match": match, "outcome": 1, "actions": [0, 1] * (match % 3)})
    with client(folder) as app:
        told = app.get("/api/runs/about", params={"name": "told"}).json()
        values = {row["name"]: row["value"] for row in told["settings"]}
        assert values["game"] == GAME and values["start_from"] == "(not shown)"
        assert values["processes"] == "false", "as --set takes it"
        assert "secret" not in json.dumps(told)
        assert [row["match"] for row in told["matches"]][:2] == [99, 98] and len(told["matches"]) == 60
        opened = app.get("/api/runs/match", params={"name": "told", "match": 98}).json()
        assert [move["text"] for move in opened["moves"]] == ["1", "2", "1", "2"] and opened["game"] == GAME
        assert "not one of the latest" in error(
            app.get("/api/runs/match", params={"name": "told", "match": 5})
        )


def test_matches_of_strangers_are_refused_in_a_sentence(folder: Path) -> None:
    lines = [
        {"match": 1, "outcome": 1, "actions": [99]},
        {"match": 2, "outcome": 1, "actions": [2**70]},
        {"match": 3, "outcome": 1, "actions": [0], "start": "rubbish"},
        {"match": "x", "actions": [0]},
        {"match": 5, "actions": "abc"},
        [1],
    ]
    (folder / "four" / MATCHES).write_text("\n".join(map(json.dumps, lines)) + "\n{\n")
    with client(folder) as app:
        listed = app.get("/api/runs/about", params={"name": "four"}).json()["matches"]
        assert [row["match"] for row in listed] == [3, 2, 1]
        for match in (1, 2, 3):
            assert "can't be played" in error(
                app.get("/api/runs/match", params={"name": "four", "match": match})
            )
