"""Alpha-beta against plain minimax without pruning, and its manners: limits, memory, failures."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import glaux
from glaux import AlphaBeta, Game, State
from glaux.errors import BrokenValue, InvalidParameter
from tests.boards import SMALL
from tests.search.minimax import Minimax, scripted_value

GAMES = list(SMALL.values())
EXACT: dict[str, dict[str, Any]] = {"plain": {"plain": True}, "without reductions": {"reductions": False}}
"""the options with which values are those of minimax"""
each_exact = pytest.mark.parametrize("kind", EXACT)
AFFORDABLE = 20000
"""leaves of a plain minimax that a test can wait for"""


def middle(game: Game, rng: random.Random, share: float = 0.8) -> State:
    """A state that is not terminal, from somewhere in the first part of a random match."""
    states = [game.initial()]
    while not game.terminal(states[-1]):
        states.append(game.apply(states[-1], rng.choice(game.actions(states[-1]))))
    return states[rng.randrange(max(1, int(share * (len(states) - 1))))]


def depths(game: Game, s: State, deepest: int = 4, affordable: int = AFFORDABLE) -> list[int]:
    """The depths at which plain minimax is affordable, 1 at least."""
    return [d for d in range(1, deepest + 1) if d == 1 or game.perft(d, s) <= affordable]


def check(search: AlphaBeta, s: State, depth: int, witness: Minimax, **limits: Any) -> None:
    expected = witness.answer(s, depth)
    tree = search.run(s, **limits)
    rows = {row.action: row for row in tree.children()}
    assert tree.value == expected.key[1]
    assert tree.action in expected.best
    assert (rows[tree.action].c, rows[tree.action].v) == expected.key
    assert tree.principal_variation()[0] in expected.best
    c = expected.key[0]
    assert tree.resolved or c == 0
    # Whether a draw is proven may depend on what was pruned; but never without a proof.
    assert not tree.resolved or expected.proven == (c, c)
    for row in rows.values():
        if row.n == 1 and not tree.resolved:
            after = search.game.apply(s, row.action)
            if depth > 1 and not search.game.terminal(after):
                assert (row.c, row.v) == witness.answer(after, depth - 1).key


@pytest.mark.parametrize("completion", [True, False])
@pytest.mark.parametrize("text", GAMES)
def test_values_are_those_of_plain_minimax(
    text: str, completion: bool, seed: int, pytestconfig: pytest.Config
) -> None:
    """The witness takes most of the time: all kinds share it, and by day it has fewer and smaller trees."""
    middles, affordable = (12, AFFORDABLE) if pytestconfig.getoption("--nightly") else (6, 4000)
    game = glaux.make(text)
    rng = random.Random(seed)
    value = scripted_value(game)
    for s in [game.initial()] + [middle(game, rng) for _ in range(middles)]:
        witness = Minimax(game, completion)
        for exact in EXACT.values():
            options: dict[str, Any] = {"completion": completion, "seed": seed} | exact
            growing = AlphaBeta(game, value, **options)
            for depth in depths(game, s, affordable=affordable):
                for ordering in (True, False):
                    search = AlphaBeta(game, value, depth, ordering=ordering, **options)
                    check(search, s, depth, witness)
                if not growing.native.resolved(s.data):
                    check(growing, s, depth, witness, iterations=1)


@each_exact
@pytest.mark.parametrize("text", GAMES)
def test_the_table_of_a_match_changes_no_value(text: str, kind: str, seed: int) -> None:
    """The values of later states, with all that was learned before, are still those of the depth."""
    game = glaux.make(text)
    rng = random.Random(seed)
    s = middle(game, rng, 0.3)
    depth = depths(game, s, 3)[-1]
    search = AlphaBeta(game, scripted_value(game), depth, completion=False, **EXACT[kind])
    for _ in range(6):
        check(search, s, depth, Minimax(game, completion=False))
        s = game.apply(s, rng.choice(game.actions(s)))
        if game.terminal(s):
            break


def stones(game: Game) -> Callable[[Any], Any]:
    """A value that knows something: the first player's stones less the second's, by where they are."""
    weights = np.random.default_rng(1).random((game.spec.plane_rows, game.spec.plane_columns))
    return lambda planes: ((planes[:, 0] - planes[:, 1]) * weights).sum((1, 2)).astype(np.float32)


@each_exact
def test_pruning_and_ordering_save_evaluations(kind: str) -> None:
    """Without pruning the leaves would be evaluated at depth 4 alone; deepening pays for 1 to 3 too."""
    rng = random.Random(5)
    for text in ["othello:size=6", "connect_four", "hex:size=4,swap=0", "lines_of_action:size=5"]:
        game = glaux.make(text)
        leaves = without = ordered = 0
        for _ in range(8):
            s = middle(game, rng, 0.5)
            trees = [
                AlphaBeta(game, stones(game), 4, ordering=ordering, **EXACT[kind]).run(s)
                for ordering in (False, True)
            ]
            assert trees[0].value == trees[1].value
            witness = Minimax(game, completion=True, leaf=np.zeros_like)
            witness.answer(s, 4)
            leaves += witness.evaluations
            without += trees[0].statistics.evaluations
            ordered += trees[1].statistics.evaluations
        assert ordered < without < leaves, text
        assert ordered < leaves / 2, text


def test_no_state_is_evaluated_twice_below_one_parent() -> None:
    """A second run knows it all; a deeper one evaluates only what is new."""
    game = glaux.make("othello:size=6")
    search = AlphaBeta(game, glaux._core.NoiseValue(), plain=True)
    first = search.run(game.initial(), iterations=4)
    again = search.run(game.initial(), iterations=0)
    assert again.statistics.evaluations == 0
    assert (again.value, again.action) == (first.value, first.action)
    fresh = AlphaBeta(game, glaux._core.NoiseValue(), 5, plain=True).run(game.initial())
    more = search.run(game.initial(), iterations=1)
    assert more.statistics.evaluations + first.statistics.evaluations == fresh.statistics.evaluations
    assert more.value == fresh.value


def test_depth_one_is_the_evaluation_player() -> None:
    game = glaux.make("othello")
    tree = AlphaBeta(game, scripted_value(game), 1).run(game.initial())
    assert tree.statistics.evaluations == len(game.actions(game.initial()))
    assert tree.statistics.depth == 1
    best = max(row.v for row in tree.children())
    assert tree.value == best
    assert all(row.n == 1 for row in tree.children())


def test_ties_are_drawn_at_random_or_the_lowest_is_taken() -> None:
    game = glaux.make("hex:size=4,swap=0")
    s = game.initial()
    drawn = {AlphaBeta(game, depth=1, seed=seed).run(s).action for seed in range(200)}
    assert drawn == set(game.actions(s))
    assert AlphaBeta(game, depth=1, random_ties=False).run(s).action == 0


# Limits


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"iterations": 0}, {"evaluations": 0}])
def test_depth_one_is_always_completed(limit: dict[str, Any]) -> None:
    game = glaux.make("othello:size=6")
    tree = AlphaBeta(game, scripted_value(game)).run(game.initial(), **limit)
    assert tree.statistics.iterations == 1
    assert tree.action in game.actions(game.initial())
    assert [row.n for row in tree.children()] == [1] * len(tree.children())


def test_a_search_without_depth_needs_a_limit() -> None:
    game = glaux.make("othello:size=6")
    with pytest.raises(InvalidParameter, match="needs a limit"):
        AlphaBeta(game).run(game.initial())
    assert AlphaBeta(game, depth=3).run(game.initial()).statistics.iterations == 3


@each_exact
def test_the_best_action_of_an_unfinished_depth_counts(kind: str) -> None:
    """Cut short anywhere, the value is that of the depth before or of an action at the new depth."""
    game = glaux.make("breakthrough:rows=5,columns=4")
    s = game.initial()
    witness = Minimax(game, completion=True)
    after = {game.apply(s, a) for a in game.actions(s)}
    old, new = witness.answer(s, 2).key[1], {witness.answer(t, 2).key[1] for t in after}
    seen = set()
    full = AlphaBeta(game, scripted_value(game), 3, **EXACT[kind]).run(s).statistics.evaluations
    for limit in range(1, full + 1):
        tree = AlphaBeta(game, scripted_value(game), 3, **EXACT[kind]).run(s, evaluations=limit)
        seen.add(tree.statistics.iterations)
        if tree.statistics.iterations == 2:
            assert tree.value == old or tree.value in new
            chosen = next(row for row in tree.children() if row.action == tree.action)
            assert chosen.v == tree.value
    assert seen == {1, 2, 3}


def test_a_proven_loss_is_not_the_answer_while_there_is_another() -> None:
    """Whenever a search is stopped, an action that it has proven to lose is chosen only at last."""
    game = glaux.make("connect_four:rows=4,columns=5,length=3")
    rng = random.Random(3)
    for _ in range(60):
        s = middle(game, rng, 0.9)
        mover = 1 if game.first_player(s) else -1
        for limit in range(5, 200, 15):
            rows = (tree := AlphaBeta(game, scripted_value(game)).run(s, evaluations=limit)).children()
            chosen = next(row for row in rows if row.action == tree.action)
            if chosen.c == -mover:
                assert all(row.c == -mover for row in rows)
            if any(row.c == mover for row in rows):
                assert chosen.c == mover


# Memory


@pytest.mark.parametrize("text", GAMES)
def test_a_full_table_ends_the_search(text: str, seed: int) -> None:
    """It keeps its budget, answers, and plays on to the end of a match."""
    game = glaux.make(text)
    try:
        AlphaBeta(game, memory=1, plain=True)
    except InvalidParameter as e:
        least = int(str(e).split("at least ")[1].split()[0])
    search = AlphaBeta(game, glaux._core.NoiseValue(), memory=least, seed=seed, plain=True)
    s, full, solved = game.initial(), 0, False
    while not game.terminal(s):
        tree = search.run(s, evaluations=3000)
        solved |= tree.resolved and s == game.initial()  # before there was need of more memory
        assert tree.bytes_used <= least
        full += tree.statistics.full
        s = game.apply(s, tree.action)
    assert full > 0 or solved


# Failures


@pytest.mark.parametrize(
    "broken, error",
    [
        (lambda states: 1 / 0, ZeroDivisionError),
        (lambda states: np.full(len(states), np.nan), BrokenValue),
        (lambda states: np.zeros(len(states) + 1), BrokenValue),
        (lambda states: "values", BrokenValue),
    ],
)
@pytest.mark.parametrize("calls", [0, 1, 5, 40])
@each_exact
def test_a_failing_value_function_leaves_the_search_usable(
    broken: Any, error: type[Exception], calls: int, kind: str
) -> None:
    game = glaux.make("othello:size=6")
    good = scripted_value(game).function
    left = calls

    def failing(states: npt.NDArray[np.uint8]) -> Any:
        nonlocal left
        left -= 1
        return good(states) if left >= 0 else broken(states)

    search = AlphaBeta(game, glaux.OnStates(failing), 4, **EXACT[kind])
    with pytest.raises(error):
        search.run(game.initial())
    search.value = scripted_value(game)
    check(search, game.initial(), 4, Minimax(game, completion=True))


@pytest.mark.parametrize("depth", [-1, 2**15, 2**40])
def test_an_impossible_depth_is_refused(depth: int) -> None:
    with pytest.raises(InvalidParameter, match="depth"):
        AlphaBeta(glaux.make("othello"), depth=depth)
