"""Many searches in lock-step: what they find, the batches, failures, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import State, _core
from glaux.errors import BrokenValue, InvalidParameter
from glaux.search.lockstep import LockStep
from glaux.search.registry import SEARCHES, make_search
from glaux.search.search import Search

GAME = glaux.make("othello:size=6")
LEARNING = [name for name, entry in SEARCHES.items() if entry.learns]


def noise(states: np.ndarray) -> np.ndarray:
    return _core.NoiseValue().evaluate(GAME.native, np.ascontiguousarray(states))


class Recording:
    """A value function over states that notes its batches, and fails when told to."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.threads: set[int] = set()
        self.fail: Any = None

    def __call__(self, states: np.ndarray) -> np.ndarray:
        self.batches.append(len(states))
        self.threads.add(threading.get_ident())
        if self.fail is not None:
            failing, self.fail = self.fail, None
            return failing(states)
        return noise(states)


def play(
    lockstep: LockStep[int] | None, searches: list[Search], plies: int = 4, *, retry: bool = False
) -> list[list[tuple[int, float, bytes]]]:
    """A short match by each search; what it played and found, and all that there is to learn."""
    found: list[list[tuple[int, float, bytes]]] = [[] for _ in searches]

    def note(i: int, tree: glaux.Tree) -> State:
        found[i].append((tree.action, tree.value, tree.learnable()[1].tobytes()))
        return GAME.apply(tree.root, tree.action)

    limits: dict[str, Any] = {"evaluations": 60, "whole": True}
    if lockstep is None:
        for i, search in enumerate(searches):
            state = GAME.initial()
            for _ in range(plies):
                state = note(i, search.run(state, **limits))
        return found
    for i, search in enumerate(searches):
        lockstep.start(i, search, GAME.initial(), **limits)
    while len(lockstep):
        try:
            for i, tree in lockstep.finished():
                state = note(i, tree)
                if len(found[i]) < plies:
                    lockstep.start(i, tree.search, state, **limits)
        except BrokenValue:
            assert retry
    return found


def searches(count: int = 12) -> list[Search]:
    return [
        make_search(LEARNING[i % len(LEARNING)], GAME, glaux.OnStates(noise), {"seed": i})
        for i in range(count)
    ]


@pytest.mark.parametrize("parts", [1, 2, 3])
@pytest.mark.parametrize("background", [False, True])
def test_matches_in_lock_step_are_as_matches_alone(parts: int, background: bool) -> None:
    value = Recording()
    lockstep: LockStep[int] = LockStep(glaux.OnStates(value), parts=parts, background=background)
    assert play(lockstep, searches()) == play(None, searches())
    assert lockstep.batches == len(value.batches)
    assert lockstep.mean_batch == np.mean(value.batches)
    assert lockstep.mean_batch > 15 / parts
    assert (threading.get_ident() in value.threads) != (background and parts > 1)


def test_a_native_value_needs_no_batches() -> None:
    lockstep: LockStep[int] = LockStep(_core.NoiseValue())
    assert play(lockstep, searches()) == play(None, searches())


@pytest.mark.parametrize("background", [False, True])
def test_a_failing_value_function_leaves_every_search_usable(background: bool) -> None:
    expected = play(None, searches())

    def raising(states: np.ndarray) -> np.ndarray:
        raise ValueError("on purpose")

    for failing in (lambda states: states[:, 0] * np.nan, lambda states: states[:1, 0] * 1.0):
        value = Recording()
        lockstep: LockStep[int] = LockStep(glaux.OnStates(value), background=background)
        value.fail = failing
        assert play(lockstep, searches(), retry=True) == expected
    value = Recording()
    lockstep = LockStep(glaux.OnStates(value), background=background)
    value.fail = raising
    mine = searches()
    with pytest.raises(ValueError, match="on purpose"):
        play(lockstep, mine)
    # Elsewhere they begin anew.
    lockstep.close()
    for search in mine:
        search.begin_match(0)
        assert search.run(GAME.initial(), evaluations=60).action in GAME.actions(GAME.initial())


