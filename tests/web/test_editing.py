"""Positions that are set up: those of played matches come back, and the rules have the last word."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import glaux
from glaux.errors import InvalidState
from glaux.web.editing import can_edit, set_up
from tests.web.clients import client, error


@pytest.mark.parametrize("name", glaux.games())
def test_what_is_set_up_is_what_stands_there(name: str, seed: int) -> None:
    """In every game that says it can: whatever comes back has these cells and this player to move."""
    game = glaux.make(name)
    if not can_edit(game):
        return
    state, rng, found = game.initial(), random.Random(seed), 0
    for _ in range(12):
        if game.terminal(state):
            break
        cells = game.cells(state).ravel().tolist()
        try:
            made = set_up(game, cells, game.first_player(state))
        except InvalidState:
            pass  # a past that no board shows, such as half a turn
        else:
            found += 1
            assert game.cells(made).ravel().tolist() == cells
            assert game.first_player(made) == game.first_player(state)
        state = game.apply(state, rng.choice(game.actions(state)))
    assert found > 0


def test_most_games_can_be_set_up() -> None:
    assert sum(can_edit(glaux.make(name)) for name in glaux.games()) > len(glaux.games()) / 2


@pytest.mark.parametrize("name", ["lines_of_action", "shobu", "surakarta", "xiangqi"])
def test_a_game_that_remembers_moves_can_be_set_up(name: str) -> None:
    game = glaux.make(name)
    cells = game.cells(game.initial()).ravel().tolist()
    cells[cells.index(next(filter(None, cells)))] = 0
    for first in (True, False):
        made = set_up(game, cells, first)
        assert game.cells(made).ravel().tolist() == cells and game.first_player(made) is first


def test_a_game_that_wants_its_moves_says_so() -> None:
    game = glaux.make("lines_of_action")
    state = game.apply(game.initial(), game.actions(game.initial())[0])
    with pytest.raises(InvalidState, match="before anything is captured: play the moves instead"):
        set_up(game, game.cells(state).ravel().tolist(), game.first_player(state))


def test_the_server_sets_up_or_says_why_not(tmp_path: Path) -> None:
    with client(tmp_path) as app:
        sent = {"game": "hex:size=3,swap=0", "cells": [1, 0, 0, 0, 2, 0, 0, 0, 0], "first": True}
        start = app.post("/api/setup", json=sent).json()["start"]
        told = app.post("/api/position", json={"game": sent["game"], "start": start}).json()
        assert told["cells"] == sent["cells"] and told["first"] is True
        many = {**sent, "cells": [1] * 5 + [0] * 4}
        assert "rules do not allow" in error(app.post("/api/setup", json=many))
        for cells in ([1], [9] * 9):
            assert "every cell" in error(app.post("/api/setup", json={**sent, "cells": cells}))
        cube = {"game": "rubik2", "cells": [], "first": True}
        assert "can't be set up" in error(app.post("/api/setup", json=cube))
