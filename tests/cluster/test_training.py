"""Training runs on a real cluster: every learner, and whoever is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import glaux
from glaux.cluster.crew import Crew
from glaux.errors import InvalidParameter
from glaux.learn.learner import Finished, Learner
from glaux.learn.registry import LEARNERS, make_learner, read_config
from glaux.learn.run import Run
from glaux.learn.training import Training
from tests.cluster.jobs import until
from tests.cluster.nodes import WORKERS
from tests.learn.small import TABLE, small

pytestmark = pytest.mark.slow
GAME = glaux.make(TABLE["game"])
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
