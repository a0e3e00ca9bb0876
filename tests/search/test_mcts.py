"""MCTS: the formulas by hand, convergence, the wrapper, and what every search must keep."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State
from glaux.errors import BrokenValue, InvalidParameter, InvalidState
from tests.search.mcts_games import Scripted, TwoPlies, on_states, policy_on_states, scripted, statistics

# By hand


@pytest.fixture
def two_plies() -> tuple[Game, Scripted]:
    game = glaux.make(TwoPlies)
    values = {game.apply(game.initial(), a): v for a, v in enumerate((0.5, 0.2))}
    return game, lambda s: values.get(s, 0.0)


def test_uct_by_hand(two_plies: tuple[Game, Scripted]) -> None:
    """c = 1. After each iteration (W, N) of both actions of the root.

    A and B are the states after 0 and 1: the second player is to move there, and a mean of the first
    player's values counts with the opposite sign.
    """
    game, f = two_plies
    search = glaux.MCTS(game, on_states(game, f), c=1.0, random_ties=False)
    expected = [
        ((0.0, 0), (0.0, 0)),  # the root's own value
        ((0.5, 1), (0.0, 0)),  # unvisited: A is worth 0.5
        ((0.5, 1), (0.2, 1)),  # unvisited: B is worth 0.2
        ((1.5, 2), (0.2, 1)),  # 0.5 + sqrt(ln 2) > 0.2 + sqrt(ln 2); in A unvisited 0: +1
        ((0.5, 3), (0.2, 1)),  # 1.5/2 + sqrt(ln 3 / 2) = 1.491 > 0.2 + sqrt(ln 3) = 1.248; in A 1: -1
        ((0.5, 3), (0.2, 2)),  # 0.5/3 + sqrt(ln 4 / 3) = 0.846 < 0.2 + sqrt(ln 4) = 1.377; in B 0: 0
        ((0.5, 3), (1.2, 3)),  # 0.5/3 + sqrt(ln 5 / 3) = 0.899 < 0.1 + sqrt(ln 5 / 2) = 0.997; in B 1: +1
        ((0.5, 3), (1.2, 4)),  # 0.939 < 0.4 + sqrt(ln 6 / 3) = 1.173; in B -0 + ... > -1 + ...: 0
        ((0.5, 3), (1.2, 5)),  # 0.972 < 0.3 + sqrt(ln 7 / 4) = 0.997; in B again 0
        ((-0.5, 4), (1.2, 5)),  # 0.5/3 + sqrt(ln 8 / 3) = 0.999 > 0.24 + sqrt(ln 8 / 5) = 0.885; in A 1: -1
    ]
    for rows in expected:
        tree = search.run(game.initial(), iterations=1)
        assert statistics(tree) == [(pytest.approx(w / n if n else 0), n) for w, n in rows]
    total = sum(w for w, _ in expected[-1])
    assert tree.value == pytest.approx(total / 10)
    assert tree.action == 1
    assert tree.principal_variation() == [1, 0]
    assert not tree.resolved


def test_puct_by_hand(two_plies: tuple[Game, Scripted]) -> None:
    """c = 1. The weights 1, 3, 5 give the priors 1/4 and 3/4: the third action is not legal."""
    game, f = two_plies
    search = glaux.MCTS(game, policy=policy_on_states(game, f, [1, 3, 5]), c=1.0, random_ties=False)
    expected = [
        ((0.0, 0), (0.0, 0)),  # the root's own value
        ((0.0, 0), (0.2, 1)),  # 1/4 sqrt(1e-8) < 3/4 sqrt(1e-8): B is worth 0.2
        ((0.0, 0), (1.2, 2)),  # 1/4 < 0.2 + 3/4 / 2 = 0.575; in B by prior 1: +1
        ((0.0, 0), (1.2, 3)),  # 0.354 < 0.6 + 3/4 sqrt 2 / 3 = 0.954; in B 1/4 > -1 + 3/4 / 2: 0
        ((0.0, 0), (1.2, 4)),  # 0.433 < 0.4 + 3/4 sqrt 3 / 4 = 0.725; in B 0.177 > -0.470: 0
        ((0.0, 0), (1.2, 5)),  # 0.5 < 0.3 + 3/4 2 / 5 = 0.6; in B 0.144 > -0.350: 0
        ((0.5, 1), (1.2, 5)),  # 1/4 sqrt 5 = 0.559 > 0.24 + 3/4 sqrt 5 / 6 = 0.520: A is worth 0.5
        ((-0.5, 2), (1.2, 5)),  # 0.5 + 1/4 sqrt 6 / 2 = 0.806 > 0.546; in A by prior 1: -1
        ((-0.5, 2), (1.2, 6)),  # -0.25 + 1/4 sqrt 7 / 3 = -0.030 < 0.24 + 3/4 sqrt 7 / 6; in B 0.125 > -0.25
        ((-0.5, 2), (1.2, 7)),  # -0.014 < 0.2 + 3/4 sqrt 8 / 7 = 0.503; in B 0.112 > -0.161: 0
    ]
    for rows in expected:
        tree = search.run(game.initial(), iterations=1)
        assert statistics(tree) == [(pytest.approx(w / n if n else 0), n) for w, n in rows]
    assert search.priors(game.initial()).tolist() == [0.25, 0.75]


def test_terminal_children_are_exact(two_plies: tuple[Game, Scripted]) -> None:
    """Also before their first visit, and without the value function."""
    game, _ = two_plies
    a = game.apply(game.initial(), 0)
    tree = glaux.MCTS(game, random_ties=False).run(a, iterations=1)
    assert [tuple(row) for row in tree.children()] == [(0, 1, 1, 1, 0), (1, -1, -1, 1, 0)]
    tree = tree.search.run(a, iterations=5000)  # long enough to pause for the driver
    assert tree.statistics.evaluations == 0
    assert tree.statistics.iterations == 5000
    assert tree.children()[1].v == -1
    assert tree.action == 1
    tree = tree.search.run(a, seconds=0.01)
    assert tree.statistics.iterations > 0


# Convergence


def exact_values(game: Game, state: State, solver: glaux.UBFM) -> dict[int, int]:
    """The result of each action with perfect play."""
    exact = {}
    for action in game.actions(state):
        child = game.apply(state, action)
        if game.terminal(child):
            exact[action] = game.outcome(child) or 0
        else:
            tree = solver.run(child, iterations=10**6)
            assert tree.resolved
            exact[action] = round(tree.value)
    return exact


@pytest.mark.parametrize("kind", ["playouts", "value", "wrapper"])
def test_visits_converge_to_the_solved_action(kind: str) -> None:
    """In positions where not every action keeps the result."""
    game = glaux.make("connect_four", rows=4, columns=4, length=3)
    zero = on_states(game, lambda s: 0.0)
    make_search: dict[str, Callable[[], glaux.MCTS | glaux.MCTSWrapper]] = {
        "playouts": lambda: glaux.MCTS(game, seed=2),
        "value": lambda: glaux.MCTS(game, zero, seed=2),
        "wrapper": lambda: glaux.MCTSWrapper(game, zero, seed=2),
    }
    solver, chooser = glaux.UBFM(game), random.Random(5)
    positions = 0
    while positions < 12:
        state = game.initial()
        for _ in range(1 + chooser.randrange(5)):
            if not game.terminal(state):
                state = game.apply(state, chooser.choice(game.actions(state)))
        exact = {} if game.terminal(state) else exact_values(game, state, solver)
        if len(set(exact.values())) < 2:
            continue
        positions += 1
        best = max if game.first_player(state) else min
        tree = make_search[kind]().run(state, iterations=4000)
        assert exact[tree.action] == best(exact.values())


# The wrapper


def test_wrapper_priors_and_value() -> None:
    """A state where the second player moves, with a terminal child."""
    game = glaux.make("connect_four", rows=4, columns=4, length=3)
    state = game.initial()
    for action in (0, 1, 0, 1, 3):
        state = game.apply(state, action)
    assert not game.first_player(state)
    f = scripted(game)
    children = [game.apply(state, a) for a in game.actions(state)]
    assert any(game.terminal(x) for x in children)
    values = [-float(game.outcome(x) or 0) if game.terminal(x) else -f(x) for x in children]
    for temperature in (1.0, 0.25):
        search = glaux.MCTSWrapper(game, on_states(game, f), temperature=temperature)
        tree = search.run(state, iterations=1)
        weights = [math.exp(v / temperature) for v in values]
        assert search.priors(state) == pytest.approx([w / sum(weights) for w in weights])
        assert tree.value == -max(values)
        assert tree.action == game.actions(state)[int(np.argmax(weights))]
    search = glaux.MCTSWrapper(game, on_states(game, f), priors="min_max")
    search.run(state, iterations=1)
    distances = [v - min(values) for v in values]
    assert search.priors(state) == pytest.approx([d / sum(distances) for d in distances])


def test_the_tree_is_used_again_after_a_move() -> None:
    game = glaux.make("othello:size=6")
    search = glaux.MCTSWrapper(game, on_states(game, scripted(game)), seed=3)
    tree = search.run(game.initial(), iterations=300)
    row = next(row for row in tree.children() if row.action == tree.action)
    state = game.apply(game.initial(), tree.action)
    before = tree.children(state)
    assert sum(child.n for child in before) == row.n - 1  # one visit was the state's own value
    assert search.run(state, iterations=0).children() == before
    after = search.run(state, iterations=50).children()
    assert sum(child.n for child in after) == sum(child.n for child in before) + 50
    search.clear()
    assert tree.children() == []
    with pytest.raises(InvalidState, match="has not begun"):
        search.native.decision()


# What every search keeps


@pytest.mark.parametrize("kind", ["uct", "puct", "wrapper"])
def test_a_failing_value_function_leaves_no_trace(kind: str) -> None:
    game = glaux.make("othello:size=6")
    calls, failing = 0, True

    def values(states: Any) -> Any:
        nonlocal calls
        calls += 1
        if failing and calls % 5 == 0:
            raise RuntimeError("no value today")
        result = on_states(game, scripted(game)).function(states)
        return (result, np.ones((len(states), game.spec.action_count))) if kind == "puct" else result

    def make_search() -> glaux.MCTS | glaux.MCTSWrapper:
        value = glaux.OnStates(values)
        if kind == "wrapper":
            return glaux.MCTSWrapper(game, value, random_ties=False)
        given: dict[str, Any] = {"policy": value} if kind == "puct" else {"value": value}
        return glaux.MCTS(game, **given, random_ties=False)

    search, failures = make_search(), 0
    done = 0
    while done < 40:
        try:
            tree = search.run(game.initial(), iterations=40 - done)
        except RuntimeError:
            failures += 1
        done = 1 + sum(row.n for row in glaux.Tree(search, game.initial()).children())
    assert failures > 5
    failing = False
    assert make_search().run(game.initial(), iterations=40).children() == tree.children()


@pytest.mark.parametrize(
    "give, message",
    [
        (lambda n: (np.zeros(n),), "an array of 1 numbers, not tuple"),
        (lambda n: (np.zeros(n + 1), np.ones((n, 37))), "2 values for 1 states"),
        (lambda n: (np.zeros(n), np.ones((n, 36))), r"shape \[1, 37\], not \[1, 36\]"),
        (lambda n: (np.zeros(n), np.ones(37)), r"not \[37\]"),
        (lambda n: (np.zeros(n), None), "array of priors, not NoneType"),
        (lambda n: (np.full(n, math.nan), np.ones((n, 37))), "not a finite number"),
    ],
)
def test_a_broken_policy_is_named(give: Callable[[int], Any], message: str) -> None:
    game = glaux.make("othello:size=6")
    search = glaux.MCTS(game, policy=lambda planes: give(len(planes)))
    with pytest.raises(BrokenValue, match=message):
        search.run(game.initial(), iterations=10)


@pytest.mark.parametrize("weight", [0.0, math.nan, math.inf, -1.0])
def test_priors_that_are_none_become_uniform(weight: float) -> None:
    game = glaux.make("othello:size=6")
    search = glaux.MCTS(game, policy=lambda p: (np.zeros(len(p)), np.full((len(p), 37), weight)))
    search.run(game.initial(), iterations=10)
    assert search.priors(game.initial()) == pytest.approx([0.25] * 4)


def test_wrong_options_are_named() -> None:
    game = glaux.make("hex:size=4")
    function = lambda planes: np.zeros(len(planes))  # noqa: E731
    with pytest.raises(InvalidParameter, match="not both"):
        glaux.MCTS(game, function, policy=function)
    with pytest.raises(InvalidParameter, match="exploration constant"):
        glaux.MCTS(game, c=-1.0)
    with pytest.raises(InvalidParameter, match="temperature"):
        glaux.MCTSWrapper(game, function, temperature=0.0)
    with pytest.raises(InvalidParameter, match="softmax"):
        glaux.MCTSWrapper(game, function, priors="softmaxx")
    with pytest.raises(InvalidParameter, match="memory budget"):
        glaux.MCTS(game, memory=100)


def test_lock_step_gives_the_same_as_single_runs() -> None:
    game = glaux.make("connect_four", rows=4, columns=4, length=3)
    f = scripted(game)
    states = [game.initial()]
    for action in (0, 0, 1, 3, 3, 1):
        states.append(game.apply(states[-1], action))
    weights = [1.0, 2.0, 3.0, 4.0]
    makers: list[Callable[[int], glaux.MCTS | glaux.MCTSWrapper]] = [
        lambda seed: glaux.MCTS(game, on_states(game, f), seed=seed),
        lambda seed: glaux.MCTS(game, policy=policy_on_states(game, f, weights), seed=seed),
        lambda seed: glaux.MCTSWrapper(game, on_states(game, f), seed=seed),
    ]
    for make_search in makers:
        together = glaux.run_many([make_search(i) for i in range(len(states))], states, iterations=1500)
        for i, (tree, state) in enumerate(zip(together, states, strict=True)):
            assert tree.children() == make_search(i).run(state, iterations=1500).children()


def test_searches_with_and_without_priors_run_together() -> None:
    game = glaux.make("hex:size=4")
    f = scripted(game)
    policy_function = policy_on_states(game, f, [1.0] * game.spec.action_count)

    def searches() -> list[glaux.MCTS]:
        return [glaux.MCTS(game, on_states(game, f)), glaux.MCTS(game, policy=policy_function)]

    trees = glaux.run_many(searches(), [game.initial()] * 2, iterations=10)
    for tree, search in zip(trees, searches(), strict=True):
        assert tree.children() == search.run(game.initial(), iterations=10).children()
    # One that gives a pair serves those that want no priors, too.
    plain, policy = searches()
    plain.value = policy.value
    for tree in glaux.run_many([plain, policy], [game.initial()] * 2, iterations=10):
        assert sum(row.n for row in tree.children()) == 9
    # And to those that do, one that gives none says that all actions are equally likely.
    policy.value = on_states(game, f)
    policy.clear()
    policy.run(game.initial(), iterations=10)
    assert set(policy.priors(game.initial()).tolist()) == {1 / 16}
