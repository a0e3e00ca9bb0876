"""Reinforcement heuristics: the order they keep, what the games name, and what is refused."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidParameter, InvalidState, UnknownName
from glaux.search.heuristics import available, game_for, make_heuristic, recommended
from tests.boards import GAMES
from tests.search.ends import ends_of

PAIRS = [(name, text) for name in GAMES for text in available(glaux.make(name))]
HEX = glaux.make("hex:size=3,swap=false")


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
            assert game_for(heuristic.game, text) is heuristic.game
        counting = glaux.make(name, mobility=True)
        assert make_heuristic(counting, "classic").game is counting
    assert game_for(glaux.make("clobber"), "recommended").spec.has_mobility


@pytest.mark.parametrize(("name", "text"), PAIRS)
def test_the_text_makes_the_same_heuristic_again(name: str, text: str) -> None:
    game = glaux.make(name)
    heuristic = make_heuristic(game, text)
    for again in (make_heuristic(game, heuristic.text), pickle.loads(pickle.dumps(heuristic))):
        for field in ("name", "text", "game", "scale", "bounded"):
            assert getattr(again, field) == getattr(heuristic, field)


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
        ("score", InvalidParameter, "'score' does not fit Hex, which has no score: choose classic, "),
        ("presence", InvalidParameter, "'presence' does not fit Hex, which has no count of pieces"),
        ("own", InvalidParameter, "'own' does not fit Hex, which has no heuristic of its own"),
        (
            "classic:longest=3",
            InvalidParameter,
            "The heuristic 'classic' takes no settings, such as 'longest'.",
        ),
        ("additive_depth:longst=3", InvalidParameter, "no setting 'longst': did you mean 'longest'?"),
        ("additive_depth:average=3", InvalidParameter, "no setting 'average': there are longest."),
        (
            "additive_depth:longest",
            InvalidParameter,
            "Write a heuristic as name:key=value, not 'additive_depth:longest'.",
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
    with pytest.raises(InvalidState, match="A match is not over"):
        heuristic.value(HEX.initial())
    with pytest.raises(InvalidState, match="belongs to connect_four"):
        heuristic.value(glaux.make("connect_four").initial())
    with pytest.raises(InvalidState, match="uint8"):
        heuristic.values(np.zeros((1, 3)))
    assert heuristic.values([]).shape == (0,)
