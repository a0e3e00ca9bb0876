"""TD(lambda) with final adaptation: learning from self-play without search.

    repeat:  play a match, each action the one with the best value, now and then a random one
             after each action, move the value of the mover's last afterstate towards the new one

The episodes run in native code (``cpp/learn/td.h`` has the algorithm), thousands in a second, in
blocks of about half a second between which there is time for checkpoints and the display. All that is
random in match number k comes from the seed and k, so a training with one worker is determined by its
seed, and goes on from a checkpoint as if it had not stopped. More workers are threads that learn in
copies of the tables, which are joined after each block; where the tables are so large that joining
takes long, blocks last longer.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.learn.config import Config
from glaux.learn.training import Listener, Progress, Record, Training
from glaux.values.ntuple import NTupleNetwork

BLOCK_SECONDS = 0.5
BLOCK_JOINS = 10  # a block lasts at least as long as so many joins of the copies


class TDTrainer(Training):
    """A training by temporal differences."""

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        super().__init__(config, saved)
        if not isinstance(self.value, NTupleNetwork):
            raise InvalidParameter("Temporal differences are for n-tuple networks: set value.family=ntuple.")
        self.network: NTupleNetwork = self.value
        self.native = _core.TdLearner(
            self.game.native, self.network.native, self.heuristic.native, self._options()
        )

    def describe(self) -> str:
        """How it learns, in a few words."""
        return f"TD({self.config.td.lambda_:g}), {self.network.learning.rule}, {self.heuristic.text}"

    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken so many seconds, or has so many matches."""
        begun, size = time.perf_counter() - self.elapsed, 1
        block = max(BLOCK_SECONDS, BLOCK_JOINS * self._join_seconds())
        while True:
            share = self.elapsed / max(seconds, 1e-9) if seconds is not None else 0.0
            left = max(matches - self.matches, 0) if matches is not None else size
            if share >= 1 or left == 0:
                return
            by_time = seconds is not None or matches is None
            count, at = min(size, left), time.perf_counter()
            tally, record = self._block(count, 0 if by_time else matches or 0, min(share, 1.0))
            taken = time.perf_counter() - at
            self.elapsed = time.perf_counter() - begun
            if listener is not None:
                listener(self._progress(tally, taken), record)
            size = max(1, min(2 * size, round(count * block / max(taken, 1e-6))))

    def _join_seconds(self) -> float:
        """What it takes to copy the tables for the workers and to join the copies."""
        if self.config.workers == 1:
            return 0.0
        for _ in range(2):  # the first makes the copies
            at = time.perf_counter()
            self.native.run(self.matches, 0, threads=self.config.workers)
        return time.perf_counter() - at

    def _block(self, count: int, total: int, share: float) -> tuple[list[_core.TdTally], Record]:
        """Play some matches; the last one is recorded."""
        tallies = []
        if count > 1:
            tallies.append(
                self.native.run(self.matches, count - 1, total, share, threads=self.config.workers)
            )
        last, episodes = self.native.recorded(self.matches + count - 1, 1, total, share)
        tallies.append(last)
        self.matches += count
        self.evaluations += sum(tally.evaluations for tally in tallies)
        self.value.learned += sum(tally.steps for tally in tallies)
        return tallies, self._record(*episodes[0])

    def _record(self, start: bytes, actions: list[int], random: list[bool]) -> Record:
        game = self.game
        first = state = game.state(start)
        for action in actions:
            state = game.apply(state, action)
        text = "" if first == game.initial() else game.state_text(first)
        return Record(self.matches, game.outcome(state) or 0, actions, text)

    def _progress(self, tallies: list[_core.TdTally], seconds: float) -> Progress:
        episodes = sum(tally.episodes for tally in tallies)
        steps = sum(tally.steps for tally in tallies)
        lost, drawn, won = np.sum([tally.outcomes for tally in tallies], axis=0).tolist()
        plies = sum(tally.plies for tally in tallies)
        return Progress(
            match=self.matches,
            elapsed=self.elapsed,
            plies=plies / episodes,
            outcome=(won - lost) / max(won + drawn + lost, 1),
            evaluations=sum(tally.evaluations for tally in tallies),
            expansions=plies,
            states=steps,
            learned=steps,
            loss=float(np.sqrt(sum(tally.squares for tally in tallies) / max(steps, 1))),
            replay=0,
            seconds={"episodes": seconds},
            full=False,
        )

    def _options(self) -> _core.TdOptions:
        td, learning = self.config.td, self.network.learning
        options = _core.TdOptions()
        options.learning = learning.native
        end = td.alpha_end or learning.alpha
        options.alpha = _core.Schedule(learning.alpha, end, geometric=end != learning.alpha)
        options.epsilon = _core.Schedule(td.epsilon, td.epsilon_end)
        options.starts = _core.Starts(td.initial_share, td.random_least, td.random_most)
        options.trace_factor, options.gamma, options.cut = td.lambda_, td.gamma, td.cut
        options.step_reward = td.step_reward
        options.learn_from_random, options.final_to_zero = td.learn_from_random, td.final_to_zero
        options.most_plies, options.wrapper_iterations = td.most_plies, td.wrapper_iterations
        options.seed = self.config.seed
        return options
