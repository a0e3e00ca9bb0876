"""The box of agents: who is in it, and what is said where nobody is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import glaux
from glaux.errors import GlauxError, InvalidFile, InvalidParameter, UnknownName
from glaux.players.registry import default_player, make_player
from glaux.values.zoo import CARD, agent_of, agents, find_agent, has_agent, read_card
from tests.boxed import NAME, box, made_box, own_box

__all__ = ["box", "made_box", "own_box"]
SMALL = "connect_four:rows=5,columns=5"


def test_an_empty_box(own_box: Path) -> None:
    game = glaux.make(NAME)
    assert agents() == [] and not has_agent(game) and default_player(game) is None
    with pytest.raises(UnknownName, match="No agent 'connect_four' ships with Glaux"):
        glaux.load(f"zoo:{NAME}")
    with pytest.raises(UnknownName, match="No agent for connect_four ships with Glaux"):
        make_player("zoo", game, 0)


def test_who_is_in_the_box(box: Path) -> None:
    game = glaux.make(NAME)
    assert agents() == [NAME] and default_player(game) == "zoo"
    assert find_agent("zoo", game) == find_agent(f"zoo:{NAME}") == agent_of(game) == box / NAME
    assert glaux.load("zoo", game).game == game == glaux.load(f"zoo:{NAME}").game
    mobile = glaux.make(NAME, mobility=True)
    assert has_agent(mobile) and glaux.load("zoo", mobile)


def test_what_is_not_in_the_box(box: Path) -> None:
    other = glaux.make(SMALL)
    assert not has_agent(other) and default_player(other) is None
    for text in ("zoo", "ubfms:value=zoo"):
        with pytest.raises(UnknownName, match=r"plays connect_four:.*rows=6.*, not connect_four:.*rows=5"):
            make_player(text, other, 0)
    with pytest.raises(InvalidFile, match="not of othello"):
        make_player("ubfms:value=zoo:connect_four", glaux.make("othello"), 0)
    with pytest.raises(UnknownName, match="did you mean 'connect_four'"):
        glaux.load("zoo:conect_four")
    with pytest.raises(InvalidParameter, match="as in zoo:othello"):
        glaux.load("zoo")
    for path in (f"../{box.name}/{NAME}", str(box / NAME), "..", "."):
        with pytest.raises(UnknownName):
            glaux.load(f"zoo:{path}")


def test_a_player_of_every_kind_has_its_value(box: Path) -> None:
    game = glaux.make(NAME)
    for text in ("zoo:evaluations=50", "mcts:value=zoo,iterations=5", f"greedy:value=zoo:{NAME}"):
        player = make_player(text, game, 1)
        assert player.choose(game.initial()) in game.actions(game.initial())
        player.close()


CARDS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a number": lambda _: 3,
    "minutes": lambda card: card | {"minutes": "long"},
    "settings": lambda card: card | {"settings": [1]},
    "a match": lambda card: card | {"measured": [3]},
    "results": lambda card: card | {"measured": [{"games": 3, "wins": 1}]},
    "matches": lambda card: card | {"measured": 3},
}


@pytest.mark.parametrize("damage", CARDS)
def test_cards_that_are_none(made_box: Path, own_box: Path, damage: str) -> None:
    shutil.copytree(made_box / NAME, own_box / NAME)
    told = json.loads((own_box / NAME / CARD).read_text())
    (own_box / NAME / CARD).write_text(json.dumps(CARDS[damage](told)))
    with pytest.raises(InvalidFile, match="is not the card of an agent"):
        read_card(NAME)


def test_an_agent_without_a_card(made_box: Path, own_box: Path) -> None:
    shutil.copytree(made_box / NAME, own_box / NAME)
    told = json.loads((own_box / NAME / CARD).read_text())
    (own_box / NAME / CARD).write_text(json.dumps(told | {"of a newer Glaux": 1}))
    read_card(NAME)
    (own_box / NAME / CARD).unlink()
    with pytest.raises(GlauxError, match="has no card"):
        read_card(NAME)
