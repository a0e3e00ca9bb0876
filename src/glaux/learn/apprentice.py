"""How ExIt plays: the apprentice's matches without search, one state of each for the expert, the warm start.

All matches of a round go on together: the states of a ply are one batch of the network, and so are the
states for which the experts wait, in lock-step. Each match has its own chance, by its number.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from glaux import _core
from glaux.fields import setting
from glaux.learn.stopping import Stopped, checked
from glaux.learn.worker import Played, SearchBudget, Stop, calls_of
from glaux.rules.game import State, StateArray
from glaux.search.exit import Expert
from glaux.search.heuristics import Heuristic
from glaux.search.lockstep import LockStep
from glaux.search.registry import make_search
from glaux.values.examples import POLICIES, STATES, VALUES, Examples, Layout
from glaux.values.networks.once import Once, once
from glaux.values.policies import Actions, Offsets, Policies, drawn, drawn_each, in_rows
from glaux.values.value import ValueFunction

AHEAD = 16
"""random numbers that a match draws at once, one for each of its next plies"""


@dataclass(frozen=True)
class ExpertSettings(SearchBudget):
    """How the expert, and MCTS in the warm start, search.

    The constants are twice the reference's, whose values are from 0 to 1.
    """

    iterations: int = setting(200, "iterations per search (the paper's: 2,500); 0: no limit")
    c: float = setting(0.1, "the expert's exploration constant: twice the paper's C", least=0)
    rave: float = setting(0.0, "RAVE's k in the warm start's MCTS; 3000 is usual, 0: no RAVE", least=0)
    c_warm: float = setting(0.5, "exploration constant of the warm start's MCTS: twice the paper's", least=0)
    w_a: float = setting(
        200.0,
        "weight of the policy, twice the paper's; about the visits of an action at the root",
        least=0,
    )
    w_v: float = setting(
        0.75, "weight of the network's values against playouts, once they are learned", least=0
    )
    proven: bool = setting(False, "the expert proves forced wins, and counts visits of sound actions only")
    memory: int = setting(64, "megabytes for the search tree", most=2**28)

    def make(self, value: ValueFunction, heuristic: Heuristic) -> Expert:
        """The expert."""
        learned = getattr(value, "has_values", True)
        w_v = self.w_v if learned else 0.0
        options = {"c": self.c, "w_a": self.w_a, "w_v": w_v, "proven": self.proven}
        search = make_search(
            "exit", heuristic.game, value, {**options, "memory": self.memory << 20}, heuristic
        )
        assert isinstance(search, Expert)
        return search


class Apprentice:
    """Plays rounds of matches, and lets an expert label them. One thread at a time."""

    def __init__(
        self, heuristic: Heuristic, search: ExpertSettings, seed: int, temperature: float, stop: Stop
    ) -> None:
        self.heuristic, self.game = heuristic, heuristic.game
        self.search, self.seed, self.temperature, self.stop = search, seed, temperature, stop
        self._asked: ValueFunction | None = None
        self._experts = list[Expert]()
        """with the value function that was asked last: to make one takes longer than to forget a match"""

    @property
    def layout(self) -> Layout:
        """What examples look like."""
        return self._examples([], [], 0.0).layout

    def play(self, value: ValueFunction, numbers: Sequence[int]) -> list[Played]:
        """Matches by the apprentice without search, and the expert's visits of a state of each."""
        with checked(self._check):
            begun, calls = time.perf_counter(), calls_of(value)
            matches = [_Match(self, number) for number in numbers]
            asked = once(value)
            self._play(asked, matches)
            searching = time.perf_counter()
            self._label(value, asked, matches)
            ended = time.perf_counter()
        shares = ended - begun, ended - searching, calls_of(value) - calls
        seconds, searched, calls = (share / len(matches) for share in shares)
        return [match.played(seconds, searched, calls) for match in matches]

    def warm_start(self, numbers: Sequence[int]) -> list[Played]:
        """Matches by MCTS with random playouts, which searches every state; it plays by its visits."""
        options = {"c": self.search.c_warm, "rave": self.search.rave, "memory": self.search.memory << 20}
        search = make_search("mcts", self.game, None, options, self.heuristic)
        all_played = []
        with checked(self._check):
            for number in numbers:
                begun, match = time.perf_counter(), _Match(self, number)
                search.begin_match(int(match.rng.integers(2**63)))
                while not match.over:
                    self._check()
                    tree = search.run(match.state, **self.search.limits)
                    rows = tree.columns()
                    visits = rows.n.astype(np.float32)
                    policy = visits / visits.sum() if visits.any() else visits + 1 / len(visits)
                    match.label(match.state, policy, tree.statistics)
                    match.go_on(int(rows.action[drawn(policy, match.rng)]))
                seconds = time.perf_counter() - begun
                all_played.append(match.played(seconds, seconds))
        return all_played

    def _check(self) -> None:
        if self.stop.value:
            raise Stopped

    def _play(self, asked: ValueFunction | Once, matches: Sequence[_Match]) -> None:
        """Play the matches by the policy, a ply of all of them at a time."""
        live, plies = list(range(len(matches))), list[_Ply]()
        states = self.game.array([match.state for match in matches])
        while live:
            self._check()
            column = len(plies) % AHEAD
            if column == 0:
                chances = np.array([matches[i].rng.random(AHEAD) for i in live])
            actions, offsets, policies = self._policies(asked, states)
            places = drawn_each(self._sharpened(policies), chances[:, column])
            chosen = actions[offsets[:-1] + places]
            plies.append(_Ply(live, states, chosen))
            children, over = self.game.native.apply_each(states, chosen, _core.trusted)
            for i in np.flatnonzero(over).tolist():
                [matches[live[i]].state] = self.game.own_states(children[i : i + 1])
            goes_on = np.flatnonzero(over == 0)
            live = [live[i] for i in goes_on.tolist()]
            states, chances = children[goes_on], chances[goes_on]
        _deal_out(plies, matches)

    def _policies(self, asked: ValueFunction | Once, states: StateArray) -> tuple[Actions, Offsets, Policies]:
        """The legal actions of states, and rows with weights of theirs."""
        if isinstance(asked, Once):
            actions, offsets, weights = asked.weights(states)
        else:
            actions, offsets = self.game.native.legal(states, 0, _core.trusted)
            weights = np.ones(len(actions), np.float32)
        return actions, offsets, in_rows(weights, offsets, self.game.spec.max_actions)

    def _sharpened(self, policies: Policies) -> Policies:
        """In proportion to the probabilities to the power 1 / temperature."""
        if self.temperature == 1:
            return policies
        sharpened: Policies = (policies / policies.max(1, keepdims=True)) ** (1 / self.temperature)
        return sharpened

    def _label(self, value: ValueFunction, asked: ValueFunction | Once, matches: Sequence[_Match]) -> None:
        """Let the expert search a state of each match."""
        with closing(LockStep[tuple[_Match, Expert]](asked)) as lockstep:
            for match, expert in zip(matches, self._experts_of(value, len(matches)), strict=True):
                place = int(match.rng.integers(len(match.states)))
                [chosen] = self.game.own_states(match.states[place : place + 1])
                expert.begin_match(int(match.rng.integers(2**63)))
                lockstep.start((match, expert), expert, chosen, **self.search.limits)
            for (match, expert), tree in lockstep.finished():
                self._check()
                match.label(tree.root, tree.policy.astype(np.float32), tree.statistics)
                expert.clear()  # and its memory is free

    def _experts_of(self, value: ValueFunction, count: int) -> Sequence[Expert]:
        if value is not self._asked:
            self._asked, self._experts = value, []
        while len(self._experts) < count:
            self._experts.append(self.search.make(value, self.heuristic))
        return self._experts[:count]

    def _examples(self, states: Sequence[State], policies: Sequence[np.ndarray], z: float) -> Examples:
        rows = np.zeros((len(states), self.game.spec.max_actions), np.float32)
        for row, policy in zip(rows, policies, strict=True):
            row[: len(policy)] = policy
        return Examples(
            {
                STATES: self.game.array(states),
                VALUES: np.full(len(states), z, np.float32),
                POLICIES: rows,
            }
        )


