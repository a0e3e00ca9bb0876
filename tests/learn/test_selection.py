"""Action selection against the formulas and Algorithms 2 and 14; plain forms."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaux.errors import InvalidParameter
from glaux.learn.selection import (
    Annealed,
    EpsilonGreedy,
    Fixed,
    Ordinal,
    Selection,
    SelectionSettings,
    Softmax,
    UniformRate,
    read_selection,
)
from tests.learn import transcriptions as paper

SELECTIONS = [EpsilonGreedy(), Softmax(), Softmax(scale=0.3), Ordinal()]
selections = pytest.mark.parametrize("selection", SELECTIONS, ids=repr)
both_players = pytest.mark.parametrize("first_player", [True, False])
rates = st.fractions(0, 1, max_denominator=50)
few_values = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=9)


def far_from_chance(counts: np.ndarray, p: np.ndarray) -> bool:
    expected = p * counts.sum()
    assert (counts[expected == 0] == 0).all()
    counts, expected = counts[expected > 0], expected[expected > 0]
    chi = float(((counts - expected) ** 2 / expected).sum())
    freedom = max(1, len(counts) - 1)
    return chi > freedom + 8 * math.sqrt(2 * freedom)


# What all have in common


@selections
@given(values=few_values, rate=rates, first_player=st.booleans(), data=st.data())
def test_probabilities_do_not_depend_on_the_order_and_follow_the_values(
    selection: Selection, values: list[float], rate: Fraction, first_player: bool, data: st.DataObject
) -> None:
    p = selection.probabilities(values, first_player, float(rate))
    assert p.dtype == np.float64
    assert p.shape == (len(values),)
    assert (p >= 0).all()
    assert p.sum() == pytest.approx(1)
    order = data.draw(st.permutations(range(len(values))))
    moved = selection.probabilities([values[i] for i in order], first_player, float(rate))
    assert moved == pytest.approx(p[list(order)])
    other = selection.probabilities([-v for v in values], not first_player, float(rate))
    assert other == pytest.approx(p)
    for i, j in itertools.permutations(range(len(values)), 2):
        if values[i] == values[j]:
            assert p[i] == p[j]
        elif (values[i] > values[j]) == first_player:
            assert p[i] >= p[j] - 1e-12


@selections
@both_players
def test_a_single_action_is_certain(selection: Selection, first_player: bool) -> None:
    for epsilon in (0.0, 0.3, 1.0):
        assert selection.probabilities([0.7], first_player, epsilon).tolist() == [1.0]


@selections
def test_the_extremes_are_the_best_action_and_any_action(selection: Selection) -> None:
    values = [0.5, -1.0, 0.5, 0.25]
    assert selection.probabilities(values, True, 0.0).tolist() == [0.5, 0.0, 0.5, 0.0]
    assert selection.probabilities(values, False, 0.0).tolist() == [0.0, 1.0, 0.0, 0.0]
    assert selection.probabilities(values, True, 1.0) == pytest.approx([0.25] * 4)
    assert selection.probabilities([0.0, -0.0], True, 0.0).tolist() == [0.5, 0.5]


@selections
@both_players
def test_draws_have_these_probabilities(selection: Selection, first_player: bool) -> None:
    values = [0.1, 0.9, -0.3, 0.9, 0.2]
    fixed = replace(selection, rate=Fixed(0.4))
    rng = np.random.default_rng(1)
    counts = np.bincount([fixed.choose(values, first_player, rng, 0.0) for _ in range(6000)], minlength=5)
    assert not far_from_chance(counts, fixed.probabilities(values, first_player, 0.4))
    best_only = replace(selection, rate=Annealed())
    assert best_only.choose([0.1, 0.9, -0.3], first_player, rng, 1.0) == (1 if first_player else 2)


@selections
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
@both_players
def test_actions_without_a_value_are_equals(selection: Selection, first_player: bool, epsilon: float) -> None:
    worst = -math.inf if first_player else math.inf
    assert selection.probabilities([worst] * 4, first_player, epsilon) == pytest.approx([0.25] * 4)
    one = selection.probabilities([worst, 0.5, worst], first_player, 0.0)
    assert one.tolist() == [0.0, 1.0, 0.0]


@selections
@pytest.mark.parametrize("values, epsilon", [([], 0.5), ([[1.0]], 0.5), ([1.0], -0.1), ([1.0], math.nan)])
def test_impossible_questions(selection: Selection, values: list[Any], epsilon: float) -> None:
    with pytest.raises(InvalidParameter):
        selection.probabilities(values, True, epsilon)


# Epsilon-greedy and softmax


def test_epsilon_greedy_is_algorithm_2() -> None:
    v = {0: 0.2, 1: -0.4, 2: 0.6, 3: 0.1}
    p = EpsilonGreedy().probabilities(list(v.values()), True, 0.4)
    assert p == pytest.approx([0.1, 0.1, 0.7, 0.1])
    generator = random.Random(2)
    for first_player in (True, False):
        p = EpsilonGreedy().probabilities(list(v.values()), first_player, 0.4)
        counts = Counter(
            paper.epsilon_greedy(list(v), v, first_player, 0.6, generator.random, generator.choice)
            for _ in range(6000)
        )
        assert not far_from_chance(np.array([counts[a] for a in v]), p)


@given(values=few_values, rate=st.floats(0.01, 0.99), scale=st.floats(0.1, 10), first_player=st.booleans())
def test_softmax_is_the_formula(values: list[float], rate: float, scale: float, first_player: bool) -> None:
    tau = scale * rate / (1 - rate)
    signed = np.array(values) * (1 if first_player else -1)
    weights = [math.exp((v - max(signed)) / tau) for v in signed]
    p = Softmax(scale=scale).probabilities(values, first_player, rate)
    assert p == pytest.approx([w / sum(weights) for w in weights])
    half = Softmax(scale=scale).probabilities([0.0, scale], True, 0.5)
    assert half[1] / half[0] == pytest.approx(math.e)


def test_softmax_of_extreme_numbers() -> None:
    assert Softmax().probabilities([1e30, -1e30], True, 1e-300).tolist() == [1.0, 0.0]
    assert Softmax().probabilities([0.0, 1e-9], True, 5e-324).tolist() == [0.0, 1.0]
    assert Softmax().probabilities([3e38, 3e38], True, 0.5).tolist() == [0.5, 0.5]


# Ordinal


@given(n=st.integers(1, 40), rate=rates, seed=st.integers(0, 99))
def test_ordinal_probabilities_are_the_closed_formula(n: int, rate: Fraction, seed: int) -> None:
    values = np.random.default_rng(seed).permutation(n) / 8
    formula = [float(p) for p in paper.ordinal_formula(n, 1 - rate)]
    p = Ordinal().probabilities(values, True, float(rate))
    assert p[np.argsort(-values)] == pytest.approx(formula, abs=1e-14)
    p = Ordinal().probabilities(values, False, float(rate))
    assert p[np.argsort(values)] == pytest.approx(formula, abs=1e-14)


def test_ordinal_by_hand() -> None:
    """Of three at epsilon' = 1/2: 1/2 + 1/6, then (1/2 + 1/4) of the third that is left, then the rest."""
    assert Ordinal().probabilities([5, 1, 3], True, 0.5) == pytest.approx([2 / 3, 1 / 12, 1 / 4])
    assert Ordinal().probabilities([3, 1, 3], True, 0.5) == pytest.approx([11 / 24, 1 / 12, 11 / 24])
    assert Ordinal().probabilities([5, 1, 1], True, 0.5) == pytest.approx([2 / 3, 1 / 6, 1 / 6])