def test_the_value_function_can_be_exchanged() -> None:
    first, second = Recording(), Recording()
    lockstep: LockStep[int] = LockStep(glaux.OnStates(first))
    for i, search in enumerate(searches(4)):
        lockstep.start(i, search, GAME.initial(), evaluations=50)
    lockstep.run()
    lockstep.settle()
    before = len(first.batches)
    lockstep.value = glaux.OnStates(second)
    assert len(list(lockstep.finished())) < 4
    assert len(first.batches) == before and second.batches


def test_a_search_can_be_taken_out() -> None:
    lockstep: LockStep[str] = LockStep(glaux.OnStates(noise))
    lockstep.start("long", glaux.Descent(GAME), GAME.initial(), iterations=10**9)
    lockstep.start("short", glaux.Descent(GAME), GAME.initial(), iterations=5)
    assert [key for key, _ in lockstep.run()] == ["short"]
    lockstep.stop("long")
    assert list(lockstep.finished()) == [] and len(lockstep) == 0


def test_mistakes_are_told() -> None:
    lockstep: LockStep[int] = LockStep(glaux.OnStates(noise))
    search = glaux.Descent(GAME)
    lockstep.start(1, search, GAME.initial(), iterations=5)
    with pytest.raises(InvalidParameter, match="still running"):
        lockstep.start(1, glaux.Descent(GAME), GAME.initial(), iterations=5)
    with pytest.raises(InvalidParameter, match="one state at a time"):
        lockstep.start(2, search, GAME.initial(), iterations=5)
    other = glaux.make("hex:size=3")
    with pytest.raises(InvalidParameter, match="same game"):
        lockstep.start(2, glaux.Descent(other), other.initial(), iterations=5)
    with pytest.raises(InvalidParameter, match="needs a limit"):
        lockstep.start(2, glaux.Descent(GAME), GAME.initial())
    with pytest.raises(InvalidParameter, match="is not running"):
        lockstep.stop(2)
    with pytest.raises(InvalidParameter, match="1 to 1024 parts"):
        LockStep(glaux.OnStates(noise), parts=0)
    lockstep.close()
    with pytest.raises(InvalidParameter, match="closed"):
        lockstep.run()


@pytest.mark.parametrize("background", [False, True])
def test_batches_are_evaluated_while_the_other_part_works(background: bool) -> None:
    """Searches ask what ends are worth while they work: then a batch may be on its way."""
    evaluating, seen = False, list[bool]()

    def sleeping(states: np.ndarray) -> np.ndarray:
        nonlocal evaluating
        evaluating = True
        time.sleep(0.05 if background and not any(seen) else 0.001)
        evaluating = False
        return np.zeros(len(states))

    def worth(data: bytes, result: int) -> float:
        seen.append(evaluating)
        return float(result)

    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    lockstep: LockStep[int] = LockStep(glaux.OnStates(sleeping), background=background)
    for i in range(8):
        search = glaux.Descent(game, seed=i, terminal_value=_core.PythonTerminalValue("worth", worth))
        lockstep.start(i, search, game.initial(), evaluations=200)
    assert len(list(lockstep.finished())) == 8
    assert any(seen) == background and not all(seen)


def test_an_interrupt_comes_out_at_once() -> None:
    script = textwrap.dedent(
        """
        import time, sys
        import numpy as np
        import glaux
        from glaux.search.lockstep import LockStep

        def slow(states):
            time.sleep(0.01)
            return np.zeros(len(states))

        game = glaux.make("othello:size=6")
        lockstep = LockStep(glaux.OnStates(slow), background=sys.argv[1] == "True")
        for i in range(8):
            lockstep.start(i, glaux.Descent(game), game.initial(), iterations=10**9)
        try:
            print("ready", flush=True)
            lockstep.run()
        except KeyboardInterrupt:
            print("interrupted", len(lockstep), flush=True)
        """
    )
    for background in (True, False):
        child = subprocess.Popen(
            [sys.executable, "-c", script, str(background)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        os.kill(child.pid, signal.SIGINT)
        rest, _ = child.communicate(timeout=240)  # the searches would take far longer
        assert rest == "interrupted 8\n" and child.returncode == 0
