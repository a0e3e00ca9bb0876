"""A real cluster on this machine: the same results as without, whoever is killed; and what can be wrong."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
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
from glaux.cluster.crew import Crew
from glaux.errors import GlauxError, InvalidParameter, MissingExtra
from glaux.learn.learner import Finished, Learner
from glaux.learn.registry import LEARNERS, make_learner, read_config
from glaux.learn.run import Run
from glaux.learn.training import Training
from tests.cluster.jobs import DiesAlways, DiesOnce, OnADoomedNode, until
from tests.learn.small import TABLE, small

GAME = glaux.make(TABLE["game"])
PLAYERS = "mcts:iterations=30", "random"
pytestmark = pytest.mark.slow
STORE = 80_000_000
"""bytes of a node's object store, about the least there is"""
WORKERS = 2
"""processors of the head"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head with two processors, joined, on a port of its own and with a token of its own."""
    if find_spec("ray") is None:
        pytest.skip("the extra cluster is not installed")
    patch = pytest.MonkeyPatch()
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    patch.setenv("RAY_AUTH_MODE", "token")
    patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    import ray  # noqa: PLC0415 (which looks at the environment)
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": WORKERS, "include_dashboard": False, "object_store_memory": STORE},
    )
    try:
        restore(usual)
        connect(made.address)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
        restore(usual)
        patch.undo()


def restore(handlers: dict[signal.Signals, Any]) -> None:
    """Nodes that are started in a process take its SIGTERM for themselves, and later tests need theirs."""
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def doomed(cluster: Any) -> Iterator[Any]:
    """A second node, to be removed."""
    usual = {signal.SIGTERM: signal.getsignal(signal.SIGTERM)}
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    restore(usual)
    yield node
    if node in cluster.worker_nodes:
        cluster.remove_node(node, allow_graceful=False)


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
    with pytest.raises(GlauxError, match="has ended its process 2 times"):
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


# Training runs

OWN: dict[str, dict[str, Any]] = {
    "athenan": {"search": {"iterations": 8}},
    "alphazero": {"lockstep": 4, "search": {"iterations": 8}},
    "exit": {
        "lockstep": 8,
        "warm_matches": 4,
        "search": {"iterations": 8},
        "phase": {"matches": 4, "epochs": 1},
    },
}
"""settings of learners that make them fast enough here"""


def learner(on: Any, workers: int = WORKERS, **changes: Any) -> Learner:
    made = make_learner(small(workers=workers, **changes))
    made.play_on(on.address)
    return made


def trained(one: Learner, matches: int) -> list[Finished]:
    seen: list[Finished] = []
    one.train(matches=matches, listener=seen.extend)
    assert [finished.progress.match for finished in seen] == list(range(1, matches + 1))
    assert one.matches == matches
    return seen


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The members of crews that were replaced."""
    found: list[Any] = []
    replace = Crew.replace

    def replacing(crew: Crew[Any], member: Any) -> None:
        found.append(member)
        replace(crew, member)

    monkeypatch.setattr(Crew, "replace", replacing)
    return found


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What crews have shared."""
    found: list[Any] = []
    share = Crew.share

    def sharing(crew: Crew[Any], given: Any) -> Any:
        found.append(given)
        return share(crew, given)

    monkeypatch.setattr(Crew, "share", sharing)
    return found


def test_more_workers_than_room_and_one_version_for_all(cluster: Any, shared: list[Any]) -> None:
    one = learner(cluster, 5, lockstep=2, cluster={"refresh": 1000.0})
    seen = trained(one, 12)
    assert all(finished.progress.states > 0 for finished in seen)
    assert one.value.learned > 500
    assert len(shared) == 1


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_plays_on_a_cluster_or_says_why_not(cluster: Any, name: str) -> None:
    """ExIt awaits all matches of a round, so that they are those of one machine."""
    shared = {key: TABLE[key] for key in ("game", "seed", "strength", "value")}
    if name not in OWN:
        one = make_learner(read_config(shared | {"learner": name}))
        with pytest.raises(InvalidParameter, match=f"{name} plays in threads of one machine"):
            one.play_on(cluster.address)
        return
    config = read_config(shared | {"learner": name, "workers": WORKERS} | OWN[name])
    one = make_learner(config)
    one.play_on(cluster.address)
    seen = trained(one, 16)
    if name == "exit":  # of a network the last bits would differ, as its batches do
        assert [f.actions for f in seen] == [f.actions for f in trained(make_learner(config), 16)]


