"""A whole training against plain Python: Algorithm 3 with completed Descent, replay and learning.

The witness has dictionaries for the tables of the search, lists for the memory, and a network in numpy,
all from the transcriptions of their own tests. What the training draws at random is prescribed to it,
after a look at whether the paper could have drawn it: actions, what is replayed, and its order. All the
rest, trees, data, groups and weights, has to come out the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import State
from glaux.learn.athenan import Athenan
from glaux.learn.learner import Finished, Learned
from glaux.learn.stratified_replay import KeptMatch, StratifiedReplay
from glaux.values.examples import Examples
from tests.learn import transcriptions as paper
from tests.learn.small import small
from tests.search.transcription import Tables, completed_descent_iteration
from tests.values.reference_ntuple import ReferenceNTuple

ITERATIONS, MU, DELTA, BATCH, MATCHES = 4, 3, 2, 25, 8
Datum = tuple[State, float]


def watched(learner: Athenan, patch: pytest.MonkeyPatch) -> tuple[list[list[Examples]], list[list[int]]]:
    """What the training learns after each match, and all its draws of replay, in their order."""
    learned: list[list[Examples]] = []
    drawn: list[list[int]] = []
    steps, draw, groups = learner.steps, KeptMatch.draw, StratifiedReplay._groups

    def watched_steps(batches: list[Examples]) -> Learned:
        learned.append(batches)
        return steps(batches)

    def watched_draw(match: KeptMatch, size: int, rng: np.random.Generator) -> np.ndarray:
        rows = draw(match, size, rng)
        drawn.append(rows.tolist())
        return rows

    def watched_groups(n: int, batch_size: int, rng: np.random.Generator) -> np.ndarray:
        found = groups(n, batch_size, rng)
        drawn.append(found.tolist())
        return found

    patch.setattr(learner, "steps", watched_steps)
    patch.setattr(KeptMatch, "draw", watched_draw)
    patch.setattr(StratifiedReplay, "_groups", staticmethod(watched_groups))
    return learned, drawn


def may_be_chosen(t: Tables, s: State, a: int) -> bool:
    """Completed epsilon-greedy with a rate above 0: a proven win if there is one, no proven loss if not."""
    win = 1 if t.game.first_player(s) else -1
    results = {b: t.c_edge[s, b] for b in t.game.actions(s)}
    if win in results.values():
        return results[a] == win
    return results[a] == 0 or 0 not in results.values()


def deterministic(game: str, heuristic: str) -> Athenan:
    """A learner whose searches draw nothing."""
    tuples = [[0, 1, 2, 3, 4], [4, 5, 6, 7, 8]]
    config = small(
        game=game,
        heuristic=heuristic,
        warm_start=0,
        keep_resolved=0,
        symmetry="none",
        batch_size=BATCH,
        value={"family": "ntuple", "tuples": tuples, "symmetries": 1, "rule": "coherence_exponential"},
        search={"iterations": ITERATIONS},
        selection={"kind": "epsilon_greedy", "rate": "0.4"},
        replay={"mu": MU, "delta": DELTA},
    )
    learner = Athenan(config)
    [worker] = learner.team.workers
    worker.searches = [
        glaux.Descent(learner.game, learner.value, terminal_value=learner.heuristic.native, random_ties=False)
    ]
    return learner


@pytest.mark.parametrize(
    ("game", "heuristic"),
    [("hex:size=3", "additive_depth"), ("connect_four:rows=3,columns=3,length=3", "classic")],
)
def test_a_training_is_algorithm_3(game: str, heuristic: str, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = deterministic(game, heuristic)
    learned, drawn = watched(learner, monkeypatch)
    assert isinstance(learner.value, glaux.NTupleNetwork)
    f = ReferenceNTuple(learner.value)
    memory: list[tuple[list[Datum], list[Datum]]] = []
    order: list[list[Datum]] = []  # the data of the matches in memory as the training numbers them
    checked: list[int] = []

    def witness(finished: list[Finished]) -> None:
        [match] = finished
        # The match, with the value function of before.
        t = Tables(learner.game, f.value, learner.heuristic.value)
        s = learner.game.initial()
        for a in match.actions:
            for _ in range(ITERATIONS):
                if t.r.get(s, 0) == 0 or s not in t.S:
                    completed_descent_iteration(s, t)
            assert may_be_chosen(t, s, a)
            s = learner.game.apply(s, a)
        assert learner.game.outcome(s) == match.outcome
        d = {state: t.v[state] for state in t.S} | {s: t.f_t(s)}
        # Its data are those that the training has put into its memory.
        assert isinstance(learner.replay, StratifiedReplay)
        newest = learner.replay._matches[-1].examples
        states = learner.game.states(newest["states"])
        assert dict(zip(states, newest["values"].tolist(), strict=True)) == pytest.approx(d, abs=1e-4)
        assert len(states) == len(d)
        # The groups of Algorithm 8 are the minibatches that were learned.
        order.append([(state, d[state]) for state in states])
        del order[:-MU]
        *rows, groups = drawn
        data = [order[i][row] for i, part in enumerate(rows) for row in part]
        script: list[Any] = [item for pair in zip(data, groups, strict=True) for item in pair]

        def choice(among: list[Any]) -> Any:
            assert script[0] in among
            return script.pop(0)

        expected = paper.stratified_experience_replay(memory, order[-1], MU, DELTA, BATCH, choice)
        assert not script
        [batches] = learned
        assert len(batches) == len(expected)
        for batch, group in zip(batches, expected, strict=True):
            members = learner.game.states(batch["states"])
            assert Counter(members) == Counter(state for state, _ in group)
            # What is learned is what the witness has found, in the order of the training.
            values: dict[State, list[float]] = {}
            for state, v in group:
                values.setdefault(state, []).append(v)
            for state, v in zip(members, batch["values"].tolist(), strict=True):
                _, nearest = min((abs(known - v), known) for known in values[state])
                values[state].remove(nearest)
                assert v == pytest.approx(nearest, abs=1e-4)
                f.learn(state, nearest)
        np.testing.assert_allclose(learner.value.weights()["weights"], f.w, rtol=0, atol=2e-5)
        learned.clear()
        drawn.clear()
        checked.append(len(d))

    learner.train(matches=MATCHES, listener=witness)
    assert len(checked) == MATCHES
    assert np.abs(f.w).max() > 0.01


def test_what_the_warm_start_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends of random matches from the initial state, each once, with what the heuristic says of them."""
    learner = Athenan(small(warm_start=700, heuristic="additive_depth"))
    seen: list[Examples] = []
    steps = learner.steps

    def seen_steps(batches: Iterable[Examples]) -> Any:
        kept = list(batches)
        seen.extend(kept)
        return steps(kept)

    monkeypatch.setattr(learner, "steps", seen_steps)
    learner.warm_start()
    game = learner.game
    found = [
        (state, value)
        for batch in seen
        for state, value in zip(game.states(batch["states"]), batch["values"].tolist(), strict=True)
    ]
    assert len(found) == 700 == learner.value.learned
    longest = game.spec.max_plies
    for state, value in found:
        stones = int((game.cells(state) != 0).sum())  # of Connect Four: as many as actions
        outcome = game.outcome(state)
        assert outcome is not None
        assert value == outcome * (longest - stones + 1)
    seed = int(np.random.default_rng([learner.config.seed, 2**32]).integers(2**63))
    ends = game.states(game.playouts(game.initial(), 700, seed=seed))
    assert Counter(state for state, _ in found) == Counter(ends)
    assert len({game.outcome(end) for end in ends}) == 3


