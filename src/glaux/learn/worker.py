"""Self-play: matches of a value function against itself, and what there is to learn from them.

    while not terminal(s):
        S, T <- search(s, S, T, f, f_t, tau)
        a    <- action_selection(s, S, T)
        s    <- a(s)

A :class:`Worker` plays one match, or some in lock-step (``glaux.search.lockstep``): they begin together,
their searches run together, and the states that they ask for are valued in one batch. The matches of
such a round have one value function, that of their beginning: a tree whose values were given by many
teaches much less (experiments/LOG.md). Each search keeps its table from action to action, and proven
states from match to match if wanted.

All that goes in and comes out of a worker is plain data: weights and numbers in, examples and actions
out. So it does not matter where it plays (``team.py``).

Everything random in a match comes from the seed and its number, so that match number k of a training run is
the same whenever it is played with the same value function.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter
from glaux.fields import LONGEST, check_types, setting
from glaux.learn.clock import check_elsewhere
from glaux.learn.config import Config
from glaux.learn.stopping import Stopped, checked
from glaux.learn.targets import Targets
from glaux.learn.value import make_value
from glaux.machine import cores
from glaux.players.searching import SearchLimits
from glaux.rules.registry import make
from glaux.search.heuristics import Heuristic, make_heuristic
from glaux.search.lockstep import LockStep
from glaux.search.search import Search
from glaux.search.tree import Tree
from glaux.values.examples import Examples
from glaux.values.networks.once import once
from glaux.values.value import ValueFunction


class Stop(Protocol):
    """Whether to stop: a number that may be shared with other processes. No lock: signal handlers set it."""

    value: int


@dataclass
class Local:
    """A :class:`Stop` of this process."""

    value: int = 0


@dataclass(frozen=True)
class SearchBudget(ABC):
    """What a search may spend on an action; each learner's section [search] adds which search it is."""

    seconds: float = setting(0.0, "tau: seconds per move; 0: no limit", most=LONGEST)
    iterations: int = setting(0, "iterations per move; 0: no limit")
    evaluations: int = setting(0, "evaluations per move; 0: no limit")
    memory: int = setting(512, "megabytes for the search tree of a match", most=2**28)

    def __post_init__(self) -> None:
        check_types(self, "[search]")
        if min(self.seconds, self.iterations, self.evaluations) < 0:
            raise InvalidParameter("The limits of [search] can't be negative.")
        if not (self.seconds or self.iterations or self.evaluations):
            raise InvalidParameter("[search] needs a limit: seconds, iterations or evaluations.")
        if self.memory < 1:
            raise InvalidParameter("The memory of [search] must be at least 1 megabyte.")

    @property
    def limits(self) -> SearchLimits:
        """What an action may cost."""
        return SearchLimits(
            seconds=self.seconds or None,
            iterations=self.iterations or None,
            evaluations=self.evaluations or None,
        )

    @abstractmethod
    def make(self, value: ValueFunction, heuristic: Heuristic) -> Search:
        """The search of one match after the other."""


@dataclass(frozen=True)
class ClusterSettings:
    """How workers on a cluster keep step with the training; those of one machine always do."""

    refresh: float = setting(
        1.0,
        "seconds between updates of the workers' value function; 0: one per round",
        most=LONGEST,
    )
    ahead: int = setting(
        2, "rounds assigned to each worker: the one it plays, and others that wait", least=1, most=64
    )
    stale: int = setting(
        1000,
        "how many versions old the value function of a finished round may be; older rounds are replayed; "
        "0: any age",
        least=0,
        most=2**31,
    )

    def __post_init__(self) -> None:
        check_types(self, "[cluster]")


Choose: TypeAlias = Callable[[Tree, np.random.Generator, float, int], int | None]
"""(what a search has found, chance, progress of the training from 0 to 1, actions played so far) -> the
action to play, or None: the player to move resigns"""


