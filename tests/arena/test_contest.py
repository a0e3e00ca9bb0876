"""Matches and contests: colours, openings, seeds, tallies and intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

import glaux
from glaux.arena.contest import Contest, Side, Standing, play_contest
from glaux.arena.interval import wilson
from glaux.arena.match import play_match, random_opening
from glaux.errors import GlauxError, InvalidAction, InvalidParameter
from glaux.players.registry import make_player
from glaux.rules.game import State

GAME = glaux.make("connect_four:rows=4,columns=4,length=3")


def standing_of(contest: Contest, workers: int = 1) -> Standing:
    standing = Standing()
    for index, record in play_contest(contest, workers):
        standing.add(index, record)
    return standing


def test_wilson_is_the_textbook_interval() -> None:
    """By its definition: the shares p with (score - p)^2 = z^2 p (1 - p) / n."""
    for score, games in [(0.5, 10), (0.8, 100), (0.0, 20), (1.0, 7), (0.31, 1000)]:
        for p in wilson(score, games):
            assert math.isclose((score - p) ** 2, 1.959964**2 * p * (1 - p) / games, abs_tol=1e-9)
    assert wilson(0.5, 0) == (0.0, 1.0)
    for games in range(1, 200):  # 20 games gave 1 + 2e-16
        assert wilson(1.0, games)[1] == 1.0 and wilson(0.0, games)[0] == 0.0
    low, high = wilson(81 / 263, 263)  # a published example: 0.2553 to 0.3662
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_records_can_be_replayed() -> None:
    first, second = (make_player("random", GAME, seed) for seed in (1, 2))
    record = play_match(GAME, first, second, [0, 3])
    state = GAME.initial()
    for action in record.actions:
        state = GAME.apply(state, action)
    assert GAME.outcome(state) == record.outcome
    assert record.actions[:2] == [0, 3]
    assert record.opening == 2
    assert sum(record.choices) == len(record.actions) - 2


def test_turns_of_several_actions_are_asked_of_one_player() -> None:
    game = glaux.make("amazons:size=6")
    record = play_match(game, make_player("random", game, 1), make_player("random", game, 2))
    assert record.choices[0] % 3 == 0
    assert abs(record.choices[0] - record.choices[1]) <= 3


def test_pairs_of_games_share_their_opening_with_colours_exchanged() -> None:
    contest = Contest(GAME, ("random:seed=1", "random:seed=2"), 6, opening=3)
    records = [contest.job(i).play() for i in range(6)]
    openings = [tuple(r.actions[:3]) for r in records]
    assert openings[0] == openings[1]
    assert openings[2] == openings[3]
    assert len(set(openings)) > 1


@pytest.mark.parametrize("side, remainder", [(Side.first, 0), (Side.second, 1)])
def test_one_colour_has_the_same_games_as_both(side: Side, remainder: int) -> None:
    players = ("mcts:iterations=50", "random")
    both = dict(play_contest(Contest(GAME, players, 8, opening=1, seed=3), 1))
    one = dict(play_contest(Contest(GAME, players, 4, opening=1, seed=3, side=side), 1))
    assert {k: r.actions for k, r in one.items()} == {
        k: r.actions for k, r in both.items() if k % 2 == remainder
    }


def test_results_are_those_of_the_first_player_text() -> None:
    standing = standing_of(Contest(GAME, ("mcts:iterations=300", "random"), 20))
    assert standing.total.wins >= 15
    assert standing.as_first.games == standing.as_second.games == 10
    other = standing_of(Contest(GAME, ("random", "mcts:iterations=300"), 20))
    assert other.total.losses >= 15


def test_a_contest_can_be_repeated_with_any_number_of_workers() -> None:
    contest = Contest(GAME, ("mcts:iterations=50", "random"), 6, opening=1, seed=3)
    alone = dict(play_contest(contest, 1))
    together = dict(play_contest(contest, 2))
    assert [alone[i].actions for i in range(6)] == [together[i].actions for i in range(6)]
    other = dict(play_contest(Contest(GAME, contest.players, 6, opening=1, seed=4), 1))
    assert [alone[i].actions for i in range(6)] != [other[i].actions for i in range(6)]


def test_the_summary_has_the_promised_fields() -> None:
    summary = standing_of(Contest(GAME, ("random", "random"), 4)).summary()
    assert summary["games"] == 4
    assert summary["wins"] + summary["draws"] + summary["losses"] == 4
    assert summary["low"] <= summary["score"] <= summary["high"]
    assert set(summary["by_colour"]) == {"first", "second"}
    assert summary["games_per_second"] > 0
    assert len(summary["seconds_per_move"]) == 2


def test_openings_that_can_not_be() -> None:
    assert random_opening(GAME, 0, 1) == []
    with pytest.raises(InvalidParameter, match="rarely lasts 40 actions"):
        random_opening(GAME, 40, 1)


@pytest.mark.parametrize(
    "contest, sentence",
    [
        (Contest(GAME, ("random", "random"), 0), "at least 1"),
        (Contest(GAME, ("random", "random"), 2, opening=-1), "can't have -1 plies"),
        (Contest(GAME, ("random", "rando"), 2), "did you mean 'random'"),
        (Contest(glaux.make("open_spiel:game=morpion_solitaire"), ("random", "random"), 2), "two players"),
    ],
)
def test_impossible_contests(contest: Contest, sentence: str) -> None:
    with pytest.raises(GlauxError, match=sentence):
        list(play_contest(contest, 1))


def test_an_illegal_choice_is_the_players_fault() -> None:
    class Cheat:
        def begin(self) -> None: ...

        def choose(self, state: State, history: Sequence[int] = ()) -> int:
            return 99

        def close(self) -> None: ...

    with pytest.raises(InvalidAction, match="The first player chose action 99"):
        play_match(GAME, Cheat(), Cheat())


def test_a_failure_in_a_worker_comes_out() -> None:
    with pytest.raises(GlauxError, match="There is no game"):
        list(play_contest(Contest(glaux.make("otello"), ("random", "random"), 2), 2))
