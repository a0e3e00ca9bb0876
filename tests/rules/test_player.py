"""The player to move: first, second or chance, which no search and no learner knows yet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Player
from glaux.errors import BrokenRules, ChanceState
from glaux.search.registry import SEARCHES, make_search


class Dice(glaux.Rules):
    """The first player stakes 1 to 3, a die says which stakes win, and the second player may double."""

    state: Any = [("stake", "i1"), ("die", "i1"), ("doubled", "i1")]
    action_count = 3
    max_plies = 3
    symbols = ".123"

    def player(self, s: Any) -> Player:
        return Player.first if s["stake"] == 0 else Player.chance if s["die"] == 0 else Player.second

    def actions(self, s: Any) -> Any:
        return range(3)

    def apply(self, s: Any, action: int) -> None:
        field = next(name for name in ("stake", "die", "doubled") if s[name] == 0)
        s[field] = action + 1

    def outcome(self, s: Any) -> int | None:
        return None if s["doubled"] == 0 else int(np.sign(s["stake"] - s["die"]))

    def cells(self, s: Any) -> Any:
        return [[s["stake"], s["die"], s["doubled"]]]


def test_the_player_is_an_enumeration() -> None:
    game = glaux.make(Dice)
    states = [game.initial(), game.play("a1"), game.play("a1 b1")]
    assert [game.player(s) for s in states] == [Player.first, Player.chance, Player.second]
    assert [int(player) for player in Player] == [0, 1, 2]
    assert game.first_player(states[0]) and not game.first_player(states[2])
    with pytest.raises(ChanceState, match="neither the first player nor the second"):
        game.first_player(states[1])
    hex3 = glaux.make("hex:size=3")
    assert hex3.player(hex3.initial()) is Player.first
    assert hex3.player(hex3.play("b2")) is Player.second


@pytest.mark.parametrize("at", ["", "a1"])
@pytest.mark.parametrize("name", SEARCHES)
def test_searches_refuse_chance(name: str, at: str) -> None:
    game = glaux.make(Dice)
    with pytest.raises(ChanceState, match=r"^Chance is to move in this state, but searches .*\.$"):
        make_search(name, game).run(game.play(at), iterations=50)
    assert make_search(name, game).run(game.play("a1 b1"), iterations=50).value is not None


def test_a_wrong_player_becomes_one_sentence() -> None:
    rules = type("Wrong", (Dice,), {"player": lambda self, s: 3})
    game = glaux.make(rules)
    with pytest.raises(BrokenRules, match=r"Wrong\.player gave 3, not a glaux.Player"):
        game.player(game.initial())