@dataclass(frozen=True)
class SelfPlayConfig(Config):
    """The further settings of a training run that learns from searches in self-play.

    A learner adds its section [search], a :class:`SearchBudget`, and says how actions are chosen and what is
    learned.
    """

    lockstep: int = setting(
        1, "matches that each worker plays in lock-step, for larger batches", least=1, most=65536
    )
    processes: bool = setting(False, "use processes instead of threads as workers")
    opening: int = setting(
        0,
        "largest number of random actions at the start of a match; they are not learned, and keep strong "
        "players from repeating the same openings",
        least=0,
        most=10**6,
    )
    cluster: ClusterSettings = setting(ClusterSettings(), "how workers on a cluster stay in step (--on)")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.processes:
            check_elsewhere(self.clock)

    @property
    def budget(self) -> SearchBudget:
        """The section [search]."""
        raise NotImplementedError

    @property
    def kept_states(self) -> int:
        """Proven states that a search keeps from match to match."""
        return 0

    def next_search(self, rng: np.random.Generator, ply: int) -> tuple[SearchLimits, bool]:
        """What the search after ``ply`` others of its match may cost, and whether its state is learned."""
        return self.budget.limits, True

    def make_targets(self) -> Targets:
        """What is learned from a match, for one match at a time."""
        raise NotImplementedError

    def make_choice(self, number: int) -> Choose:
        """How actions are chosen in match ``number``."""
        raise NotImplementedError


@dataclass(frozen=True)
class Played:
    """A match, and what there is to learn from it."""

    number: int
    actions: list[int]
    outcome: int
    """+1, 0 or -1 for the first player"""
    end_value: float
    """what the heuristic says of the end"""
    examples: Examples
    evaluations: int
    expansions: int
    full: bool
    """the tree has reached its memory budget"""
    seconds: float
    """its share of the time of its round"""
    search_seconds: float
    """and of the time that the searches took"""
    calls: float = 0.0
    """its share of the batches that a neural network was given in its round"""


def calls_of(value: ValueFunction) -> float:
    """How many batches a neural network has been given so far; 0 for other value functions."""
    return float(getattr(value, "batches", 0))


class Worker:
    """Plays matches with searches that live as long as the training."""

    def __init__(
        self, config: SelfPlayConfig, value: ValueFunction | None = None, stop: Stop | None = None
    ) -> None:
        """``value`` is what it plays with; without, one of its own that waits for weights.

        When ``stop`` is set, matches are abandoned: inside a search, or before the next action.
        """
        self.config = config
        self.heuristic = make_heuristic(make(config.game), config.heuristic)
        self.value = make_value(config, self.heuristic) if value is None else value
        self.searches = [config.budget.make(self.value, self.heuristic) for _ in range(config.lockstep)]
        self.stop: Stop = Local() if stop is None else stop
        self._deadline = math.inf

    def play(
        self,
        weights: Arrays | None,
        numbers: Sequence[int],
        progress: float,
        seconds: float | None = None,
    ) -> list[Played]:
        """Play the matches of these numbers in lock-step, at most as many as there are searches.

        ``weights`` are those of the value function from now on; None: as they are. ``progress`` is how far
        the training has come, 0 to 1. If this fails the searches are as if the matches had not begun.
        Stopped if that is wanted meanwhile, or if the matches are not over after this many ``seconds``.
        """
        begun, calls = time.perf_counter(), calls_of(self.value)
        self._deadline = math.inf if seconds is None else begun + seconds
        if weights is not None:
            self.value.restore(weights, {})
        matches = [
            _Match(self, search, number) for search, number in zip(self.searches, numbers, strict=False)
        ]
        try:
            with checked(self._check):
                searching = self._play(matches, progress)
            examples = [match.examples() for match in matches]
        except BaseException:
            for match in matches:
                match.search.abandon_match()
            raise
        shares = time.perf_counter() - begun, searching, calls_of(self.value) - calls
        seconds, searching, calls = (share / len(matches) for share in shares)
        return [
            match.played(learned, seconds, searching, calls)
            for match, learned in zip(matches, examples, strict=True)
        ]

    def _check(self) -> None:
        if self.stop.value or time.perf_counter() > self._deadline:
            raise Stopped

    def _play(self, matches: Sequence[_Match], progress: float) -> float:
        """Play the matches to their ends; the seconds that the searches took."""
        begun, choosing = time.perf_counter(), 0.0
        with closing(self._searched(matches)) as searched:
            for match, tree in searched:
                at = time.perf_counter()
                self._check()
                match.go_on(tree, progress)
                choosing += time.perf_counter() - at
        return time.perf_counter() - begun - choosing

    def _searched(self, matches: Sequence[_Match]) -> Generator[tuple[_Match, Tree], None, None]:
        """Each match after each of its searches, until all are over."""
        if len(matches) == 1:
            [match] = matches
            while not match.over:
                yield match, match.search.run(match.state, **match.next_search(), whole=True)
            return
        # A thread that evaluates is of use where the workers leave it a core.
        spare = cores() > self.config.workers
        lockstep = LockStep[_Match](once(self.value), background=spare)
        try:
            for match in matches:
                lockstep.start(match, match.search, match.state, **match.next_search(), whole=True)
            for match, tree in lockstep.finished():
                yield match, tree
                if not match.over:
                    lockstep.start(match, match.search, match.state, **match.next_search(), whole=True)
        finally:
            lockstep.close()


