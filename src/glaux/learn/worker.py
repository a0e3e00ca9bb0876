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
out. So a :class:`Team` can be the training itself, threads (searches leave the interpreter alone) or
processes, and the loop that feeds it is the same.

Everything random in a match comes from the seed and its number, so that match number k of a training is
the same whenever it is played with the same value function.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import dataclass
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from glaux.arena.pool import begin_worker, interrupts_held
from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_types, setting
from glaux.learn.config import Config
from glaux.learn.selection import SelectionSettings, select
from glaux.learn.stopping import Stopped, checked
from glaux.learn.targets import TARGETS, make_targets
from glaux.learn.value import make_value
from glaux.players.searching import SearchLimits
from glaux.rules.registry import make
from glaux.search.heuristics import Heuristic, make_heuristic
from glaux.search.lockstep import LockStep
from glaux.search.registry import find_search, learning, make_search
from glaux.search.search import Search
from glaux.search.tree import Tree
from glaux.values.examples import Examples
from glaux.values.saving import Arrays
from glaux.values.value import ValueFunction

T = TypeVar("T")


class Stop(Protocol):
    """Whether to stop: a number that may be shared with other processes. No lock: signal handlers set it."""

    value: int


@dataclass
class Local:
    """A :class:`Stop` of this process."""

    value: int = 0


@dataclass(frozen=True)
class SearchSettings:
    """How a match is played: which search, and what it may spend on an action."""

    algorithm: str = setting("descent", f"a search that can learn: {', '.join(learning())}")
    seconds: float = setting(0.0, "tau: search time for an action; 0: no such limit")
    iterations: int = setting(0, "as many for an action; 0: no such limit")
    evaluations: int = setting(0, "as many for an action; 0: no such limit")
    completion: bool = setting(True, "prove results (descent, ubfm and alphabeta)")
    c: float | None = setting(
        None, "exploration of mcts and wrap, for values from -1 to 1; as the search has it", kind=float
    )
    memory: int = setting(512, "megabytes of a match's tree")

    def __post_init__(self) -> None:
        check_types(self, "[search]")
        if self.algorithm not in learning():
            raise InvalidParameter(
                f"There is no search.algorithm '{self.algorithm}'{suggest(self.algorithm, learning())}"
            )
        if min(self.seconds, self.iterations, self.evaluations) < 0:
            raise InvalidParameter("The limits of [search] can't be negative.")
        if not (self.seconds or self.iterations or self.evaluations):
            raise InvalidParameter("[search] needs a limit: seconds, iterations or evaluations.")
        if self.memory < 1:
            raise InvalidParameter("The memory of [search] is at least one megabyte.")

    @property
    def limits(self) -> SearchLimits:
        """What an action may cost."""
        return SearchLimits(
            seconds=self.seconds or None,
            iterations=self.iterations or None,
            evaluations=self.evaluations or None,
        )

    def make(self, value: ValueFunction, heuristic: Heuristic) -> Search:
        """The search of one match after the other."""
        entry = find_search(self.algorithm)
        options: dict[str, Any] = {"completion": self.completion, "c": self.c, "memory": self.memory << 20}
        given = {k: v for k, v in options.items() if k in entry.option_names and v is not None}
        return make_search(entry, heuristic.game, value, given, heuristic)


@dataclass(frozen=True)
class SelfPlayConfig(Config):
    """What a training that learns from searches in self-play can be told besides."""

    targets: str = setting("tree", "what is learned: tree, root or terminal learning (Algorithms 3 to 5)")
    leaves: bool = setting(False, "tree learning: leaves that are not terminal as well (Remark 3)")
    lockstep: int = setting(1, "matches that a worker plays together, to have larger batches of states")
    processes: bool = setting(False, "workers are processes instead of threads")
    keep_resolved: int = setting(0, "proven states that are kept from match to match")
    search: SearchSettings = setting(SearchSettings(seconds=0.1), "how actions are searched for")
    selection: SelectionSettings = setting(SelectionSettings(), "how actions are chosen after a search")

    least: ClassVar[dict[str, int]] = Config.least | {"lockstep": 1, "keep_resolved": 0}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"targets": tuple(TARGETS)}


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
        self.searches = [config.search.make(self.value, self.heuristic) for _ in range(config.lockstep)]
        self.stop: Stop = Local() if stop is None else stop

    def play(self, weights: Arrays | None, numbers: Sequence[int], progress: float) -> list[Played]:
        """Play the matches of these numbers in lock-step, at most as many as there are searches.

        ``weights`` are those of the value function from now on; None: as they are. ``progress`` is how far
        the training has come, 0 to 1. If this fails the searches are as if the matches had not begun.
        Stopped if that is wanted meanwhile.
        """
        begun = time.perf_counter()
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
        share = (time.perf_counter() - begun) / len(matches)
        return [
            match.played(learned, share, searching / len(matches))
            for match, learned in zip(matches, examples, strict=True)
        ]

    def _check(self) -> None:
        if self.stop.value:
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
        limits = self.config.search.limits
        if len(matches) == 1:
            while not matches[0].over:
                yield matches[0], matches[0].search.run(matches[0].state, **limits, whole=True)
            return
        lockstep = LockStep[_Match](self.value)
        try:
            for match in matches:
                lockstep.start(match, match.search, match.state, **limits, whole=True)
            for match, tree in lockstep.finished():
                yield match, tree
                if not match.over:
                    lockstep.start(match, match.search, match.state, **limits, whole=True)
        finally:
            lockstep.close()


