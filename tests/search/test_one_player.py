"""Games of one player: the first player is always to move, and no search may think otherwise."""

from __future__ import annotations

import pytest

import glaux
from glaux.arena.match import play_match
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer
from glaux.search.registry import SEARCHES
from glaux.search.solve import solve


def distance(state: glaux.State) -> int:
    """Twists to the solved cube, by a breadth-first search that knows no values."""
    game = state.game
    level, seen, depth = [state], {game.cells(state).tobytes()}, 0
    while not any(game.outcome(s) == 1 for s in level):
        depth += 1
        after = []
        for s in level:
            for child in game.states(game.expand(s).children):
                key = game.cells(child).tobytes()
                if key not in seen:
                    seen.add(key)
                    after.append(child)
        level = after
    return depth


@pytest.mark.parametrize("name", ["rubik2", "rubik2:quarter=true", "rubik3"])
def test_the_limit_proves_the_distance(name: str) -> None:
    game = glaux.make(name)
    for seed in range(3):
        start = game.scramble(3, seed)
        text, twists = game.state_text(start), distance(start)
        for limit in range(1, 4):
            limited = glaux.make(name, limit=limit)
            found = solve(limited.parse_state(text))
            assert found.resolved
            assert found.outcome == (1 if limit >= twists else -1)
            if found.outcome == 1:
                end = limited.parse_state(text)
                for action in found.principal_variation:
                    end = limited.apply(end, action)
                assert limited.outcome(end) == 1


@pytest.mark.parametrize("name", ["rubik2", "rubik3"])
def test_deepening_finds_a_shortest_solution(name: str) -> None:
    game = glaux.make(name)
    for seed in range(4):
        start = game.scramble(4 if name == "rubik2" else 3, seed)
        tree = glaux.AlphaBeta(game, seed=seed).run(start, seconds=600)
        assert tree.resolved and tree.value == 1
        assert len(tree.principal_variation()) == distance(start)


@pytest.mark.parametrize("search", [name for name, entry in SEARCHES.items() if not entry.iterations])
@pytest.mark.parametrize("name", ["rubik2:limit=12", "rubik3:limit=6"])
def test_every_search_solves_a_cube(name: str, search: str) -> None:
    game = glaux.make(name)
    for seed in range(2):
        start = game.scramble(2 if "rubik3" in name else 3, seed)
        player = make_player(f"{search}:value=zero,evaluations=20000", game, seed)
        record = play_match(game, player, player, start=start)
        assert record.outcome == 1
        assert record.choices == (len(record.actions), 0)


def test_a_shorter_solution_is_worth_more_by_depth() -> None:
    game = glaux.make("rubik2:twists=4,seed=1")
    tree = make_player("ubfm:seconds=600,heuristic=recommended", game, 0)
    tree.choose(game.initial())
    assert isinstance(tree, SearchPlayer) and tree.tree is not None
    assert tree.tree.value == game.spec.max_plies - 4 + 1
