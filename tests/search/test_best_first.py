"""UBFM and Descent as things to use: memory, ties, lock-step, proven states, what the tree tells."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import InvalidParameter
from glaux.search.best_first import BestFirst
from glaux.search.registry import SEARCHES

CLASSES: list[Any] = [entry.search for entry in SEARCHES.values() if entry.proves]
KINDS = {kind for kind in CLASSES if issubclass(kind, BestFirst)}
OTHELLO = glaux.make("othello:size=6")


def noise() -> _core.Evaluator:
    return _core.NoiseValue()


@pytest.fixture(params=sorted(KINDS, key=str), ids=lambda c: c.__name__)
def kind(request: pytest.FixtureRequest) -> type[glaux.UBFM] | type[glaux.Descent]:
    return request.param


def test_the_public_face(kind: type[glaux.UBFM]) -> None:
    game = glaux.make("hex", size=4)
    tree = kind(game, noise(), seed=1).run(game.initial(), iterations=50)
    rows = tree.children()
    assert [row.action for row in rows] == game.actions(game.initial())
    assert sum(row.n for row in rows) >= 40
    assert tree.value == max(row.v for row in rows)
    assert tree.action in game.actions(game.initial())
    state = game.initial()
    for action in tree.principal_variation():
        state = game.apply(state, action)
    assert tree.principal_variation()
    states, values = tree.learnable()
    assert states.shape == (len(values), game.spec.state_size)
    assert states.dtype == np.uint8
    assert values.dtype == np.float32
    statistics = tree.statistics
    assert statistics.iterations == 50
    assert statistics.evaluations > statistics.expansions > 0
    assert 0 < statistics.depth <= game.spec.max_plies
    assert 0 < tree.bytes_used < 1 << 20


def test_values_of_functions_over_planes_and_states_agree() -> None:
    """The same value function through the three doors gives the same tree."""

    evaluator = noise()
    known: dict[bytes, float] = {}

    def by_states(states: np.ndarray) -> np.ndarray:
        values = evaluator.evaluate(OTHELLO.native, states)
        for planes, value in zip(OTHELLO.native.encode(states), values, strict=True):
            known[planes.tobytes()] = float(value)
        return values

    def by_planes(batch: np.ndarray) -> np.ndarray:
        return np.array([known[planes.tobytes()] for planes in batch])

    trees = [
        glaux.UBFM(OTHELLO, value, random_ties=False).run(OTHELLO.initial(), iterations=100)
        for value in (evaluator, glaux.OnStates(by_states), by_planes)
    ]
    assert trees[0].children() == trees[1].children() == trees[2].children()


# Memory


def test_running_out_of_memory_changes_no_value(kind: type[glaux.UBFM]) -> None:
    """The child for which there was no room keeps the value it had: noise, which is never 0."""
    for budget in range(60_000, 120_000, 3_000):
        search = kind(OTHELLO, noise(), memory=budget)
        tree = search.run(OTHELLO.initial(), seconds=600)
        assert tree.statistics.full
        _, _, _, _, _, (_, v, _, r, _) = search.native.dump()
        assert (v[r == 0] != 0).all()


def test_ten_thousand_searches_leave_no_memory_behind(kind: type[glaux.UBFM]) -> None:
    def some(count: int) -> None:
        for seed in range(count):
            kind(OTHELLO, noise(), seed=seed).run(OTHELLO.initial(), iterations=3).learnable()

    some(1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    some(10_000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 4 << 10, f"{grown} KiB"


# Ties, seeds, lock-step


def test_ties_are_broken_evenly() -> None:
    """With values all equal every first action is chosen about equally often."""
    game = glaux.make("othello")
    chosen = [glaux.UBFM(game, seed=seed).run(game.initial(), seconds=0).action for seed in range(2000)]
    counts = np.unique(chosen, return_counts=True)[1]
    assert len(counts) == 4
    assert np.abs(counts - 500).max() < 5 * np.sqrt(2000 * 0.25 * 0.75)


def test_lock_step_is_as_one_by_one(kind: type[glaux.UBFM]) -> None:
    states = [OTHELLO.initial(), OTHELLO.play("c2"), OTHELLO.play("c2 b2")]
    alone = [kind(OTHELLO, noise(), seed=i).run(s, iterations=40).children() for i, s in enumerate(states)]
    batches = []

    def recording(batch: np.ndarray) -> np.ndarray:
        batches.append(len(batch))
        return noise().evaluate(OTHELLO.native, batch)

    searches = [kind(OTHELLO, glaux.OnStates(recording), seed=i) for i in range(3)]
    together = [tree.children() for tree in glaux.run_many(searches, states, iterations=40)]
    assert together == alone
    single = kind(OTHELLO, noise(), seed=0).run(states[0], iterations=40).statistics
    assert len(batches) < 2 * single.expansions, "one batch for all in a round"


def test_lock_step_needs_one_game(kind: type[glaux.UBFM]) -> None:
    other = glaux.make("hex", size=3)
    with pytest.raises(InvalidParameter, match="same game"):
        glaux.run_many([kind(OTHELLO), kind(other)], [OTHELLO.initial(), other.initial()], iterations=1)
    with pytest.raises(InvalidParameter, match="one state for each"):
        glaux.run_many([kind(OTHELLO)], [], iterations=1)


# Tables across moves and matches


def test_the_table_lives_through_a_match(kind: type[glaux.UBFM]) -> None:
    search = kind(OTHELLO, noise(), seed=3)
    tree = search.run(OTHELLO.initial(), iterations=300)
    child = OTHELLO.apply(OTHELLO.initial(), tree.action)
    known = sum(row.n for row in tree.children(child))
    assert known > 0
    again = search.run(child, iterations=1)
    assert sum(row.n for row in again.children()) >= known
    search.clear()
    assert search.run(child, seconds=0).statistics.expansions == 1


def test_proven_states_can_be_kept_across_matches(kind: type[glaux.UBFM]) -> None:
    game = glaux.make("othello:size=4")
    search = kind(game, seed=1)
    effort = search.run(game.initial(), seconds=600).statistics.expansions
    search.clear_but_resolved(100_000)
    tree = search.run(game.initial(), seconds=600)
    assert tree.resolved
    assert tree.value == -1
    assert tree.statistics.expansions < effort / 4
    search.clear_but_resolved(1)
    assert search.run(game.initial(), seconds=600).statistics.expansions > 5
    search.clear()
    assert search.native.bytes == 0
    with pytest.raises(InvalidParameter):
        search.clear_but_resolved(-1)


def test_a_match_that_comes_to_a_state_proven_before(kind: type[glaux.UBFM]) -> None:
    # The proof does not say which action keeps it: the state is searched again, and the search ends.
    game = glaux.make("othello:size=4")
    search = kind(game, seed=1)
    search.run(game.initial(), seconds=600)
    search.clear_but_resolved(100_000)
    state = game.initial()
    while not game.terminal(state):
        tree = search.run(state, iterations=10_000)
        assert tree.resolved
        state = game.apply(state, tree.action)
    assert game.outcome(state) == -1


def test_proven_states_can_be_saved(kind: type[glaux.UBFM]) -> None:
    game = glaux.make("othello:size=4")
    search = kind(game, seed=1)
    effort = search.run(game.initial(), seconds=600).statistics.expansions
    search.clear_but_resolved(100_000)
    states, v, c = search.native.proven()
    assert len(states) == len(v) == len(c) > 100
    other = kind(game, seed=2)
    other.native.add_proven(states, v, c)
    assert [a.tobytes() for a in other.native.proven()] == [a.tobytes() for a in (states, v, c)]
    tree = other.run(game.initial(), seconds=600)
    assert tree.resolved and tree.value == -1
    assert tree.statistics.expansions < effort / 4
    with pytest.raises(InvalidParameter, match="needs its v and c"):
        other.native.add_proven(states, v[1:], c)


def test_where_all_is_proven_the_safest_action_is_the_best() -> None:
    """In a game for a score nobody wins; here the most visited action is one point worse than the best."""
    game = glaux.make("morpion:bound=0,length=4,sheet=9,touching=0")
    board = "...e.m.../..ebnbf../...m.e.m./eambnbnae/.e.m.o.a./bbnbndjb./.i.e.o.../...aic.../...i..... X 14"
    state = game.parse_state(board)
    for decision in ("best", "safest", "safest_or_draw"):
        search = glaux.UBFM(game, _core.ZeroValue(), decision=decision, seed=11)
        tree = search.run(state, seconds=600)
        assert tree.resolved and tree.value == 20
        after = glaux.UBFM(game, _core.ZeroValue()).run(game.apply(state, tree.action), seconds=600)
        assert after.resolved and after.value == 20, decision


# Ctrl-C


@pytest.mark.parametrize(
    "game, search, start",
    [
        ("othello", "glaux.UBFM(g, _core.NoiseValue())", ""),
        ("othello", "glaux.UBFM(g, _core.NoiseValue(), threads=2)", ""),
        # One value takes all the time, in every thread.
        ("othello", "glaux.MCTS(g, _core.PlayoutValue(10**9, 0), threads=2)", ""),
        # Without completion the walk ends in the winning state for ever, and needs no values.
        ("connect_four:rows=4,columns=4,length=3", "glaux.UBFM(g, completion=False)", "1 2 1 2"),
    ],
)
def test_an_interrupt_ends_a_search_at_once(game: str, search: str, start: str) -> None:
    """All is imported before: an interrupt of dataclasses' own exec() is an exit by the signal for Python."""
    program = (
        "import glaux\n"
        "from glaux import _core\n"
        f"g = glaux.make('{game}')\n"
        f"search, start = {search}, g.play('{start}')\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    search.run(start, seconds=1000)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while process.stdout.readline() != "ready\n":
            assert process.poll() is None
        time.sleep(0.3)
        begun = time.perf_counter()
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.perf_counter() - begun < 240
        assert process.wait(240) == 0
