"""What self-play chooses from a tree: completed action selection (section 5.2), and plain."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any, ClassVar

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidParameter
from glaux.learn.selection import (
    EpsilonGreedy,
    Fixed,
    Ordinal,
    Selection,
    Softmax,
    completed_selection,
    select,
)
from glaux.search.tree import Columns, Row

both_players = pytest.mark.parametrize("first_player", [True, False])


class Witness(Selection):
    """Takes the last action, and remembers what it was asked."""

    asked: ClassVar[list[Any]] = []

    def choose(self, values: Any, first_player: bool, rng: np.random.Generator, progress: float) -> int:
        self.asked.append((list(values), first_player, progress))
        return len(values) - 1

    def _probabilities(self, goodness: Any, epsilon: float) -> Any:
        raise NotImplementedError


def columns(rows: list[Row]) -> Columns:
    fields = zip(*rows, strict=True) if rows else [[]] * len(Row._fields)
    return Columns(*(np.array(field) for field in fields))


@both_players
def test_completed_selection_is_the_case_distinction_of_section_5(first_player: bool) -> None:
    """All tables of three actions over c, r and two values, against the paper's sets."""
    kinds = [(c, r, v) for c, r in ((1, 1), (-1, 1), (0, 0), (0, 1)) for v in (0.25, 0.5)]
    rng = np.random.default_rng(7)
    for table in itertools.product(kinds, repeat=3):
        rows = [Row(10 + i, v, c, r, 5 - i) for i, (c, r, v) in enumerate(table)]
        selection = Witness()
        selection.asked.clear()
        played = completed_selection(columns(rows), first_player, selection, rng, 0.3)
        won = [row for row in rows if (row.c > 0 if first_player else row.c < 0)]
        zero = [row for row in rows if row.c == 0]
        if won or not zero:
            among = won if won else rows
            best = max(row.v for row in among) if first_player else min(row.v for row in among)
            assert played in [row.action for row in among if row.v == best]
            assert selection.asked == []
        else:
            assert selection.asked == [([row.v for row in zero], first_player, 0.3)]
            assert played == zero[-1].action


def test_equally_good_wins_and_losses_are_drawn_from() -> None:
    rng = np.random.default_rng(8)
    wins = [Row(3, 0.5, 1, 1, 9), Row(4, 0.7, 1, 1, 0), Row(5, 0.7, 1, 1, 1), Row(6, 9.0, 0, 0, 5)]
    drawn = Counter(completed_selection(columns(wins), True, Ordinal(), rng, 0.0) for _ in range(400))
    assert drawn.keys() == {4, 5}
    assert abs(drawn[4] - 200) < 80
    losses = [Row(3, -0.5, -1, 1, 9), Row(4, -0.7, -1, 1, 0), Row(5, -0.5, -1, 1, 1)]
    drawn = Counter(completed_selection(columns(losses), True, Ordinal(), rng, 0.0) for _ in range(400))
    assert drawn.keys() == {3, 5}
    # For the second player the same rows are wins, and the lowest is the best.
    assert completed_selection(columns(losses), False, Ordinal(), rng, 0.0) == 4


def test_losses_are_never_explored_while_there_is_something_else() -> None:
    rng = np.random.default_rng(9)
    rows = [Row(1, 0.9, -1, 1, 3), Row(2, 0.1, 0, 0, 3), Row(3, 0.0, 0, 1, 3)]
    drawn = Counter(
        completed_selection(columns(rows), True, EpsilonGreedy(Fixed(1.0)), rng, 0.0) for _ in range(400)
    )
    assert drawn.keys() == {2, 3}
    with pytest.raises(InvalidParameter, match="no action"):
        completed_selection(columns([]), True, Ordinal(), rng, 0.0)


# Of a search


class Seen:
    """A tree of which the search has visited some actions: rows of action, v, c, and whether it has."""

    def __init__(self, rows: list[tuple[int, float, int, bool]], first: bool) -> None:
        self.root, self.search = None, self
        self.game = self
        self.rows, self.first = rows, first

    def first_player(self, _: object) -> bool:
        return self.first

    def _columns(self, rows: list[tuple[int, float, int, bool]]) -> Columns:
        action, v, c, _ = zip(*rows, strict=True) if rows else ((), (), (), ())
        r = np.abs(np.array(c, np.int8))
        return Columns(
            np.array(action, np.int32), np.array(v, np.float32), np.array(c, np.int8), r, r.astype(np.uint64)
        )

    def columns(self) -> Columns:
        return self._columns(self.rows)

    def choices(self) -> Columns:
        return self._columns([row for row in self.rows if row[3]])


def frequencies(tree: Seen, selection: Selection, completed: bool, n: int = 4000) -> dict[int, float]:
    rng = np.random.default_rng(1)
    counts = Counter(select(tree, selection, rng, 0.0, completed=completed) for _ in range(n))  # type: ignore[arg-type]
    return {action: counts[action] / n for action, *_ in tree.rows}


@both_players
@pytest.mark.parametrize("kind", [EpsilonGreedy, Softmax, Ordinal])
def test_exploration_alone_plays_what_was_not_visited(kind: type[Selection], first_player: bool) -> None:
    """At a rate of 1 all actions are played alike, at 0 only the best of those that were visited."""
    sign = 1 if first_player else -1
    rows = [(3, sign * 0.9, 0, False), (5, sign * 0.2, 0, True), (8, sign * 0.1, 0, True), (9, 0.0, 0, False)]
    tree = Seen(rows, first_player)
    everywhere = frequencies(tree, kind(Fixed(1.0)), completed=True)
    assert all(share == pytest.approx(0.25, abs=0.04) for share in everywhere.values())
    assert frequencies(tree, kind(Fixed(0.0)), completed=True, n=50)[5] == 1
    unknown = Seen([(3, 0.9, 0, False), (5, 0.2, 0, False)], first_player)
    for rate in (0.0, 1.0):
        assert frequencies(unknown, kind(Fixed(rate)), completed=True)[3] == pytest.approx(0.5, abs=0.04)


@both_players
def test_plain_selection_does_not_look_at_proofs(first_player: bool) -> None:
    sign = 1 if first_player else -1
    rows = [(1, sign * 0.5, sign, True), (2, sign * 0.9, 0, True), (3, sign * 0.7, -sign, True)]
    tree = Seen(rows, first_player)
    greedy, any_action = EpsilonGreedy(Fixed(0.0)), EpsilonGreedy(Fixed(1.0))
    assert frequencies(tree, greedy, completed=True, n=50)[1] == 1
    assert frequencies(tree, greedy, completed=False, n=50)[2] == 1
    assert frequencies(tree, any_action, completed=True, n=50)[1] == 1
    for share in frequencies(tree, any_action, completed=False).values():
        assert share == pytest.approx(1 / 3, abs=0.04)


def test_mcts_plays_at_random_at_a_rate_of_1() -> None:
    game = glaux.make("connect_four")
    tree = glaux.MCTS(game, seed=1).run(game.initial(), iterations=4)
    assert 0 < len(tree.choices().action) < 7
    rng = np.random.default_rng(2)
    played = Counter(select(tree, EpsilonGreedy(Fixed(1.0)), rng, 0.0) for _ in range(700))
    assert set(played) == set(range(7)) and min(played.values()) > 60
    visited = set(tree.choices().action.tolist())
    assert {select(tree, EpsilonGreedy(Fixed(0.0)), rng, 0.0) for _ in range(50)} <= visited
