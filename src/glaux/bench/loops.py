"""Our games beside OpenSpiel's, each as its users run it: native code against native code, and the same loop
in Python on both.

    playouts       random matches: our native call, and the random rollouts of OpenSpiel's C++
    simulations    of MCTS with one random match each: our native search, and OpenSpiel's C++ bot
    python         the loop that a user writes: actions, a random choice, apply, until the match is over

OpenSpiel has no call for rollouts alone: they are one simulation of its MCTS bot with many rollouts. All are
timed by the CPU time of the thread, in slices that alternate so that whatever else the machine does falls on
all of them, and the best slice of each counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from glaux.bench.measuring import SLICES, check_seconds, rate
from glaux.looks.finding import look_of
from glaux.rules.game import Game
from glaux.rules.registry import games, make
from glaux.search.mcts import MCTS

CHUNK = 64
"""random matches, or simulations, of one call of native code"""


@dataclass(frozen=True)
class LoopSpeed:
    """Ours and OpenSpiel's of one game, a second."""

    game: str
    playouts: float
    open_spiel_playouts: float
    simulations: float
    open_spiel_simulations: float
    python: float
    open_spiel_python: float

    @property
    def ratios(self) -> tuple[float, float, float]:
        """Ours divided by OpenSpiel's: playouts, simulations, and the loop in Python."""
        return (
            self.playouts / self.open_spiel_playouts,
            self.simulations / self.open_spiel_simulations,
            self.python / self.open_spiel_python,
        )


def shared_games() -> list[str]:
    """The games that OpenSpiel has as well, with our default parameters."""
    return [name for name in games() if look_of(make(name)).open_spiel.game]


def measure_all(
    names: Sequence[str] | None = None, seconds: float = 6.0, seed: int = 0
) -> Iterator[LoopSpeed]:
    """Measure these games, by default all that both have."""
    for name in names or shared_games():
        yield measure(make(name), seconds, seed)


def measure(game: Game, seconds: float, seed: int = 0) -> LoopSpeed:
    """Measure one game for about this many seconds of CPU time."""
    import pyspiel  # noqa: PLC0415 (an optional dependency)

    check_seconds(seconds)
    spiel = pyspiel.load_game(look_of(game).open_spiel.game)
    kinds = [
        _our_playouts(game, seed),
        _spiel_search(pyspiel, spiel, 1, CHUNK, seed),
        _our_search(game, seed),
        _spiel_search(pyspiel, spiel, CHUNK, 1, seed),
        _our_loop(game, seed),
        _spiel_loop(spiel, seed),
    ]
    best = [0.0] * len(kinds)
    for _ in range(SLICES):
        for i, once in enumerate(kinds):
            best[i] = max(best[i], _slice(once, seconds / SLICES / len(kinds)))
    return LoopSpeed(game.label, *best)


def _slice(once: Callable[[], int], seconds: float) -> float:
    done, begin = 0, time.thread_time()
    now = begin
    while done == 0 or now - begin < seconds:
        done += once()
        now = time.thread_time()
    return rate(done, now - begin)


def _our_playouts(game: Game, seed: int) -> Callable[[], int]:
    start, rng = game.initial(), random.Random(seed)

    def once() -> int:
        return len(game.playouts(start, CHUNK, rng.getrandbits(63)))

    return once


def _our_search(game: Game, seed: int) -> Callable[[], int]:
    start, search = game.initial(), MCTS(game, seed=seed)

    def once() -> int:
        search.clear()
        return int(search.run(start, iterations=CHUNK).statistics.iterations)

    return once


def _spiel_search(pyspiel: Any, spiel: Any, simulations: int, rollouts: int, seed: int) -> Callable[[], int]:
    """Its bot from the start of a match: this many simulations with this many rollouts each."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    bot = pyspiel.MCTSBot(spiel, evaluator, 1.4, simulations, 1000, False, seed, False)
    start = spiel.new_initial_state()

    def once() -> int:
        bot.mcts_search(start)
        return simulations * rollouts

    return once


def _our_loop(game: Game, seed: int) -> Callable[[], int]:
    choice = random.Random(seed).choice

    def once() -> int:
        state = game.initial()
        while not game.terminal(state):
            state = game.apply(state, choice(game.actions(state)))
        return 1

    return once


def _spiel_loop(spiel: Any, seed: int) -> Callable[[], int]:
    choice = random.Random(seed).choice

    def once() -> int:
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
        return 1

    return once
