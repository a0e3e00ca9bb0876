"""The agents that ship: each is listed, small, loads, plays by the rules, and beats random play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import glaux
from glaux.players.registry import make_player
from glaux.rules.registry import make
from glaux.search.registry import SEARCHES
from glaux.values.saving import HEAD
from glaux.values.zoo import FOLDER, MOST, MOST_IN_ALL, VARIABLE, agents, read_card
from tests.cli.runner import run

SHIPPED = sorted(head.parent.name for head in FOLDER.glob(f"*/{HEAD}"))
GAMES = 4


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)


def size(place: Path) -> int:
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


def test_all_are_listed_and_nothing_else_is_there() -> None:
    assert agents() == SHIPPED and set(SHIPPED) <= set(glaux.games())
    assert [row["name"] for row in json.loads(run("zoo", "--json").stdout)] == SHIPPED
    assert {place.name for place in FOLDER.iterdir() if place.is_dir()} == set(SHIPPED)
    assert size(FOLDER) <= MOST_IN_ALL


@pytest.mark.parametrize("name", SHIPPED)
def test_an_agent_is_small_and_has_a_card(name: str) -> None:
    card = read_card(name)
    assert size(FOLDER / name) <= MOST
    assert glaux.make(card.game).same_rules(make(name)) and card.search in SEARCHES
    assert card.command.startswith(f"glaux train {name} ") and card.minutes > 0 and card.commit
    assert card.error < 0.01
    if make(name).spec.players == 2:
        assert card.measured and all(match.games >= 10 for match in card.measured)


@pytest.mark.parametrize("name", SHIPPED)
def test_an_agent_beats_random_play(name: str, seed: int) -> None:
    """Or, alone, comes to an end by legal actions."""
    game = make(name)
    assert glaux.load(f"zoo:{name}").game == game
    if game.spec.players == 2:
        standing = glaux.match(game, "zoo:evaluations=200", "random", games=GAMES, seed=seed)
        assert standing.total.score >= 0.75, standing
        return
    player, state = make_player("zoo:evaluations=200", game, seed), game.initial()
    for _ in range(20):
        if game.terminal(state):
            break
        state = game.apply(state, player.choose(state))