class _Match:
    """One match while it is played."""

    def __init__(self, worker: Worker, search: Search, number: int) -> None:
        self.config = config = worker.config
        self.heuristic, self.game = worker.heuristic, worker.heuristic.game
        self.search, self.number = search, number
        self.rng = np.random.default_rng([config.seed, number])
        search.begin_match(int(self.rng.integers(2**63)), config.kept_states)
        self.choose, self.targets = config.make_choice(number), config.make_targets()
        self.state, self.actions = self.game.initial(), list[int]()
        self.evaluations = self.expansions = self.searches = 0
        self.full = self.resigned = False
        self.learned = True
        """whether the state that is searched is learned"""
        if config.opening:
            self._open(int(self.rng.integers(config.opening + 1)))

    def _open(self, plies: int) -> None:
        """Play random actions, none of which ends the match."""
        for _ in range(plies):
            action = int(self.rng.choice(self.game.actions(self.state)))
            child = self.game.apply(self.state, action)
            if self.game.terminal(child):
                return
            self.state = child
            self.actions.append(action)

    @property
    def over(self) -> bool:
        return self.resigned or self.game.terminal(self.state)

    @property
    def outcome(self) -> int:
        """+1, 0 or -1 for the first player."""
        if self.resigned:
            return -1 if self.game.first_player(self.state) else 1
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return outcome

    @property
    def end_value(self) -> float:
        """What the heuristic says of the end; for the one who resigned, the worst there is."""
        return self.outcome * self.heuristic.scale if self.resigned else self.heuristic.value(self.state)

    def next_search(self) -> SearchLimits:
        """What the next search may cost."""
        limits, self.learned = self.config.next_search(self.rng, self.searches)
        self.searches += 1
        return limits

    def go_on(self, tree: Tree, progress: float) -> None:
        """Play an action after a search."""
        found = tree.statistics
        self.evaluations += found.evaluations
        self.expansions += found.expansions
        self.full |= found.full
        if self.learned:
            self.targets.observe(tree)
        action = self.choose(tree, self.rng, progress, len(self.actions))
        if action is None:
            self.resigned = True
            return
        self.actions.append(action)
        self.state = self.game.apply(self.state, action)

    def examples(self) -> Examples:
        """What there is to learn now that it is over."""
        return self.targets.examples(self.search, self.state, self.end_value)

    def played(self, examples: Examples, seconds: float, search_seconds: float, calls: float) -> Played:
        """The match with its share of the time and of the network's batches."""
        return Played(
            number=self.number,
            actions=self.actions,
            outcome=self.outcome,
            end_value=self.end_value,
            examples=examples,
            evaluations=self.evaluations,
            expansions=self.expansions,
            full=self.full,
            seconds=seconds,
            search_seconds=search_seconds,
            calls=calls,
        )
