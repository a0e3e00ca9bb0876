"""Matches on a real cluster: the same as without, whoever is killed; and what can be wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import glaux
from glaux.arena.contest import Contest, play_contest
from glaux.arena.pool import GameJob, play_jobs
from glaux.arena.tournament import Tournament, TournamentDirectory
from glaux.cluster import tasks
from glaux.cluster.connecting import connect
from glaux.errors import GlauxError, InvalidParameter, MissingExtra
from tests.cluster.jobs import DiesAlways, DiesOnce, OnADoomedNode, until
from tests.cluster.nodes import WORKERS
from tests.learn.small import TABLE

GAME = glaux.make(TABLE["game"])
PLAYERS = "mcts:iterations=30", "random"
pytestmark = pytest.mark.slow


def contest(games: int = 6) -> Contest:
    return Contest(GAME, PLAYERS, games, 2, 7)


def plain(played: Any) -> dict[Any, tuple[int, list[int]]]:
    return {key: (record.outcome, record.actions) for key, record in played}


def jobs(kind: type[GameJob], number: int, **given: Any) -> list[tuple[int, GameJob]]:
    return [(seed, kind(GAME, PLAYERS, (seed, seed + 1), **given)) for seed in range(number)]


# Matches


def test_games_are_the_same_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    here = plain(play_contest(contest(), 1))
    assert plain(play_contest(contest(), on=cluster.address)) == here
    assert plain(play_contest(contest(), 1, on=cluster.address)) == here

    asked = Tournament(GAME, (*PLAYERS, "mcts:iterations=10"), 2)
    distant, near = (TournamentDirectory.open(tmp_path / name, asked) for name in ("distant", "near"))
    assert plain(distant.play({}, on=cluster.address)) == plain(near.play({}, 1))
    assert distant.matches().keys() == set(asked.all_keys())


def test_the_calls_of_programs_take_a_cluster(cluster: Any, tmp_path: Path) -> None:
    here, there = (
        glaux.match(GAME, *PLAYERS, games=4, opening=2, seed=7, on=on) for on in (None, cluster.address)
    )
    assert (here.total, here.as_first, here.plies) == (there.total, there.as_first, there.plies)
    settings = {"strength.every": 0, "warm_start": 100, "search.evaluations": 50}
    run = glaux.train(GAME, matches=3, run=tmp_path / "run", settings=settings, on=cluster.address)
    assert [row["match"] for row in run.matches()] == [1, 2, 3]


def test_jobs_are_taken_when_they_are_needed_and_dropped_at_the_end(cluster: Any) -> None:
    taken = []

    def endless() -> Iterator[tuple[int, GameJob]]:
        for number in count():
            taken.append(number)
            yield number, GameJob(GAME, PLAYERS, (number, 1))

    with closing(play_jobs(endless(), on=cluster.address)) as played:
        results = [next(played)[0] for _ in range(5)]
    assert len(set(results)) == 5
    assert len(taken) <= 5 + WORKERS * tasks.AHEAD


def test_a_game_whose_process_is_killed_is_played_again(cluster: Any, tmp_path: Path) -> None:
    [(_, job)] = jobs(DiesOnce, 1, mark=str(tmp_path / "died"))
    others = [(number + 1, other) for number, other in jobs(GameJob, 3)]
    found = plain(play_jobs([(0, job), *others], on=cluster.address))
    assert (tmp_path / "died").exists()
    assert found == plain(play_jobs([*jobs(GameJob, 1), *others], 1))


def test_a_game_that_always_kills_its_process_is_one_sentence(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "RETRIES", 1)
    with pytest.raises(GlauxError, match="process died 2 times"):
        list(play_jobs(jobs(DiesAlways, 1), on=cluster.address))


def test_an_error_of_a_game_comes_out_as_it_is(cluster: Any) -> None:
    with pytest.raises(InvalidParameter, match="iterations"):
        list(play_jobs([(0, GameJob(GAME, ("mcts:iterations=-1", "random"), (1, 2)))], on=cluster.address))


def test_games_of_a_node_that_dies_are_played_elsewhere(cluster: Any, doomed: Any, tmp_path: Path) -> None:
    mark = tmp_path / "playing"

    def kill() -> None:
        until(mark)
        cluster.remove_node(doomed, allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    found = plain(play_jobs(jobs(OnADoomedNode, 8, node=doomed.node_id, mark=str(mark)), on=cluster.address))
    killer.join()
    assert found == plain(play_jobs(jobs(GameJob, 8), 1))


# What can be wrong


def test_an_address_that_is_none() -> None:
    for address in ("", "somewhere", "ray://", "host:99999", "http://host:80"):
        with pytest.raises(InvalidParameter, match="A cluster's address must be 'local', 'auto', HOST:6379"):
            _joined_by_a_new_program(address)


def _joined_by_a_new_program(address: str) -> None:
    """As :func:`connect`, whatever this program has joined."""
    from glaux.cluster.connecting import _check  # noqa: PLC0415

    _check(address)


def test_nobody_is_at_the_address() -> None:
    with pytest.raises(
        GlauxError, match=r"There is no Ray cluster at 'ray://127\.0\.0\.1:1': Connection refused"
    ):
        _joined_by_a_new_program("ray://127.0.0.1:1")


def test_one_cluster_at_a_time(cluster: Any) -> None:
    with pytest.raises(InvalidParameter, match="has already joined the cluster"):
        connect("ray://elsewhere:10001")


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        MissingExtra, match=r"A cluster needs the package ray: pip install 'glaux\[cluster\]'"
    ):
        list(play_jobs(jobs(GameJob, 1), on="local"))


def test_another_glaux(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray  # noqa: PLC0415

    from glaux.cluster import connecting  # noqa: PLC0415

    monkeypatch.setattr(connecting, "version", lambda _: "0.0.1")
    with pytest.raises(GlauxError, match=r"has Glaux [\d.]+, but this is 0.0.1: install the same version"):
        connecting._look(ray, cluster.address)


BLOCKER = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "glaux":
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Blocker())
"""


def test_nodes_without_glaux(cluster: Any, tmp_path: Path) -> None:
    """Processes of the cluster that can't import it: an environment of their own sees to that."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKER)
    environment = os.environ | {
        "RAY_JOB_CONFIG_JSON_ENV_VAR": f'{{"runtime_env": {{"env_vars": {{"PYTHONPATH": "{tmp_path}"}}}}}}'
    }
    command = [sys.executable, "-m", "glaux", "match", GAME.text, "random", "random", "--on", cluster.address]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("glaux: A node of the cluster lacks glaux: install the same Glaux")
    assert len(found.stderr.splitlines()) == 1
