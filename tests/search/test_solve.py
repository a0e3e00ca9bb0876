"""Proofs from the command's point of view: outcomes, scores, giving up."""

from __future__ import annotations

from typing import Any

import pytest

import glaux
from glaux.learn.stopping import checked
from glaux.search.solve import score_range, solve, solve_score


def proven_score(text: str, moves: str = "") -> float | None:
    game = glaux.make(text)
    low, high = score_range(game)
    return solve_score(game.play(moves), low=low, high=high).score


def test_othello_4x4_is_won_by_the_second_player_11_to_3() -> None:
    game = glaux.make("othello:size=4")
    assert solve(game.initial()).outcome == -1
    assert proven_score("othello:size=4") == 3 - 11


def best_score(game: glaux.Game, state: glaux.State, memo: dict[glaux.State, float]) -> float:
    """Plain minimax over scores."""
    if state not in memo:
        children = [game.apply(state, a) for a in game.actions(state)]
        scores = [best_score(game, child, memo) for child in children]
        best = max if game.first_player(state) else min
        memo[state] = best(scores) if scores else game.score(state)
    return memo[state]


def test_scores_agree_with_plain_minimax(seed: int) -> None:
    game = glaux.make("othello:size=6")
    low, high = score_range(game)
    for i in range(20):
        actions: list[int] = []
        state = game.initial()
        while not game.terminal(state):
            actions.append(game.actions(state)[(seed + 7 * len(actions) + i) % len(game.actions(state))])
            state = game.apply(state, actions[-1])
        late = game.initial()
        for action in actions[:-7]:
            late = game.apply(late, action)
        assert solve_score(late, low=low, high=high).score == best_score(game, late, {})


def reachable(game: glaux.Game, state: glaux.State, most: int) -> int:
    """How many states can come about from this one; more than ``most`` are not counted."""
    found, waiting = {state}, [state]
    while waiting and len(found) <= most:
        parent = waiting.pop()
        new = {game.apply(parent, a) for a in game.actions(parent)} - found
        found |= new
        waiting += new
    return len(found)


def test_amazons_scores_agree_with_plain_minimax(seed: int) -> None:
    game = glaux.make("amazons:size=6")
    low, high = score_range(game)
    for i in range(5):
        path = [game.initial()]
        while not game.terminal(path[-1]):
            actions = game.actions(path[-1])
            path.append(game.apply(path[-1], actions[(seed + 5 * len(path) + i) % len(actions)]))
        late = next(s for s in path if reachable(game, s, 3000) <= 3000)  # few end at a fixed distance
        assert not game.terminal(late)
        assert solve_score(late, low=low, high=high).score == best_score(game, late, {})


def test_the_principal_variation_leads_to_the_proven_outcome() -> None:
    game = glaux.make("othello:size=4")
    found = solve(game.initial())
    state = game.initial()
    for action in found.principal_variation:
        state = game.apply(state, action)
    assert game.outcome(state) == found.outcome


def test_giving_up() -> None:
    game = glaux.make("othello")
    found = solve(game.initial(), seconds=0.05)
    assert found.outcome is None
    assert not found.resolved
    small = solve(game.initial(), seconds=0.05, memory=1 << 20)
    assert small.outcome is None
    low, high = score_range(game)
    assert solve_score(game.initial(), seconds=0.05, low=low, high=high).score is None


def test_giving_up_between_two_questions() -> None:
    """The first question may be answered after the time is over; the second then has none left."""
    game = glaux.make("othello:size=4")
    low, high = score_range(game)
    state = game.initial()
    while not game.terminal(state):
        late, state = state, game.apply(state, game.actions(state)[0])
    found = solve_score(late, seconds=1e-9, low=low, high=high)
    assert found.score == game.score(state) or not found.resolved


def test_an_interrupted_proof_counts_what_it_has_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    run = glaux.AlphaBeta.run

    def interrupted(self: glaux.AlphaBeta, *args: Any, **limits: Any) -> glaux.Tree:
        def interrupt() -> None:
            raise KeyboardInterrupt

        try:
            if not counts:
                return run(self, *args, evaluations=20_000)
            with checked(interrupt):
                return run(self, *args, **limits)
        finally:
            counts.append(self.native.statistics.expansions)

    monkeypatch.setattr(glaux.AlphaBeta, "run", interrupted)
    found = solve(glaux.make("othello").initial(), report=lambda *_: None)
    assert found.interrupted
    assert len(counts) == 2
    assert counts[1] != counts[0]
    assert found.expansions == sum(counts)
