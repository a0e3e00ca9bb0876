"""PLAYER texts of the searches: each plays, settings are read, wrong ones refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.arena.contest import Contest, Standing, play_contest
from glaux.errors import GlauxError
from glaux.players.engine_players import ENGINES
from glaux.players.registry import make_player, players
from glaux.players.searching import SearchPlayer
from glaux.search.heuristics import make_heuristic
from glaux.search.registry import SEARCHES

GAME = glaux.make("connect_four:rows=4,columns=4,length=3")


def player(text: str) -> SearchPlayer:
    made = make_player(text, GAME, 1)
    assert isinstance(made, SearchPlayer)
    return made


def test_all_searches_are_players() -> None:
    assert set(players()) == {"random", "zoo", *SEARCHES, *ENGINES}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_beats_random(name: str) -> None:
    standing = Standing()
    limits = "playouts=50" if SEARCHES[name].iterations else "evaluations=300"
    for item in play_contest(Contest(GAME, (f"{name}:value=playouts,{limits}", "random"), 30), 1):
        standing.add(*item)
    assert standing.total.score > 0.75, standing.total


def test_settings_reach_the_search() -> None:
    assert player("ubfms:iterations=7").limits["iterations"] == 7
    assert player("ubfms").limits["seconds"] == 1.0
    assert player("alphabeta:depth=3").limits["seconds"] is None
    assert player("alphabeta:depth=3,seconds=0.5").limits["seconds"] == 0.5
    assert isinstance(player("ubfm:value=noise").search.value, _core.NoiseValue)
    assert isinstance(player("mcts").search.value, _core.PlayoutValue)
    assert player("ubfm:memory=500M").search.game == GAME


def test_a_value_function_is_read_once_until_it_changes(tmp_path: Path) -> None:
    network = glaux.NTupleNetwork(GAME, count=3, length=3)
    network.fit([GAME.initial()], [0.5])
    network.save(tmp_path)
    text = f"greedy:value={tmp_path}"
    first = player(text).search.value
    assert player(text).search.value is first
    assert isinstance(first, glaux.NTupleNetwork)
    assert not first.native.has_counters  # what only learning needs is not read
    network.fit([GAME.initial()], [-0.5])
    network.save(tmp_path)
    second = player(text).search.value
    assert isinstance(second, glaux.NTupleNetwork)
    assert second.evaluate([GAME.initial()]) == network.evaluate([GAME.initial()])
    assert first.evaluate([GAME.initial()]) != second.evaluate([GAME.initial()])


def test_a_network_may_be_asked_through_more_symmetries(tmp_path: Path) -> None:
    game = glaux.make("rubik2")
    network = glaux.NTupleNetwork(game, count=6, length=3, symmetries=1, scale=2.0)
    network.fit([game.initial()], [1.5])
    network.save(tmp_path)
    made = make_player(f"greedy:value={tmp_path},symmetries=24", game, 1)
    assert isinstance(made, SearchPlayer)
    wide = made.search.value
    assert isinstance(wide, glaux.NTupleNetwork)
    state = game.initial()
    images = [game.transform(state, k) for k in range(24)]
    sums = np.arctanh(network.evaluate(images) / 2.0)
    np.testing.assert_allclose(wide.evaluate([state]), 2.0 * np.tanh(sums.mean()), atol=1e-5)
    assert len(set(np.round(wide.evaluate(images), 5))) == 1  # all the images are worth the same
    with pytest.raises(GlauxError, match="1 to 24 symmetries"):
        make_player(f"greedy:value={tmp_path},symmetries=25", game, 1)
    with pytest.raises(GlauxError, match="symmetries"):
        make_player("greedy:value=noise,symmetries=2", game, 1)


@pytest.mark.parametrize("name", SEARCHES)
def test_ends_are_worth_what_they_were_when_the_value_learned(name: str, tmp_path: Path) -> None:
    """A value in units of depth hopes for 8 everywhere; the win at once is worth 10, and not 1."""
    game = glaux.make("connect_four:rows=4,columns=4")
    heuristic = make_heuristic(game, "additive_depth")
    network = glaux.NTupleNetwork(game, count=3, length=3, scale=heuristic.scale)
    network.heuristic = heuristic.text
    start = game.play("1 2 1 2 1 2")
    children = [game.apply(start, action) for action in game.actions(start)]
    below = [game.apply(s, a) for s in children if not game.terminal(s) for a in game.actions(s)]
    hopeful = [s for s in [start, *children, *below] if not game.terminal(s)]
    for _ in range(300):
        network.fit(hopeful, [8.0] * len(hopeful))
    assert network.evaluate(hopeful).min() > 4
    network.save(tmp_path)
    limits = "" if SEARCHES[name].iterations else ",iterations=20"
    completion = ",completion=false" if "completion" in SEARCHES[name].option_names else ""
    made = make_player(f"{name}:value={tmp_path}{limits}{completion}", game, 1)
    assert made.choose(start) == 0
    assert isinstance(made, SearchPlayer) and made.tree is not None
    assert made.tree.children()[0].v == 10
    plain = make_player(f"{name}:value={tmp_path},heuristic=classic{limits}{completion}", game, 1)
    plain.choose(start)
    assert isinstance(plain, SearchPlayer) and plain.tree is not None
    assert plain.tree.children()[0].v == 1


def test_the_table_is_cleared_between_matches() -> None:
    made = player("ubfm:value=noise,iterations=50")
    made.choose(GAME.initial())
    assert made.search.native.bytes > 0
    made.begin()
    assert made.search.native.bytes == 0


def test_a_full_table_does_not_stop_the_player() -> None:
    game = glaux.make("othello")
    made = make_player("ubfms:value=noise,memory=200k,seconds=5", game, 1)
    made.begin()
    state = game.initial()
    for _ in range(6):
        state = game.apply(state, made.choose(state))
    assert game.ply(state) == 6


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("ubfm:second=1", "The player ubfm has no setting 'second': did you mean 'seconds'"),
        ("ubfm:seconds=-1", "The setting seconds must be a positive number, not '-1'."),
        ("ubfm:seconds=soon", "The setting seconds must be a positive number"),
        ("ubfm:seconds=nan", "The setting seconds must be a positive number"),
        ("mcts:seconds=0", "The setting seconds must be a positive number, not '0'."),
        ("mcts:iterations=0", "The setting iterations must be a whole number of at least 1, not 0."),
        ("mcts:evaluations=0", "The setting evaluations must be a whole number of at least 1, not 0."),
        ("alphabeta:depth=2,iterations=0", "The setting iterations must be a whole number of at least 1"),
        ("ubfm:iterations=1.5", "The setting iterations must be a whole number"),
        ("ubfm:memory=lots", "must be a size such as 500M or 2G"),
        ("ubfm:memory=1", "needs a memory budget of at least"),
        ("ubfm:value=playout", "There is no value function 'playout': did you mean 'playouts'"),
        ("ubfm:playouts=0", "from 1 to 2^31 - 1, not 0"),
        ("ubfm:playouts=8", "The setting playouts is for value=playouts, not for value=zero."),
        ("ubfm:decision=good", "There is no decision 'good'"),
        ("ubfm:completion=perhaps", "must be true or false"),
        ("alphabeta:depth=-2", "whole number"),
        ("mcts:c=-1", "must be a non-negative number"),
        ("wrap:priors=hard", "There is no priors method"),
        ("ubfm:seconds", "Write a player as name:key=value"),
        ("ubmf", "did you mean 'ubfm"),
    ],
)
def test_wrong_settings(text: str, sentence: str) -> None:
    with pytest.raises(GlauxError) as caught:
        make_player(text, GAME, 1)
    assert sentence in str(caught.value)
