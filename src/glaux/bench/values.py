"""How fast value functions are on one core: alone, inside a search, and when they learn.

All by the CPU time of the thread, the best of several slices, everything about one value function in
turns so that a change of the machine's speed hits all alike.

- alone: batches as large as those of the search, without the search;
- in a search: UBFM from the start of a match, one match;
- eager PyTorch: batches of that size through the module itself, for networks;
- learning: pairs a second in batches of the family's size;
- update: what a network's first value after a learning step costs, which is its export.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from glaux.bench.measuring import SLICES, check_seconds, rate
from glaux.errors import UnknownName, suggest
from glaux.rules.game import Game, StateArray
from glaux.rules.registry import make
from glaux.search.best_first import UBFM
from glaux.values.calibration import random_positions
from glaux.values.examples import pairs
from glaux.values.networks.architecture import Architecture
from glaux.values.networks.network import NeuralNetwork
from glaux.values.ntuple import Learning, NTupleNetwork
from glaux.values.patterns import PatternNetwork
from glaux.values.value import ValueFunction


def _ntuple(count: int, rule: str, game: Game) -> ValueFunction:
    network = NTupleNetwork(game, count=count, length=7, learning=Learning(rule=rule, alpha=0.1))
    # Tables of zeros would make all the values equal, and the search would see a strange tree.
    shape = network.weights()["weights"].shape
    network.restore({"weights": np.random.default_rng(0).normal(0, 0.02, shape).astype(np.float32)}, {})
    return network


def _network(architecture: str | Architecture, game: Game) -> ValueFunction:
    return NeuralNetwork(game, architecture, device="cpu")


R = Architecture(residual=True, padding=True, depth=4)
VALUES: dict[str, Callable[[Game], ValueFunction]] = {
    "ntuple-100": partial(_ntuple, 100, "sgd"),
    "ntuple-100-tc": partial(_ntuple, 100, "coherence_exponential"),
    "ntuple-121": partial(_ntuple, 121, "sgd"),
    "patterns": PatternNetwork,
    "small": partial(_network, "small"),
    "C": partial(_network, "C"),
    "R": partial(_network, R),
}
"""Tuples of length 7 (``tc`` learns by temporal coherence); networks by preset; R has 4 residual blocks."""
GAMES = ("othello", "hex")


def default_pairs() -> list[tuple[str, str]]:
    """The (game, name) that are measured if none are chosen; without networks where PyTorch is missing."""
    names = [
        name
        for name in VALUES
        if not isinstance(VALUES[name], partial)
        or name.startswith("ntuple")
        or find_spec("torch") is not None
    ]
    return [(game, name) for game in GAMES for name in names if (game, name) != ("othello", "ntuple-121")]


@dataclass(frozen=True)
class ValueSpeed:
    """The figures of one value function of one game."""

    game: str
    value: str
    weights: int
    batch: int
    """states in a batch of the search, on average; those alone are as many"""
    states_per_second: float
    """alone"""
    evaluations_per_second: float
    """in UBFM, one match; above the figure alone where the children are worked out from their parent"""
    share: float
    """the second of the two over the first"""
    microseconds_per_state: float
    """in UBFM, all included"""
    pytorch_states_per_second: float | None
    pytorch_ratio: float | None
    """how many times as fast as eager PyTorch the value function is alone"""
    pairs_per_second: float
    """learned from"""
    update_milliseconds: float | None


def value(name: str) -> Callable[[Game], ValueFunction]:
    """What makes the value function of this name; UnknownName with a sentence if there is none."""
    if name not in VALUES:
        raise UnknownName(f"There is no value function '{name}'{suggest(name, list(VALUES))}")
    return VALUES[name]


def measure_all(seconds: float = 2.0) -> Iterator[ValueSpeed]:
    """Measure all that can be measured here."""
    for game, name in default_pairs():
        yield measure(make(game), name, seconds)


def measure(game: Game, name: str, seconds: float) -> ValueSpeed:
    """Measure one for about this many seconds at each of its tasks."""
    return measure_value(value(name)(game), name, seconds)


def measure_value(function: ValueFunction, name: str, seconds: float) -> ValueSpeed:
    """Measure a value function for about this many seconds at each of its tasks."""
    check_seconds(seconds)
    game, budget = function.game, seconds / SLICES
    search = UBFM(game, function)
    found = search.run(game.initial(), seconds=budget).statistics
    batch = max(1, round(found.evaluations / found.expansions))
    states = random_positions(game, max(4096, batch), seed=0)
    planes = game.encode(states[:batch])

    tasks: dict[str, Callable[[int], object]] = {
        "search": partial(_search, search),
        "learn": partial(_learn, function.copy(), states),
    }
    if isinstance(function, NeuralNetwork):
        tasks["alone"] = partial(_repeat, batch, partial(function, planes))
        tasks["pytorch"] = partial(_eager, function, planes, batch)
        tasks["update"] = partial(_repeat, 1, partial(_update, function.copy(), states[:1]))
    else:
        tasks["alone"] = partial(_repeat, batch, partial(function._evaluate, states[:batch]))
    units = {"alone": batch, "pytorch": batch, "search": batch}
    counts = {task: _count_in(run, units.get(task, 1), budget) for task, run in tasks.items()}
    rates = dict.fromkeys(tasks, 0.0)
    for _ in range(SLICES):
        for task, run in tasks.items():
            rates[task] = max(rates[task], rate(counts[task], _seconds(run, counts[task])))
    return ValueSpeed(
        game=game.label,
        value=name,
        weights=function.weight_count,
        batch=batch,
        states_per_second=rates["alone"],
        evaluations_per_second=rates["search"],
        share=rates["search"] / rates["alone"],
        microseconds_per_state=1e6 / rates["search"],
        pytorch_states_per_second=rates.get("pytorch"),
        pytorch_ratio=rates["alone"] / rates["pytorch"] if "pytorch" in rates else None,
        pairs_per_second=rates["learn"],
        update_milliseconds=1e3 / rates["update"] if "update" in rates else None,
    )


def _seconds(run: Callable[[int], object], count: int) -> float:
    begin = time.thread_time()
    run(count)
    return time.thread_time() - begin


def _count_in(run: Callable[[int], object], unit: int, seconds: float) -> int:
    """About how much of a task, in whole units, is done in so much CPU time."""
    run(unit)  # the first time is slow
    count = unit
    while (taken := _seconds(run, count)) < seconds / 4:
        count *= 2
    return max(1, round(rate(count, taken) * seconds / unit)) * unit


def _repeat(batch: int, run: Callable[[], object], count: int) -> None:
    """The run of a batch, as often as this many states need."""
    for _ in range(count // batch):
        run()


def _search(search: UBFM, count: int) -> None:
    search.clear()
    search.run(search.game.initial(), evaluations=count)


def _eager(network: NeuralNetwork, planes: Any, batch: int, count: int) -> None:
    import torch  # noqa: PLC0415 (an optional dependency)

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            _repeat(batch, lambda: network.module(torch.from_numpy(planes)).numpy(), count)
    finally:
        torch.set_num_threads(threads)


def _learn(function: ValueFunction, states: StateArray, count: int) -> None:
    size = min(function.batch_size, len(states))
    targets = np.linspace(-1, 1, size, dtype=np.float32)
    for start in range(0, count, size):
        n = min(size, count - start)
        function.learn(pairs(states[:n], targets[:n]))


def _update(network: NeuralNetwork, states: StateArray) -> None:
    network.restore(network.weights(), {})
    network._evaluate(states)
