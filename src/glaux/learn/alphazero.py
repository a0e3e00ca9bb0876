"""AlphaZero: learning from self-play by PUCT, end to end (Algorithm 2 of Minimax Strikes Back).

    repeat:  for k in 1 .. K:                                      (in lock-step: one batch for all)
                 s <- initial state; S, T, G <- nothing
                 while not terminal(s):
                     S, T <- mcts(s, S, T, f)                      (PUCT, with noise at its root)
                     G <- G + (s, P(s)),  P(s, a) ~ N(s, a)^(1 / target_temperature)
                     a <- drawn in proportion to N(s, a)^(1 / tau),  tau by the number of actions played
                     s <- a(s)
                 D <- D + {(s', z, P(s')) | s' in G},  z = f_t(s), the value of the end
             update(f, D)                                          (the last states, after a warm-up)

``self_play.py`` has the loop with its workers, and ``losses.py`` what is minimized. K only says when the
network changes: how much is learned after a match is what [replay] says of one.

What differs from the paper, or is not said there: the end itself is not learned, since it has no policy and
no search asks for its value; the temperatures, noise and constants are AlphaZero's, whose target temperature
is 1; symmetric copies are learned if wanted, and beside z the value that the search has found (the share
``play.target_q``), which is less a matter of luck. With ``search.root = "gumbel"`` the search is Gumbel
AlphaZero's (Danihelka and others 2022): P is the improved policy, and the action is that of sequential
halving. With ``search.fast_iterations`` most actions are played after a short search and only the others are
learned (playout cap randomization, Wu 2019): more results for the same time. Any value function can be
learned: one without a policy gives equal priors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter
from glaux.fields import check_types, setting
from glaux.learn.replay import Layout, Replay, ReplaySettings
from glaux.learn.self_play import SelfPlay
from glaux.learn.targets import Targets, as_array
from glaux.learn.worker import Choose, SearchBudget, SelfPlayConfig
from glaux.players.searching import SearchLimits
from glaux.rules.game import State
from glaux.search.heuristics import Heuristic
from glaux.search.puct import PuctOptions
from glaux.search.registry import make_search
from glaux.search.search import Search
from glaux.search.tree import Tree
from glaux.values.augmentation import SYMMETRIES, augmented
from glaux.values.examples import POLICIES, STATES, VALUES, Examples
from glaux.values.networks.policy_network import PolicySettings
from glaux.values.policies import drawn
from glaux.values.settings import ValueSettings
from glaux.values.value import ValueFunction

NOISE = {"puct": 0.25, "gumbel": 1.0}
"""at the root: AlphaZero's share of Dirichlet noise, and the whole of Gumbel AlphaZero's"""


def _option(name: str) -> Any:
    """An option of PUCT as it is there."""
    f = next(f for f in fields(PuctOptions) if f.name == name)
    return field(default=f.default, metadata=f.metadata)


@dataclass(frozen=True)
class PuctSettings(SearchBudget):
    """How actions are searched for."""

    iterations: int = setting(64, "simulations per move; 0: no limit")
    fast_iterations: int = setting(
        0, "simulations of a fast search, whose state is not learned; 0: no fast searches", least=0
    )
    full_share: float = setting(
        0.25,
        "share of moves searched in full, drawn at random per move, if others are fast",
        least=0,
        most=1,
    )
    c: float = _option("c")
    c_base: float = _option("c_base")
    c_log: float = _option("c_log")
    fpu: str = _option("fpu")
    fpu_reduction: float = _option("fpu_reduction")
    noise: float | None = setting(
        None,
        "share of Dirichlet noise at the root, by default 0.25; with root=gumbel the scale of the "
        "Gumbel noise, by default 1",
        kind=float,
    )
    noise_alpha: float = _option("noise_alpha")
    proven: bool = _option("proven")
    root: str = _option("root")
    gumbel_considered: int = _option("gumbel_considered")
    gumbel_visits: float = _option("gumbel_visits")
    gumbel_scale: float = _option("gumbel_scale")

    def __post_init__(self) -> None:
        super().__post_init__()
        PuctOptions().changed(self._options())  # which says what can't be

    @property
    def fast(self) -> SearchLimits:
        """What an action may cost that is only played."""
        return SearchLimits(seconds=None, iterations=self.fast_iterations, evaluations=None)

    def make(self, value: ValueFunction, heuristic: Heuristic) -> Search:
        """The search of one match after the other."""
        return make_search("puct", heuristic.game, value, self._options(), heuristic)

    def _options(self) -> dict[str, Any]:
        known = {f.name for f in fields(PuctOptions)} & {f.name for f in fields(self)}
        given = {name: getattr(self, name) for name in known - {"memory"}}
        if self.noise is None:
            given["noise"] = NOISE.get(self.root, 0.0)
        return given | {"memory": self.memory << 20}


@dataclass(frozen=True)
class PlaySettings:
    """How an action is chosen from the visits N of a search, in proportion to N^(1 / tau)."""

    temperature: float = setting(
        1.0, "temperature tau at the start of a match; 0: play the most visited action", least=0, most=1e6
    )
    temperature_plies: int = setting(30, "actions after which tau changes", least=0)
    temperature_end: float = setting(
        0.0, "tau from then on; 0: play the most visited action", least=0, most=1e6
    )
    target_temperature: float = setting(
        1.0, "tau of the policy targets; 0: only the most visited action", least=0, most=1e6
    )
    target_q: float = setting(
        0.0,
        "share of the search's value in the value targets; the rest is the result",
        least=0,
        most=1,
    )
    resign: float = setting(0.0, "resign when the mover's value is below minus this; 0: never", least=0)
    resign_never: float = setting(
        0.1, "share of matches played to the end without resigning", least=0, most=1
    )

    def __post_init__(self) -> None:
        check_types(self, "[play]")

    def tau(self, ply: int) -> float:
        """The temperature after this many actions of the match."""
        return self.temperature if ply < self.temperature_plies else self.temperature_end


@dataclass(frozen=True)
class AlphaZeroConfig(SelfPlayConfig):
    """The settings of AlphaZero."""

    learner: str = setting("alphazero", "alphazero: PUCT self-play, learning visit counts and results")
    heuristic: str = setting("classic", "value of terminal states: z")
    value: ValueSettings = setting(PolicySettings(), "the network's family and settings")
    sync_period: int = setting(1, "K: matches between updates of the network", least=1, most=2**31)
    warm_up: int = setting(0, "states in the replay memory before learning starts", least=0, most=2**40)
    symmetry: str = setting("none", "symmetric copies of examples: none, random or all")
    search: PuctSettings = setting(PuctSettings(), "how moves are searched")
    play: PlaySettings = setting(PlaySettings(), "how moves are chosen after a search")
    replay: ReplaySettings = setting(
        ReplaySettings(kind="uniform", of="states", mu=100_000, sigma=0.01),
        "the replay memory, from which it learns after a match",
    )

    choices: ClassVar[dict[str, tuple[str, ...]]] = SelfPlayConfig.choices | {"symmetry": SYMMETRIES}

    @property
    def budget(self) -> SearchBudget:
        """The section [search]."""
        return self.search

    def next_search(self, rng: np.random.Generator, ply: int) -> tuple[SearchLimits, bool]:
        """A full one; or, with ``search.fast_iterations``, a full one now and then, and first of all."""
        if not self.search.fast_iterations or rng.random() < self.search.full_share or ply == 0:
            return self.search.limits, True
        return self.search.fast, False

    def make_targets(self) -> Targets:
        """The states of the match with z and P."""
        # The improved policy of Gumbel's root is no count of visits: it has no temperature.
        temperature = 1.0 if self.search.root == "gumbel" else self.play.target_temperature
        return VisitTargets(temperature, self.play.target_q)

    def make_choice(self, number: int) -> Choose:
        """By the visits."""
        play, gumbel = self.play, self.search.root == "gumbel"
        plays_on = np.random.default_rng([self.seed, number, 1]).random() < play.resign_never

        def choose(tree: Tree, rng: np.random.Generator, _progress: float, ply: int) -> int | None:
            if play.resign and not plays_on:
                sign = 1 if tree.search.game.first_player(tree.root) else -1
                if sign * tree.value < -play.resign:
                    return None
            tau = play.tau(ply)
            if gumbel or tau == 0 or tree.resolved:
                return tree.action
            actions = tree.search.game.actions(tree.root)
            return actions[drawn(sharpened(tree.policy, tau), rng)]

        return choose


class AlphaZero(SelfPlay):
    """Self-play by PUCT, and learning of its visits and of the results."""

    name = "alphazero"
    config_type = AlphaZeroConfig
    config: AlphaZeroConfig

    def make_replay(self) -> Replay:
        """That of [replay]."""
        replay = self.config.replay.make()
        if replay is None:
            raise InvalidParameter("AlphaZero learns from a replay memory: replay.kind can't be none.")
        self.waiting = 0
        """matches that have not been learned from since the network has changed"""
        return replay

    def experience(self, examples: Examples) -> list[Examples]:
        """What to learn after a match: nothing, or after K of them a phase for each."""
        assert self.replay is not None
        self.replay.add(augmented(self.game, examples, self.config.symmetry, self.rng))
        if len(self.replay) < self.config.warm_up:
            return []
        self.waiting += 1
        if self.waiting < self.config.sync_period:
            return []
        phases, self.waiting = self.waiting, 0
        return [batch for _ in range(phases) for batch in self.replay.minibatches(self.batch_size, self.rng)]

    def describe(self) -> str:
        """How it learns, in a few words."""
        root = " with Gumbel's root" if self.config.search.root == "gumbel" else ""
        return f"AlphaZero, PUCT{root}, {self.heuristic.text}"

    # For checkpoints

    @property
    def layout(self) -> Layout:
        """States, z, and policies over the legal actions."""
        return super().layout | {POLICIES: (np.dtype(np.float32).str, (self.game.spec.max_actions,))}

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """With the matches that wait."""
        plain, arrays = super().state()
        return plain | {"waiting": self.waiting}, arrays

    def restore(self, plain: Mapping[str, Any], arrays: Arrays) -> None:
        """Continue where :meth:`state` was taken."""
        super().restore(plain, arrays)
        self.waiting = int(plain["waiting"])
        if not 0 <= self.waiting < self.config.sync_period:
            raise InvalidParameter("The number of matches waiting to be learned is impossible.")


class VisitTargets(Targets):
    """The states of a match with its result and the policies of its searches: D of Algorithm 2.

    ``q`` is the share of the value that each search has found of its state, beside the result.
    """

    def __init__(self, temperature: float, q: float = 0.0) -> None:
        self.temperature, self.q = temperature, q
        self._states: list[bytes] = []
        self._found: list[float] = []
        self._policies: list[npt.NDArray[np.float32]] = []

    def observe(self, tree: Tree) -> None:
        """Note the state, its value and P(s)."""
        row = np.zeros(tree.search.game.spec.max_actions, np.float32)
        row[: len(tree.policy)] = sharpened(tree.policy, self.temperature)
        self._states.append(tree.root.data)
        self._found.append(tree.value)
        self._policies.append(row)

    def examples(self, search: Search, end: State, end_value: float) -> Examples:
        """All of them, with z."""
        states, policies = as_array(self._states, len(end.data)), np.stack(self._policies)
        found = np.array(self._found, np.float64)
        values = ((1 - self.q) * end_value + self.q * found).astype(np.float32)
        self._states, self._found, self._policies = [], [], []
        return Examples({STATES: states, VALUES: values, POLICIES: policies})


def sharpened(visits: npt.NDArray[np.float64], tau: float) -> npt.NDArray[np.float64]:
    """Probabilities in proportion to N^(1 / tau); with tau = 0 the most visited share them."""
    most = visits.max(initial=0.0)
    if most <= 0:
        return visits
    if tau == 1:
        weights = visits / most
    else:
        with np.errstate(under="ignore"):  # a probability of 0 is meant
            weights = (visits == most).astype(np.float64) if tau == 0 else (visits / most) ** (1 / tau)
    share: npt.NDArray[np.float64] = weights / weights.sum()
    return share
