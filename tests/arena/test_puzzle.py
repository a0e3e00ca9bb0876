"""Trials of one player on scrambles: seeds, rows, and what is refused."""

from __future__ import annotations

import pytest

import glaux
from glaux.arena.interval import wilson
from glaux.arena.puzzle import JOB_SIZE, Attempt, Attempts, Trial
from glaux.errors import InvalidParameter, UnknownName


def rows(trial: Trial, workers: int = 1) -> dict[int, Attempts]:
    found = {n: Attempts() for n in trial.twists}
    for n, attempts in trial.played(workers):
        found[n].attempts += attempts
    return found


def test_a_solver_solves_all_and_chance_little() -> None:
    game = glaux.make("rubik2:limit=5")
    solver = rows(Trial(game, "alphabeta:depth=3", (1, 2, 3), 12))
    assert [len(row.attempts) for row in solver.values()] == [12, 12, 12]
    assert [row.share for row in solver.values()] == [1, 1, 1]
    lengths = [row.mean_length for row in solver.values()]
    assert lengths[:2] == [1, 2] and lengths[2] is not None and 2 <= lengths[2] <= 3
    chance = rows(Trial(game, "random", (3,), 50))[3]
    assert chance.share < 0.5
    assert all(attempt.length == 5 for attempt in chance.attempts if not attempt.solved)


def test_results_do_not_depend_on_the_workers() -> None:
    trial = Trial(glaux.make("rubik2:limit=6"), "random", (1, 2), JOB_SIZE + 3, seed=5)
    alone, together = rows(trial), rows(trial, workers=2)
    for n in trial.twists:
        key = [sorted((a.solved, a.length) for a in found[n].attempts) for found in (alone, together)]
        assert key[0] == key[1]
    other = rows(Trial(trial.game, "random", (1, 2), trial.games, seed=6))
    assert [a.solved for a in other[1].attempts] != [a.solved for a in alone[1].attempts]


def test_rows() -> None:
    row = Attempts([Attempt(True, 4, 0.5), Attempt(False, 20, 1.5), Attempt(True, 7, 1.0)])
    low, high = wilson(2 / 3, 3)
    assert row.summary() == {
        "games": 3,
        "solved": 2,
        "share": 2 / 3,
        "low": low,
        "high": high,
        "mean_length": 5.5,
        "seconds_per_game": 1.0,
    }
    assert Attempts([Attempt(False, 3, 0.1)]).mean_length is None


def test_what_can_t_be_played_is_refused_first() -> None:
    cube = glaux.make("rubik2")
    for trial, sentence in [
        (Trial(cube, "random", (1,), 0), "at least 1, not 0"),
        (Trial(cube, "random", (0,), 1), "1 to 1000 twists, not 0"),
        (Trial(glaux.make("othello"), "random", (1,), 1), "Othello is not a game for one player"),
    ]:
        with pytest.raises(InvalidParameter, match=sentence):
            trial.check()
    with pytest.raises(UnknownName, match="no player"):
        Trial(cube, "solver", (1,), 1).check()
