"""AlphaZero: a training against a transcription of Algorithm 2, its choices, and that it learns."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidParameter
from glaux.learn.alphazero import AlphaZero, PlaySettings, VisitTargets, sharpened
from glaux.learn.learner import Finished, Learned
from glaux.learn.registry import change_config, read_config
from glaux.learn.strength import Strength, measure_strength
from glaux.search.registry import agent_of, make_search
from glaux.values.examples import Examples
from tests.learn.small import small
from tests.learn.small_alphazero import BOARD, TINY, config, network
from tests.search import puct_transcription as paper
from tests.search.mcts_transcription import mcts_iteration

# A whole training


ITERATIONS, K, WARM_UP, CAPACITY, PLIES, MATCHES = 9, 2, 15, 30, 4, 8
SIGMA = 0.5


Datum = tuple[bytes, float, tuple[float, ...]]
"""a state, z, and the policy over its legal actions"""


def searched(game: glaux.Game, f: glaux.PolicyNetwork, match: Finished) -> list[Datum]:
    """The data of a match whose actions are prescribed, after a look at whether they may be drawn."""
    select: Any = paper.puct
    t = paper.Puct(
        game,
        lambda s: (float(f.evaluate(s)[0]), f.policy(s)),
        lambda s: float(game.outcome(s) or 0),
        select,
        1.25,
        root=game.initial(),
    )
    s, found = game.initial(), list[tuple[bytes, tuple[float, ...]]]()
    for ply, a in enumerate(match.actions):
        for _ in range(ITERATIONS):  # S and T stay as they are from action to action
            mcts_iteration(s, t)
        n = {b: t.N[s, b] for b in game.actions(s)}
        assert n[a] > 0 if ply < PLIES else n[a] == max(n.values())
        roots = [count ** (1 / 2.0) for count in n.values()]
        found.append((s.data, tuple(root / sum(roots) for root in roots)))
        s = game.apply(s, a)
    z = float(game.outcome(s) or 0)
    assert game.terminal(s) and match.outcome == z
    return [(state, z, policy) for state, policy in found]


def is_kept(memory: list[Datum], batch: Examples, i: int) -> bool:
    """Whether an example that is learned is one of those that are kept."""
    row = batch["policies"][i]
    return any(
        state == batch["states"][i].tobytes()
        and z == batch["values"][i]
        and row[: len(policy)].tolist() == pytest.approx(policy, abs=1e-5)
        and not row[len(policy) :].any()
        for state, z, policy in memory
    )


def test_a_training_is_algorithm_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees, policies, z, what is kept, and when and how much of it is learned, worked out by hand.

    What the training draws is prescribed to the witness: actions, and which of the kept examples it learns.
    """
    learner = AlphaZero(
        network(
            sync_period=K,
            warm_up=WARM_UP,
            batch_size=7,
            search={"iterations": ITERATIONS, "noise": 0.0},
            play={"temperature": 0.5, "temperature_plies": PLIES, "target_temperature": 2.0},
            replay={"kind": "uniform", "of": "states", "mu": CAPACITY, "sigma": SIGMA},
        )
    )
    [worker] = learner.team.workers
    worker.searches = [make_search("puct", learner.game, learner.value, {"random_ties": False})]
    learned: list[list[Examples]] = []
    steps = learner.steps

    def watched(batches: list[Examples]) -> Learned:
        learned.append(list(batches))
        return steps(batches)

    monkeypatch.setattr(learner, "steps", watched)
    f = learner.value.copy()
    assert isinstance(f, glaux.PolicyNetwork)
    memory: list[Datum] = []
    full: list[bool] = []

    def witness(finished: list[Finished]) -> None:
        [match] = finished
        memory.extend(searched(learner.game, f, match))
        del memory[:-CAPACITY]
        assert match.progress.replay == len(memory)
        batches = learned.pop()
        full.append(len(memory) >= WARM_UP)
        if not full[-1] or sum(full) % K:
            assert not batches
            return
        sizes = 2 * [7, 7, 1]  # K phases of SIGMA * CAPACITY examples
        assert [len(batch) for batch in batches] == sizes and match.progress.learned == sum(sizes)
        for batch in batches:
            assert all(is_kept(memory, batch, i) for i in range(len(batch)))
            f.learn(batch)
        for name, weights in learner.value.weights().items():
            assert f.weights()[name] == pytest.approx(weights, abs=1e-6)

    learner.train(matches=MATCHES, listener=witness)
    assert sum(full) >= 4


def test_what_a_match_gives_to_learn() -> None:
    learner = AlphaZero(network(symmetry="none"))
    game = learner.game
    [played] = learner.team.workers[0].play(None, [1], 0.0)
    state = game.initial()
    for i, action in enumerate(played.actions):
        assert played.examples["states"][i].tobytes() == state.data
        policy = played.examples["policies"][i]
        assert policy.sum() == pytest.approx(1, abs=1e-6) and not policy[len(game.actions(state)) :].any()
        state = game.apply(state, action)
    assert len(played.examples) == len(played.actions)  # not the end: it has no policy
    assert set(played.examples["values"].tolist()) == {float(played.outcome)}
    assert played.examples.layout == learner.layout


