"""TD(lambda) with final adaptation: learning from self-play without search.

    repeat:  play a match, each action the one with the best value, now and then a random one
             after each action, move the value of the mover's last afterstate towards the new one

The episodes run in native code (``cpp/learn/td.h`` has the algorithm), thousands in a second, in
blocks of about half a second between which there is time for checkpoints and the display. All that is
random in match number k comes from the seed and k, so a training run with one worker is determined by its
seed, and goes on from a checkpoint as if it had not stopped. More workers are threads that learn in
copies of the tables, which are joined after each block; where the tables are so large that joining
takes long, blocks last longer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from glaux import _core
from glaux.errors import InvalidParameter
from glaux.fields import INT32, check_types, setting
from glaux.learn.config import Config
from glaux.learn.learner import Finished, Goal, Learner, Listener, Progress
from glaux.values.ntuple import NTupleNetwork

BLOCK_SECONDS = 0.5
BLOCK_JOINS = 10  # a block lasts at least as long as this many joins of the copies


@dataclass(frozen=True)
class TDSettings:
    """How matches are played and learned from."""

    epsilon: float = setting(0.1, "share of random actions (epsilon) at the start of the run")
    epsilon_end: float = setting(0.1, "share of random actions (epsilon) at its end")
    alpha_end: float = setting(
        0.0, "final learning rate, to which the alpha of [value] decays exponentially; 0: no decay"
    )
    gamma: float = setting(1.0, "gamma: discount factor")
    lambda_: float = setting(0.0, "lambda: decay of the eligibility traces")
    cut: float = setting(0.1, "trace factors below this count as 0")
    step_reward: float = setting(0.0, "reward of every action but the last")
    learn_from_random: bool = setting(True, "also learn from random actions")
    final_to_zero: bool = setting(True, "final adaptation: move the value of finished matches to 0")
    initial_share: float = setting(1.0, "share of matches that start from the initial state")
    random_least: int = setting(
        1, "the other matches start after at least this many random actions or twists", most=INT32
    )
    random_most: int = setting(1, "and after at most this many", most=INT32)
    most_plies: int = setting(0, "cut off a match after this many actions; 0: never", most=INT32)
    wrapper_iterations: int = setting(0, "iterations of the MCTS wrapper per move; 0: no search", most=INT32)

    def __post_init__(self) -> None:
        check_types(self, "[td]")


@dataclass(frozen=True)
class TDConfig(Config):
    """The settings of temporal differences."""

    learner: str = setting("td", "td: temporal-difference learning without search")
    td: TDSettings = setting(TDSettings(), "how matches are played and learned")


class TD(Learner):
    """Learning by temporal differences."""

    name = "td"
    config_type = TDConfig
    config: TDConfig

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        super().__init__(config, saved)
        if not isinstance(self.value, NTupleNetwork):
            raise InvalidParameter("TD learning needs an n-tuple network: set value.family=ntuple.")
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
        """Train until the whole training has taken this many seconds, or has this many matches."""
        goal, size = Goal(self, seconds, matches), 1
        block = max(BLOCK_SECONDS, BLOCK_JOINS * self._join_seconds())
        while goal.share(self.matches) < 1 and not self.stopping:
            # The schedules of epsilon and alpha follow the matches where these are the only goal.
            total = matches or 0 if seconds is None else 0
            share = 0.0 if seconds is None else self.elapsed / max(seconds, 1e-9)
            count, at = min(size, goal.left(self.matches)), time.perf_counter()
            self.whole = False  # a block is learned from while it is played: it is never left in the middle
            tallies, start, actions = self._block(count, total, min(share, 1.0))
            self.whole = True
            taken = time.perf_counter() - at
            self.elapsed = goal.elapsed
            if listener is not None:
                listener([self._finished(tallies, taken, start, actions)])
            size = max(1, min(2 * size, round(count * block / max(taken, 1e-6))))

    def _join_seconds(self) -> float:
        """What it takes to copy the tables for the workers and to join the copies."""
        if self.config.workers == 1:
            return 0.0
        for _ in range(2):  # the first makes the copies
            at = time.perf_counter()
            self.native.run(self.matches, 0, threads=self.config.workers)
        return time.perf_counter() - at

    def _block(self, count: int, total: int, share: float) -> tuple[list[_core.TdTally], bytes, list[int]]:
        """Play some matches; the start and the actions of the last one are kept."""
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
        start, actions, _ = episodes[0]
        return tallies, start, actions

    def _finished(
        self, tallies: list[_core.TdTally], seconds: float, start: bytes, actions: list[int]
    ) -> Finished:
        game = self.game
        first = state = game.state(start)
        for action in actions:
            state = game.apply(state, action)
        text = "" if first == game.initial() else game.state_text(first)
        return Finished(self._progress(tallies, seconds), actions, game.outcome(state) or 0, text)

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
