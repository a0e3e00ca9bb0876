"""Games on several cores: closing early, and workers that die."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice

import pytest

import glaux
from glaux.arena.match import PlayedMatch
from glaux.arena.pool import AHEAD, GameJob, derived_seed, play_jobs
from glaux.errors import GlauxError

GAME = glaux.make("connect_four:rows=4,columns=4,length=3")


@dataclass(frozen=True)
class Deadly(GameJob):
    """A game whose process dies."""

    def play(self) -> PlayedMatch:
        os._exit(3)


def job(seed: int) -> GameJob:
    return GameJob(GAME, ("random", "random"), (seed, seed + 1))


def test_jobs_are_taken_only_when_they_are_needed() -> None:
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield number, job(number)

    with closing(play_jobs(endless(), 2)) as played:
        results = [next(played)[0] for _ in range(5)]
    assert len(set(results)) == 5
    assert len(taken) <= 5 + 2 * AHEAD
    deadline = time.monotonic() + 240
    while multiprocessing.active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not multiprocessing.active_children(), "closing ends the workers"


def test_a_worker_that_dies_is_one_sentence() -> None:
    with pytest.raises(GlauxError, match="A worker process ended before its game did"):
        list(play_jobs([(0, Deadly(GAME, ("random", "random"), (1, 2)))], 2))


@pytest.mark.parametrize("wanted", [1, 4])
def test_nothing_of_the_pool_outlives_its_results(wanted: int) -> None:
    """A thread that did would race with the end of the process: OSError, Bad file descriptor."""
    before = set(threading.enumerate())
    with closing(play_jobs([(number, job(number)) for number in range(4)], 2)) as played:
        assert len(list(islice(played, wanted))) == wanted
    assert set(threading.enumerate()) <= before
    assert not multiprocessing.active_children()


def test_no_jobs() -> None:
    assert list(play_jobs([], 1)) == list(play_jobs([], 2)) == []


def test_seeds_differ() -> None:
    seeds = {derived_seed(a, b, c) for a in range(5) for b in range(5) for c in range(5)}
    assert len(seeds) == 125
    assert all(0 <= seed < 2**64 for seed in seeds)