def test_matches_may_begin_with_random_actions() -> None:
    """Up to so many of them, before the first state that is learned; none ends a match."""
    learner = AlphaZero(network(symmetry="none", opening=6))
    game, plies = learner.game, Counter[int]()
    for number in range(1, 41):
        [played] = learner.team.workers[0].play(None, [number], 0.0)
        states = [game.initial()]
        for action in played.actions:
            assert not game.terminal(states[-1])
            states.append(game.apply(states[-1], action))
        assert game.outcome(states[-1]) == played.outcome
        searched = [row.tobytes() for row in played.examples["states"]]
        assert searched == [s.data for s in states[-1 - len(searched) : -1]]
        plies[len(played.actions) - len(searched)] += 1
    assert set(plies) == set(range(7)) and sum(plies.values()) == 40


def test_the_value_of_the_search_may_be_learned_beside_the_result() -> None:
    """The same match, as nothing is learned from it: z and q are mixed as by hand."""
    played = {
        q: AlphaZero(network(symmetry="none", play={"target_q": q})).team.workers[0].play(None, [1], 0.0)[0]
        for q in (0.0, 0.25, 1.0)
    }
    assert len({tuple(match.actions) for match in played.values()}) == 1
    z, mixed, q = (match.examples["values"] for match in played.values())
    assert len(set(q.tolist())) > 2 and (abs(q) <= 1).all()
    assert mixed == pytest.approx(0.75 * z + 0.25 * q, abs=1e-6)


