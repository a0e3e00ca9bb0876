"""What PUCT proves: results that minimax finds as well, and a policy that knows them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import glaux
from glaux import State, _core
from glaux.search.registry import make_search

GAME = glaux.make("connect_four:rows=4,columns=4,length=3")


def positions(rng: random.Random, count: int, plies: int, game: glaux.Game = GAME) -> Iterator[State]:
    """States of random matches after so many plies, without those that have ended before."""
    for _ in range(count):
        s = game.initial()
        for _ in range(plies):
            if not game.terminal(s):
                s = game.apply(s, rng.choice(game.actions(s)))
        if not game.terminal(s):
            yield s


@pytest.mark.parametrize("options", [{}, {"batch": 6}, {"root": "gumbel"}], ids=str)
def test_proofs_are_those_of_minimax(options: dict[str, Any], seed: int) -> None:
    """In late positions of random matches, with values that know nothing."""
    proven = 0
    for s in positions(random.Random(seed), 20, 6):
        search = make_search("puct", GAME, _core.ZeroValue(), {"proven": True, "seed": seed, **options})
        tree = search.run(s, iterations=5000)
        truth = make_search("ubfm", GAME, _core.ZeroValue(), {}).run(s, iterations=100_000)
        assert truth.resolved
        expected = {row.action: row.c for row in truth.children() if row.r}
        for row in tree.children():
            if row.r and row.action in expected:
                assert row.c == expected[row.action]
        if tree.resolved:
            proven += 1
            assert tree.value == truth.value
            after = GAME.apply(s, tree.action)
            best = 1 if GAME.first_player(s) else -1
            if truth.value == best:
                assert (
                    make_search("ubfm", GAME, None, {}).run(after, iterations=100_000).value == best
                    if (not GAME.terminal(after))
                    else GAME.outcome(after) == best
                )
    assert proven > 10


@pytest.mark.parametrize("iterations", [30, 400])
@pytest.mark.parametrize("options", [{}, {"root": "gumbel"}], ids=str)
def test_the_policy_knows_what_is_proven(options: dict[str, Any], iterations: int, seed: int) -> None:
    """Whatever was visited before: a proven state has only actions that are worth as much, by minimax."""
    resolved = 0
    for s in positions(random.Random(seed), 30, 5):
        search = make_search("puct", GAME, _core.ZeroValue(), {"proven": True, "seed": seed, **options})
        assert isinstance(search, glaux.PUCT)
        tree = search.run(s, iterations=iterations)
        policy = search.policy(s)
        assert policy.sum() == pytest.approx(1) and (policy >= 0).all()
        resolved += tree.resolved
        for row, share in zip(tree.children(), policy, strict=True):
            if share == 0:
                continue
            if tree.resolved:
                assert minimax(GAME.apply(s, row.action)) == minimax(s)
            else:
                assert not (row.r and row.c == (-1 if GAME.first_player(s) else 1))
    assert resolved > 3


def minimax(s: State) -> int:
    """The result of the best play: the actions to the end, one by one."""
    outcome = GAME.outcome(s)
    if outcome is not None:
        return outcome
    best = max if GAME.first_player(s) else min
    return best(minimax(GAME.apply(s, a)) for a in GAME.actions(s))


@pytest.mark.parametrize("options", [{}, {"batch": 4}, {"root": "gumbel"}], ids=str)
def test_a_win_needs_no_value(options: dict[str, Any]) -> None:
    """A state that the player to move wins at once is known when it is met, and who moved there has lost."""
    game = glaux.make("connect_four")
    won = game.play("1 7 1 7 1 6")
    search = glaux.PUCT(game, _core.ZeroValue(), proven=True, **options)
    tree = search.run(won, iterations=50)
    assert tree.resolved and tree.value == 1
    assert tree.statistics.evaluations < options.get("batch", 1)  # what was in the batch of the proof
    assert game.action_text(won, tree.action) == "1"
    assert search.policy(won).tolist() == [1, 0, 0, 0, 0, 0, 0]
    # One action is not lost, and each other one is seen to be by one visit.
    before = game.play("1 7 1 7 1")
    search = glaux.PUCT(game, _core.ZeroValue(), proven=True, **options)
    tree = search.run(before, iterations=50)
    rows = {game.action_text(before, row.action): row for row in tree.children()}
    assert game.action_text(before, tree.action) == "1" and not rows["1"].r
    lost = [row for text, row in rows.items() if text != "1"]
    assert all(row.r and row.c == 1 for row in lost)
    assert "root" in options or {row.n for row in lost} == {1}  # sequential halving visits all alike
    again = search.run(game.apply(before, rows["2"].action), iterations=50)  # a leaf becomes the root
    assert again.resolved and game.action_text(again.root, again.action) == "1"


def test_nothing_is_proven_unless_asked() -> None:
    tree = make_search("puct", GAME, _core.ZeroValue()).run(GAME.play("1 2 1 2"), iterations=3000)
    assert not tree.resolved and tree.statistics.iterations == 3000


@pytest.mark.parametrize("options", [{}, {"batch": 6}, {"root": "gumbel"}], ids=str)
def test_a_lost_action_is_not_taken_again(options: dict[str, Any], seed: int) -> None:
    """An action that the opponent can answer with a win is proven when it is first taken."""
    game, lost = glaux.make("connect_four"), 0
    for s in positions(random.Random(seed), 40, 16, game):
        loss = -1 if game.first_player(s) else 1
        search = make_search("puct", game, _core.ZeroValue(), {"proven": True, "seed": seed, **options})
        tree = search.run(s, iterations=100)
        for row in () if tree.resolved else tree.children():
            after = game.apply(s, row.action)
            replies = [] if game.terminal(after) else game.actions(after)
            if loss in [game.outcome(game.apply(after, reply)) for reply in replies]:
                lost += 1
                assert row.n <= 1, game.state_text(s)
    assert lost > 5
