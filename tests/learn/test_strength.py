"""The curve of strength: what is measured, and against whom."""

import glaux
from glaux.fields import SEEDS
from glaux.learn.strength import Strength, measure_strength
from glaux.search.heuristics import make_heuristic


def test_a_game_of_one_player_is_won_alone() -> None:
    game = glaux.make("rubik2:twists=1,limit=2")
    heuristic = make_heuristic(game, "classic")
    value = glaux.NTupleNetwork(game, count=2, length=2)
    strength = Strength(games=4, seconds=0.02)
    found = measure_strength(value, heuristic, strength, seed=1)
    assert found is not None and (found.score, found.games) == (1, 4), (
        "a twist away, every search sees the end"
    )
    hard = glaux.make("rubik2:twists=30,limit=1")
    lost = measure_strength(
        glaux.NTupleNetwork(hard, count=2, length=2), make_heuristic(hard, "classic"), strength, seed=1
    )
    assert lost is not None and lost.score == 0


def test_the_largest_seed_leaves_seeds_for_all_games() -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    value, strength = glaux.NTupleNetwork(game, count=2, length=2), Strength(games=3, seconds=0.001)
    found = measure_strength(value, make_heuristic(game, "classic"), strength, seed=SEEDS)
    assert found is not None and found.games == 3
