"""RAVE against a transcription in plain Python with the same random matches."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import pytest

import glaux
from glaux import Game, State, _core
from glaux.errors import InvalidParameter
from tests.learn.playing import score
from tests.search.mcts_games import Climb

MASK = 2**64 - 1


class Rng:
    """xoshiro256++ seeded by splitmix64, as in cpp/core/rng.h."""

    def __init__(self, seed: int) -> None:
        self.words = []
        for _ in range(4):
            seed = seed + 0x9E3779B97F4A7C15 & MASK
            z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
            z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
            self.words.append(z ^ z >> 31)

    def below(self, n: int) -> int:
        a, b, c, d = self.words

        def turned(x: int, k: int) -> int:
            return (x << k | x >> 64 - k) & MASK

        result = turned(a + d & MASK, 23) + a & MASK
        t = b << 17 & MASK
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        self.words = [a, b, c ^ t, turned(d, 45)]
        return (result >> 32) * n >> 32


class Transcription:
    """Dictionaries for W, N, and for the means of actions as if first."""

    def __init__(self, game: Game, c: float, k: float, seed: int) -> None:
        self.game, self.c, self.k, self.rng = game, c, k, Rng(seed)
        self.known: set[State] = set()
        self.w: defaultdict[Any, float] = defaultdict(float)
        self.n: defaultdict[Any, int] = defaultdict(int)
        self.first_w: defaultdict[Any, float] = defaultdict(float)
        self.first_n: defaultdict[Any, int] = defaultdict(int)

    def select(self, s: State) -> int:
        game = self.game
        sign = 1 if game.first_player(s) else -1
        total = sum(self.n[s, a] for a in game.actions(s))
        beta = math.sqrt(self.k / (3 * total + self.k))

        def score(a: int) -> float:
            n, m = self.n[s, a], self.first_n[s, a]
            as_first = self.first_w[s, a] / m if m else 0.0
            share = beta if m else 0.0
            q = (1 - share) * self.w[s, a] / n + share * as_first if n else as_first
            return sign * q + self.c * math.sqrt(math.log(max(total, 1))) / math.sqrt(max(n, 1))

        return max(game.actions(s), key=score)

    def iteration(self, root: State) -> None:
        game, s, way = self.game, root, list[tuple[State, int]]()
        while s in self.known and not game.terminal(s):
            way.append((s, self.select(s)))
            s = game.apply(*way[-1])
        later: list[tuple[bool, int]] = []
        if not game.terminal(s):
            self.known.add(s)
        while not game.terminal(s):
            actions = game.actions(s)
            action = actions[self.rng.below(len(actions))]
            later.append((game.first_player(s), action))
            s = game.apply(s, action)
        z = float(game.outcome(s) or 0)
        for at, taken in reversed(way):
            self.w[at, taken] += z
            self.n[at, taken] += 1
            later.append((game.first_player(at), taken))
            for a in game.actions(at):
                if (game.first_player(at), a) in later:
                    self.first_w[at, a] += z
                    self.first_n[at, a] += 1


@pytest.mark.parametrize(
    "text",
    ["hex:size=3", "connect_four:rows=4,columns=4,length=3", "othello:size=4", "amazons:size=6", "climb"],
)
@pytest.mark.parametrize("k", [1.0, 50.0, 3000.0])
def test_the_tree_is_that_of_the_transcription(text: str, k: float) -> None:
    """Along a match; the constant is such that different statistics are never equally good."""
    game = glaux.make(Climb if text == "climb" else text)
    search = glaux.MCTS(game, rave=k, c=0.3137, random_ties=False, seed=9)
    t = Transcription(game, 0.3137, k, 9)
    s = game.initial()
    for _ in range(3):
        if game.terminal(s):
            break
        tree = search.run(s, iterations=100)
        for _ in range(100):
            t.iteration(s)
        for at in t.known:
            rows = tree.children(at)
            if rows:
                assert [row.n for row in rows] == [t.n[at, a] for a in game.actions(at)]
        s = game.apply(s, tree.action)


def test_it_helps_where_the_order_matters_little() -> None:
    """Hex: with few iterations RAVE knows all actions, and beats the same number of iterations without."""
    assert score("hex:size=6", ["mcts:iterations=200,rave=1000,c=0.3", "mcts:iterations=200"], 60) > 0.65


def test_its_memory_is_in_the_budget() -> None:
    game, budget = glaux.make("othello:size=6"), 1 << 20
    search = glaux.MCTS(game, rave=300, memory=budget, seed=1)
    s, full = game.initial(), 0
    while not game.terminal(s):
        tree = search.run(s, iterations=20_000)
        assert tree.bytes_used <= budget
        full += tree.statistics.full
        s = game.apply(s, tree.action)
    assert full
    search.clear()
    assert search.native.bytes == 0


def test_it_needs_random_matches() -> None:
    game = glaux.make("hex:size=3")
    with pytest.raises(InvalidParameter, match="random matches"):
        glaux.MCTS(game, _core.ZeroValue(), rave=10)
    with pytest.raises(InvalidParameter, match="of at least 0"):
        glaux.MCTS(game, rave=-1)
    options = _core.MctsOptions()
    options.rave, options.leaf = 10, _core.Leaf.children
    with pytest.raises(InvalidParameter, match="RAVE only works with UCT"):
        _core.Mcts(game.native, _core.TerminalValue(), options)
