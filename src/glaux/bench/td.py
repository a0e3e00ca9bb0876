"""How fast n-tuple networks learn by temporal differences, without search.

The presets ``tcl`` of the paper, and the same without traces, with one thread and with two. The first
matches are played before the clock runs, since those of an untrained network are shorter. Threads
need the whole machine, so that this is wall time: the best of some slices counts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from glaux.bench.measuring import SLICES, check_seconds, rate
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config
from glaux.learn.td import TD, TDConfig
from glaux.rules.registry import make

GAMES = ("othello", "connect_four")
PRESET = "tcl"
WARM_MATCHES = 2000
THREADS = (1, 2)


@dataclass(frozen=True)
class TDSpeed:
    """The figures of one way to learn."""

    game: str
    lambda_: float
    threads: int
    matches_per_second: float
    plies: float
    """of a match, on average"""
    learned_states_per_second: float
    evaluations_per_second: float


def lambdas(game: str) -> list[float]:
    """0, and the paper's if that is another."""
    return sorted({0.0, _config(game).td.lambda_})


def _config(game: str) -> TDConfig:
    config = configure(game, find_preset(game, PRESET))
    assert isinstance(config, TDConfig)
    return config


def measure(game: str, lambda_: float, seconds: float) -> list[TDSpeed]:
    """With each number of threads, for this many seconds each."""
    check_seconds(seconds)
    learner = TD(change_config(_config(game), [f"td.lambda_={lambda_}", "strength.every=0"]))
    first, size = WARM_MATCHES, 10
    learner.native.run(0, WARM_MATCHES, total=0, share=0.5, threads=max(THREADS))
    rows = []
    for threads in THREADS:
        slices: list[TDSpeed] = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or not slices:
            begun = time.perf_counter()
            tally = learner.native.run(first, size, total=0, share=0.5, threads=threads)
            taken = time.perf_counter() - begun
            first += size
            if taken < seconds / SLICES:
                size *= 2  # too short to be measured
                continue
            slices.append(
                TDSpeed(
                    game=make(game).label,
                    lambda_=lambda_,
                    threads=threads,
                    matches_per_second=rate(tally.episodes, taken),
                    plies=tally.plies / tally.episodes,
                    learned_states_per_second=rate(tally.steps, taken),
                    evaluations_per_second=rate(tally.evaluations, taken),
                )
            )
        rows.append(max(slices, key=lambda row: row.matches_per_second))
    return rows
