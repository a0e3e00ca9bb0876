from collections import Counter

import pytest

import glaux
from glaux.errors import InvalidParameter, UnknownName
from glaux.players.random import RandomPlayer
from glaux.players.registry import make_player, players


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("othello")


def match(game: glaux.Game, player) -> list[int]:
    state, actions = game.initial(), []
    while not game.terminal(state):
        actions.append(player.choose(state))
        state = game.apply(state, actions[-1])
    return actions


@pytest.mark.parametrize("name", glaux.games())
def test_chooses_legal_actions_in_every_game(name, seed):
    game = glaux.make(name)
    assert match(game, RandomPlayer(game, seed))


def test_the_seed_decides(game):
    assert match(game, RandomPlayer(game, 1)) == match(game, RandomPlayer(game, 1))
    assert match(game, RandomPlayer(game, 1)) != match(game, RandomPlayer(game, 2))


def test_chooses_uniformly(game):
    player = RandomPlayer(game, 0)
    counts = Counter(player.choose(game.initial()) for _ in range(4000))
    assert sorted(counts) == game.actions(game.initial())
    assert all(850 < count < 1150 for count in counts.values())  # five standard deviations


def test_registry(game):
    assert "random" in players()
    assert match(game, make_player("random", game, 3)) == match(game, RandomPlayer(game, 3))
    assert match(game, make_player("random:seed=5", game, 3)) == match(game, RandomPlayer(game, 5))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", UnknownName),
        ("Random", UnknownName),
        ("random:sed=1", InvalidParameter),
        ("random:seed", InvalidParameter),
        ("random:seed=", InvalidParameter),
        ("random:seed=1.5", InvalidParameter),
    ],
)
def test_refuses(game, text, error):
    with pytest.raises(error):
        make_player(text, game, 0)