@pytest.mark.nightly
@pytest.mark.parametrize("name", OWN)
def test_networks_play_on_a_cluster(cluster: Any, name: str) -> None:
    """Each process imports PyTorch, which takes seconds."""
    pytest.importorskip("onnxruntime")
    network = {"architecture": "small", "filters": 4, "dense": 4}
    own = {"family": "network"} if name == "athenan" else {"family": "policy", "policy": "dense"}
    shared = {key: TABLE[key] for key in ("game", "seed", "strength")} | {"search": {"iterations": 8}}
    one = make_learner(
        read_config(shared | {"learner": name, "workers": WORKERS} | OWN[name] | {"value": network | own})
    )
    one.play_on(cluster.address)
    trained(one, 16)


def test_a_worker_that_is_killed_costs_its_matches_alone(cluster: Any, lost: list[Any]) -> None:
    import ray  # noqa: PLC0415

    one = learner(cluster)
    seen: list[int] = []

    def listen(finished: list[Finished]) -> None:
        seen.extend(match.progress.match for match in finished)
        if seen[-1] >= 5 and not lost:
            killed = next(iter(one.team._crew.members)).actor  # type: ignore[attr-defined]
            ray.kill(killed)
            with pytest.raises(ray.exceptions.RayActorError):
                while True:  # until it is dead: the matches that are left may take less time than that
                    ray.get(killed.__ray_ready__.remote())

    one.train(matches=30, listener=listen)
    assert seen == list(range(1, 31))
    assert lost


def test_a_node_that_dies_costs_its_matches_alone(
    cluster: Any, doomed: Any, lost: list[Any], tmp_path: Path
) -> None:
    """And the run goes on from its checkpoint."""
    run = Run.create(tmp_path / "run", small(workers=3))
    one = run.resume()
    one.play_on(cluster.address)
    killing: list[threading.Thread] = []
    noticed: list[int] = []

    def watch(status: Any) -> None:
        """It goes on until some matches after the loss, however long it takes until that is known."""
        if status.latest and not killing and not one.team._crew._arriving:  # type: ignore[attr-defined]
            killing.append(threading.Thread(target=cluster.remove_node, args=(doomed, False)))
            killing[0].start()
        if lost and not noticed:
            noticed.append(one.matches)
        if noticed and one.matches >= noticed[0] + 10:
            training.stop()

    training = Training(run, one, matches=10**9, observer=watch)
    training.go()
    killing[0].join()
    reached = one.matches
    assert reached >= noticed[0] + 10
    assert [row["match"] for row in run.matches()] == list(range(1, reached + 1))

    again = Run.open(run.path).resume()
    assert again.matches == reached
    again.play_on(cluster.address, 1)
    Training(run, again, matches=reached + 4).go()
    assert [row["match"] for row in run.matches()] == list(range(1, reached + 5))


def test_values_are_shared_once_a_version_and_old_rounds_are_played_again(
    cluster: Any, shared: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = learner(cluster, cluster={"refresh": 0.0, "stale": 1, "ahead": 4})
    begun = []
    submit = type(one.team).submit  # type: ignore[attr-defined]

    def submitting(team: Any, player: Any, numbers: range, *rest: Any) -> Any:
        begun.append(numbers[0])
        return submit(team, player, numbers, *rest)

    monkeypatch.setattr(type(one.team), "submit", submitting)  # type: ignore[attr-defined]
    trained(one, 20)
    assert 2 < len(shared) < len(begun)
    assert len(begun) > len(set(begun)), "of eight rounds in flight, some come back too old"


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)])
def test_a_signal_saves_a_training_on_a_cluster(cluster: Any, tmp_path: Path, number: int) -> None:
    path = tmp_path / "run"
    command = (sys.executable, "-m", "glaux", "train", GAME.text, "--run", str(path), "--on", cluster.address)
    settings = ("--workers", "2", "--minutes", "60", "--set", "strength.every=0", "--set", "warm_start=100")
    process = subprocess.Popen((*command, *settings), stdout=subprocess.DEVNULL)
    try:
        until(path / "matches.jsonl")
        process.send_signal(number)
        assert process.wait(240) == 128 + number
    finally:
        process.kill()
        process.wait()
    assert Run.open(path).resume().matches > 0


# What can be wrong


def test_an_address_that_is_none() -> None:
    for address in ("", "somewhere", "ray://", "host:99999", "http://host:80"):
        with pytest.raises(InvalidParameter, match="A cluster is 'local', 'auto', HOST:6379"):
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
    with pytest.raises(InvalidParameter, match="has joined the cluster"):
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
    with pytest.raises(GlauxError, match=r"has Glaux [\d.]+, and this is 0.0.1: install the same"):
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