def test_fast_searches_play_and_are_not_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playout cap randomization: the first state and a share of the others are searched in full."""
    learner = AlphaZero(
        network(symmetry="none", search={"iterations": 30, "fast_iterations": 4, "full_share": 0.4})
    )
    [worker] = learner.team.workers
    [search] = worker.searches
    given: list[tuple[bytes, int | None]] = []
    run = search.run

    def watched(state: Any, **limits: Any) -> Any:
        given.append((state.data, limits["iterations"]))
        return run(state, **limits)

    monkeypatch.setattr(search, "run", watched)
    fast = full = 0
    for number in range(1, 31):
        given.clear()
        [played] = worker.play(None, [number], 0.0)
        assert {iterations for _, iterations in given} <= {4, 30} and given[0][1] == 30
        assert len(given) == len(played.actions)
        learned = [state for state, iterations in given if iterations == 30]
        assert [row.tobytes() for row in played.examples["states"]] == learned
        full += len(learned) - 1  # the first is always one
        fast += len(given) - len(learned)
    assert 0.3 < full / (full + fast) < 0.5
    again = AlphaZero(learner.config).team.workers[0].play(None, [30], 0.0)[0]
    assert again.actions == played.actions
    with pytest.raises(InvalidParameter, match="full_share"):
        network(search={"full_share": 1.5})


# Temperature, noise, resignation


def test_visits_become_probabilities_by_the_temperature() -> None:
    visits = np.array([1.0, 4.0, 0.0, 4.0])
    assert sharpened(visits, 1.0).tolist() == pytest.approx([1 / 9, 4 / 9, 0, 4 / 9])
    assert sharpened(visits, 0.5).tolist() == pytest.approx([1 / 33, 16 / 33, 0, 16 / 33])
    assert sharpened(visits, 0.0).tolist() == [0, 0.5, 0, 0.5]
    assert sharpened(visits, 1e-300).tolist() == [0, 0.5, 0, 0.5]
    assert sharpened(np.zeros(3), 1.0).tolist() == [0, 0, 0]
    play = PlaySettings(temperature=2.0, temperature_plies=3, temperature_end=0.25)
    assert [play.tau(ply) for ply in range(5)] == [2.0, 2.0, 2.0, 0.25, 0.25]


def test_actions_are_drawn_by_the_visits() -> None:
    made = config(play={"temperature": 0.5, "temperature_plies": 1})
    game = glaux.make(BOARD)
    search = made.search.make(glaux.NTupleNetwork(game, count=3, length=3), learner_heuristic())
    tree = search.run(game.initial(), iterations=60)
    choose, rng = made.make_choice(1), np.random.default_rng(1)
    drawn = Counter(choose(tree, rng, 0.0, 0) for _ in range(20_000))
    columns = tree.columns()
    expected = columns.n.astype(float) ** 2 / (columns.n.astype(float) ** 2).sum()
    for action, p in zip(columns.action.tolist(), expected, strict=True):
        assert drawn[action] / 20_000 == pytest.approx(p, abs=0.02)
    assert {choose(tree, rng, 0.0, 1) for _ in range(20)} == {tree.action}


def learner_heuristic() -> Any:
    return AlphaZero(config()).heuristic


@pytest.mark.parametrize(("root", "noise"), [("puct", 0.25), ("gumbel", 1.0)])
def test_the_noise_is_that_of_the_root(root: str, noise: float) -> None:
    made = config(search={"iterations": 8, "root": root})
    game = glaux.make(BOARD)
    search = made.search.make(glaux.NTupleNetwork(game, count=3, length=3), learner_heuristic())
    tree = search.run(game.initial(), iterations=8)
    assert isinstance(search, glaux.PUCT) and len(search.root_noise) == 4
    assert made.search._options()["noise"] == noise
    targets = VisitTargets(1.0)
    targets.observe(tree)
    [policy] = targets.examples(search, game.initial(), 1.0)["policies"]
    assert policy == pytest.approx(search.policy(game.initial()), abs=1e-6)
    if root == "gumbel":
        assert {made.make_choice(1)(tree, np.random.default_rng(i), 0.0, 0) for i in range(9)} == {
            tree.action
        }
        assert (policy > 0).all()  # of all the actions, whatever was visited


def test_matches_can_be_given_up() -> None:
    never = AlphaZero(config(play={"temperature": 1.0}))
    resigning = AlphaZero(config(play={"resign": 0.05, "resign_never": 0.0}))
    sometimes = AlphaZero(config(play={"resign": 0.05, "resign_never": 1.0}))
    for learner, wanted in ((never, False), (resigning, True), (sometimes, False)):
        given_up = 0
        for number in range(1, 9):
            [played] = learner.team.workers[0].play(None, [number], 0.0)
            state = learner.game.initial()
            for action in played.actions:
                state = learner.game.apply(state, action)
            if not learner.game.terminal(state):
                given_up += 1
                assert played.outcome == (-1 if learner.game.first_player(state) else 1) == played.end_value
                assert len(played.examples) == len(played.actions) + 1
        assert (given_up > 0) == wanted


def test_a_run_is_played_by_puct(tmp_path: Path) -> None:
    learner = AlphaZero(network())
    assert agent_of(learner.value) == "puct"
    assert agent_of(AlphaZero(config()).value) == "ubfms"
    measured = measure_strength(
        learner.value, learner.heuristic, Strength(opponent="random", games=2, seconds=0.002), seed=1
    )
    assert measured is not None and measured.games == 2


def test_mistakes() -> None:
    with pytest.raises(InvalidParameter, match=r"replay.kind can't be none"):
        AlphaZero(config(replay={"kind": "none"}))
    with pytest.raises(InvalidParameter, match="There is no root 'gumble': did you mean 'gumbel'"):
        config(search={"root": "gumble"})
    with pytest.raises(InvalidParameter, match="share of noise must be at most 1, not 2"):
        config(search={"noise": 2.0})
    with pytest.raises(InvalidParameter, match=r"\[play\]'s temperature must be"):
        config(play={"temperature": -1.0})
    with pytest.raises(
        InvalidParameter, match="sync_period must be a whole number from 1 to 2,147,483,648, not 0"
    ):
        config(sync_period=0)
    assert read_config({"game": "hex", "learner": "alphazero", "value": {}}).value.family == "policy"
    switched: Any = change_config(small(), ["learner=alphazero", "search.root=gumbel"])
    assert (switched.value.family, switched.heuristic, switched.search.root) == (
        "policy",
        "classic",
        "gumbel",
    )
    assert read_config(switched.write()) == switched


@pytest.mark.slow
@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_it_learns_to_win(root: str) -> None:
    """Hex of 4 x 4, against the same search with the untrained network: far beyond chance."""
    made = network(
        game="hex:size=4,swap=0",
        value=TINY | {"depth": 2, "filters": 12, "dense": 16, "policy_filters": 4, "rate": 0.005},
        lockstep=16,
        sync_period=16,
        symmetry="random",
        search={"iterations": 24, "root": root, "memory": 16},
        play={"temperature_plies": 6},
        replay={"kind": "stratified", "mu": 100, "delta": 6.0, "memory": 64},
    )
    learner = AlphaZero(made)
    untrained = learner.value.snapshot()
    learner.train(matches=192)
    game, won = learner.game, 0
    for index in range(40):
        values = (learner.value, untrained) if index % 2 == 0 else (untrained, learner.value)
        searches = [make_search("puct", game, value, {"seed": index}) for value in values]
        rng, state = np.random.default_rng(index // 2), game.initial()
        for _ in range(2):
            state = game.apply(state, int(rng.choice(game.actions(state))))
        while not game.terminal(state):
            mover = searches[0] if game.first_player(state) else searches[1]
            state = game.apply(state, mover.run(state, iterations=12).action)
        won += game.outcome(state) == (1 if index % 2 == 0 else -1)
    assert won >= 32  # of 40: chance has 20, with a deviation of 3.2; seen were 38 and 36
