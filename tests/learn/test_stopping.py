"""A training that is stopped and resumed is the one that was never stopped."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import GlauxError
from glaux.learn.config import Config
from glaux.learn.learner import Learner
from glaux.learn.registry import LEARNERS, read_config
from glaux.learn.run import Run
from glaux.learn.stopping import Stopped, checked, signals_ask
from glaux.learn.training import Training
from glaux.search.best_first import UBFM
from tests.learn.small import TABLE, small

MATCHES = {"athenan": 30, "td": 3000}


def of(learner: str, **changes: Any) -> Config:
    """A small training by any learner."""
    known = LEARNERS[learner].config_type.names()
    table = {key: value for key, value in TABLE.items() if key in known}
    for name, section in LEARNERS[learner].config_type.sections().items():
        if name in table and name != "value":  # what its section has not
            fitting = {f.name for f in fields(section)}
            table[name] = {key: value for key, value in table[name].items() if key in fitting}
    return read_config(table | {"learner": learner} | changes)


def until(happened: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 240
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def standing(learner: Learner) -> dict[str, Any]:
    """All that decides how a training goes on."""
    plain, arrays = learner.state()
    value = {f"value.{name}": array for name, array in learner.value.weights().items()}
    found = {name: np.asarray(array).tobytes() for name, array in (arrays | value).items()}
    del plain["elapsed"]
    return plain | found | {"learned": learner.value.learned}


@pytest.mark.parametrize("name", LEARNERS)
def test_stopped_and_resumed_it_is_the_same(name: str, tmp_path: Path) -> None:
    goal = MATCHES.get(name, 30)
    whole, parts = Run.create(tmp_path / "whole", of(name)), Run.create(tmp_path / "parts", of(name))
    Training(whole, whole.resume(), matches=goal).go()
    for attempt in range(200):
        training = Training(parts, parts.resume(), matches=goal)
        # Stopped as soon as it begins, then later and later: at last it has time enough on any machine.
        timer = threading.Timer(0.003 * 1.15**attempt, training.stop)
        if attempt == 0:
            training.stop()
        timer.start()
        training.go()
        timer.cancel()
        reached = training.learner.matches
        assert parts.resume().matches == reached
        for rows in (list(parts.matches()), [r for r in parts.metrics() if r["kind"] == "match"]):
            assert max((row["match"] for row in rows), default=0) == reached
        if reached == goal:
            break
    assert attempt > 0
    assert standing(parts.resume()) == standing(whole.resume())
    if name == "athenan":
        assert list(parts.matches()) == list(whole.matches())


@pytest.mark.parametrize("team", [{}, {"lockstep": 3}, {"workers": 2}, {"processes": True}], ids=str)
def test_a_long_search_is_left_at_once(team: dict[str, Any], tmp_path: Path) -> None:
    config = small(
        game="breakthrough",
        search={"algorithm": "ubfm", "seconds": 3600.0, "memory": 64},
        warm_start=0,
        **team,
    )
    run = Run.create(tmp_path / "run", config)
    training = Training(run, run.resume(), matches=5)
    thread = threading.Thread(target=training.go)
    thread.start()
    time.sleep(1)
    training.stop()
    thread.join(240)  # the search would take an hour
    assert not thread.is_alive()
    assert run.resume().matches == 0


def test_a_warm_start_is_not_saved_by_half(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", small(warm_start=40_000))
    training = Training(run, run.resume(), matches=1)
    training._observer = lambda status: training.stop()  # after the first half
    training.go()
    assert run.latest() is None
    learner = run.resume()
    assert (learner.matches, learner.elapsed, learner.value.learned) == (0, 0.0, 0)


def test_an_abandoned_match_leaves_no_proofs() -> None:
    learner = LEARNERS["athenan"](small())
    learner.train(matches=4)
    before = standing(learner)
    [worker] = learner.team.workers  # type: ignore[attr-defined]
    played: list[int] = []

    def check() -> None:
        played.append(1)
        if len(played) == 4:
            raise Stopped

    worker._check = check
    with pytest.raises(Stopped):
        worker.play(None, [5], 0.5)
    assert len(played) == 4
    assert standing(learner) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_ask_and_come_out_at_the_end(number: int) -> None:
    asked: list[int] = []
    before = signal.getsignal(number)
    ending = pytest.raises(KeyboardInterrupt if number == signal.SIGINT else SystemExit)
    with ending, signals_ask(lambda: asked.append(1)):
        os.kill(os.getpid(), number)
        until(lambda: asked)
        assert len(asked) == 1
        asked.append(2)
    assert asked == [1, 2] and signal.getsignal(number) == before


def test_handlers_of_the_program_stay() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: seen.append(number))
    try:
        with signals_ask(lambda: pytest.fail("nobody asked for this")):
            os.kill(os.getpid(), signal.SIGTERM)
            until(lambda: seen)
    finally:
        signal.signal(signal.SIGTERM, before)
    handler = signal.getsignal(signal.SIGINT)
    inside: list[Any] = []

    def elsewhere() -> None:
        with signals_ask(lambda: None):
            inside.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert inside == [handler]


def test_what_a_check_raises_ends_a_search() -> None:
    game = glaux.make("breakthrough")

    def fail() -> None:
        raise GlauxError("enough")

    search = UBFM(game, lambda states: np.zeros(len(states)))
    with pytest.raises(GlauxError, match="enough"), checked(fail):
        search.run(game.initial(), seconds=60)
    assert search.run(game.initial(), iterations=5).statistics.iterations == 5


HANGING = """
import sys, time
from glaux.learn.stopping import signals_ask
with signals_ask(lambda: print("asked", flush=True)):
    print("ready", flush=True)
    while True:
        time.sleep(0.01)
"""


def test_a_second_ctrl_c_ends_at_once() -> None:
    with Popen([sys.executable, "-c", HANGING], stdout=PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for line in ("ready\n", "asked\n"):
                assert process.stdout.readline() == line
                process.send_signal(signal.SIGINT)
            assert process.wait(240) == 130
        finally:
            process.kill()
