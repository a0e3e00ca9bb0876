"""What is recommended for a game names games, heuristics and searches that there are, and is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

import glaux
from glaux.learn.athenan import AthenanConfig
from glaux.learn.registry import LEARNERS, find_learner
from glaux.learn.run import Run
from glaux.players.registry import make_player, search_of
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


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("game", ["connect_four", *SEARCHED[:1]])
def test_a_run_and_its_value_function_alone_are_played_by_the_same_search(
    name: str, game: str, tmp_path: Path
) -> None:
    run = Run.create(tmp_path / "run", find_learner(name).config_type(game=game))
    learner = run.resume()
    run.save(learner)
    learner.value.save(tmp_path / "value")
    alone = agent_of(learner.value)
    assert search_of(tmp_path / "value") == alone
    assert search_of(run.path) == ("wrap" if name == "td" else alone)
    for path in (run.path, tmp_path / "value"):
        player = make_player(f"{path},seconds=0.001", glaux.make(game), 1)
        assert isinstance(player, SearchPlayer) and type(player.search) is SEARCHES[search_of(path)].search


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"config": 1}', '{"config": {"value": []}}'])
@pytest.mark.parametrize("file", ["config.json", "value.json"])
def test_a_damaged_directory_is_played_by_the_usual_search(file: str, content: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(content)
    assert search_of(tmp_path) == AGENT
