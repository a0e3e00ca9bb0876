"""The agent in the box as the page's opponent, and its levels."""

from __future__ import annotations

from pathlib import Path

import pytest

import glaux
from glaux.players.levels import FULL, level_of
from tests.boxed import NAME, box, made_box
from tests.web.clients import answer, client, question, thinking

__all__ = ["box", "made_box"]


def test_the_agent_in_the_box_is_the_first_opponent(box: Path) -> None:
    with client() as app:
        assert app.get("/api/games").json()["levels"] == FULL
        told = app.get("/api/game", params={"text": NAME}).json()["opponents"]
        assert (told[0]["name"], told[0]["title"]) == ("zoo", "Glaux")
        small = app.get("/api/game", params={"text": f"{NAME}:rows=5"}).json()["opponents"]
        assert "zoo" not in [one["name"] for one in small]
        with thinking(app) as socket:
            socket.send_json(question(player="zoo"))
            assert answer(socket)["move"]["action"] in range(7)
            socket.send_json(question(player="zoo", game=f"{NAME}:rows=5"))
            assert "The Connect Four agent plays" in answer(socket)["error"]
            socket.send_json(question(player="zoo:level=1"))
            assert "There is no player" in answer(socket)["error"]


@pytest.mark.parametrize("player", ["mcts", "ubfm"])
def test_a_level_limits_a_move_and_no_analysis(player: str) -> None:
    game, level = glaux.make(NAME), level_of(1)
    assert level is not None
    most = level.evaluations + len(game.actions(game.initial()))
    with client() as app, thinking(app) as socket:
        socket.send_json(question(player=player, purpose="analyse", iterations=2000, level=1))
        assert answer(socket)["evaluations"] > 10 * most
        found = []
        for _ in range(30):
            socket.send_json(question(player=player, iterations=None, seconds=5, level=1))
            done = answer(socket)
            assert done["evaluations"] <= most and done["rows"][0]["variation"][0] == done["move"]
            found.append(done["move"]["action"])
        assert len(set(found)) > 1 and set(found) <= set(game.actions(game.initial()))
        socket.send_json(question(player=player, level=FULL + 1))
        assert "level" in answer(socket)["error"]
