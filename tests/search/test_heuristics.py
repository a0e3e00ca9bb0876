"""Reinforcement heuristics: the order they keep, their values worked out by hand, and what is refused.

The witness for values is plain Python over what the rules show: the lengths of matches, the cells of
boards and the lists of actions, never the native heuristics.
"""

from __future__ import annotations

import pickle
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State
from glaux.errors import InvalidParameter, InvalidState, UnknownName
from glaux.search.heuristics import available, game_for, make_heuristic, recommended
from tests.boards import GAMES

PAIRS = [(name, text) for name in GAMES for text in available(glaux.make(name))]
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


def ends_of(game: Game, n: int, seed: int) -> list[State]:
    return game.states(game.playouts(game.initial(), n, seed))


# Definition 21


@pytest.mark.parametrize(("name", "text"), PAIRS)
def test_the_order_of_the_gain_is_kept(name: str, text: str, seed: int) -> None:
    """For any two ends, b_t(s) < b_t(s') implies h(s) < h(s')."""
    heuristic = make_heuristic(glaux.make(name), text)
    game = heuristic.game
    ends = game.playouts(game.initial(), 500, seed)
    values = heuristic.values(ends)
    results = np.array([game.native.status(end.tobytes()).result for end in ends])
    assert np.isfinite(values).all()
    assert {-1, 1} <= set(results.tolist()) or game.spec.players == 1  # a random player solves nothing
    for low, high in ((-1, 0), (0, 1), (-1, 1)):
        if (results == low).any() and (results == high).any():
            assert values[results == low].max() < values[results == high].min()


def test_every_game_has_every_heuristic_it_can() -> None:
    general = ["classic", "additive_depth", "multiplicative_depth", "mobility"]
    for name in GAMES:
        spec = glaux.make(name).spec
        lettered = any(one.isupper() and one.lower() in spec.symbols for one in spec.symbols)
        expected = {*general, *["score"][: spec.has_score], *["presence"][: spec.has_pieces]}
        expected |= {*["material"][:lettered]}
        assert {text for game, text in PAIRS if game == name} == expected
    for name in ("othello", "surakarta"):
        assert {(name, "score"), (name, "presence")} <= set(PAIRS)


@pytest.mark.parametrize("name", ["breakthrough", "lines_of_action"])
def test_presence_of_a_winner_with_fewer_pieces(name: str) -> None:
    """Otherwise the order would hold by luck: such matches exist, and their worth is 1 or -1."""
    game = glaux.make(name)
    presence = make_heuristic(game, "presence")
    found = set()
    for end in ends_of(game, 1000, 1):
        first, second = game.pieces(end)
        outcome = game.outcome(end)
        if outcome and (first - second) * outcome <= 0:
            found.add(outcome)
            assert presence.value(end) == outcome
    assert found == {1, -1}


# By hand

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
    for search in (glaux.Descent, glaux.UBFM, glaux.AlphaBeta):
        tree = search(game, terminal_value=heuristic.native).run(game.initial(), iterations=1000)
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


@pytest.mark.parametrize(
    "name", ["amazons:size=6", "santorini", "othello:size=6", "clobber:rows=5,columns=5"]
)
def test_mobility_recounted_along_matches(name: str, seed: int) -> None:
    """Every action of a turn is a decision, a forced pass is one with a single choice."""
    plain = glaux.make(name)
    heuristic = make_heuristic(plain, "mobility")
    assert heuristic.plain_game == plain
    rng = random.Random(seed)
    outcomes = set()
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
        outcomes.add(outcome)
        assert heuristic.value(state) == np.float32({1: m1 / m2, -1: -m2 / m1, 0: 0.0}[outcome or 0])
    assert outcomes >= {1} or outcomes >= {-1}


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
    for name in ("othello", "lines_of_action", "surakarta", "breakthrough:rows=4", "clobber:rows=3"):
        game = glaux.make(name)
        assert not game.spec.max_plies_exact
        lengths = [game.ply(end) for end in ends_of(game, 1000, 0)]
        heuristic = make_heuristic(game, "additive_depth")
        assert heuristic.text == f"additive_depth:longest={max(lengths) + 1}"
        assert heuristic.scale == max(lengths) <= game.spec.max_plies
        average = make_heuristic(game, "multiplicative_depth").text.partition("=")[2]
        assert float(average) == pytest.approx(np.mean(lengths), abs=0.005)


@pytest.mark.parametrize(("name", "text"), PAIRS)
def test_the_text_makes_the_same_heuristic_again(name: str, text: str) -> None:
    heuristic = make_heuristic(glaux.make(name), text)
    for again in (
        make_heuristic(heuristic.plain_game, heuristic.text),
        pickle.loads(pickle.dumps(heuristic)),
    ):
        for field in ("name", "text", "game", "plain_game", "scale", "bounded"):
            assert getattr(again, field) == getattr(heuristic, field)


# Scale and game


