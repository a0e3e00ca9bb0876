"""UBFM and Descent as things to use: limits, memory, faults, lock-step, what the tree tells."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import BrokenValue, GlauxError, InvalidParameter, InvalidState

SEARCHES = [glaux.UBFM, glaux.Descent]
OTHELLO = glaux.make("othello:size=6")


def noise() -> _core.Evaluator:
    return _core.NoiseValue()


@pytest.fixture(params=SEARCHES, ids=lambda c: c.__name__)
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


@pytest.mark.parametrize("limit", [{"iterations": 30}, {"evaluations": 500}, {"seconds": 0.05}])
def test_limits_are_kept(kind: type[glaux.UBFM], limit: dict[str, float]) -> None:
    begun = time.perf_counter()
    tree = kind(OTHELLO, noise()).run(OTHELLO.initial(), **limit)
    taken = time.perf_counter() - begun
    if "iterations" in limit:
        assert tree.statistics.iterations == 30
    if "evaluations" in limit:
        most_in_an_iteration = 40 * OTHELLO.spec.max_actions
        assert 500 <= tree.statistics.evaluations < 500 + most_in_an_iteration
    if "seconds" in limit:
        assert taken >= 0.05
    assert tree.action in OTHELLO.actions(OTHELLO.initial())


def test_no_time_at_all_still_gives_an_answer(kind: type[glaux.UBFM]) -> None:
    tree = kind(OTHELLO, noise()).run(OTHELLO.initial(), seconds=0)
    assert tree.statistics.expansions == 1
    assert tree.action in OTHELLO.actions(OTHELLO.initial())


@pytest.mark.parametrize(
    "limits", [{}, {"seconds": -1}, {"seconds": float("nan")}, {"iterations": -1}, {"evaluations": 2**63}]
)
def test_impossible_limits(kind: type[glaux.UBFM], limits: dict[str, float]) -> None:
    with pytest.raises(InvalidParameter):
        kind(OTHELLO).run(OTHELLO.initial(), **limits)


def test_wrong_arguments(kind: type[glaux.UBFM]) -> None:
    with pytest.raises(InvalidParameter, match="did you mean 'safest'"):
        kind(OTHELLO, decision="safe")
    with pytest.raises(InvalidParameter, match="value function"):
        kind(OTHELLO, 3.5)
    with pytest.raises(GlauxError, match="seed"):
        kind(OTHELLO, seed=-1)
    hexes = glaux.make("hex", size=3)
    with pytest.raises(InvalidState, match="belongs to hex"):
        kind(OTHELLO).run(hexes.initial(), iterations=1)
    over = OTHELLO.states(OTHELLO.playouts(OTHELLO.initial()))[0]
    with pytest.raises(InvalidState, match="The match is over"):
        kind(OTHELLO).run(over, iterations=1)


# A value function that fails


class Mine(Exception):
    """An exception of the user's."""


def failing_after(calls: int, failure: object) -> glaux.OnStates:
    count = 0

    def value(states: np.ndarray) -> object:
        nonlocal count
        count += 1
        if count > calls:
            if isinstance(failure, Exception):
                raise failure
            return failure
        return np.zeros(len(states), dtype=np.float32)

    return glaux.OnStates(value)


@pytest.mark.parametrize(
    "failure, error, sentence",
    [
        (Mine("mine"), Mine, "mine"),
        (np.full(1, np.nan), BrokenValue, "not a finite number|gave 1 values"),
        (np.zeros(99), BrokenValue, r"gave 99 values for \d+ states"),
        ("text", BrokenValue, "must give an array of .* not str"),
        (None, BrokenValue, "must give an array of .* not NoneType"),
    ],
)
@pytest.mark.parametrize("calls", [0, 7])
def test_a_failing_value_function(
    kind: type[glaux.UBFM], calls: int, failure: object, error: type[Exception], sentence: str
) -> None:
    search = kind(OTHELLO, failing_after(calls, failure))
    with pytest.raises(error, match=sentence):
        search.run(OTHELLO.initial(), iterations=1000)
    # The search is as it was before the failure: it can go on with a value function that works.
    search.value = noise()
    tree = search.run(OTHELLO.initial(), iterations=20)
    assert tree.action in OTHELLO.actions(OTHELLO.initial())
    assert all(np.isfinite(row.v) for row in tree.children())


def test_not_a_number_is_refused(kind: type[glaux.UBFM]) -> None:
    for wrong in (np.nan, np.inf, -np.inf):
        search = kind(OTHELLO, glaux.OnStates(lambda states, wrong=wrong: np.full(len(states), wrong)))
        with pytest.raises(BrokenValue, match="not a finite number"):
            search.run(OTHELLO.initial(), iterations=10)


# Memory


