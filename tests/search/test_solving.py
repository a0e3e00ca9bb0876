"""Searches with completion are solvers: all of them agree with exhaustive minimax and the literature.

The number of late positions is for a few seconds. Thousands, as reported in
docs/algorithms/alpha_beta.md, in a minute or two:

    GLAUX_SOLVE_POSITIONS=5000 python -m pytest tests/search/test_solving.py -k late -s
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

import glaux
from glaux import AlphaBeta, State, _core
from glaux.search.registry import SEARCHES, make_search
from tests.boards import MEDIUM, TWO_PLAYERS
from tests.search.contract import EVALUATIONS, late_positions
from tests.search.minimax import outcome, worth

POSITIONS = int(os.environ.get("GLAUX_SOLVE_POSITIONS", "400"))
GAMES = [MEDIUM[name] for name in TWO_PLAYERS]
PROVERS = list({entry.search: entry for entry in reversed(SEARCHES.values()) if entry.proves}.values())[::-1]
"""the first entry of each class"""


@pytest.mark.parametrize("text", GAMES)
def test_late_positions(text: str, seed: int) -> None:
    game = glaux.make(text)
    rng = random.Random(seed)
    count = POSITIONS // len(GAMES)
    solved: Counter[str] = Counter()
    outcomes: Counter[float] = Counter()
    furthest = 0
    while outcomes.total() < count:
        late = late_positions(game, rng)
        furthest = max(furthest, len(late))
        for s, expected in rng.sample(late, min(len(late), 3)):
            outcomes[expected] += 1
            for entry in PROVERS:
                tree = make_search(entry, game, _core.ZeroValue(), {"seed": seed}).run(
                    s, evaluations=EVALUATIONS
                )
                if tree.resolved:
                    solved[entry.name] += 1
                    assert tree.value == expected, (entry.name, s)
                    check_action(tree, expected)
    print(f"\n{text}: {outcomes.total()} positions, {dict(outcomes)}, up to {furthest} plies before the end,")
    print(f"    solved by {dict(solved)}")
    for entry in PROVERS:
        assert solved[entry.name] >= 0.9 * outcomes.total()


def check_action(tree: glaux.Tree, expected: float) -> None:
    """The action keeps the result."""
    game = tree.search.game
    after = game.apply(tree.root, tree.action)
    if game.terminal(after):
        assert worth(game, after) == expected
        return
    proof = AlphaBeta(game).run(after, evaluations=EVALUATIONS)
    assert not proof.resolved or proof.value == expected


# Whole games

SMALL = {
    "othello:size=4": -1,
    "connect_four:rows=4,columns=4": 0,
    "connect_four:rows=4,columns=4,length=3": 1,
    "hex:size=3,swap=0": 1,
    "hex:size=3": -1,
    "breakthrough:rows=4,columns=4": -1,
    "clobber:rows=3,columns=4": -1,
    "clobber:rows=3,columns=5": 1,
}


@pytest.mark.parametrize("text", SMALL)
def test_small_boards_by_all_searches(text: str) -> None:
    game = glaux.make(text)
    assert outcome(game, game.initial(), {}) == SMALL[text]
    for entry in PROVERS:
        tree = make_search(entry, game, _core.ZeroValue()).run(game.initial(), seconds=600)
        assert tree.resolved
        assert tree.value == SMALL[text]
        check_action(tree, SMALL[text])


@pytest.mark.parametrize(
    "text, expected",
    [
        # By exhaustive minimax, which takes seconds; for Connect Four also Tromp's table.
        ("connect_four:rows=4,columns=5", 0),
        ("connect_four:rows=5,columns=4", 0),
        ("breakthrough:rows=5,columns=3", -1),
        ("clobber:rows=4,columns=4", 1),
    ],
)
def test_larger_boards_by_alpha_beta(text: str, expected: int) -> None:
    game = glaux.make(text)
    tree = AlphaBeta(game).run(game.initial(), seconds=600)
    assert tree.resolved
    assert tree.value == expected
    s = game.initial()
    for action in tree.principal_variation():
        s = game.apply(s, action)
    assert game.outcome(s) == expected, "the principal variation of a proof goes to the end"


@pytest.mark.parametrize(
    "size, winning",
    [
        (3, {"c1", "a2", "b2", "c2", "a3"}),
        # The short diagonal; exhaustive minimax over 1.9 million states agrees, in twenty seconds.
        (4, {"d1", "c2", "b3", "a4"}),
    ],
)
def test_winning_openings_of_hex(size: int, winning: set[str]) -> None:
    game = glaux.make("hex", size=size, swap=False)
    s = game.initial()
    found = set()
    for action in game.actions(s):
        tree = AlphaBeta(game).run(game.apply(s, action), seconds=600)
        assert tree.resolved
        if tree.value == 1:
            found.add(game.action_text(s, action))
    assert found == winning
    if size == 3:
        memo: dict[bytes, float] = {}
        exhaustive = [a for a in game.actions(s) if outcome(game, game.apply(s, a), memo) == 1]
        assert {game.action_text(s, a) for a in exhaustive} == winning


def test_othello_4x4_is_lost_by_3_to_11() -> None:
    """The score under perfect play, by exhaustive minimax; the outcome by the searches is above."""
    game = glaux.make("othello:size=4")
    memo: dict[State, float] = {}

    def score(s: State) -> float:
        if game.terminal(s):
            return game.score(s)
        if s not in memo:
            best = max if game.first_player(s) else min
            memo[s] = best(score(game.apply(s, a)) for a in game.actions(s))
        return memo[s]

    assert score(game.initial()) == 3 - 11
