"""Opening books: every opening legal and different up to symmetry, none left out, samples seeded."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.arena import book
from glaux.arena.book import every_opening, make_book, sampled_openings, state_up_to_symmetry
from glaux.arena.contest import Contest
from glaux.arena.match import random_opening
from glaux.errors import InvalidParameter
from glaux.rules.game import Game, State
from tests.boards import SMALL

TIC_TAC_TOE = "docs/examples/tic_tac_toe.py"
GAMES = [*SMALL.values(), TIC_TAC_TOE]


def plain_book(game: Game, plies: int) -> set[frozenset[bytes]]:
    """All the classes of states after so many plies in which the match goes on, by walking every path."""
    classes: set[frozenset[bytes]] = set()
    states = {game.initial()}
    for _ in range(plies):
        states = {game.apply(s, a) for s in states for a in game.actions(s)}
        states = {s for s in states if not game.terminal(s)}
    for state in states:
        classes.add(images(game, state))
    return classes


def images(game: Game, state: State) -> frozenset[bytes]:
    return frozenset(bytes(game.transform(state, i)) for i in range(game.spec.symmetry_count))


def after(game: Game, opening: tuple[int, ...]) -> State:
    state = game.initial()
    for action in opening:
        assert action in game.actions(state)
        state = game.apply(state, action)
    return state


@pytest.mark.parametrize(("text", "plies"), [*itertools.product(SMALL.values(), (0, 1, 2)), (TIC_TAC_TOE, 3)])
def test_a_book_is_what_walking_every_path_gives(text: str, plies: int) -> None:
    game = glaux.make(text)
    openings = every_opening(game, plies)
    assert openings is not None
    found = [images(game, after(game, opening)) for opening in openings]
    assert len(set(found)) == len(found)
    assert set(found) == plain_book(game, plies)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("docs/examples/tic_tac_toe.py", [1, 3, 12, 38]),
        ("othello", [1, 1, 3, 14, 60, 322]),
        # Of 7, 49, 238, 1120 positions 1, 1, 4, 16 are their own mirror images.
        ("connect_four", [1, 4, 25, 121, 568]),
    ],
)
def test_known_numbers_of_positions_up_to_symmetry(text: str, numbers: list[int]) -> None:
    game = glaux.make(text)
    assert [len(every_opening(game, plies) or []) for plies in range(len(numbers))] == numbers


def test_openings_that_end_the_match_are_left_out() -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    openings = every_opening(game, 5)
    assert openings
    assert not any(game.terminal(after(game, opening)) for opening in openings)
    assert len(openings) < len({images(game, s) for s in reached(game, 5)}), "some of five plies are over"


def reached(game: Game, plies: int) -> set[State]:
    states = {game.initial()}
    for _ in range(plies):
        states = {game.apply(s, a) for s in states for a in game.actions(s)}
    return states


@settings(max_examples=20)
@given(st.sampled_from(GAMES), st.integers(0, 5), st.integers(0, 2**32), st.integers(1, 12))
def test_samples_are_legal_different_and_seeded(text: str, plies: int, seed: int, count: int) -> None:
    game = glaux.make(text)
    openings = sampled_openings(game, plies, seed, count)
    assert 1 <= len(openings) <= count
    assert all(len(opening) == plies for opening in openings)
    assert not any(game.terminal(after(game, opening)) for opening in openings)
    assert len({images(game, after(game, opening)) for opening in openings}) == len(openings)
    assert openings == sampled_openings(game, plies, seed, count)


@given(st.sampled_from(GAMES), st.integers(0, 5), st.integers(0, 2**32))
def test_a_state_and_its_images_are_one(text: str, plies: int, seed: int) -> None:
    game = glaux.make(text)
    opening = random_opening(game, plies, seed)
    key = state_up_to_symmetry(game, tuple(opening))
    assert key in images(game, after(game, tuple(opening)))
    array = game.array(after(game, tuple(opening)))
    for symmetry in range(game.spec.symmetry_count):
        assert bytes(book.canonical(game, game.native.transform(array, symmetry))[0]) == key


def test_a_book_that_is_larger_than_needed_is_sampled() -> None:
    game = glaux.make("connect_four")
    everything = every_opening(game, 3)
    assert everything is not None
    some, other = make_book(game, 3, 1, 20), make_book(game, 3, 2, 20)
    assert len(set(some)) == len(set(other)) == 20
    assert set(some) <= set(everything)
    assert some != other
    assert some == make_book(game, 3, 1, 20)
    assert sorted(make_book(game, 3, 1, 10**6)) == everything


def test_a_book_out_of_reach_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = glaux.make("othello")
    monkeypatch.setattr(book, "EVERY", 50)
    assert every_opening(game, 6) is None
    openings = make_book(game, 6, 3, 12)
    assert len({images(game, after(game, opening)) for opening in openings}) == 12


def test_large_books_are_soon_given_up() -> None:
    assert every_opening(glaux.make("amazons"), 3) is not None
    assert every_opening(glaux.make("amazons"), 6) is None


def test_books_that_can_not_be() -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    with pytest.raises(InvalidParameter, match="never lasts 17 actions: choose a shorter"):
        make_book(game, 17, 0, 5)
    with pytest.raises(InvalidParameter, match="can't have -1 plies"):
        make_book(game, -1, 0, 5)
    with pytest.raises(InvalidParameter, match="at least 1 opening"):
        make_book(game, 2, 0, 0)


def test_each_opening_of_a_book_is_played_with_both_colours() -> None:
    game = glaux.make("connect_four")
    contest = Contest(game, ("random:seed=1", "random:seed=2"), 60, book=2)
    jobs = [contest.job(index) for index in range(60)]
    for first, second in zip(jobs[::2], jobs[1::2], strict=True):
        assert first.opening == second.opening
        assert first.players == second.players[::-1] == contest.players
        assert first.play().actions[:2] == list(first.opening)
    openings = [job.opening for job in jobs[::2]]
    everything = every_opening(game, 2)
    assert everything is not None
    assert set(openings) == set(everything)
    assert openings[len(everything) :] == openings[: 30 - len(everything)], "then it begins anew"
