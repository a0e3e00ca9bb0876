"""ExIt's expert against its formula in plain Python, with the two means of the paper kept apart."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State
from glaux.errors import InvalidParameter
from glaux.search.exit import Expert
from glaux.search.registry import make_search
from tests.search.mcts_games import policy_on_states, scripted


class Decided(glaux.Rules):
    """Three actions, five times, by both players in turn: the first action decides who wins.

    So that a random match from any state but the first ends as all others from there.
    """

    state = [("path", np.int8, (1, 5)), ("ply", np.int8)]
    action_count = 3
    max_plies = 5
    symbols = "0123"

    def first_player(self, s: Any) -> bool:
        return s["ply"] % 2 == 0

    def actions(self, s: Any) -> list[int]:
        return [0, 1, 2]

    def apply(self, s: Any, action: int) -> None:
        s["path"][0, s["ply"]] = action + 1
        s["ply"] += 1

    def outcome(self, s: Any) -> int | None:
        return int(s["path"][0, 0]) - 2 if s["ply"] == 5 else None

    def cells(self, s: Any) -> Any:
        return s["path"]


WEIGHTS = [1.0, 0.37, 1.71]


def visits(game: Game, root: State, iterations: int, c: float, w_a: float, w_v: float) -> dict[Any, int]:
    """UCT(s,a) + w_a pi(a|s) / (n(s,a) + 1) + w_v Q'(s,a), with the means of playouts and of values."""
    value = scripted(game)
    weight = float(np.sum(np.array(WEIGHTS, np.float32), dtype=np.float64))
    pi = [float(np.float32(np.float32(w) / weight)) for w in WEIGHTS]
    playouts: defaultdict[Any, float] = defaultdict(float)
    values: defaultdict[Any, float] = defaultdict(float)
    n: defaultdict[Any, int] = defaultdict(int)
    known: set[State] = set()

    def end_of(s: State) -> float:
        while not game.terminal(s):
            s = game.apply(s, 0)
        return float(game.outcome(s) or 0)

    for _ in range(iterations):
        s, path = root, list[tuple[State, int]]()
        while s in known and not game.terminal(s):
            sign = 1 if game.first_player(s) else -1
            total = sum(n[s, a] for a in range(3))

            def score(a: int, s: State = s, sign: int = sign, total: int = total) -> float:
                times = max(n[s, a], 1)
                uct = sign * playouts[s, a] / times + c * math.sqrt(math.log(max(total, 1)) / times)
                return uct + w_a * pi[a] / (n[s, a] + 1) + w_v * sign * values[s, a] / times

            a = max(range(3), key=score)
            path.append((s, a))
            s = game.apply(s, a)
        known.add(s)
        r = end_of(s)
        v = r if game.terminal(s) else value(s)
        for step in path:
            playouts[step] += r
            values[step] += v
            n[step] += 1
    return n


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("c", [0.1, 0.7])
@pytest.mark.parametrize("w_a", [0.013, 3.0, 40.0])
@pytest.mark.parametrize("w_v", [0.0, 0.75, 4.0])
def test_the_tree_is_that_of_the_formula(first: int, c: float, w_a: float, w_v: float) -> None:
    game = glaux.make(Decided)
    root = game.apply(game.initial(), first)
    network = policy_on_states(game, scripted(game), WEIGHTS)
    search = Expert(game, network, c=c, w_a=w_a, w_v=w_v, random_ties=False)
    tree = search.run(root, iterations=150)
    expected = visits(game, root, 150, c, w_a, w_v)
    states = {s for s, _ in expected}
    assert len(states) > 4
    for s in states:
        rows = tree.children(s)
        assert [row.n for row in rows] == [expected[s, a] for a in range(3)]
    assert search.policy(root) == pytest.approx([expected[root, a] / 149 for a in range(3)])


def test_playouts_are_random_and_have_the_seed() -> None:
    game = glaux.make("connect_four")
    trees = [Expert(game, None, w_v=0.0, seed=seed).run(game.initial(), iterations=300) for seed in (1, 1, 2)]
    assert trees[0].children() == trees[1].children() != trees[2].children()
    assert abs(trees[0].value) < 0.5 and trees[0].value != 0, "a mean of ends"


class Untaught:
    """A network whose values mean nothing yet."""

    has_values = False

    def __call__(self, planes: Any) -> Any:
        return np.full(len(planes), 1e6)


def test_values_that_were_not_learned_do_not_count() -> None:
    game = glaux.make("connect_four")
    tree = make_search("exit", game, Untaught(), {"seed": 1}).run(game.initial(), iterations=200)
    assert abs(tree.value) <= 1
    assert make_search("exit", game, Untaught(), {"w_v": 0.5}).run(game.initial(), iterations=9).value > 1e5


def test_wrong_options_get_a_sentence() -> None:
    game = glaux.make("connect_four")
    options: list[dict[str, Any]] = [{"w_a": -1.0}, {"w_v": -1.0}, {"c": math.nan}, {"w_b": 1.0}]
    for wrong in options:
        with pytest.raises(InvalidParameter):
            Expert(game, None, **wrong)
