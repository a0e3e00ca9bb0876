"""The contract of tests/search/contract.py on every search of the registry and every game."""

from __future__ import annotations

import pytest

import glaux
from glaux.arena.match import play_match
from glaux.players.registry import make_player
from glaux.search.registry import SEARCHES, Entry
from tests.boards import SMALL
from tests.search import contract

GAMES = [*SMALL.values(), "docs/examples/tic_tac_toe.py"]
OTHELLO = glaux.make("othello:size=6")
PROVERS = [entry for entry in SEARCHES.values() if entry.proves]
each_search = pytest.mark.parametrize("entry", SEARCHES.values(), ids=SEARCHES)


def test_games_of_every_kind() -> None:
    specs = [glaux.make(text).spec for text in SMALL.values()]
    assert {spec.players for spec in specs} == {1, 2}


def with_only_wins(text: str) -> str:
    """The game, or if it is a puzzle, in which there is time for one action only."""
    spec = glaux.make(text).spec
    return text if spec.players == 2 else f"{spec.name}:twists=1,limit=1"


@each_search
@pytest.mark.parametrize("text", [with_only_wins(text) for text in GAMES])
def test_it_takes_the_win_at_once(entry: Entry, text: str, seed: int) -> None:
    contract.check_win_at_once(entry, text, seed)


@pytest.mark.parametrize("entry", PROVERS, ids=lambda entry: entry.name)
@pytest.mark.parametrize("text", GAMES)
def test_it_proves_as_exhaustive_minimax_does(entry: Entry, text: str, seed: int) -> None:
    contract.check_proofs(entry, text, seed)


@each_search
def test_it_keeps_its_limits(entry: Entry) -> None:
    contract.check_limits(entry, OTHELLO)


@each_search
def test_it_keeps_its_memory_budget(entry: Entry) -> None:
    contract.check_memory(entry, OTHELLO)


@each_search
def test_it_is_reproducible(entry: Entry) -> None:
    contract.check_reproducible(entry, OTHELLO)


@each_search
def test_it_survives_a_value_function_that_fails(entry: Entry) -> None:
    contract.check_failures(entry, OTHELLO)


@each_search
@pytest.mark.parametrize("text", GAMES)
def test_its_tree_can_be_learned(entry: Entry, text: str) -> None:
    contract.check_learnable(entry, text)


@each_search
def test_wrong_arguments_get_a_sentence(entry: Entry) -> None:
    contract.check_arguments(entry, OTHELLO, glaux.make("hex:size=3"))


def test_all_of_them_run_in_lock_step() -> None:
    contract.check_lock_step(list(SEARCHES.values()), OTHELLO)


@each_search
@pytest.mark.parametrize("text", GAMES)
def test_it_plays_a_match(entry: Entry, text: str) -> None:
    """Turns of several actions and games of one player are nothing special."""
    game = glaux.make(text)
    settings = "" if entry.iterations else ":evaluations=20"
    player = make_player(entry.name + settings, game, 1)
    assert play_match(game, player, player).outcome in (-1, 0, 1)