class _Match:
    """One match while it is played."""

    def __init__(self, worker: Worker, search: Search, number: int) -> None:
        config = worker.config
        self.heuristic, self.game = worker.heuristic, worker.heuristic.game
        self.search, self.number = search, number
        self.rng = np.random.default_rng([config.seed, number])
        search.begin_match(int(self.rng.integers(2**63)), config.keep_resolved)
        self.selection, self.completed = config.selection.make(), config.selection.completed
        self.targets = make_targets(config.targets, leaves=config.leaves)
        self.state, self.actions = self.game.initial(), list[int]()
        self.evaluations = self.expansions = 0
        self.full = False

    @property
    def over(self) -> bool:
        return self.game.terminal(self.state)

    def go_on(self, tree: Tree, progress: float) -> None:
        """Play an action after a search."""
        found = tree.statistics
        self.evaluations += found.evaluations
        self.expansions += found.expansions
        self.full |= found.full
        self.targets.observe(tree)
        action = select(tree, self.selection, self.rng, progress, completed=self.completed)
        self.actions.append(action)
        self.state = self.game.apply(self.state, action)

    def examples(self) -> Examples:
        """What there is to learn now that it is over."""
        return self.targets.examples(self.search, self.state, self.heuristic.value(self.state))

    def played(self, examples: Examples, seconds: float, search_seconds: float) -> Played:
        """The match with its share of the time."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return Played(
            number=self.number,
            actions=self.actions,
            outcome=outcome,
            end_value=self.heuristic.value(self.state),
            examples=examples,
            evaluations=self.evaluations,
            expansions=self.expansions,
            full=self.full,
            seconds=seconds,
            search_seconds=search_seconds,
        )


Player: TypeAlias = Callable[[Arrays | None, Sequence[int], float], list[Played]]
""":meth:`Worker.play`, here or in another process"""


class Inline(Executor):
    """Does at once what it is given, so that a single worker needs no thread."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """A future that is over."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as failure:  # Ctrl-C as well: it comes out where the result is asked for
            future.set_exception(failure)
        return future


class Team:
    """The workers of a training, while it lasts: a context in which rounds can be asked for."""

    def __init__(self, config: SelfPlayConfig, value: ValueFunction) -> None:
        self.config, self.value = config, value
        self.size = config.workers
        self.alone = self.size == 1 and not config.processes
        """whether the only worker plays with the value function of the training itself"""
        self._spawn = multiprocessing.get_context("spawn")
        self._stop: Stop = self._spawn.RawValue("b", 0) if config.processes else Local()
        values = (
            [] if config.processes else [value if self.alone else value.snapshot() for _ in range(self.size)]
        )
        self.workers = [Worker(config, one, self._stop) for one in values]
        """those of this process"""

    def __enter__(self) -> Self:
        if self.alone:
            self._executor: Executor = Inline()
        elif self.config.processes:
            self._executor = ProcessPoolExecutor(
                self.size, self._spawn, _begin_process, (self.config, self._stop)
            )
        else:
            self._executor = ThreadPoolExecutor(self.size)
        threads = isinstance(self._executor, ThreadPoolExecutor)
        self.learners = self._executor if threads and self.value.concurrent else Inline()
        """where learning steps are made: beside the matches, or one after the other in the training"""
        self._stop.value = 0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._executor.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """Let the workers abandon their matches."""
        self._stop.value = 1

    @property
    def players(self) -> list[Player]:
        """Who can be asked to play, each one round at a time."""
        return [worker.play for worker in self.workers] or [_play_in_process] * self.size

    def submit(self, player: Player, numbers: Sequence[int], progress: float) -> Future[list[Played]]:
        """Let a player begin these matches with the value function as it is now."""
        weights = None if self.alone else self.value.weights()
        # A pool starts its processes as they are needed.
        with interrupts_held() if self.config.processes else nullcontext():
            return self._executor.submit(player, weights, numbers, progress)


_own: list[Worker] = []
"""the worker of this process, if it is one of a team"""


def _begin_process(config: SelfPlayConfig, stop: Stop) -> None:
    begin_worker()
    atexit.register(os._exit, 0)  # all is sent by then, and the thread that waits for the parent never ends
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as Ctrl-C: the training tells its workers to stop
    _own[:] = [Worker(config, stop=stop)]


def _play_in_process(weights: Arrays | None, numbers: Sequence[int], progress: float) -> list[Played]:
    return _own[0].play(weights, numbers, progress)