def test_the_memory_budget_is_kept(kind: type[glaux.UBFM]) -> None:
    budget = 1 << 20
    search = kind(OTHELLO, noise(), memory=budget)
    tree = search.run(OTHELLO.initial(), seconds=5)
    assert tree.statistics.full
    assert budget / 2 < tree.bytes_used <= budget
    assert tree.action in OTHELLO.actions(OTHELLO.initial())
    # A full table still answers, also for a state that is not in it.
    state = OTHELLO.states(OTHELLO.playouts(OTHELLO.initial()))[0]
    late = OTHELLO.initial()
    for _ in range(12):
        late = OTHELLO.apply(late, OTHELLO.actions(late)[-1])
    assert OTHELLO.terminal(state)
    assert search.run(late, iterations=3).action in OTHELLO.actions(late)
    assert search.native.bytes <= budget * 1.25


def test_running_out_of_memory_changes_no_value(kind: type[glaux.UBFM]) -> None:
    """The child for which there was no room keeps the value it had: noise, which is never 0."""
    for budget in range(60_000, 120_000, 3_000):
        search = kind(OTHELLO, noise(), memory=budget)
        tree = search.run(OTHELLO.initial(), seconds=5)
        assert tree.statistics.full
        _, _, _, _, _, (_, v, _, r, _) = search.native.dump()
        assert (v[r == 0] != 0).all()


def test_a_budget_of_one_page_is_refused(kind: type[glaux.UBFM]) -> None:
    with pytest.raises(InvalidParameter, match="needs a memory budget of at least"):
        kind(glaux.make("hex"), memory=4096)
    with pytest.raises(InvalidParameter, match="impossible"):
        kind(OTHELLO, memory=0)


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


def test_equal_seeds_give_equal_trees(kind: type[glaux.UBFM]) -> None:
    def tree(seed: int) -> bytes:
        return kind(OTHELLO, seed=seed).run(OTHELLO.initial(), iterations=200).learnable()[0].tobytes()

    assert tree(5) == tree(5)
    assert any(tree(5) != tree(seed) for seed in range(6, 12)), "ties are broken at random"


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
    with pytest.raises(InvalidParameter, match="needs its state"):
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
    effort = search.run(game.initial(), seconds=20).statistics.expansions
    search.clear_but_resolved(100_000)
    tree = search.run(game.initial(), seconds=20)
    assert tree.resolved
    assert tree.value == -1
    assert tree.statistics.expansions < effort / 4
    search.clear_but_resolved(1)
    assert search.run(game.initial(), seconds=20).statistics.expansions > 5
    search.clear()
    assert search.native.bytes == 0
    with pytest.raises(InvalidParameter):
        search.clear_but_resolved(-1)


def test_a_match_that_comes_to_a_state_proven_before(kind: type[glaux.UBFM]) -> None:
    # The proof does not say which action keeps it: the state is searched again, and the search ends.
    game = glaux.make("othello:size=4")
    search = kind(game, seed=1)
    search.run(game.initial(), seconds=20)
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
    effort = search.run(game.initial(), seconds=20).statistics.expansions
    search.clear_but_resolved(100_000)
    states, v, c = search.native.proven()
    assert len(states) == len(v) == len(c) > 100
    other = kind(game, seed=2)
    other.native.add_proven(states, v, c)
    assert [a.tobytes() for a in other.native.proven()] == [a.tobytes() for a in (states, v, c)]
    tree = other.run(game.initial(), seconds=20)
    assert tree.resolved and tree.value == -1
    assert tree.statistics.expansions < effort / 4
    with pytest.raises(InvalidParameter, match="needs its v and c"):
        other.native.add_proven(states, v[1:], c)


# Ctrl-C


@pytest.mark.parametrize(
    "game, search",
    [
        ("othello", "glaux.UBFM(g, _core.NoiseValue()).run(g.initial(), seconds=60)"),
        # Without completion the walk ends in the winning state for ever, and needs no values.
        (
            "connect_four:rows=4,columns=4,length=3",
            "glaux.UBFM(g, completion=False).run(g.play('1 2 1 2'), seconds=60)",
        ),
    ],
)
def test_an_interrupt_ends_a_search_at_once(game: str, search: str) -> None:
    program = (
        "import glaux\n"
        "from glaux import _core\n"
        f"g = glaux.make('{game}')\n"
        "print('ready', flush=True)\n"
        "try:\n"
        f"    {search}\n"
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
        assert time.perf_counter() - begun < 10
        assert process.wait(10) == 0


def test_python_games_can_be_searched(kind: type[glaux.UBFM]) -> None:
    game = glaux.make("docs/examples/tic_tac_toe.py")
    tree = kind(game).run(game.play("a1 b2 c3 b1 b3"), seconds=20)
    assert tree.resolved
    assert tree.value == 0
    assert game.action_text(tree.root, tree.action) == "a3", "the only move that does not lose"
