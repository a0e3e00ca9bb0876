"""Values of reinforcement heuristics, worked out by hand.

The witness is plain Python over what the rules show: the lengths of matches, the cells of boards and the
lists of actions, never the native heuristics.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State
from glaux.search.heuristics import available, make_heuristic
from glaux.search.registry import SEARCHES, make_search
from tests.boards import GAMES, SMALL, TWO_PLAYERS
from tests.search.ends import ends_of

CONNECT_FOUR = glaux.make("connect_four")
TINY = glaux.make("connect_four:rows=3,columns=3,length=3")
HEX = glaux.make("hex:size=3,swap=false")
OTHELLO = glaux.make("othello:size=4")


class Solitaire(glaux.Rules):
    """One player takes one of the numbers 1 to 5 three times, and never wins."""

    state = [("taken", np.int8, (1, 5)), ("ply", np.int8)]
    action_count = 5
    max_plies = 3
    players = 1

    def first_player(self, s: Any) -> bool:
        return True

    def actions(self, s: Any) -> list[int]:
        return [a for a in range(5) if not s["taken"][0, a]]

    def apply(self, s: Any, action: int) -> None:
        s["taken"][0, action] = 1
        s["ply"] += 1

    def outcome(self, s: Any) -> int | None:
        return 0 if s["ply"] == 3 else None

    def score(self, s: Any) -> float:
        return float(np.flatnonzero(s["taken"][0]).sum() + 3)

    def cells(self, s: Any) -> Any:
        return s["taken"]


def value(game: Game, text: str, state: State) -> float:
    return make_heuristic(game, text).value(state)


FIRST_WINS = CONNECT_FOUR.play("1 2 1 2 1 2 1")  # 7 actions
SECOND_WINS = CONNECT_FOUR.play("1 2 1 2 1 2 3 2")  # 8 actions


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("classic", 1, -1),
        ("additive_depth", 42 - 7 + 1, -(42 - 8 + 1)),
        ("additive_depth:longest=20", 20 - 7, -(20 - 8)),
        ("additive_depth:longest=8", 1, -1),
        ("additive_depth:longest=9", 2, -1),
        ("additive_depth:longest=1", 1, -1),
        ("multiplicative_depth:average=60", 60 / 7, -60 / 8),
        ("multiplicative_depth:average=1.5", 1.5 / 7, -1.5 / 8),
    ],
)
def test_wins_of_connect_four(text: str, first: float, second: float) -> None:
    assert CONNECT_FOUR.outcome(FIRST_WINS) == 1
    assert CONNECT_FOUR.outcome(SECOND_WINS) == -1
    assert value(CONNECT_FOUR, text, FIRST_WINS) == np.float32(first)
    assert value(CONNECT_FOUR, text, SECOND_WINS) == np.float32(second)


def test_depth_in_hex_is_the_number_of_empty_cells_and_one() -> None:
    """So says section 6.2.2."""
    state = HEX.play("a1 b1 a2 b2 a3")
    assert HEX.outcome(state) == 1
    assert (HEX.cells(state) == 0).sum() == 4
    assert value(HEX, "additive_depth", state) == 5


def test_a_draw_is_worth_nothing() -> None:
    for text in available(TINY):
        heuristic = make_heuristic(TINY, text)
        ends = ends_of(heuristic.game, 200, 1)
        drawn = [end for end in ends if heuristic.game.outcome(end) == 0]
        assert len(drawn) > 3
        assert not heuristic.values(drawn).any()


def test_a_draw_is_worth_its_score() -> None:
    """Section 12.4: where no match is won, the score is all that there is to learn."""
    game = glaux.make(Solitaire)
    ends = ends_of(game, 200, 1)
    scores = [game.native.measures(end.data).score for end in ends]
    assert {game.outcome(end) for end in ends} == {0} and len(set(scores)) > 3
    heuristic = make_heuristic(game, "score")
    assert heuristic.values(ends).tolist() == scores
    assert heuristic.scale == max(scores)
    assert make_heuristic(game).name == "score"
    for entry in (entry for entry in SEARCHES.values() if entry.proves):
        tree = make_search(entry, game, None, None, heuristic).run(game.initial(), iterations=1000)
        assert (tree.value, tree.resolved) == (3 + 4 + 5, True)


def test_score_and_presence_of_othello() -> None:
    boards = {
        "XXXX/XXXX/XXXX/OOOO": 8,
        "OOOO/OOOO/OOOO/OOO.": -15,
        "XXXX/OOOO/XXXX/OOOO": 0,
        "XXXX/XXXX/XXXX/XXXX": 16,
    }
    for board, expected in boards.items():
        state = OTHELLO.parse_state(f"{board} X 12")
        assert OTHELLO.outcome(state) == np.sign(expected)
        assert value(OTHELLO, "score", state) == expected
        assert value(OTHELLO, "presence", state) == expected


@pytest.mark.parametrize("name", ["othello", "surakarta", "breakthrough", "clobber", "lines_of_action"])
def test_presence_counts_the_cells(name: str, seed: int) -> None:
    game = glaux.make(name)
    ends = ends_of(game, 100, seed)
    for end, found in zip(ends, make_heuristic(game, "presence").values(ends), strict=True):
        codes = game.cells(end)
        difference = int((codes == 1).sum()) - int((codes == 2).sum())
        outcome = game.outcome(end)
        assert found == {1: max(difference, 1), -1: min(difference, -1), 0: 0}[outcome or 0]


@pytest.mark.parametrize("name", ["othello", "surakarta"])
def test_score_coincides_with_presence(name: str, seed: int) -> None:
    """In Othello and Surakarta, says section 6.2.4."""
    game = glaux.make(name)
    ends = ends_of(game, 300, seed)
    score, presence = (make_heuristic(game, text).values(ends) for text in ("score", "presence"))
    assert (score == presence).all()


def test_score_of_amazons_is_the_winners_territory(seed: int) -> None:
    """Remark 22; counted here by flooding the board from the winner's amazons."""
    game = glaux.make("amazons:size=6")
    for end in ends_of(game, 50, seed):
        codes = game.cells(end)
        outcome = game.outcome(end)
        reached = {(r, c) for r, c in np.argwhere(codes == (1 if outcome == 1 else 2))}
        frontier = list(reached)
        while frontier:
            row, column = frontier.pop()
            for cell in ((row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
                if min(cell) >= 0 and max(cell) < 6 and codes[cell] == 0 and cell not in reached:
                    reached.add(cell)
                    frontier.append(cell)
        assert value(game, "score", end) == (outcome or 0) * max(1, len(reached) - 4)


# Mobility


def test_mobility_of_hex_by_hand() -> None:
    """Choices among 9, 7 and 5 cells against 8 and 6, or 8, 6 and 4."""
    game = glaux.make("hex:size=3,swap=false", mobility=True)
    assert value(game, "mobility", game.play("a1 b1 a2 b2 a3")) == 7 / 7
    lost = game.play("a1 a2 b1 b2 a3 c2")
    assert game.outcome(lost) == -1
    assert value(game, "mobility", lost) == np.float32(-6 / 7)


@pytest.mark.parametrize("name", [SMALL[name] for name in TWO_PLAYERS])
def test_mobility_recounted_along_matches(name: str, seed: int) -> None:
    """Every action of a turn is a decision, a forced pass is one with a single choice."""
    plain = glaux.make(name)
    heuristic = make_heuristic(plain, "mobility")
    rng = random.Random(seed)
    for _ in range(12):
        counts: dict[bool, list[int]] = {True: [], False: []}
        s, state = plain.initial(), heuristic.game.initial()
        while not plain.terminal(s):
            actions = plain.actions(s)
            counts[plain.first_player(s)].append(len(actions))
            action = rng.choice(actions)
            s, state = plain.apply(s, action), heuristic.game.apply(state, action)
        m1, m2 = (sum(c) / len(c) for c in (counts[True], counts[False]))
        outcome = plain.outcome(s)
        assert heuristic.value(state) == np.float32({1: m1 / m2, -1: -m2 / m1, 0: 0.0}[outcome or 0])


# Depth with and without an exact P


@pytest.mark.parametrize("name", GAMES)
def test_depth_from_the_length_of_matches(name: str, seed: int) -> None:
    game = glaux.make(name)
    additive = make_heuristic(game, "additive_depth")
    multiplicative = make_heuristic(game, "multiplicative_depth")
    top = game.spec.max_plies + 1 if game.spec.max_plies_exact else int(additive.text.partition("=")[2])
    average = float(multiplicative.text.partition("=")[2])
    ends = ends_of(game, 200, seed)
    pairs = zip(additive.values(ends), multiplicative.values(ends), strict=True)
    for end, (a, m) in zip(ends, pairs, strict=True):
        p, outcome = game.ply(end), game.outcome(end)
        assert outcome is not None
        assert a == outcome * max(1, top - p)
        assert m == np.float32(outcome * (average / p))


def test_p_is_exact_or_taken_from_random_matches() -> None:
    assert make_heuristic(glaux.make("hex")).text == "additive_depth"
    assert make_heuristic(glaux.make("hex")).scale == 122  # the swap is an action too
    assert make_heuristic(glaux.make("breakthrough")).scale == 177
    inexact = [game for game in map(glaux.make, SMALL.values()) if not game.spec.max_plies_exact]
    assert len(inexact) > 5
    for game in inexact:
        lengths = [game.ply(end) for end in ends_of(game, 1000, 0)]
        heuristic = make_heuristic(game, "additive_depth")
        assert heuristic.text == f"additive_depth:longest={max(lengths) + 1}"
        assert heuristic.scale == max(lengths) <= game.spec.max_plies
        average = make_heuristic(game, "multiplicative_depth").text.partition("=")[2]
        assert float(average) == pytest.approx(np.mean(lengths), abs=0.005)