@pytest.mark.parametrize("exploitation", [Fraction(0), Fraction(1, 4), Fraction(7, 10), Fraction(1)])
@pytest.mark.parametrize("values", [[0.3, -0.2, 0.9, 0.1], [0.5, 0.5, -1.0, 0.5, 0.0, 0.0], [0.4]])
@both_players
def test_algorithm_14_draws_with_these_probabilities(
    exploitation: Fraction, values: list[float], first_player: bool
) -> None:
    """Equal actions in random order, as the ties of the paper are."""
    generator = random.Random(3)
    v = dict(enumerate(values))
    counts: Counter[int] = Counter()
    for _ in range(3000):
        actions = list(v)
        generator.shuffle(actions)
        counts[paper.ordinal(actions, v, first_player, float(exploitation), generator.random)] += 1
    p = Ordinal().probabilities(values, first_player, float(1 - exploitation))
    assert not far_from_chance(np.array([counts[a] for a in v]), p)


@given(values=few_values, rate=rates)
def test_ordinal_ties_are_the_mean_over_the_orders(values: list[float], rate: Fraction) -> None:
    formula = paper.ordinal_formula(len(values), 1 - rate)
    better = [sum(w > v for w in values) for v in values]
    equal = [values.count(v) for v in values]
    mean = [sum(formula[b : b + e], Fraction(0)) / e for b, e in zip(better, equal, strict=True)]
    p = Ordinal().probabilities(values, True, float(rate))
    assert p == pytest.approx([float(m) for m in mean], abs=1e-14)


