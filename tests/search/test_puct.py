"""PUCT against its transcription, iteration by iteration and batch by batch; its options by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State, _core
from glaux.errors import InvalidParameter
from glaux.search.door import Answer, Batch
from tests.search import puct_transcription as paper
from tests.search.mcts_games import Climb, TwoPlies, policy_on_states, scripted
from tests.search.mcts_transcription import Approximator, Priors

GAMES = [
    "othello:size=4",
    "connect_four:rows=4,columns=4,length=3",
    "amazons:size=6",  # turns of several actions
    "climb",  # one player
]
PLIES = 5
ITERATIONS = 60
TRANSCRIBED: list[dict[str, Any]] = [
    {},
    {"noise": 0.25},
    {"noise": 0.5, "noise_alpha": 0.3},
    {"fpu": "parent", "fpu_reduction": 0.27},
    {"c_base": 20.0, "c_log": 0.7},
    {"batch": 4},
    {"batch": 7, "noise": 0.25, "fpu": "parent", "virtual_loss": 0.6},
]


def make(text: str) -> Game:
    return glaux.make(Climb if text == "climb" else text)


def weights_of(game: Game) -> list[float]:
    return [1 + a * 0.37 % 1 for a in range(game.spec.action_count)]


def policy_of(game: Game) -> glaux.OnStates:
    return policy_on_states(game, scripted(game), weights_of(game))


def approximator(game: Game) -> Approximator:
    """What the policy above says, with priors as the native search keeps them: 32 bits."""
    value, weights = scripted(game), np.array(weights_of(game), np.float32).tolist()

    def f(s: State) -> tuple[float, Priors]:
        actions = game.actions(s)
        total = sum(weights[a] for a in actions)
        return value(s), {a: float(np.float32(weights[a] / total)) for a in actions}

    return f


def transcription(game: Game, select: Callable[..., int], options: dict[str, Any]) -> paper.Puct:
    return paper.Puct(
        game,
        approximator(game),
        lambda s: float(game.outcome(s) or 0),
        select,
        options["c"],
        noise=options.get("noise", 0.0),
        c_base=options.get("c_base", 0.0),
        c_log=options.get("c_log", 1.0),
        reduction=options["fpu_reduction"] if options.get("fpu") == "parent" else None,
    )


def visits(tree: glaux.Tree, s: State) -> list[int]:
    return [row.n for row in tree.children(s)]


def compare(t: paper.Puct, tree: glaux.Tree) -> None:
    for s, priors in t.P.items():
        assert visits(tree, s) == [t.N[s, a] for a in priors]
        assert tree.search.priors(s).tolist() == list(priors.values())  # type: ignore[attr-defined]
        for row in tree.children(s):
            if not t.game.terminal(t.game.apply(s, row.action)):
                n = t.N[s, row.action]
                assert row.v == np.float32(t.W[s, row.action] / n if n else 0)


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("options", TRANSCRIBED, ids=str)
def test_the_tree_is_that_of_the_transcription(text: str, options: dict[str, Any]) -> None:
    """Along a match, with the tree of the moves before, and with the noise that the search has drawn."""
    game = make(text)
    options = {"c": 0.8315, "random_ties": False, "seed": 7, "fpu_reduction": 0.25, **options}
    search = glaux.PUCT(game, policy_of(game), **options)
    t = transcription(game, paper.puct, options)
    s = game.initial()
    for _ in range(PLIES):
        if game.terminal(s):
            break
        tree = search.run(s, iterations=ITERATIONS)
        t.root, t.drawn = s, search.root_noise.tolist()
        left = ITERATIONS
        while left:
            left -= paper.batch(s, t, min(left, options.get("batch", 1)), options.get("virtual_loss", 1.0))
        compare(t, tree)
        assert tree.action == max(game.actions(s), key=lambda a: (t.N[s, a], t.q(s, a), t.P[s][a]))
        shares = np.array(visits(tree, s)) / sum(visits(tree, s))
        assert search.policy(s) == pytest.approx(shares)
        assert tree.policy.tolist() == search.policy(s).tolist()
        assert tree.value == pytest.approx(
            (t.own[s] + sum(t.W[s, a] for a in game.actions(s))) / (1 + t.visits(s)), abs=1e-6
        )
        s = game.apply(s, tree.action)


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("noise", [0.0, 1.0])
@pytest.mark.parametrize("considered", [1, 2, 3, 5, 16])
@pytest.mark.parametrize("simulations", [2, 16, 50])
def test_gumbel_is_that_of_the_transcription(
    text: str, noise: float, considered: int, simulations: int
) -> None:
    game = make(text)
    search = glaux.PUCT(
        game,
        policy_of(game),
        root="gumbel",
        gumbel_considered=considered,
        noise=noise,
        random_ties=False,
        seed=3,
    )
    t = transcription(game, paper.gumbel_interior, {"c": 1.0})
    s = game.initial()
    for _ in range(PLIES):
        if game.terminal(s):
            break
        actions = game.actions(s)
        if s not in t.P:
            t.own[s], t.P[s] = t.f(s)
            extra = 1  # the root's own value is an iteration
        else:
            extra = 0
        tree = search.run(s, iterations=simulations + extra)
        gumbel = search.root_noise.tolist() if noise else [0.0] * len(actions)
        sequence = paper.get_sequence_of_considered_visits(min(considered, len(actions)), simulations)
        halving = paper.Halving(t, s, gumbel, sequence)
        t.select = halving.select  # type: ignore[assignment]
        for _ in range(simulations):
            paper.batch(s, t, 1, 1.0)
        compare(t, tree)
        assert tree.action == halving.decision()
        assert search.policy(s) == pytest.approx(list(paper.improved_policy(t, s).values()), abs=1e-6)
        s = game.apply(s, tree.action)


def test_sequential_halving_by_hand() -> None:
    """16 simulations over 4 of 7 actions: 2 visits for each of the four, then 4 for each of the best two."""
    game = glaux.make("connect_four")
    search = glaux.PUCT(game, policy_of(game), root="gumbel", gumbel_considered=4, seed=1)
    tree = search.run(game.initial(), iterations=17)
    assert sorted(visits(tree, game.initial())) == [0, 0, 0, 2, 2, 6, 6]


def test_a_time_limit_has_plans_for_halving_too() -> None:
    game = glaux.make("connect_four")
    search = glaux.PUCT(game, policy_of(game), root="gumbel", batch=3, seed=1)
    tree = search.run(game.initial(), seconds=0.2)
    assert sum(visits(tree, game.initial())) == tree.statistics.iterations - 1
    assert search.policy(game.initial()).sum() == pytest.approx(1)


def test_gumbel_takes_the_best_of_what_it_considers(seed: int) -> None:
    """With values that know the outcome, whatever the noise: the policy alone would be wrong."""
    game = glaux.make(TwoPlies)
    known = {0: -1.0, 1: 0.0}  # minimax of 0 and of 1, by the outcomes of the game

    def network(states: Any) -> Any:
        values = [known[int(row[0])] if row[2] == 1 else 0.0 for row in states]
        return np.array(values), np.array([[0.9, 0.1, 0.0]] * len(states))

    search = glaux.PUCT(game, glaux.OnStates(network), root="gumbel", noise=1.0, seed=seed)
    tree = search.run(game.initial(), iterations=200)
    assert tree.action == 1
    assert search.policy(game.initial())[1] > 0.9


# Noise


def test_the_noise_is_dirichlets() -> None:
    """Mean 1 / n and variance (1 - 1/n) / (n (n alpha + 1)), for large and small alpha."""
    game = glaux.make("connect_four")
    for alpha in (0.0, 0.1, 3.0):
        drawn = []
        for seed in range(3000):
            search = glaux.PUCT(game, None, noise=0.25, noise_alpha=alpha, seed=seed)
            search.run(game.initial(), iterations=1)
            drawn.append(search.root_noise)
        sample = np.array(drawn)
        assert sample.sum(1) == pytest.approx(1)
        expected = (1 - 1 / 7) / (7 * (7 * (alpha or 10 / 7) + 1))
        assert sample.mean(0) == pytest.approx(1 / 7, abs=5 * math.sqrt(expected / 3000))
        assert sample.var(0).mean() == pytest.approx(expected, rel=0.1)


def test_noise_is_new_at_each_root_and_not_in_the_priors() -> None:
    game = glaux.make("connect_four")
    search = glaux.PUCT(game, policy_of(game), noise=0.25, seed=1)
    s = game.initial()
    search.run(s, iterations=100)
    priors, first = search.priors(s), search.root_noise
    assert priors == pytest.approx(glaux.PUCT(game, policy_of(game)).run(s, iterations=1).search.priors(s))  # type: ignore[attr-defined]
    search.run(s, iterations=10)
    assert not np.array_equal(search.root_noise, first)
    quiet = glaux.PUCT(game, policy_of(game), seed=1)
    quiet.run(s, iterations=10)
    assert len(quiet.root_noise) == 0


# Batches


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_batches_are_gathered_and_keep_the_limits(root: str) -> None:
    game = glaux.make("othello:size=6")
    sizes: list[int] = []

    class Network:
        def answer(self, batch: Batch) -> Answer:
            sizes.append(len(batch))
            assert len({row.tobytes() for row in batch.states}) == len(batch), "no state waits twice"
            return Answer(np.zeros(len(batch)))

    limits: list[dict[str, Any]] = [{"iterations": 103}, {"evaluations": 103}]
    for limit in limits:
        sizes.clear()
        search = glaux.PUCT(game, Network(), batch=8, root=root, seed=1)
        tree = search.run(game.initial(), **limit)
        assert tree.statistics.iterations == 103
        assert sizes[0] == 1 and max(sizes) == 8
        assert np.mean(sizes) > 4


def test_a_failure_in_a_batch_leaves_no_trace() -> None:
    """Neither of the value function nor of the rules: no virtual loss stays in the tree."""
    game = glaux.make("othello:size=4")
    search = glaux.PUCT(game, policy_of(game), batch=5, seed=2)
    s = game.initial()
    tree = search.run(s, iterations=50)
    before = [tree.children(t) for t in (s, game.apply(s, tree.action))]

    def fails(states: Any) -> Any:
        raise RuntimeError("mine")

    search.value = glaux.OnStates(fails)
    with pytest.raises(RuntimeError, match="mine"):
        search.run(s, iterations=50)
    assert [tree.children(t) for t in (s, game.apply(s, tree.action))] == before


def test_rules_that_fail_in_a_batch_leave_no_trace() -> None:
    class Failing(TwoPlies):
        broken = False

        def apply(self, s: Any, action: int) -> None:
            if self.broken and s["ply"] == 1 and action == 1:
                raise RuntimeError("rules")
            super().apply(s, action)

    game = glaux.make(Failing)
    search = glaux.PUCT(game, _core.ZeroValue(), batch=4, seed=1)
    Failing.broken = True
    with pytest.raises(RuntimeError, match="rules"):
        search.run(game.initial(), iterations=30)
    Failing.broken = False
    tree = search.run(game.initial(), iterations=30)
    for s in (game.initial(), *(game.apply(game.initial(), a) for a in (0, 1))):
        assert all(row.n < 100 and abs(row.v) <= 1 for row in tree.children(s))
    assert tree.action == 1


# The border


def test_a_value_function_without_a_policy_has_equal_priors() -> None:
    game = glaux.make("connect_four")
    for value in (_core.NoiseValue(), lambda planes: np.zeros(len(planes)), None):
        search = glaux.PUCT(game, value)
        search.run(game.initial(), iterations=10)
        assert search.priors(game.initial()) == pytest.approx(np.full(7, 1 / 7))


def test_nothing_is_known_of_a_state_that_was_not_searched() -> None:
    game = glaux.make("connect_four")
    search = glaux.PUCT(game, None)
    assert search.policy(game.initial()).shape == (0,) == search.priors(game.initial()).shape
    assert search.root_noise.shape == (0,)


def test_mcts_with_a_policy_is_the_same_search() -> None:
    game = glaux.make("othello:size=4")
    searches = glaux.PUCT(game, policy_of(game), seed=4), glaux.MCTS(game, policy=policy_of(game), seed=4)
    trees = [search.run(game.initial(), iterations=200) for search in searches]
    assert trees[0].children() == trees[1].children()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"root": "gumble"}, "did you mean 'gumbel'"),
        ({"fpu": "none"}, "There is no fpu 'none'"),
        ({"noise": 1.5}, "must be at most 1, not 1.5"),
        ({"noise": -1.0}, "noise must be a finite number of at least 0, not -1.0"),
        ({"batch": 0}, "batch must be a whole number from 1"),
        ({"c": math.nan}, "c must be a finite number"),
        ({"temperature": 2.0}, "has no setting 'temperature'"),
    ],
)
def test_wrong_options_get_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        glaux.PUCT(glaux.make("connect_four"), None, **wrong)
    options = _core.PuctOptions()
    for name, value in wrong.items():
        if isinstance(value, float | int) and hasattr(options, name):
            setattr(options, name, value)
            with pytest.raises(InvalidParameter):
                _core.Puct(glaux.make("connect_four").native, _core.TerminalValue(), options)


def test_other_searches_find_no_policy() -> None:
    game = glaux.make("connect_four")
    tree = glaux.MCTS(game, seed=1).run(game.initial(), iterations=10)
    with pytest.raises(InvalidParameter, match="policy"):
        _ = tree.policy
