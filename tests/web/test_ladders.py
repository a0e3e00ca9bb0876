"""Ladders of tournaments, also from files of strangers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from glaux.web.ladders import ladders
from tests.web.clients import client

ROW: dict[str, Any] = {"elo": 12.5, "low": -3.0, "high": 30.0, "games": 4, "wins": 2, "draws": 1, "losses": 1}


def tournament(folder: Path, name: str, content: Any) -> None:
    (folder / name).mkdir()
    (folder / name / "result.json").write_text(json.dumps(content))


def test_ladders_are_told_without_paths(tmp_path: Path) -> None:
    rows = [
        ROW | {"player": "ubfms:value=/home/me/runs/hex7,seconds=1"},
        ROW | {"player": "random", "elo": -9},
    ]
    tournament(tmp_path, "first", {"game": "hex:size=7", "ratings": rows})
    with client(tournaments=tmp_path) as app:
        (told,) = app.get("/api/ladders").json()["ladders"]
    assert told["name"] == "first" and told["game"] == "hex:size=7"
    assert [row["player"] for row in told["rows"]] == ["ubfms:value=hex7,seconds=1", "random"]
    assert told["rows"][0]["elo"] == 12.5 and "home" not in json.dumps(told)


def test_what_is_no_result_is_left_out(tmp_path: Path) -> None:
    broken: list[Any] = [
        {},
        [],
        {"game": "hex", "ratings": 7},
        {"game": "hex", "ratings": [{}]},
        {"game": "hex", "ratings": [ROW | {"player": "a", "elo": "high"}]},
        {"game": "hex", "ratings": [ROW | {"player": "a", "games": None}]},
    ]
    for i, content in enumerate(broken):
        tournament(tmp_path, f"broken{i}", content)
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "result.json").write_text('{"game": "he')
    tournament(tmp_path, "whole", {"game": "hex", "ratings": [ROW | {"player": "a"}]})
    assert [one["name"] for one in ladders(tmp_path)] == ["whole"]
    assert ladders(tmp_path / "nothing") == []