# Rates


def test_rates() -> None:
    rng = np.random.default_rng(4)
    assert Fixed(0.1).epsilon(0.7, rng) == 0.1
    assert [Annealed().epsilon(t, rng) for t in (-0.1, 0, 0.25, 1, 1.5)] == [1, 1, 0.75, 0, 0]
    drawn = np.array([UniformRate().epsilon(0.9, rng) for _ in range(4000)])
    assert not far_from_chance(np.histogram(drawn, 10, (0, 1))[0], np.full(10, 0.1))


def test_a_uniform_rate_is_drawn_at_each_decision() -> None:
    """Mean of the ordinal probability of the best of two: the mean of 1/2 + epsilon' / 2."""
    rng = np.random.default_rng(5)
    selection = Ordinal(UniformRate())
    best = sum(selection.choose([1, 0], True, rng, 0.0) == 0 for _ in range(4000))
    assert abs(best / 4000 - 0.75) < 0.05
    again = [Ordinal(UniformRate()).choose(range(9), True, np.random.default_rng(seed), 0) for seed in (6, 6)]
    assert again[0] == again[1]


# Plain forms


@pytest.mark.parametrize(
    "plain, selection",
    [
        ({"kind": "ordinal", "rate": "uniform"}, Ordinal(UniformRate())),
        ({"kind": "ordinal"}, Ordinal(Annealed())),
        ({"kind": "epsilon_greedy", "rate": 0.1}, EpsilonGreedy(Fixed(0.1))),
        ({"kind": "epsilon_greedy", "rate": "0.1"}, EpsilonGreedy(Fixed(0.1))),
        ({"kind": "epsilon_greedy", "rate": 1}, EpsilonGreedy(Fixed(1))),
        ({"kind": "softmax", "rate": "annealed"}, Softmax(Annealed(), 1.0)),
        ({"kind": "softmax", "rate": 0.5, "scale": 20}, Softmax(Fixed(0.5), 20)),
    ],
)
def test_plain_forms(plain: dict[str, Any], selection: Selection) -> None:
    assert read_selection(plain) == selection
    written = selection.write()
    assert read_selection(json.loads(json.dumps(written))) == selection
    assert written.keys() >= plain.keys()


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: read_selection({"kind": "ordnal"}), "no selection 'ordnal': did you mean 'ordinal'?"),
        (lambda: read_selection({}), "no selection 'None': there are epsilon_greedy, softmax, ordinal."),
        (lambda: read_selection("ordinal"), "must be a table of settings, not 'ordinal'"),
        (lambda: read_selection({"kind": []}), "no selection"),
        (
            lambda: read_selection({"kind": "ordinal", "rat": 1}),
            "The selection ordinal has no setting 'rat': did you mean 'rate'?",
        ),
        (lambda: read_selection({"kind": "ordinal", "scale": 1}), "no setting 'scale'"),
        (lambda: read_selection({"kind": "ordinal", "rate": "anneal"}), "did you mean 'annealed'"),
        (lambda: read_selection({"kind": "ordinal", "rate": 1.5}), "number from 0 to 1, not 1.5"),
        (lambda: read_selection({"kind": "ordinal", "rate": "-1"}), "number from 0 to 1"),
        (lambda: read_selection({"kind": "ordinal", "rate": "nan"}), "number from 0 to 1"),
        (lambda: read_selection({"kind": "ordinal", "rate": True}), "number from 0 to 1, not True"),
        (lambda: read_selection({"kind": "ordinal", "rate": None}), "number from 0 to 1, not None"),
        (lambda: read_selection({"kind": "softmax", "scale": 0}), "scale of softmax must be"),
        (lambda: read_selection({"kind": "softmax", "scale": "1"}), "scale of softmax must be"),
        (lambda: Softmax(scale=math.inf), "scale of softmax must be"),
    ],
)
def test_mistakes_are_told_in_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        make()
    assert sentence in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


def test_the_settings_of_a_selection() -> None:
    assert SelectionSettings().make() == Ordinal(UniformRate())
    assert SelectionSettings("softmax", "0.25", 3.0).make() == Softmax(Fixed(0.25), 3.0)
    for settings, sentence in (
        ({"kind": "greedy"}, "no selection.kind 'greedy'"),
        ({"kind": "softmax", "scale": 0.0}, "scale of softmax must be"),
        ({"rate": "2"}, "from 0 to 1"),
    ):
        with pytest.raises(InvalidParameter, match=sentence):
            SelectionSettings(**settings)
