"""A training run that fits its time, for rules that are slow: those in Python, and OpenSpiel's games.

A preset is sized for rules in C++, which give some hundred thousand values in a second. Rules in Python give
some thousand: with the same settings a training run of a few minutes would not see the end of its first
match. So their speed is measured before the training, for about a second, and the settings are cut down
until the time is enough for some hundred matches, or for as many as there can be: fewer evaluations for an
action, matches in lock-step so that their states are valued together, UBFM instead of Descent where a single
way to the end of a match takes too long, and a weaker opponent to be measured against. What a user has set
is left as it is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from glaux.learn.athenan import SearchSettings
from glaux.learn.config import Config
from glaux.learn.strength import Strength
from glaux.learn.value import make_value
from glaux.learn.worker import SearchBudget, SelfPlayConfig
from glaux.rules.game import Game
from glaux.rules.registry import make
from glaux.search.heuristics import make_heuristic

TRIAL_SECONDS = 0.4
"""of each of the two measurements, at least one match or some values"""
MATCHES = 200
"""that a training run should have time for"""
ROUNDS = 20
"""of matches in lock-step, at least: a round is learned from when its last match is over"""
MOST_LOCKSTEP = 8
NEW_PART = 0.15
"""of Descent's way to the end of a match, what a later search does not find in its table"""
STRENGTH_SHARE = 0.1
"""of the time, for one measurement of strength"""
LEAST_ITERATIONS = 20
"""below which MCTS is no opponent, and random play is"""


@dataclass(frozen=True)
class Speed:
    """What the rules can do, in a second."""

    playouts: float
    plies: float
    """actions of a random match, on average"""
    evaluations: float
    children: float
    """evaluations of an expansion, on average"""
    iteration: float
    """seconds of the smallest whole search of a state: Descent's goes to the end of a match"""


def is_slow(game: Game) -> bool:
    """Whether the rules are in Python."""
    return game.adapter is not None


def measure_speed(config: SelfPlayConfig) -> Speed:
    """Play random matches and search for a moment."""
    heuristic = make_heuristic(make(config.game), config.heuristic)
    game, begun = heuristic.game, time.perf_counter()
    lengths: list[int] = []
    while not lengths or time.perf_counter() - begun < TRIAL_SECONDS:
        count = max(1, len(lengths))
        ends = game.playouts(game.initial(), count, seed=len(lengths))
        lengths += [game.ply(end) for end in game.states(ends)]
    played = time.perf_counter()
    search = config.budget.make(make_value(config, heuristic), heuristic)
    search.run(game.initial(), evaluations=1)  # which takes memory for its table
    search.clear()
    begun_search = time.perf_counter()
    found = search.run(game.initial(), seconds=TRIAL_SECONDS).statistics
    searched = time.perf_counter() - begun_search
    plies = max(1.0, fmean(lengths))
    # The last iteration was cut short: a single one is as long as a random match, an expansion an action.
    whole = searched / max(1, found.expansions) * plies
    return Speed(
        playouts=len(lengths) / (played - begun),
        plies=plies,
        evaluations=max(1, found.evaluations) / searched,
        children=found.evaluations / max(1, found.expansions),
        iteration=searched / found.iterations if found.iterations > 1 else whole,
    )


def fit(config: Config, seconds: float) -> Config:
    """The settings of a training run of this length if the rules are slow; otherwise unchanged."""
    if not isinstance(config, SelfPlayConfig) or not is_slow(make(config.game)):
        return config
    speed = measure_speed(config)
    search = _fit_search(config.budget, seconds, speed)
    descends = isinstance(search, SearchSettings) and search.algorithm == "descent"
    spent = search.evaluations if isinstance(search, SearchSettings) else search.iterations
    an_action = max(spent, speed.children) / speed.evaluations
    match_seconds = speed.plies * an_action + (speed.iteration if descends else 0)
    lockstep = int(max(1, min(MOST_LOCKSTEP, seconds / ROUNDS / match_seconds)))
    fitted: Any = config  # each learner has its own section [search]
    result: Config = replace(
        fitted,
        workers=1,  # the interpreter runs one thread at a time
        lockstep=max(config.lockstep, lockstep),
        search=search,
        strength=_fit_strength(config, seconds, speed),
    )
    return result


def _fit_search(search: SearchBudget, seconds: float, speed: Speed) -> SearchBudget:
    """What an action may cost; an iteration of PUCT is about an evaluation, one of Descent is a whole way."""
    affordable = max(1, round(speed.evaluations * seconds / MATCHES / speed.plies))
    if not isinstance(search, SearchSettings):
        return replace(search, iterations=min(search.iterations, affordable)) if search.iterations else search
    if search.algorithm == "descent" and NEW_PART * speed.plies * speed.iteration > seconds / ROUNDS:
        search = replace(search, algorithm="ubfm")
    return replace(search, evaluations=min(search.evaluations, affordable)) if search.evaluations else search


def _fit_strength(config: SelfPlayConfig, seconds: float, speed: Speed) -> Strength:
    strength = config.strength
    limit = max(2.0, STRENGTH_SHARE * seconds)
    a_move = limit / max(1, strength.games) / speed.plies
    iterations = int(speed.playouts * a_move)
    opponent = strength.opponent
    if opponent.startswith("mcts:iterations="):
        known = int(opponent.partition("=")[2])
        opponent = f"mcts:iterations={min(known, iterations)}" if iterations >= LEAST_ITERATIONS else "random"
    return replace(strength, opponent=opponent, limit=strength.limit or limit)
