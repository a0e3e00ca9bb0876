"""Full memory: what can't come about any more is forgotten, and what is known of the rest stays."""

from __future__ import annotations

import pytest

import glaux
from glaux.errors import InvalidState
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer
from glaux.search.alpha_beta import AlphaBeta
from glaux.search.best_first import UBFM, Descent
from glaux.search.registry import SEARCHES
from glaux.search.search import Search

SEARCHING = [name for name, entry in SEARCHES.items() if entry.iterations is None]
FORGETFUL = [name for name in SEARCHING if SEARCHES[name].search is not AlphaBeta]


def player_of(name: str, game: glaux.Game, settings: str) -> SearchPlayer:
    player = make_player(f"{name}:value=noise,{settings}", game, 1)
    assert isinstance(player, SearchPlayer)
    return player


def known(search: Search, state: glaux.State, depth: int) -> list[object]:
    """All that is known of the states down to a depth to which the search has gone from this one."""
    game, native = search.game, search.native
    columns = [column.tolist() for column in native.children(game.own(state))]
    found: list[object] = [columns, native.value(game.own(state)), native.resolved(game.own(state))]
    if depth > 0:
        for action, visits in zip(columns[0], columns[4], strict=True):
            child = game.apply(state, action)
            if visits > 0 and not game.terminal(child):
                found.append(known(search, child, depth - 1))
    return found


@pytest.mark.parametrize("name", FORGETFUL)
@pytest.mark.parametrize("text", ["breakthrough:rows=5,columns=5", "othello:size=6", "connect_four"])
def test_what_stays_is_as_it_was(name: str, text: str) -> None:
    game = glaux.make(text)
    player = player_of(name, game, "iterations=3000")
    root = game.initial()
    before = player.think(root)
    child = game.apply(root, before.action)
    expected, used = known(player.search, child, 2), before.bytes_used
    line = before.principal_variation(child)
    player.search.forget_others(child)
    assert known(player.search, child, 2) == expected
    assert player.search.native.principal_variation(game.own(child)) == line
    assert player.search.native.bytes < used
    assert player.search.native.children(game.own(root))[0].size == 0, "the root itself is gone"
    visits = sum(row.n for row in before.children(child))
    tree = player.think(child)
    assert tree.action in game.actions(child)
    assert tree.resolved or sum(row.n for row in tree.children()) >= visits + 2900, "it goes on from there"


@pytest.mark.parametrize("name", [name for name in FORGETFUL if SEARCHES[name].search in (UBFM, Descent)])
def test_the_same_decisions_as_one_that_forgets_nothing(name: str) -> None:
    """From the same state on, both searches do the same: what was forgotten is not asked for.

    MCTS would meet again a state that it had reached in another way, with the visits of before.
    """
    game = glaux.make("othello:size=6")
    players = [player_of(name, game, "iterations=500,random_ties=false") for _ in range(2)]
    state = game.initial()
    for _ in range(8):
        trees = [player.think(state) for player in players]
        assert trees[0].children() == trees[1].children()
        state = game.apply(state, trees[0].action)
        players[0].search.forget_others(state)
    assert players[0].search.native.bytes < players[1].search.native.bytes


@pytest.mark.parametrize("name", SEARCHING)
def test_a_match_with_too_little_memory(name: str) -> None:
    """Whoever searches plays to the end; memory is kept within its budget."""
    game = glaux.make("breakthrough:rows=5,columns=5")
    limits = "iterations=2000" if name in FORGETFUL else "iterations=3"
    player = player_of(name, game, f"{limits},memory=300000")
    state = game.initial()
    while not game.terminal(state):
        action = player.choose(state)
        assert player.tree is not None and player.search.native.bytes <= 300000 * 1.25 + 2e5
        state = game.apply(state, action)
    assert game.outcome(state) is not None


@pytest.mark.parametrize("name", FORGETFUL)
def test_a_search_with_full_memory_makes_room(name: str) -> None:
    """What a match has left behind is forgotten, and the decision goes on."""
    game = glaux.make("othello")
    player = player_of(name, game, "evaluations=20000,memory=2000000")
    forget, made_room, state = player.search.forget_others, [], game.initial()
    player.search.forget_others = lambda at: made_room.append(forget(at)) or made_room[-1]  # type: ignore
    for _ in range(8):
        tree = player.think(state)
        assert player.search.native.bytes <= 2000000
        assert not tree.statistics.full or not made_room[-1], "it stops only when nothing can be forgotten"
        state = game.apply(state, tree.action)
    assert any(made_room)


def test_a_state_that_is_not_there_leaves_nothing() -> None:
    game = glaux.make("connect_four")
    player = player_of("ubfm", game, "iterations=100")
    player.think(game.play("4 4"))
    assert player.search.native.bytes > 0
    player.search.forget_others(game.play("1 1 1"))
    assert player.search.native.bytes == 0
    over = game.play("1 2 1 2 1 2 1")
    with pytest.raises(InvalidState, match="The match is over"):
        player.search.forget_others(over)
