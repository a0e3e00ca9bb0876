"""How fast a training run is on one core, and where its time goes.

The laptop preset of the game with one worker, for either family of value functions, and those of AlphaZero
and ExIt, one match at a time or some in lock-step, after the first matches have filled the replay memory a
little. Encoding is what the states that a network was given would take to encode once more; an n-tuple
network has none.

For AlphaZero and ExIt also what a round of self-play has of the rate of the network alone, in batches of the
same mean size: slices of CPU time that alternate, so that whatever else the machine does falls on both.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from glaux import _core
from glaux.bench.measuring import check_seconds, rate
from glaux.errors import InvalidParameter, UnknownName, suggest
from glaux.learn.apprentice import Apprentice
from glaux.learn.exit import ExIt
from glaux.learn.learner import Finished, Learner
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config, make_learner
from glaux.learn.worker import Local, Played, SelfPlayConfig, Worker
from glaux.rules.game import Game
from glaux.rules.registry import make
from glaux.values.calibration import random_positions
from glaux.values.networks.network import NeuralNetwork
from glaux.values.networks.policy_network import PolicyNetwork
from glaux.values.value import ValueFunction

FAMILIES: dict[str, tuple[str, list[str]]] = {
    "ntuple": ("ntuple", []),
    "patterns": ("patterns", []),
    "network": ("laptop", ["value.family=network", "value.architecture=small"]),
    "alphazero": ("alphazero", ["sync_period=1"]),
    "exit": ("exit", ["warm_matches=0", "phase.matches={lockstep}", "phase.value_from=0"]),
}
"""a preset, and what is changed in it: ExIt learns after the first round, and has no round of MCTS before"""
LOCKSTEP: dict[str, tuple[int, ...]] = {
    "ntuple": (1,),
    "patterns": (1,),
    "network": (1, 16),
    "alphazero": (1, 32),
    "exit": (64,),
}
"""matches in lock-step that are measured if none are chosen: native networks gain nothing by them"""
GAMES = ("othello", "hex")


@dataclass(frozen=True)
class TrainSpeed:
    """The figures of one training."""

    game: str
    family: str
    lockstep: int
    """matches that are played together"""
    matches: int
    selfplay_states_per_second: float
    """states valued a second of self-play, learning apart"""
    batch: float | None
    """states in a batch of the network, on average"""
    evaluations_per_second: float
    """of all the time"""
    learned_states_per_second: float
    """examples learned from, repetitions included"""
    search: float
    """shares of the time: the search without encoding"""
    encoding: float
    """encoding states into planes, for search and learning"""
    fitting: float
    """learning steps without encoding"""
    everything_else: float
    """playing the actions, targets, replay, symmetric copies"""
    raw_share: float | None
    """what self-play has of the rate of the network alone; of networks with a policy"""


def measure(game: str, family: str, seconds: float, lockstep: int = 1) -> TrainSpeed:
    """Train for this many seconds, or until the first round is over."""
    check_seconds(seconds)
    if family not in FAMILIES:
        raise UnknownName(f"There is no family '{family}'{suggest(family, list(FAMILIES))}")
    if lockstep < 1:
        raise InvalidParameter(f"At least 1 match must be played at a time, not {lockstep}.")
    preset, changes = FAMILIES[family]
    settings = ["workers=1", "strength.every=0", "warm_start=0", f"lockstep={lockstep}"]
    settings += [change.format(lockstep=lockstep) for change in changes]
    learner = make_learner(change_config(configure(game, find_preset(game, preset)), settings))
    totals: dict[str, float] = {}
    counts = {"evaluations": 0, "learned": 0}
    networks: list[ValueFunction] = [learner.value]  # one after the other: ExIt has a fresh one in each phase

    def add(finished: list[Finished]) -> None:
        if learner.value is not networks[-1]:
            networks.append(learner.value)
        for progress in (one.progress for one in finished):
            for name, spent in progress.seconds.items():
                totals[name] = totals.get(name, 0.0) + spent
            counts["evaluations"] += progress.evaluations
            counts["learned"] += progress.learned

    learner.train(seconds=seconds, listener=add)
    uncounted = 0
    if not totals:  # a round that took longer was given up
        uncounted = _batches(networks)
        learner.train(matches=lockstep, listener=add)
    whole = sum(totals.values())
    batches = _batches(networks) - uncounted
    encode = _encoding_seconds(learner.game) if batches else 0.0
    in_search, in_fit = counts["evaluations"] * encode, counts["learned"] * encode
    return TrainSpeed(
        game=make(learner.config.game).label,
        family=family,
        lockstep=lockstep,
        matches=learner.matches,
        selfplay_states_per_second=counts["evaluations"] / (totals["search"] + totals["play"]),
        batch=counts["evaluations"] / batches if batches else None,
        evaluations_per_second=counts["evaluations"] / whole,
        learned_states_per_second=counts["learned"] / whole,
        search=(totals["search"] - in_search) / whole,
        encoding=(in_search + in_fit) / whole,
        fitting=(totals["fit"] - in_fit) / whole,
        everything_else=(totals["play"] + totals["replay"] + totals["wait"]) / whole,
        raw_share=_raw_share(learner, lockstep, seconds),
    )


def _raw_share(learner: Learner, lockstep: int, seconds: float) -> float | None:
    """The median over rounds of self-play and slices of the network alone, in turns, one round at least."""
    network = learner.value
    if not isinstance(network, PolicyNetwork):
        return None
    play, clock, shares = _rounds(learner), time.process_time, list[float]()
    planes = learner.game.native.encode(random_positions(learner.game, 1000, seed=0), _core.trusted)
    until, first = clock() + seconds, learner.matches + 1
    while not shares or clock() < until:
        before, begun = network.batches, clock()
        played = play(range(first, first + lockstep))
        spent, states = clock() - begun, sum(match.evaluations for match in played)
        first += lockstep
        if states == 0:  # matches that were proven where their random openings ended
            continue
        batch = planes[: max(1, round(states / max(1, network.batches - before)))]
        alone, begun = 0, clock()
        while alone == 0 or clock() - begun < spent / 2:
            network.outputs(batch)
            alone += len(batch)
        shares.append(rate(states, spent) / rate(alone, clock() - begun))
    return statistics.median(shares)


def _rounds(learner: Learner) -> Callable[[Sequence[int]], list[Played]]:
    """What plays matches in lock-step, and learns nothing."""
    if isinstance(learner, ExIt):
        config = learner.config
        apprentice = Apprentice(learner.heuristic, config.search, config.seed, config.temperature, Local())
        return lambda numbers: apprentice.play(learner.value, numbers)
    assert isinstance(learner.config, SelfPlayConfig)
    worker = Worker(learner.config, learner.value)
    return lambda numbers: worker.play(None, numbers, 0.0)


def _batches(networks: list[ValueFunction]) -> int:
    """How many batches the networks among these have valued."""
    return sum(network.batches for network in networks if isinstance(network, NeuralNetwork))


def _encoding_seconds(game: Game) -> float:
    """Of one state."""
    states = random_positions(game, 1000, seed=0)
    best = float("inf")
    for _ in range(5):
        begun = time.perf_counter()
        game.native.encode(states, _core.trusted)
        best = min(best, time.perf_counter() - begun)
    return best / len(states)
