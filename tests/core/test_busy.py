"""Who may use what at the same time: the contract of docs/threads.md, with threads and with value functions
that use the search that asks them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import Busy, InvalidParameter, InvalidState
from glaux.search.lockstep import LockStep
from glaux.search.registry import SEARCHES, make_search
from glaux.search.search import Search
from glaux.values.ntuple import NTupleNetwork

GAME = glaux.make("hex", size=4)
ROOT = GAME.initial()
by_search = pytest.mark.parametrize("name", list(SEARCHES))
USES: dict[str, Callable[[Search], object]] = {
    "run": lambda search: search.run(ROOT, iterations=1),
    "clear": lambda search: search.clear(),
    "begin_match": lambda search: search.begin_match(1),
    "start": lambda search: search.native.start(ROOT, _core.Limits()),
    "decision": lambda search: search.native.decision(),
    "children": lambda search: search.native.children(ROOT),
    "choices": lambda search: search.native.choices(ROOT),
    "value": lambda search: search.native.value(ROOT),
    "resolved": lambda search: search.native.resolved(ROOT),
    "principal_variation": lambda search: search.native.principal_variation(ROOT),
    "learnable": lambda search: search.native.learnable(),
    "bytes": lambda search: search.native.bytes,
    "statistics": lambda search: search.native.statistics,
}


def asking(search: list[Search], use: Callable[[Search], object], errors: list[Exception]) -> Any:
    """A value function that uses the search by which it is asked."""

    def function(planes: Any) -> Any:
        try:
            use(search[0])
        except Exception as error:
            errors.append(error)
        return np.zeros(len(planes), np.float32)

    return function


@by_search
@pytest.mark.parametrize("use", list(USES))
def test_a_value_function_can_not_use_its_own_search(name: str, use: str) -> None:
    found: list[Search] = []
    errors: list[Exception] = []
    found.append(make_search(name, GAME, asking(found, USES[use], errors)))
    tree = found[0].run(ROOT, iterations=5)
    assert tree.action in GAME.actions(ROOT)
    assert errors and all(isinstance(error, Busy) for error in errors)
    assert "is running" in str(errors[0])


@by_search
def test_a_search_in_two_threads(name: str) -> None:
    """One of them gets an error, the other its answer, and the search is as before."""
    inside, go_on = threading.Event(), threading.Event()

    def slow(planes: Any) -> Any:
        inside.set()
        assert go_on.wait(240)
        return np.zeros(len(planes), np.float32)

    search = make_search(name, GAME, slow)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(search.run, ROOT, iterations=3)
        assert inside.wait(240)
        for use in USES.values():
            with pytest.raises(Busy):
                use(search)
        go_on.set()
        assert running.result().action in GAME.actions(ROOT)
    assert search.run(ROOT, iterations=3).children()


@by_search
def test_many_threads_that_share_what_they_should_not(name: str) -> None:
    search = make_search(name, GAME)
    answers: list[object] = []

    def work(number: int) -> None:
        for _ in range(30):
            try:
                answers.append(search.run(ROOT, iterations=3).action)
                if number == 0:
                    search.clear()
            except (Busy, InvalidState) as error:  # another one has cleared it before it was read
                answers.append(error)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(answers) == 120
    assert search.run(ROOT, iterations=5).action in GAME.actions(ROOT)


def test_a_search_twice_in_one_call() -> None:
    search = glaux.UBFM(GAME)
    with pytest.raises(Busy):
        glaux.run_many([search, search], [ROOT, ROOT], iterations=3)
    assert search.run(ROOT, iterations=3)


def test_a_search_in_lock_step_is_held() -> None:
    search = glaux.UBFM(GAME)
    first: LockStep[int] = LockStep(None, parts=1)
    second: LockStep[int] = LockStep(None, parts=1)
    first.start(0, search, ROOT, iterations=3)
    for use in ("run", "clear", "begin_match", "start"):
        with pytest.raises(Busy, match="lock-step"):
            USES[use](search)
    with pytest.raises(Busy):
        second.start(0, search, ROOT, iterations=3)
    with pytest.raises(InvalidParameter):
        second.native.add(search.native)
    assert [key for key, _ in first.run()] == [0]
    second.start(0, search, ROOT, iterations=3)
    second.close()
    assert search.run(ROOT, iterations=3)


@pytest.mark.parametrize("background", [False, True])
def test_a_value_function_can_not_use_its_own_lock_step(background: bool) -> None:
    errors: list[Exception] = []
    found: list[LockStep[int]] = []
    uses: list[Callable[[LockStep[int]], object]] = [
        lambda lockstep: lockstep.run(),
        lambda lockstep: lockstep.settle(),
        lambda lockstep: lockstep.native.close(),
        lambda lockstep: lockstep.stop(0),
        lambda lockstep: setattr(lockstep, "value", None),
    ]

    def function(planes: Any) -> Any:
        for use in uses:
            try:
                use(found[0])
            except Exception as error:
                errors.append(error)
        return np.zeros(len(planes), np.float32)

    lockstep: LockStep[int] = LockStep(function, parts=2, background=background)
    found.append(lockstep)
    for number in range(4):
        lockstep.start(number, glaux.UBFM(GAME), ROOT, iterations=3)
    lockstep.native.settle()
    over = dict(lockstep.finished())
    assert set(over) == set(range(4)) and lockstep.batches > 0
    assert errors and all(isinstance(error, Busy | InvalidParameter | KeyError) for error in errors)
    lockstep.close()


def test_searches_of_other_games_do_not_come_into_lock_step() -> None:
    native = _core.LockStep(_core.ZeroValue(), 1, False)
    for game in (GAME, glaux.make("hex", size=5), glaux.make("hex", size=4, mobility=True)):
        search = glaux.UBFM(game).native
        search.start(game.initial(), _core.Limits())
        if game is GAME:
            native.add(search)
            continue
        with pytest.raises(InvalidParameter, match="same game"):
            native.add(search)
        with pytest.raises(InvalidParameter, match="same game"):
            _core.run([([glaux.UBFM(GAME).native, search], _core.ZeroValue())])


def test_a_search_stays_alive_in_lock_step() -> None:
    native = _core.LockStep(_core.NoiseValue(), 1, False)
    limits = _core.Limits()
    limits.iterations = 5
    for _ in range(8):
        search = glaux.UBFM(GAME).native
        search.start(ROOT, limits)
        native.add(search)
        del search
    over: set[int] = set()
    while len(over) < 8:
        over |= set(native.run())
    assert over == set(range(8))


def test_games_states_and_networks_are_for_all_threads() -> None:
    network = NTupleNetwork(GAME, count=20, length=3, seed=1)
    expected = network.evaluate(GAME.expand(ROOT).children)

    def work(seed: int) -> bool:
        search = glaux.UBFM(GAME, network, seed=seed)
        state = ROOT
        while not GAME.terminal(state):
            state = GAME.apply(state, search.run(state, iterations=20).action)
        return bool((network.evaluate(GAME.expand(ROOT).children) == expected).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


def test_networks_learn_in_all_threads() -> None:
    network = NTupleNetwork(GAME, count=20, length=3, seed=1)
    states = GAME.expand(ROOT).children

    def work(number: int) -> None:
        for _ in range(50):
            if number % 2:
                network.native.has_counters  # noqa: B018 (a thread may be making them)
                network.native.counters()
            network.fit(states, np.full(len(states), 0.5), seed=number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert np.isfinite(network.evaluate(states)).all()


def test_random_matches_are_for_one_search() -> None:
    """Equal seeds give equal values, so nobody else may draw from them meanwhile."""
    found: list[_core.PlayoutValue] = []
    errors: list[Exception] = []

    def worth(*_: object) -> float:
        try:
            found[0].evaluate(GAME.native, GAME.array(ROOT))
        except Busy as error:
            errors.append(error)
        return 1.0

    found.append(_core.PlayoutValue(2, 1, _core.PythonTerminalValue("mine", worth)))
    assert found[0].evaluate(GAME.native, GAME.array(ROOT)).tolist() == [1.0]
    assert len(errors) == 2


def test_a_learner_trains_once_at_a_time() -> None:
    found: list[_core.TdLearner] = []
    errors: list[Exception] = []

    def worth(*_: object) -> float:
        try:
            found[0].run(0, 1)
        except Busy as error:
            errors.append(error)
        return 1.0

    network = _core.NTuple(GAME.native, [[0, 1]], _core.NTupleOptions())
    heuristic = _core.PythonTerminalValue("mine", worth)
    found.append(_core.TdLearner(GAME.native, network, heuristic, _core.TdOptions()))
    assert found[0].run(0, 2).episodes == 2
    assert errors


def test_arrays_that_a_value_function_keeps_stay_as_they_were() -> None:
    kept: list[tuple[Any, ...]] = []
    copies: list[tuple[Any, ...]] = []

    class Keeping:
        planes = True

        def answer(self, batch: Any) -> Any:
            arrays = (batch.states, batch.planes, batch.actions, batch.offsets)
            kept.append(arrays)
            copies.append(tuple(array.copy() for array in arrays))
            return glaux.search.door.Answer(np.zeros(len(batch), np.float32))

    for value in (Keeping(), Keeping()):
        glaux.MCTS(GAME, policy=value).run(ROOT, iterations=30)
        glaux.UBFM(GAME, value).run(ROOT, iterations=30)
    assert len(kept) > 50
    for arrays, expected in zip(kept, copies, strict=True):
        assert all((array == copy).all() for array, copy in zip(arrays, expected, strict=True))


def test_arrays_that_nobody_keeps_use_the_same_memory() -> None:
    places: list[int] = []

    def function(planes: Any) -> Any:
        places.append(planes.ctypes.data)
        return planes[:, 0].mean((1, 2))

    glaux.UBFM(GAME, function).run(ROOT, iterations=30)
    assert len(set(places)) < len(places) / 4


def test_a_value_function_may_give_what_it_was_given() -> None:
    def function(planes: Any) -> Any:
        return planes[:, 0, 0, 0]

    tree = glaux.UBFM(GAME, function).run(ROOT, iterations=50)
    assert np.isfinite(tree.value)