class _Ply(NamedTuple):
    """What all matches that were not over have done at once."""

    live: list[int]
    """their places among the matches of the round"""
    states: StateArray
    actions: Actions


def _deal_out(plies: Sequence[_Ply], matches: Sequence[_Match]) -> None:
    """Give each match its states and actions."""
    live, states, actions = (np.concatenate(column) for column in zip(*plies, strict=True))
    order = np.argsort(live, kind="stable")
    states, actions = states[order], actions[order]
    ends = np.cumsum(np.bincount(live, minlength=len(matches)))
    for match, first, end in zip(matches, [0, *ends[:-1]], ends, strict=True):
        match.states, match.actions = states[first:end], actions[first:end].tolist()


class _Match:
    """One match while it is played, and what was searched of it."""

    def __init__(self, apprentice: Apprentice, number: int) -> None:
        self.apprentice, self.game, self.number = apprentice, apprentice.game, number
        self.rng = np.random.default_rng([apprentice.seed, number])
        self.state = self.game.initial()
        self.states, self.actions = np.zeros((0, self.game.spec.state_size), np.uint8), list[int]()
        self.labelled, self.policies = list[State](), list[np.ndarray]()
        self.evaluations = self.expansions = 0
        self.full = False

    @property
    def over(self) -> bool:
        return self.game.terminal(self.state)

    def go_on(self, action: int) -> None:
        """Play this action."""
        self.actions.append(action)
        self.state = self.game.apply(self.state, action)

    def label(self, state: State, policy: np.ndarray, found: _core.Statistics) -> None:
        """The expert has searched a state."""
        self.labelled.append(state)
        self.policies.append(policy)
        self.evaluations += found.evaluations
        self.expansions += found.expansions
        self.full |= found.full

    def played(self, seconds: float, search_seconds: float, calls: float = 0.0) -> Played:
        """The match with what there is to learn from it."""
        end_value = self.apprentice.heuristic.value(self.state)
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return Played(
            number=self.number,
            actions=self.actions,
            outcome=outcome,
            end_value=end_value,
            examples=self.apprentice._examples(self.labelled, self.policies, end_value),
            evaluations=self.evaluations + len(self.actions),
            expansions=self.expansions,
            full=self.full,
            seconds=seconds,
            search_seconds=search_seconds,
            calls=calls,
        )
