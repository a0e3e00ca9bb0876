"""ExIt, online expert iteration (Algorithm 15 of the reference, sections 8.1 and 8.4.2).

    pi_0 <- the apprentice that has learned matches of MCTS          (phase 0, the warm start)
    for i in 1, 2, ...:
        S_i <- a state of each match that the apprentice pi_{i-1} plays by itself     (apprentice.py)
        D_i <- {(s, the visits of the expert's search of s, z) | s in S_i}            (search/exit.py)
        pi_i <- a fresh network that learns D_1 ... D_i until it gets no better on what it does not learn

The apprentice is a network with a policy, and plays without search: many matches in lock-step are one batch
of it. The expert is MCTS with random playouts that asks the apprentice where to look. At first only the
policy is learned, - sum of n(s,a) / N log pi(a|s); after the share ``phase.value_from`` of the training the
value as well, - z log v - (1 - z) log(1 - v), and then the expert uses it.

What differs from the paper or is not in it: a phase ends when the data have grown by a number of matches
or by a share, as in Anthony and others (2017); the matches of the warm start give all their states, each of
which was searched; the softmax temperature T of the network's policy, which only scales its last layer, is
not there; the data are forgotten, oldest first, beyond a memory budget. Any value function can be the
apprentice: one without a policy plays at random.

A phase is learned by a network of its own, and a round counts when all of it is done, so that a training
run that was stopped continues exactly as if it had not been. Each match has its own random numbers: several
workers play the same matches, apart from the last bits of a network, whose batches differ.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter
from glaux.fields import check_types, setting
from glaux.learn.apprentice import Apprentice, ExpertSettings
from glaux.learn.apprentices import Apprentices
from glaux.learn.clock import check_elsewhere
from glaux.learn.config import Config
from glaux.learn.learner import MOST, Goal, Learned, Learner, Listener
from glaux.learn.replay import UniformReplay
from glaux.learn.stopping import Stopped
from glaux.learn.value import make_value
from glaux.learn.worker import Local, Played
from glaux.values.augmentation import SYMMETRIES, augmented
from glaux.values.examples import POLICIES, STATES, VALUES, Examples, joined
from glaux.values.networks.policy_network import PolicyNetwork, PolicySettings
from glaux.values.settings import ValueSettings
from glaux.values.value import ValueFunction

POLICY_LOSS, BOTH_LOSS = "policy", "likelihood"
"""what a network minimizes before and after the value is learned, see ``losses.py``"""
PHASES = 2**33
"""the stream of chance of the phases, apart from those of the matches"""


@dataclass(frozen=True)
class PhaseSettings:
    """When the apprentice learns, and how."""

    matches: int = setting(10, "least number of matches per phase", least=1, most=2**31)
    growth: float = setting(
        0.05, "a phase also lasts until the data has grown by this share", least=0, most=100
    )
    value_from: float = setting(
        2 / 15,
        "share of the training run after which the value is learned and used besides the policy; the "
        "default is day 3 of 15",
        least=0,
        most=1,
    )
    fresh: bool = setting(True, "start each phase with an untrained network; otherwise with the last one")
    epochs: int = setting(30, "largest number of epochs", least=1, most=2**31)
    validation: float = setting(0.1, "share of the data held out for early stopping", least=0, most=0.9)
    patience: int = setting(
        3, "epochs without a smaller held-out error before the best network is taken", least=1
    )
    memory: int = setting(2048, "megabytes of data", least=1, most=2**28)

    def __post_init__(self) -> None:
        check_types(self, "[phase]")


@dataclass(frozen=True)
class ExItConfig(Config):
    """The settings of ExIt."""

    learner: str = setting(
        "exit", "exit: expert iteration, an apprentice network taught by an expert that searches"
    )
    heuristic: str = setting("classic", "value of terminal states: z")
    value: ValueSettings = setting(PolicySettings(), "the network's family and settings")
    lockstep: int = setting(64, "matches played, and states searched, in lock-step", least=1, most=65536)
    warm_matches: int = setting(10, "MCTS matches to learn from first", least=0, most=2**31)
    temperature: float = setting(
        1.0, "the apprentice samples its moves from its policy to the power 1 / temperature", least=0.01
    )
    symmetry: str = setting("random", "symmetric copies of examples: none, random or all")
    search: ExpertSettings = setting(ExpertSettings(), "how the expert searches, and MCTS in the warm start")
    phase: PhaseSettings = setting(PhaseSettings(), "when and how the apprentice learns")

    choices: ClassVar[dict[str, tuple[str, ...]]] = Config.choices | {"symmetry": SYMMETRIES}


class ExIt(Learner):
    """Phases of matches by the apprentice, of which the expert searches one state each."""

    name = "exit"
    config_type = ExItConfig
    config: ExItConfig

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        super().__init__(config, saved)
        self.data = UniformReplay(2**40, 1.0, of="states", memory=self.config.phase.memory << 20)
        self.phase = 0 if self.config.warm_matches else 1
        """0: the warm start"""
        self.due = self.config.warm_matches or self.config.phase.matches
        """the match after which the apprentice learns"""
        self._seats: list[tuple[Apprentice, ValueFunction]] = []
        """of several workers, with a copy of the value function each"""
        self._errors = Learned(0, 0.0, 0.0)
        """of the last phase, which the matches after it show"""
        self._stop = Local()
        self._apprentice = self._make_apprentice()
        self._apprentices: Apprentices | None = None
        """those that play for it on a cluster"""
        if not saved and not config.start_from:
            self.value = self._fresh(np.random.default_rng([config.seed, PHASES]), values=False)

    def describe(self) -> str:
        """How it learns, in a few words."""
        return f"ExIt, phase {self.phase}, {self.heuristic.text}"

    def stop(self) -> None:
        """The round that is being played or learned is abandoned."""
        super().stop()
        self._stop.value = 1

    def play_on(self, address: str, workers: int | None = None) -> None:
        """Let the matches be played, and their states be searched, on a cluster."""
        check_elsewhere(self.config.clock)
        size = workers or self.config.workers
        self._apprentices = Apprentices(self._apprentice, self.config.value, address, size)

    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken this many seconds, or has this many matches."""
        goal = Goal(self, seconds, matches)
        with self._apprentices or nullcontext():
            self._train(goal, listener)

    def _train(self, goal: Goal, listener: Listener | None) -> None:
        while not self.stopping and goal.share(self.matches) < 1:
            count = min(self.config.lockstep, goal.left(self.matches), self.due - self.matches)
            numbers = range(self.matches + 1, self.matches + count + 1)
            begun = time.perf_counter()
            try:
                played = self._play(numbers)
                learned = None
                if self.matches + count == self.due:
                    learned = self._learn(played, goal.share(self.due))
            except Stopped:
                return
            self._absorb(played, learned, time.perf_counter() - begun, goal.elapsed, listener)

    def _play(self, numbers: range) -> list[Played]:
        """A round, dealt out to the workers: threads with an apprentice each, a copy if there are several."""
        apprentices = self._apprentices
        size = min(self.config.workers if apprentices is None else apprentices.size, len(numbers))
        parts = [numbers[i::size] for i in range(size)]
        if apprentices is not None:
            played = apprentices.play(self.value, self.phase, parts)
            return sorted(played, key=lambda match: match.number)
        if size == 1:
            return self._part((self._apprentice, self.value), numbers)
        while len(self._seats) < size:
            self._seats.append((self._make_apprentice(), self.value.snapshot()))
        with ThreadPoolExecutor(size) as pool:
            played = [match for part in pool.map(self._part, self._seats[:size], parts) for match in part]
        return sorted(played, key=lambda match: match.number)

    def _part(self, seat: tuple[Apprentice, ValueFunction], numbers: range) -> list[Played]:
        apprentice, value = seat
        return apprentice.warm_start(numbers) if self.phase == 0 else apprentice.play(value, numbers)

    def _make_apprentice(self) -> Apprentice:
        config = self.config
        return Apprentice(self.heuristic, config.search, config.seed, config.temperature, self._stop)

    # What is learned at the end of a phase

    def _learn(self, played: list[Played], share: float) -> tuple[ValueFunction, Learned]:
        """The apprentice that has learned all the data, those of the last round included."""
        settings = self.config.phase
        rng = np.random.default_rng([self.config.seed, PHASES, self.phase + 1])
        new = joined(match.examples for match in played)
        old = list(self.data.minibatches(max(1, len(self.data)), rng))
        data = joined([*old, new])
        data = data.take(rng.permutation(len(data)))
        held = min(round(settings.validation * len(data)), len(data) - 1)
        values = share >= settings.value_from
        value = self._fresh(rng, values)
        value.progress = min(share, 1.0)
        best, left, weights, steps = math.inf, settings.patience, dict[str, Any](), list[Learned]()
        for _ in range(settings.epochs):
            steps.append(self._steps(value, self._epoch(data.part(held, len(data)), rng)))
            if held == 0:
                continue
            error = self._error(value, data.part(0, held), values)
            if error < best:
                best, left = error, settings.patience
                weights = {name: array.copy() for name, array in value.weights().items()}
            elif (left := left - 1) == 0:
                break
        if weights:
            value.restore(weights, {})
        value.learned += self.value.learned
        value.history = self.value.history
        examples = sum(one.examples for one in steps)
        done = steps[-1]._replace(examples=examples, seconds=sum(one.seconds for one in steps))
        return value, done  # with the errors of the last pass

    def _fresh(self, rng: np.random.Generator, values: bool) -> ValueFunction:
        """The network that a phase begins with."""
        seed = int(rng.integers(2**31))
        if self.config.phase.fresh or not self.matches:
            made = make_value(replace(self.config, seed=seed), self.heuristic)
        else:
            made = self.value.snapshot()
        made.heuristic = self.heuristic.text
        if not isinstance(made, PolicyNetwork):
            return made
        loss = BOTH_LOSS if values else POLICY_LOSS
        fresh = PolicyNetwork.make(self.game, made.settings() | {"loss": loss})
        fresh.restore(made.weights(), {})
        self.config.value.go_on_with(fresh)  # where it computes
        fresh.heuristic = self.heuristic.text
        return fresh

    def _epoch(self, data: Examples, rng: np.random.Generator) -> Iterator[Examples]:
        order = rng.permutation(len(data))
        for start in range(0, len(order), self.batch_size):
            if self.stopping:
                raise Stopped
            batch = data.take(order[start : start + self.batch_size])
            yield augmented(self.game, batch, self.config.symmetry, rng)

    def _steps(self, value: ValueFunction, batches: Iterator[Examples]) -> Learned:
        before, self.value = self.value, value
        try:
            return self.steps(batches)
        finally:
            self.value = before

    def _error(self, value: ValueFunction, held: Examples, values: bool) -> float:
        """The mean loss of examples that are not learned from."""
        error = 0.0
        if isinstance(value, PolicyNetwork):
            pi = np.maximum(value.policies(held[STATES]), 1e-12)
            error = -float((held[POLICIES] * np.log(pi)).sum(1).mean())
        if values or not isinstance(value, PolicyNetwork):
            v, z = (
                np.asarray(x, np.float64) / self.heuristic.scale
                for x in (value.evaluate(held[STATES]), held[VALUES])
            )
            v, z = (1 + np.clip(v, -1 + 1e-6, 1 - 1e-6)) / 2, (1 + np.clip(z, -1, 1)) / 2
            error -= float((z * np.log(v) + (1 - z) * np.log(1 - v)).mean())
        return error

    # What counts

    def _absorb(
        self,
        played: list[Played],
        learned: tuple[ValueFunction, Learned] | None,
        seconds: float,
        elapsed: float,
        listener: Listener | None,
    ) -> None:
        """Count the matches of a round, and tell the listener."""
        self.elapsed = elapsed
        for match in played:
            self.data.add(match.examples)
        steps = self._errors
        if learned is not None:
            self.value, steps = learned
            self._errors = steps._replace(examples=0, seconds=0.0)
            self.phase += 1
            self._seats = []
        finished, figures = [], self.value.figures()
        share = max(0.0, seconds - steps.seconds) / len(played)
        for match in played:
            after = steps if match is played[-1] else self._errors
            spent = {
                "search": match.search_seconds,
                "play": max(0.0, share - match.search_seconds),
                "fit": after.seconds,
                "replay": 0.0,
                "wait": 0.0,
            }
            finished.append(self.count(match, after, len(self.data), spent, figures))
        if learned is not None:
            grown = math.ceil(self.config.phase.growth * len(self.data))
            self.due = self.matches + max(self.config.phase.matches, grown)
        if listener is not None:
            listener(finished)

    # For checkpoints

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """With the phase and the data."""
        plain, arrays = super().state()
        kept, data = self.data.state()
        plain |= {"phase": self.phase, "due": self.due, "data": data}
        return plain, arrays | {f"data.{name}": array for name, array in kept.items()}

    def restore(self, plain: Mapping[str, Any], arrays: Arrays) -> None:
        """Continue where :meth:`state` was taken; the rules look at each state."""
        super().restore(plain, arrays)
        self.phase, self.due = int(plain["phase"]), int(plain["due"])
        if self.phase < 0 or not self.matches < self.due < MOST:
            raise InvalidParameter("The numbers of phases and matches are impossible.")
        kept = {k.removeprefix("data."): v for k, v in arrays.items() if k.startswith("data.")}
        for examples in self.data.restore(kept, plain["data"], self._apprentice.layout):
            self.game.array(examples[STATES])