@pytest.mark.parametrize(("name", "text"), PAIRS)
def test_the_scale_is_that_of_the_values(name: str, text: str, seed: int) -> None:
    """Possible values never exceed it where the game knows them, typical ones hardly elsewhere."""
    heuristic = make_heuristic(glaux.make(name), text)
    sizes = np.abs(heuristic.values(ends_of(heuristic.game, 500, seed)))
    known = (text in ("classic", "score") and heuristic.game.spec.players == 2) or (
        text == "additive_depth" and heuristic.game.spec.max_plies_exact
    )
    assert (sizes.max() if known else np.quantile(sizes, 0.98)) <= heuristic.scale
    if heuristic.game.spec.players == 2:  # nobody wins a puzzle at random, and what is lost is worth little
        assert sizes.max() >= heuristic.scale / 16
    assert heuristic.bounded == (heuristic.name == "classic")
    if heuristic.name == "classic":
        assert heuristic.scale == 1


def test_scales_of_the_papers_networks() -> None:
    """[-64; 64] and [-100; 100] for Othello, [-121; 121] for Hex 11 (section 2.6 of 003)."""
    assert make_heuristic(glaux.make("othello"), "score").scale == 64
    assert make_heuristic(glaux.make("othello:size=10"), "score").scale == 100
    assert make_heuristic(glaux.make("hex:size=11,swap=false"), "additive_depth").scale == 121


def test_only_mobility_changes_the_game() -> None:
    for name in ("clobber:rows=4,columns=4", "docs/examples/tic_tac_toe.py"):
        game = glaux.make(name)
        for text in available(game):
            heuristic = make_heuristic(game, text)
            assert heuristic.game.spec.has_mobility == (text == "mobility")
            assert heuristic.game == game_for(game, text)
            assert heuristic.plain_game == game
            assert game_for(heuristic.game, text) is heuristic.game
        counting = glaux.make(name, mobility=True)
        assert make_heuristic(counting, "classic").game is counting
        assert make_heuristic(counting, "classic").plain_game == game
    assert game_for(glaux.make("clobber"), "recommended").spec.has_mobility


# What the games name

TABLE = {  # the best column of Table 4, which agrees with Table 2 of 003
    "othello": "score",
    "hex": "additive_depth",
    "clobber": "mobility",
    "outer_open_gomoku": "multiplicative_depth",
    "amazons": "score",
    "breakthrough": "additive_depth",
    "santorini": "additive_depth",
    "surakarta": "score",
    "lines_of_action": "additive_depth",
}


@pytest.mark.parametrize("name", GAMES)
def test_recommended(name: str) -> None:
    rules = Path(f"docs/games/{name}.md").read_text().partition("## Rules")[2].partition("\n## ")[0]
    told = re.search(r"^- Heuristic: `([^`]+)`", rules, flags=re.MULTILINE)
    assert told is not None
    expected = told[1]
    assert expected == TABLE.get(name, expected)
    game = glaux.make(name)
    assert recommended(game) == expected
    assert make_heuristic(game).name == expected.partition(":")[0]
    assert make_heuristic(game, "recommended").text == make_heuristic(game, expected).text
    assert recommended(glaux.make(name, mobility=True)) == expected


# What is refused


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [
        ("scor", UnknownName, "There is no heuristic 'scor': did you mean 'score'?"),
        ("", UnknownName, "There is no heuristic '': there are classic, score"),
        ("recomended", UnknownName, "did you mean 'recommended'?"),
        ("score", InvalidParameter, "Hex has no score, so 'score' is not for it; it can have classic, "),
        ("presence", InvalidParameter, "Hex has no count of pieces, so 'presence' is not for it"),
        ("own", InvalidParameter, "Hex has no heuristic of its own, so 'own' is not for it"),
        ("classic:longest=3", InvalidParameter, "The heuristic 'classic' has no settings, so no 'longest'."),
        ("additive_depth:longst=3", InvalidParameter, "no setting 'longst': did you mean 'longest'?"),
        ("additive_depth:average=3", InvalidParameter, "no setting 'average': there are longest."),
        (
            "additive_depth:longest",
            InvalidParameter,
            "written as name:key=value, not 'additive_depth:longest'.",
        ),
        ("additive_depth:longest=0", InvalidParameter, "a whole number from 1 to 16777216, not '0'."),
        ("additive_depth:longest=2.5", InvalidParameter, "a whole number from 1 to 16777216, not '2.5'."),
        ("additive_depth:longest=99999999", InvalidParameter, "a whole number from 1 to 16777216"),
        ("multiplicative_depth:average=nan", InvalidParameter, "a number from 1 to 16777216, not 'nan'."),
        ("multiplicative_depth:average=0.5", InvalidParameter, "a number from 1 to 16777216, not '0.5'."),
        ("multiplicative_depth:average=long", InvalidParameter, "a number from 1 to 16777216, not 'long'."),
    ],
)
def test_texts_that_are_wrong(text: str, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error) as caught:
        make_heuristic(HEX, text)
    assert complaint in str(caught.value)


def test_states_that_are_wrong() -> None:
    heuristic = make_heuristic(HEX, "classic")
    with pytest.raises(InvalidState, match="A match goes on"):
        heuristic.value(HEX.initial())
    with pytest.raises(InvalidState, match="belongs to connect_four"):
        heuristic.value(FIRST_WINS)
    with pytest.raises(InvalidState, match="uint8"):
        heuristic.values(np.zeros((1, 3)))
    assert heuristic.values([]).shape == (0,)
