"""PUCT and Gumbel AlphaZero in plain Python: the witness of the native search.

The tree and its iteration are those of tests/search/mcts_transcription.py. Here are the selections of
AlphaZero with noise, growth and first-play urgency; batches with virtual losses; proofs; and mctx's
``gumbel_muzero_policy``, written from its functions of the same names (``seq_halving.py``,
``qtransforms.py``, ``action_selection.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from glaux import State
from tests.search.mcts_transcription import Tables


@dataclass
class Puct(Tables):
    """The tables with the options of PUCT, and the network's own value of each state."""

    root: State | None = None
    noise: float = 0.0
    drawn: list[float] = field(default_factory=list)
    c_base: float = 0.0
    c_log: float = 1.0
    reduction: float | None = None
    """of fpu=parent; None: fpu=zero"""
    own: dict[State, float] = field(default_factory=dict)

    def sign(self, s: State) -> int:
        return 1 if self.game.first_player(s) else -1

    def visits(self, s: State) -> int:
        return sum(self.N[s, a] for a in self.game.actions(s))

    def prior(self, s: State, a: int) -> float:
        p = self.P[s][a]
        if s == self.root and self.drawn:
            p = (1 - self.noise) * p + self.noise * self.drawn[self.game.actions(s).index(a)]
        return p

    def first_play(self, s: State) -> float:
        if self.reduction is None:
            return 0.0
        actions = self.game.actions(s)
        mean = (self.own[s] + sum(self.W[s, a] for a in actions)) / (1 + self.visits(s))
        taken = sum(self.P[s][a] for a in actions if self.N[s, a])
        return self.sign(s) * mean - self.reduction * math.sqrt(taken)


def puct(t: Puct, s: State) -> int:
    total = t.visits(s)
    c = t.c + (t.c_log * math.log((1 + total + t.c_base) / t.c_base) if t.c_base else 0.0)
    first = t.first_play(s)

    def score(a: int) -> float:
        q = t.q(s, a) if t.N[s, a] else first
        return q + c * t.prior(s, a) * math.sqrt(total + 1e-8) / (1 + t.N[s, a])

    return max(t.game.actions(s), key=score)


# Batches


def batch(s: State, t: Puct, most: int, loss: float) -> int:
    """Lines to up to ``most`` new states or ends; each counts as lost until all are valued."""
    lines: list[tuple[list[tuple[State, int]], State]] = []
    values, counts = dict(t.W), dict(t.N)
    while len(lines) < most:
        at, line = s, list[tuple[State, int]]()
        while not t.game.terminal(at) and at in t.P:
            a = t.select(t, at)
            line.append((at, a))
            at = t.game.apply(at, a)
        if not t.game.terminal(at) and any(leaf == at for _, leaf in lines):
            break
        lines.append((line, at))
        for state, a in line:
            t.W[state, a] -= t.sign(state) * loss
            t.N[state, a] += 1
    t.W.clear()
    t.W.update(values)
    t.N.clear()
    t.N.update(counts)
    for line, leaf in lines:
        if t.game.terminal(leaf):
            value = t.f_t(leaf)
        else:
            value, t.P[leaf] = t.f(leaf)
            t.own[leaf] = value
        for state, a in line:
            t.W[state, a] += value
            t.N[state, a] += 1
    return len(lines)


# mctx


def get_sequence_of_considered_visits(max_num_considered_actions: int, num_simulations: int) -> list[int]:
    if max_num_considered_actions <= 1:
        return list(range(num_simulations))
    log2max = math.ceil(math.log2(max_num_considered_actions))
    sequence: list[int] = []
    visits = [0] * max_num_considered_actions
    num_considered = max_num_considered_actions
    while len(sequence) < num_simulations:
        num_extra_visits = max(1, int(num_simulations / (log2max * num_considered)))
        for _ in range(num_extra_visits):
            sequence.extend(visits[:num_considered])
            for i in range(num_considered):
                visits[i] += 1
        num_considered = max(2, num_considered // 2)
    return sequence[:num_simulations]


def qtransform_completed_by_mix_value(
    t: Puct, s: State, value_scale: float = 0.1, maxvisit_init: float = 50.0, epsilon: float = 1e-8
) -> dict[int, float]:
    actions = t.game.actions(s)
    qvalues = {a: t.q(s, a) for a in actions}
    raw_value = t.sign(s) * t.own[s]
    visited = [a for a in actions if t.N[s, a] > 0]
    sum_visit_counts = sum(t.N[s, a] for a in visited)
    sum_probs = sum(t.P[s][a] for a in visited)
    weighted_q = sum(t.P[s][a] * qvalues[a] / sum_probs for a in visited)
    value = (raw_value + sum_visit_counts * weighted_q) / (sum_visit_counts + 1)
    completed = {a: qvalues[a] if a in visited else value for a in actions}
    low, high = min(completed.values()), max(completed.values())
    visit_scale = maxvisit_init + max(t.N[s, a] for a in actions)
    return {a: visit_scale * value_scale * (q - low) / max(high - low, epsilon) for a, q in completed.items()}


def softmax(logits: dict[int, float]) -> dict[int, float]:
    high = max(logits.values())
    weights = {a: math.exp(x - high) for a, x in logits.items()}
    return {a: w / sum(weights.values()) for a, w in weights.items()}


def improved_policy(t: Puct, s: State) -> dict[int, float]:
    q = qtransform_completed_by_mix_value(t, s)
    return softmax({a: math.log(t.P[s][a]) + q[a] for a in q})


def gumbel_interior(t: Puct, s: State) -> int:
    probs = improved_policy(t, s)
    return max(probs, key=lambda a: probs[a] - t.N[s, a] / (1 + t.visits(s)))


@dataclass
class Halving:
    """The root of one search."""

    t: Puct
    root: State
    gumbel: list[float]
    sequence: list[int]

    def __post_init__(self) -> None:
        self.actions = self.t.game.actions(self.root)
        self.base = {a: self.t.N[self.root, a] for a in self.actions}

    def best(self, considered_visit: int) -> int:
        t, s = self.t, self.root
        q = qtransform_completed_by_mix_value(t, s)
        scores = {
            a: g + math.log(t.P[s][a]) + q[a]
            for a, g in zip(self.actions, self.gumbel, strict=True)
            if t.N[s, a] - self.base[a] == considered_visit
        }
        return max(scores, key=scores.__getitem__)

    def select(self, t: Puct, s: State) -> int:
        if s != self.root:
            return gumbel_interior(t, s)
        simulation = self.t.visits(self.root) - sum(self.base.values())
        return self.best(self.sequence[simulation])

    def decision(self) -> int:
        return self.best(max(self.t.N[self.root, a] - self.base[a] for a in self.actions))
