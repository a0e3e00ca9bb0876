"""Random starts of games that have no scrambles of their own; tests/games/test_cubes.py has the cubes'."""

from collections import Counter

import pytest

import glaux
from glaux.errors import InvalidParameter


@pytest.mark.parametrize("name", ["connect_four", "docs/examples/tic_tac_toe.py"])
def test_actions_are_drawn_evenly(name: str) -> None:
    game = glaux.make(name)
    children = {bytes(game.apply(game.initial(), action)) for action in game.actions(game.initial())}
    counts = Counter(bytes(game.scramble(1, seed)) for seed in range(1400))
    assert set(counts) == children
    expected = 1400 / len(children)
    assert all(abs(count - expected) < 6 * expected**0.5 for count in counts.values())


def test_a_start_leaves_a_match_to_play() -> None:
    # Many random matches are over after seven actions; those that are not are found.
    game = glaux.make("connect_four:rows=3,columns=3,length=3")
    over = sum(game.ply(end) <= 7 for end in game.states(game.playouts(game.initial(), 200)))
    assert over > 40
    for seed in range(20):
        start = game.scramble(7, seed)
        assert game.ply(start) == 7 and not game.terminal(start)
    assert game.scramble(0) == game.initial()


def test_what_is_no_start_is_refused() -> None:
    game = glaux.make("connect_four:rows=3,columns=3,length=3")
    for n, seed, sentence in [
        (9, 0, "rarely last longer than 9 random actions"),
        (10**6, 0, "rarely last longer"),
        (2**40, 0, "must be from 0 to 2\\^31"),
        (-1, 0, "must be from 0 to 2\\^31 - 1, not -1"),
        (1, -1, "A seed must be a whole number"),
        (1, 2**64, "A seed must be a whole number"),
    ]:
        with pytest.raises(InvalidParameter, match=sentence):
            game.scramble(n, seed)
