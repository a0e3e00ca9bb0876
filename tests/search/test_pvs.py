"""Alpha-beta as it plays: proofs with all options, memory that is kept, and no value that is not there."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

import glaux
from glaux import AlphaBeta, _core
from glaux.errors import InvalidParameter
from tests.boards import SMALL
from tests.search.contract import EVALUATIONS, late_positions
from tests.search.minimax import Minimax, outcome, scripted_value
from tests.search.test_alpha_beta import depths, middle

GAMES = list(SMALL.values())
OPTIONS: list[dict[str, Any]] = [
    {"ordering": ordering, "reductions": reductions}
    for ordering, reductions in product([True, False], repeat=2)
]


@pytest.mark.parametrize("text", GAMES)
def test_proofs_are_those_of_exhaustive_minimax(text: str, seed: int) -> None:
    """Whatever the options, the values and the memory, in which hardly anything has room."""
    game, rng = glaux.make(text), random.Random(seed)
    late = [position for _ in range(3) for position in late_positions(game, rng)]
    for s, expected in rng.sample(late, min(4, len(late))):
        for options, value in product(OPTIONS, [_core.ZeroValue(), _core.NoiseValue()]):
            tree = AlphaBeta(game, value, **options, memory=least(game), seed=seed).run(
                s, evaluations=EVALUATIONS
            )
            assert tree.bytes_used <= least(game)
            if tree.resolved:
                assert tree.value == expected, (options, game.state_text(s))


def least(game: glaux.Game) -> int:
    """The smallest memory that is enough."""
    with pytest.raises(InvalidParameter) as refused:
        AlphaBeta(game, memory=1)
    return int(str(refused.value).split("at least ")[1].split()[0])


@pytest.mark.parametrize(
    "text", ["othello:size=4", "connect_four:rows=4,columns=4", "clobber:rows=3,columns=4"]
)
def test_a_small_table_solves_what_a_large_one_does(text: str) -> None:
    game = glaux.make(text)
    expected = outcome(game, game.initial(), {})
    for memory in (least(game), 1 << 24):
        tree = AlphaBeta(game, memory=memory).run(game.initial(), seconds=600)
        assert tree.resolved and tree.value == expected
        assert tree.bytes_used <= memory


@pytest.mark.parametrize("text", GAMES)
def test_what_it_says_of_its_actions_holds(text: str, seed: int) -> None:
    """With reductions a value is that of some depth, and completion is never wrong."""
    game, rng = glaux.make(text), random.Random(seed)
    for s in [middle(game, rng) for _ in range(3)]:
        deepest = depths(game, s)[-1]
        witness = Minimax(game, completion=True)
        tree = AlphaBeta(game, scripted_value(game), deepest, seed=seed).run(s)
        found = [witness.answer(s, depth) for depth in range(1, deepest + 1)]
        proven = {answer.proven[0] for answer in found if answer.proven[0] == answer.proven[1]}
        assert not tree.resolved or not proven or tree.value in {a.key[1] for a in found}
        best = next(row for row in tree.children() if row.action == tree.action)
        assert best.v == tree.value
        line: Any = s
        for action in tree.principal_variation():
            assert action in game.actions(line)
            line = game.apply(line, action)


def test_reductions_look_less_far() -> None:
    game = glaux.make("othello:size=6")
    with_them, without = (
        AlphaBeta(game, _core.NoiseValue(), reductions=reductions)
        .run(game.initial(), iterations=7)
        .statistics.evaluations
        for reductions in (True, False)
    )
    assert with_them < without


def test_a_proof_that_was_given_up_leaves_no_trace() -> None:
    """A root that is searched in slices, as the page and engines do, keeps the values of its last depth.

    Only a draw is worth 0 here, and no position has more than two of them.
    """
    game, rng, sliced = glaux.make("othello"), random.Random(5), 0
    for _ in range(400):
        s, line = game.initial(), list[glaux.State]()
        while not game.terminal(s):
            line.append(s)
            s = game.apply(s, rng.choice(game.actions(s)))
        search = AlphaBeta(game, _core.NoiseValue(), endgame=0.5, seed=1)
        for evaluations in (1500, 600):
            tree = search.run(line[-10], evaluations=evaluations)
        if not tree.resolved:
            sliced += 1
            unknown = [row for row in tree.children() if row.v == 0 and row.n == 0 and not row.r]
            assert len(unknown) <= 2, game.state_text(line[-10])
    assert sliced > 20