def minimax(game: glaux.Game, s: State, memo: dict[State, int]) -> int:
    if s not in memo:
        outcome = game.outcome(s)
        best = max if game.first_player(s) else min
        memo[s] = (
            outcome
            if outcome is not None
            else best(minimax(game, game.apply(s, a), memo) for a in game.actions(s))
        )
    return memo[s]


def test_what_resolved_memory_keeps() -> None:
    """The proven states of the trees with their results and values; the old ones go when it is full."""
    game = "connect_four:rows=3,columns=4,length=3"
    learner = Athenan(small(game=game, keep_resolved=100_000, warm_start=0))
    [search] = learner.team.workers[0].searches
    assert isinstance(search, glaux.Descent)
    memo: dict[State, int] = {}
    known: dict[State, float] = {}
    for number in range(1, 5):
        learner.train(matches=number)
        states, v, _, r, *_ = search.native.dump()
        proven = r.astype(bool)
        tree = dict(zip(learner.game.states(states[proven]), v[proven].tolist(), strict=True))
        known = tree | known  # a proof is kept as it was found first
        search.clear_but_resolved(100_000)
        kept, v, c = search.native.proven()
        found = learner.game.states(kept)
        assert dict(zip(found, v.tolist(), strict=True)) == known
        for state, result in zip(found, c.tolist(), strict=True):
            assert result == minimax(learner.game, state, memo)
    assert any(learner.game.outcome(state) is None for state in known)
    fewer = len(known) // 2
    learner.train(matches=5)
    search.clear_but_resolved(fewer)
    kept, _, c = search.native.proven()
    assert 0 < len(kept) <= fewer
    for state, result in zip(learner.game.states(kept), c.tolist(), strict=True):
        assert result == minimax(learner.game, state, memo)
