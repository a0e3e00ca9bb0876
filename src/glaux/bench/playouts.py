"""How many random matches a second the rules play on one core, beside OpenSpiel's.

Ours are played by the native call in batches, OpenSpiel's by the plain Python loop that its users
write. Both are timed by the CPU time of the thread, in slices that alternate so that whatever else
the machine does falls on both, and the best slice of each counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glaux import _core
from glaux.bench.measuring import SLICES, check_seconds, rate
from glaux.looks.finding import look_of
from glaux.rules.game import Game
from glaux.rules.registry import games, make

BATCH_SECONDS = 0.002  # long enough to make the clock and the call free, short beside a slice
MAX_BATCH = 1 << 16


@dataclass(frozen=True)
class PlayoutSpeed:
    """The figures of one game; OpenSpiel's are None where it lacks the game or is not installed."""

    game: str
    playouts_per_second: float
    open_spiel_playouts_per_second: float | None
    ratio: float | None
    """Ours divided by OpenSpiel's."""
    state_bytes: int
    mean_plies: float
    """The mean length of our random matches, in actions."""


def measure_all(
    names: Sequence[str] | None = None, seconds: float = 2.0, open_spiel: bool = True, seed: int = 0
) -> Iterator[PlayoutSpeed]:
    """Measure these games, by default all at their default parameters, one after the other."""
    for game in [make(name) for name in names or games()]:
        yield measure(game, seconds, open_spiel, seed)


def measure(game: Game, seconds: float, open_spiel: bool = True, seed: int = 0) -> PlayoutSpeed:
    """Measure one game for about this many seconds of CPU time."""
    check_seconds(seconds)
    ours = _Playouts(game, seed)
    theirs = _open_spiel_playouts(game, seed) if open_spiel else None
    slice_seconds = seconds / SLICES / (2 if theirs else 1)
    our_rates, their_rates = [], []
    for _ in range(SLICES):
        our_rates.append(ours.run(slice_seconds))
        if theirs:
            their_rates.append(theirs.run(slice_seconds))
    return PlayoutSpeed(
        game=game.label,
        playouts_per_second=max(our_rates),
        open_spiel_playouts_per_second=max(their_rates, default=None),
        ratio=max(our_rates) / max(their_rates) if their_rates else None,
        state_bytes=game.spec.state_size,
        mean_plies=ours.mean_plies(),
    )


class _Playouts:
    """Our random matches from the start, in batches."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.native = game, game.native
        self.start = np.frombuffer(game.initial().data, dtype=np.uint8).reshape(1, -1)
        self.rng = _core.Rng(seed)
        self.plies: list[int] = []
        self.batch = self._fitting_batch()

    def run(self, seconds: float) -> float:
        """Playouts a second over a slice of this length."""
        states = np.repeat(self.start, self.batch, axis=0)
        done = 0
        begin = now = time.thread_time()
        while done == 0 or now - begin < seconds:
            ends = self.native.playouts(states, self.rng, _core.trusted)
            done += self.batch
            now = time.thread_time()
        self._note_plies(ends)
        return rate(done, now - begin)

    def mean_plies(self) -> float:
        return sum(self.plies) / len(self.plies)

    def _fitting_batch(self) -> int:
        """The power of two that takes about BATCH_SECONDS; finding it also warms up."""
        batch = 1
        while True:
            states = np.repeat(self.start, batch, axis=0)
            begin = time.thread_time()
            ends = self.native.playouts(states, self.rng, _core.trusted)
            if time.thread_time() - begin >= BATCH_SECONDS or batch >= MAX_BATCH:
                self._note_plies(ends)
                return batch
            batch *= 2

    def _note_plies(self, ends: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        self.plies += [self.game.ply(end) for end in self.game.states(ends)]


class _OpenSpielPlayouts:
    """OpenSpiel's random matches from the start, one by one."""

    def __init__(self, spiel: Any, seed: int) -> None:
        self.spiel = spiel
        self.random = random.Random(seed)

    def run(self, seconds: float) -> float:
        """Playouts a second over a slice of this length."""
        choice = self.random.choice
        done = 0
        begin = now = time.thread_time()
        while done == 0 or now - begin < seconds:
            state = self.spiel.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choice(state.legal_actions()))
            done += 1
            now = time.thread_time()
        return rate(done, now - begin)


def _open_spiel_playouts(game: Game, seed: int) -> _OpenSpielPlayouts | None:
    text = look_of(game).open_spiel.game
    if not text or not game.at_defaults:
        return None
    try:
        import pyspiel  # noqa: PLC0415 (an optional dependency)
    except ImportError:
        return None
    return _OpenSpielPlayouts(pyspiel.load_game(text), seed)
