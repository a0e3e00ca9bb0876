"""What every search has: a match that begins, rows to choose from, pairs to learn, whole iterations."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State, _core
from glaux.errors import InvalidParameter
from glaux.search.exit import Expert
from glaux.search.registry import SEARCHES, make_search
from glaux.search.search import Search
from tests.search.minimax import Minimax, scripted_value
from tests.search.test_alpha_beta import EXACT, depths, middle

Maker = Callable[..., Search]


def maker(name: str, **options: Any) -> Maker:
    return lambda game, value=None, **more: make_search(name, game, value, options | more)


KINDS = {name: maker(name, **entry.learning) for name, entry in SEARCHES.items() if entry.learns} | {
    f"{name} without completion": maker(name, completion=False, **entry.learning)
    for name, entry in SEARCHES.items()
    if entry.learns and "completion" in entry.option_names
}
OTHELLO = glaux.make("othello:size=6")


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest) -> Maker:
    return KINDS[request.param]


def noise() -> _core.Evaluator:
    return _core.NoiseValue()


def values_of(game: Game, tree: glaux.Tree, *, leaves: bool = False) -> dict[State, float]:
    states, values = tree.learnable(leaves)
    found = {State(game, s.tobytes()): float(v) for s, v in zip(states, values, strict=True)}
    assert len(found) == len(states), "each state once"
    return found


def own_value(game: Game, s: State) -> float:
    return float(noise().evaluate(game.native, np.frombuffer(s.data, np.uint8)[None])[0])


# Matches


def test_a_match_begins_as_for_a_new_search(make: Maker) -> None:
    def thought(search: Search) -> object:
        tree = search.run(OTHELLO.initial(), iterations=4)
        return tree.action, tree.children(), [a.tobytes() for a in tree.learnable()]

    search = make(OTHELLO, seed=1)
    state = OTHELLO.initial()
    for _ in range(3):
        state = OTHELLO.apply(state, search.run(state, iterations=4).action)
    for seed in (7, 8, 7):
        search.begin_match(seed)
        assert thought(search) == thought(make(OTHELLO, seed=seed))
    with pytest.raises(InvalidParameter, match="negative"):
        search.begin_match(1, keep=-1)


def test_proven_states_are_kept_where_there_is_a_memory_of_them(make: Maker) -> None:
    game = glaux.make("othello:size=4")
    search = make(game, seed=1)
    tree = search.run(game.initial(), iterations=20_000)
    effort = tree.statistics.expansions
    remembers = tree.resolved and type(search).proven is not Search.proven
    search.begin_match(1, keep=100_000)
    again = search.run(game.initial(), iterations=20_000).statistics.expansions
    assert again < effort if remembers else again == effort
    search.begin_match(1)
    assert search.run(game.initial(), iterations=20_000).statistics.expansions == effort


# Whole iterations


def slow(states: np.ndarray) -> np.ndarray:
    time.sleep(0.001)
    return np.zeros(len(states))


def test_descent_comes_to_an_end_of_the_match_when_iterations_are_whole() -> None:
    game = glaux.make("hex:size=9")

    def ends(whole: bool) -> tuple[int, _core.Statistics]:
        tree = glaux.Descent(game, glaux.OnStates(slow), seed=1).run(
            game.initial(), seconds=0.02, whole=whole
        )
        return sum(game.terminal(s) for s in values_of(game, tree)), tree.statistics

    found, statistics = ends(whole=True)
    assert found > 0 and statistics.expansions > 40 and statistics.iterations == 1
    found, statistics = ends(whole=False)
    assert found == 0 and statistics.expansions <= 20


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("evaluations", [40, 300, 1000])
def test_a_depth_that_is_cut_short_is_discarded_when_iterations_are_whole(
    evaluations: int, kind: str
) -> None:
    cut = glaux.AlphaBeta(OTHELLO, noise(), seed=3, **EXACT[kind])
    tree = cut.run(OTHELLO.initial(), evaluations=evaluations, whole=True)
    assert tree.statistics.iterations > 0
    finished = glaux.AlphaBeta(OTHELLO, noise(), seed=3, **EXACT[kind]).run(
        OTHELLO.initial(), iterations=tree.statistics.iterations
    )
    assert tree.children() == finished.children()
    assert (tree.value, tree.action) == (finished.value, finished.action)
    # The next run goes on, and ends where one that was never cut does.
    deeper = tree.statistics.iterations + 1
    assert cut.run(OTHELLO.initial(), iterations=1).children() == (
        cut.run(OTHELLO.initial(), seconds=0).children()
    )
    assert (
        cut.run(OTHELLO.initial(), seconds=0).value
        == glaux.AlphaBeta(OTHELLO, noise(), deeper, **EXACT[kind]).run(OTHELLO.initial()).value
    )


# Ties


def even(chosen: list[int], kinds: int) -> bool:
    """Whether all are about equally frequent: 5 standard deviations."""
    counts = np.unique(chosen, return_counts=True)[1]
    mean = len(chosen) / kinds
    return len(counts) == kinds and np.abs(counts - mean).max() < 5 * np.sqrt(mean)


def test_ties_of_later_decisions_are_broken_evenly(make: Maker) -> None:
    game = glaux.make("hex:size=3,swap=false")
    search = make(game, _core.ZeroValue())
    chosen: list[Any] = []
    for seed in range(1600):
        search.begin_match(seed)
        state = game.apply(game.initial(), search.run(game.initial(), iterations=1).action)
        action = search.run(state, iterations=1).action
        chosen.append(game.actions(state).index(action))
    assert even(chosen, 8)


@pytest.mark.parametrize("kind", [name for name in KINDS if not name.startswith("alphabeta")])
def test_ties_inside_the_tree_are_broken_evenly(kind: str) -> None:
    """The action first taken in a state below the root; alpha-beta has an order of its own there."""
    game = glaux.make("hex:size=3,swap=false")
    search = KINDS[kind](game, _core.ZeroValue())
    below = [game.apply(game.initial(), action) for action in game.actions(game.initial())]
    chosen: list[Any] = []
    for seed in range(200):
        search.begin_match(seed)
        first: dict[State, int] = {}
        for _ in range(15):
            tree = search.run(game.initial(), iterations=1)
            for state in below:
                counts = [row.n for row in tree.children(state)]
                if sum(counts) == 1:
                    first[state] = counts.index(1)
        chosen += first.values()
    assert len(chosen) > 400 and even(chosen, 8)


# Rows to choose from


def test_all_actions_are_choices_of_unbounded_minimax() -> None:
    for kind in (glaux.UBFM, glaux.Descent):
        tree = kind(OTHELLO, noise()).run(OTHELLO.initial(), iterations=20)
        for column, of_all in zip(tree.choices(), tree.columns(), strict=True):
            np.testing.assert_array_equal(column, of_all)


def test_choices_of_iterative_deepening_are_values_of_the_last_complete_depth(seed: int) -> None:
    game = glaux.make("breakthrough:rows=5,columns=4")
    rng = random.Random(seed)
    chosen = 0
    for _ in range(5):
        s = middle(game, rng)
        search = glaux.AlphaBeta(game, scripted_value(game), completion=False, plain=True, seed=seed)
        witness = Minimax(game, completion=False)
        for depth in depths(game, s)[:-1]:
            search.run(s, iterations=1)
            tree = search.run(s, evaluations=30)  # some of the next depth
            if tree.statistics.iterations > 0:
                break
            choices = tree.choices()
            chosen += len(choices.action)
            assert 0 < len(choices.action) <= len(game.actions(s))
            best = max(choices.v) if game.first_player(s) else min(choices.v)
            assert best == witness.answer(s, depth).key[1]
            for action, v, n in zip(choices.action, choices.v, choices.n, strict=True):
                after = game.apply(s, int(action))
                assert n == 1
                if depth > 1 and not game.terminal(after):
                    assert v == witness.answer(after, depth - 1).key[1]
    assert chosen > 10


def test_choices_of_mcts_were_visited() -> None:
    game = glaux.make("hex:size=5")
    search = glaux.MCTS(game, noise(), seed=1)
    for iterations, visited in ((1, 25), (1, 1), (8, 9), (100, 25)):
        choices = search.run(game.initial(), iterations=iterations).choices()
        assert len(choices.action) == visited
        assert (choices.n > 0).all() or iterations == visited - 24


# Pairs to learn


@pytest.mark.parametrize("text", ["connect_four:rows=4,columns=4,length=3", "othello:size=4"])
def test_ends_are_learned_with_their_worth(make: Maker, text: str) -> None:
    game = glaux.make(text)
    rng, states = random.Random(1), [game.initial()]
    while not game.terminal(states[-1]):
        states.append(game.apply(states[-1], rng.choice(game.actions(states[-1]))))
    found = values_of(game, make(game, noise(), seed=2).run(states[-3], iterations=50))
    ends = [s for s in found if game.terminal(s)]
    assert ends, "something to see"
    for s in ends:
        assert found[s] == game.outcome(s)


def test_iterative_deepening_learns_exact_values(seed: int) -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    search = glaux.AlphaBeta(game, scripted_value(game), completion=False, plain=True, seed=seed)
    tree = search.run(game.initial(), iterations=5)
    found = values_of(game, tree)
    witness = Minimax(game, completion=False)
    expanded = [s for s in found if not game.terminal(s)]
    assert game.initial() in expanded and len(expanded) > 50
    for s in expanded:
        assert found[s] in {witness.answer(s, depth).key[1] for depth in range(1, 6)}
    assert found[game.initial()] == witness.answer(game.initial(), 5).key[1]
    assert tree.statistics.expansions > len(expanded), "some have bounds only"


def test_leaves_are_learned_with_their_evaluation_if_wanted(make: Maker) -> None:
    tree = make(OTHELLO, noise(), seed=4).run(OTHELLO.initial(), iterations=3)
    inner, all_of_them = values_of(OTHELLO, tree), values_of(OTHELLO, tree, leaves=True)
    assert inner.items() <= all_of_them.items()
    leaves = all_of_them.keys() - inner.keys()
    assert bool(leaves) == (not isinstance(tree.search, glaux.MCTSWrapper))
    for s in leaves:
        assert not OTHELLO.terminal(s)
        if not isinstance(tree.search, Expert):  # which values a leaf by a random match as well
            assert all_of_them[s] == own_value(OTHELLO, s)


# What ends are worth


def test_alpha_beta_proves_by_the_gain_of_the_terminal_value(seed: int) -> None:
    """Whether the score is above a threshold, as unbounded minimax proves it."""
    game = glaux.make("othello:size=4")
    rng, proven = random.Random(seed), set()
    for _ in range(10):
        s = middle(game, rng)
        for threshold in (-4.5, 0.0, 4.5):
            against = _core.ScoreAgainst(threshold)
            tree = glaux.AlphaBeta(game, terminal_value=against).run(s, seconds=600)
            witness = glaux.Descent(game, terminal_value=against).run(s, seconds=600)
            assert tree.resolved and witness.resolved
            assert np.sign(tree.value) == np.sign(witness.value)
            best = next(row for row in tree.children() if row.action == tree.action)
            assert best.c == np.sign(tree.value)
            proven.add(best.c)
    assert {-1, 1} <= proven


# Failures of before


@pytest.mark.parametrize("kind", [glaux.UBFM, glaux.Descent])
def test_a_search_without_completion_takes_no_proofs(kind: type[glaux.UBFM]) -> None:
    game = glaux.make("othello:size=4")
    search = kind(game, seed=1)
    search.run(game.initial(), seconds=600)
    search.clear_but_resolved(100_000)
    proven = search.native.proven()
    plain, fresh = (kind(game, seed=2, completion=False) for _ in range(2))
    plain.native.add_proven(*proven)
    again = plain.run(game.initial(), iterations=200).children()
    assert again == fresh.run(game.initial(), iterations=200).children()
    states, v, c = proven
    for wrong in ((states, v, c + 5), (states, v * np.float32(np.nan), c)):
        with pytest.raises(InvalidParameter, match="finite v"):
            kind(game).native.add_proven(*wrong)


def test_searches_that_run_together_keep_their_own_values() -> None:
    state = OTHELLO.initial()
    values = [noise(), None, glaux.OnStates(lambda states: states[:, 0] / 100), noise()]

    def searches() -> list[Search]:
        return [glaux.Descent(OTHELLO, value, seed=i) for i, value in enumerate(values)]

    together = glaux.run_many(searches(), [state] * 4, iterations=5)
    for tree, search in zip(together, searches(), strict=True):
        assert tree.children() == search.run(state, iterations=5).children()
