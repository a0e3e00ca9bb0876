"""What is recommended for a game names games, heuristics and searches that there are, and is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

import glaux
from glaux.learn.athenan import AthenanConfig
from glaux.learn.run import Run
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer
from glaux.search.heuristics import make_heuristic
from glaux.search.recommended import _tables
from glaux.search.registry import AGENT, SEARCHES, agent_of

SEARCHED = sorted(_tables()["search"])


def test_all_that_is_named_is_there() -> None:
    names = set(glaux.games())
    assert set(_tables()) == {"heuristic", "search"}
    assert all(names >= table.keys() for table in _tables().values())
    assert set(_tables()["search"].values()) <= SEARCHES.keys() - {AGENT}
    for name, text in _tables()["heuristic"].items():
        assert make_heuristic(glaux.make(name)).text.startswith(text.partition(":")[0])


@pytest.mark.parametrize("name", ["othello", *SEARCHED])
def test_a_value_function_plays_by_the_search_of_its_game(name: str, tmp_path: Path) -> None:
    game, search = glaux.make(name), _tables()["search"].get(name, AGENT)
    assert agent_of(glaux.NTupleNetwork(game, count=1, length=2)) == search
    run = Run.create(tmp_path / "run", AthenanConfig(game=name))
    learner = run.resume()
    run.save(learner)
    player = make_player(f"{run.path},evaluations=10", game, 1)
    assert isinstance(player, SearchPlayer)
    assert type(player.search) is SEARCHES[search].search
