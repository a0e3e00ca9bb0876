"""Levels for people: what they may look at, what they draw, and that they are the same again."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import glaux
from glaux.errors import GlauxError
from glaux.players.levels import FULL, Level, level_of
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer

GAME = glaux.make("connect_four")
STATE = GAME.play(["4", "4", "3", "4"])


def at(level: int, seed: int = 1, search: str = "ubfms:value=noise") -> SearchPlayer:
    player = make_player(f"{search},level={level}", GAME, seed)
    assert isinstance(player, SearchPlayer)
    return player


def match(player: SearchPlayer) -> list[int]:
    state, actions = GAME.initial(), []
    player.begin()
    while not GAME.terminal(state):
        actions.append(player.choose(state))
        state = GAME.apply(state, actions[-1])
    return actions


def test_each_level_may_do_more_than_the_one_below() -> None:
    below = [level_of(number) for number in range(1, FULL)]
    for weaker, stronger in pairwise(level for level in below if level):
        assert weaker.evaluations < stronger.evaluations and weaker.temperature > stronger.temperature
    assert len(below) == FULL - 1 and level_of(FULL) is level_of(None) is None


@pytest.mark.parametrize("level", range(1, FULL))
def test_a_level_keeps_its_evaluations(level: int) -> None:
    player, limit = at(level), level_of(level)
    assert limit is not None and player.limits["evaluations"] == limit.evaluations
    for _ in range(2):  # nothing is left of the first decision
        spent = player.think(STATE).statistics.evaluations
        assert spent <= limit.evaluations + len(GAME.actions(STATE))


def test_the_highest_is_the_player_without_a_level() -> None:
    assert at(FULL).limits == make_player("ubfms:value=noise", GAME, 1).limits  # type: ignore[attr-defined]
    highest = make_player(f"ubfms:value=noise,evaluations=500,level={FULL}", GAME, 1)
    plain = make_player("ubfms:value=noise,evaluations=500", GAME, 1)
    assert highest.choose(STATE) == plain.choose(STATE)


@pytest.mark.parametrize("search", ["ubfms:value=noise", "mcts:c=1"])
def test_the_same_seed_plays_the_same(search: str, seed: int) -> None:
    for level in (1, 3):
        games = [match(at(level, seed + i, search)) for i in (0, 0, 1, 2, 3)]
        assert games[0] == games[1] and len({tuple(game) for game in games}) > 1


def test_actions_are_drawn_by_their_values(seed: int) -> None:
    """The frequencies are those of the formula, written down again."""
    level, draws = Level(200, 0.5), 4000
    player = make_player("ubfm:value=noise,evaluations=200", GAME, 1)
    assert isinstance(player, SearchPlayer)
    tree, random = player.think(STATE), Random(seed)
    found = Counter(level.draw(tree, 1.0, random) for _ in range(draws))
    sign = 1 if GAME.first_player(STATE) else -1
    worth = {row.action: sign * (row.c if row.r else max(-1.0, min(1.0, row.v))) for row in tree.children()}
    total = sum(math.exp(value / 0.5) for value in worth.values())
    for action, value in worth.items():
        share = math.exp(value / 0.5) / total
        assert abs(found[action] / draws - share) < 5 * math.sqrt(share * (1 - share) / draws) + 1e-9
    cold = Level(200, 0.001)
    best = max(worth, key=lambda action: worth[action])
    assert worth[cold.draw(tree, 1.0, random)] > worth[best] - 0.02


@pytest.mark.parametrize("settings", ["level=0", f"level={FULL + 1}", "level=x", "level=1.5"])
def test_levels_that_are_none(settings: str) -> None:
    with pytest.raises(GlauxError, match="level must be a whole number"):
        make_player(f"mcts:{settings}", GAME, 0)


def test_what_has_no_limits_has_no_levels() -> None:
    with pytest.raises(GlauxError, match="no setting 'level'"):
        make_player("greedy:level=3", GAME, 0)


def fixed(**settings: Any) -> str:
    return ",".join(f"{key}={value}" for key, value in settings.items())


def test_limits_of_one_s_own_are_stronger() -> None:
    player = make_player(f"ubfms:{fixed(value='noise', level=1, evaluations=77, seconds=3)}", GAME, 0)
    assert isinstance(player, SearchPlayer)
    assert (player.limits["evaluations"], player.limits["seconds"]) == (77, 3)
