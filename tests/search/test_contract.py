"""The contract of tests/search/contract.py on every search of the registry and every game.

Searches that several threads work at keep it, too, but that no two runs are the same.
"""

from __future__ import annotations

import pytest

import glaux
from glaux.search.registry import SEARCHES, Entry
from tests.boards import DECISIVE, LONGER, SMALL
from tests.search import contract

TIC_TAC_TOE = "docs/examples/tic_tac_toe.py"
GAMES = [*SMALL.values(), TIC_TAC_TOE]
OTHELLO = glaux.make("othello:size=6")
ALL = {**SEARCHES, **contract.kinds(threads=3)}
each_search = pytest.mark.parametrize("entry", ALL.values(), ids=ALL)
each_alone = pytest.mark.parametrize("entry", SEARCHES.values(), ids=SEARCHES)  # so that it can be repeated
PROVERS = {name: entry for name, entry in ALL.items() if entry.proves}


def test_games_of_every_kind() -> None:
    specs = [glaux.make(text).spec for text in SMALL.values()]
    assert {spec.players for spec in specs} == {1, 2}


def with_only_wins(name: str) -> str | None:
    """The game with time for somebody to win; a puzzle with time for one action; None: the score counts."""
    game = glaux.make(DECISIVE[name])
    if game.spec.players == 1:
        return f"{name}:twists=1,limit=1" if "twists" in game.parameters else None
    ends = game.states(game.playouts(game.initial(), 200))
    return DECISIVE[name] if any(map(game.outcome, ends)) else LONGER[name]


@each_search
@pytest.mark.parametrize("text", [*filter(None, map(with_only_wins, SMALL)), TIC_TAC_TOE])
def test_it_takes_the_win_at_once(entry: Entry, text: str, seed: int) -> None:
    contract.check_win_at_once(entry, text, seed)


@pytest.mark.parametrize("entry", PROVERS.values(), ids=PROVERS)
@pytest.mark.parametrize("text", GAMES)
def test_it_proves_as_exhaustive_minimax_does(entry: Entry, text: str, seed: int) -> None:
    contract.check_proofs(entry, text, seed)


@each_search
def test_it_keeps_its_limits(entry: Entry) -> None:
    contract.check_limits(entry, OTHELLO)


@each_search
def test_it_keeps_its_memory_budget(entry: Entry) -> None:
    contract.check_memory(entry, OTHELLO)


@each_alone
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


@each_alone
@pytest.mark.parametrize("text", GAMES)
def test_it_plays_a_match(entry: Entry, text: str) -> None:
    """Turns of several actions and games of one player are nothing special."""
    settings = "" if entry.iterations else ":evaluations=20"
    contract.check_match(entry.name + settings, glaux.make(text))
