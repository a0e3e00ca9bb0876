"""ExIt: what is played, labelled and learned in its phases, and that it learns."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import GlauxError, InvalidParameter
from glaux.learn.exit import ExIt, ExItConfig
from glaux.learn.learner import Finished
from glaux.learn.preset import configure, find_preset, presets
from glaux.learn.registry import read_config
from glaux.learn.run import Run
from glaux.learn.training import Training
from glaux.rules.game import State
from glaux.rules.registry import make
from glaux.search.heuristics import make_heuristic
from glaux.values.examples import POLICIES, STATES, VALUES, Examples
from glaux.values.networks.policy_network import PolicyNetwork
from tests.learn.playing import score
from tests.learn.test_stopping import standing

TABLE: dict[str, Any] = {
    "game": "connect_four:rows=4,columns=4,length=3",
    "learner": "exit",
    "seed": 3,
    "lockstep": 8,
    "warm_matches": 6,
    "value": {"family": "policy", "architecture": "small-policy", "depth": 1, "filters": 8, "dense": 16},
    "search": {"iterations": 40, "w_a": 20.0, "memory": 8},
    "phase": {"matches": 12, "value_from": 0.5, "epochs": 4, "growth": 0.0},
    "strength": {"every": 0.0},
}


def small(**changes: Any) -> ExItConfig:
    table = TABLE | changes
    for section in ("search", "phase", "value"):
        table[section] = TABLE[section] | changes.get(section, {})
    config = read_config(table)
    assert isinstance(config, ExItConfig)
    return config


def trained(learner: ExIt, matches: int) -> list[Finished]:
    rows: list[Finished] = []
    learner.train(matches=matches, listener=rows.extend)
    return rows


def data(learner: ExIt) -> Examples:
    rng = np.random.default_rng(1)
    [examples] = learner.data.minibatches(len(learner.data), rng)
    return examples


def line(game: glaux.Game, actions: list[int]) -> list[State]:
    states = [game.initial()]
    for action in actions:
        states.append(game.apply(states[-1], action))
    return states


def test_what_is_learned_of_a_match() -> None:
    """All states of a match of the warm start, then one that is not the end, with z and a policy."""
    learner = ExIt(small())
    game = learner.game
    warm, later = trained(learner, 6), trained(learner, 30)
    assert [one.progress.states for one in warm] == [len(one.actions) for one in warm]
    assert {one.progress.states for one in later} == {1}
    assert not any(one.progress.calls for one in warm)
    calls, evaluations = (
        sum(getattr(one.progress, name) for one in later) for name in ("calls", "evaluations")
    )
    assert all(one.progress.calls for one in later) and calls < 0.6 * evaluations
    examples = data(learner)
    assert len(examples) == sum(one.progress.states for one in [*warm, *later])
    ends = {s.data: one.outcome for one in [*warm, *later] for s in line(game, one.actions)[:-1]}
    several = [s.data for one in [*warm, *later] for s in line(game, one.actions)]
    for row, z, policy in zip(examples[STATES], examples[VALUES], examples[POLICIES], strict=True):
        s = game.state(row.tobytes())
        assert not game.terminal(s) and s.data in ends
        if several.count(s.data) == 1:
            assert z == ends[s.data]
        assert policy.sum() == pytest.approx(1) and (policy[len(game.actions(s)) :] == 0).all()


@pytest.mark.parametrize(
    "name", [name for name, one in presets("connect_four").items() if one.table.get("learner") == "exit"]
)
def test_the_expert_of_every_preset_is_better_than_its_apprentice(name: str) -> None:
    """It finds a win that the policy does not see, in the number of iterations that it has."""
    config = configure("connect_four", find_preset("connect_four", name))
    assert isinstance(config, ExItConfig)
    heuristic = make_heuristic(make(config.game), config.heuristic)
    game = heuristic.game
    state = game.play("1 7 1 7 1 6")

    def blind(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(planes)), np.tile([1.0, 4, 4, 4, 4, 4, 4], (len(planes), 1))

    expert = config.search.make(blind, heuristic)  # type: ignore[arg-type]
    expert.run(state, **config.search.limits)
    policy = expert.policy(state)
    assert policy.argmax() == 0 and policy[0] > 0.5  # of which its apprentice says 1 / 25


def test_phases_and_what_they_learn() -> None:
    """A phase of the warm start, then of 12 matches; from half of the training on with the value."""
    learner = ExIt(small())
    seen: list[tuple[int, int, str]] = []
    networks: list[Any] = [learner.value]

    def note(finished: list[Finished]) -> None:
        assert isinstance(learner.value, PolicyNetwork)
        if learner.value is not networks[-1]:
            networks.append(learner.value)
            seen.append((finished[-1].progress.match, learner.phase, learner.value.loss))
            assert finished[-1].progress.learned > 0
            assert learner.value.has_values == (learner.value.loss == "likelihood")

    learner.train(matches=54, listener=note)
    assert seen == [
        (6, 1, "policy"),
        (18, 2, "policy"),
        (30, 3, "likelihood"),
        (42, 4, "likelihood"),
        (54, 5, "likelihood"),
    ]
    assert len({int(network.seed) for network in networks}) == len(networks), "each is a fresh one"
    assert learner.value.learned > networks[-2].learned > 0


def test_the_data_may_have_to_grow_by_a_share() -> None:
    learner = ExIt(small(phase={"growth": 0.5, "matches": 3}))
    trained(learner, 6)
    assert learner.due == 6 + math.ceil(0.5 * len(learner.data)) > 9


def test_early_stopping_takes_the_best_network(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = ExIt(small(phase={"epochs": 50, "patience": 3}))
    errors, weights = iter([3.0, 1.0, 2.0, 2.5, 2.0, 0.0]), list[Any]()

    def error(value: PolicyNetwork, held: Examples, values: bool) -> float:
        weights.append({name: array.copy() for name, array in value.weights().items()})
        return next(errors)

    monkeypatch.setattr(learner, "_error", error)
    trained(learner, 6)
    assert len(weights) == 5
    for name, array in learner.value.weights().items():
        assert np.array_equal(array, weights[1][name])
    assert any(not np.array_equal(weights[1][name], weights[4][name]) for name in weights[1])


def test_the_error_is_that_of_the_paper() -> None:
    """- sum n/N log pi - z log v - (1 - z) log(1 - v), state by state."""
    learner = ExIt(small())
    trained(learner, 10)
    value, examples = learner.value, data(learner)
    assert isinstance(value, PolicyNetwork)
    policy = both = 0.0
    for row, z, target in zip(examples[STATES], examples[VALUES], examples[POLICIES], strict=True):
        s = learner.game.state(row.tobytes())
        pi = list(value.policy(s).values())
        cross = -sum(float(t) * math.log(p) for t, p in zip(target, pi, strict=False))
        v, won = (1 + float(value.evaluate(s)[0])) / 2, (1 + float(z)) / 2
        policy += cross
        both += cross - won * math.log(v) - (1 - won) * math.log(1 - v)
    n = len(examples)
    assert learner._error(value, examples, False) == pytest.approx(policy / n, rel=1e-4)
    assert learner._error(value, examples, True) == pytest.approx(both / n, rel=1e-4)


def test_a_loss_of_the_policy_alone_leaves_the_values() -> None:
    learner = ExIt(small(value={"l2": 0.0}))
    trained(learner, 10)
    examples = data(learner)
    steps = {}
    for loss in ("policy", "likelihood"):
        assert isinstance(learner.value, PolicyNetwork)
        network = PolicyNetwork.make(learner.game, learner.value.settings() | {"loss": loss})
        before = {name: array.copy() for name, array in network.weights().items()}
        network.learn(examples)
        steps[loss] = {
            name for name, array in network.weights().items() if not np.array_equal(array, before[name])
        }
    own = steps["likelihood"] - steps["policy"]
    assert own and all(not name.startswith("policy") for name in own)
    assert any(name.startswith("policy") for name in steps["policy"])


FALLING = {"family": "policy", "depth": 1, "filters": 4, "dense": 8, "schedule": "cosine", "averaging": 100}


@pytest.mark.parametrize(
    "changes",
    [{}, {"value": {"family": "ntuple", "count": 8, "length": 3}}, {"value": FALLING}],
    ids=["network", "ntuple", "falling"],
)
def test_resumed_it_is_the_same_to_the_last_bit(changes: dict[str, Any], tmp_path: Path) -> None:
    config = read_config(small().write() | changes)
    whole, parts = (Run.create(tmp_path / name, config) for name in ("whole", "parts"))
    Training(whole, whole.resume(), matches=45).go()
    for goal in (4, 6, 7, 29, 30, 45):
        learner = parts.resume()
        # The share of the training that is done, which says when values are learned, is that of the whole.
        _stop_at(learner, goal)
        Training(parts, learner, matches=45).go()
    assert standing(parts.resume()) == standing(whole.resume())


def _stop_at(learner: Any, goal: int) -> None:
    absorb = learner._absorb

    def absorbed(*arguments: Any) -> None:
        absorb(*arguments)
        if learner.matches >= goal and goal < 45:
            learner.stop()

    learner._absorb = absorbed


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    """The apprentice alone, without search, beats random play by far; untrained it does not."""
    learner = ExIt(
        small(
            warm_matches=60,
            lockstep=64,
            batch_size=64,
            value={"rate": 0.003},
            search={"iterations": 100, "w_a": 5.0},
            phase={"matches": 150, "epochs": 60, "patience": 8},
        )
    )
    learner.value.save(tmp_path / "untrained")
    trained(learner, 510)
    learner.value.save(tmp_path / "trained")
    before, after = (
        score(learner.game.text, [f"exit:value={tmp_path / name},iterations=1", "random"], 200)
        for name in ("untrained", "trained")
    )
    assert before < 0.62 and after > 0.7  # 0.52 and 0.82, with a standard deviation of 0.035


def test_several_workers_play_the_same_matches() -> None:
    """With values that do not depend on their batch: n-tuple networks."""
    found = []
    for workers in (1, 2, 3):
        table = small().write() | {"value": {"family": "ntuple", "count": 8, "length": 3}, "workers": workers}
        learner = ExIt(read_config(table))
        found.append(([one.actions for one in trained(learner, 30)], standing(learner)))
    assert found[0] == found[1] == found[2]


def test_settings_that_can_t_be_get_a_sentence() -> None:
    wrong: list[dict[str, Any]] = [{"workers": 0}, {"warm_matches": -1}, {"temperature": 0.0}]
    for changes in [*wrong, {"phase": {"validation": 1.5}}, {"search": {"w_a": -1.0}}]:
        with pytest.raises(GlauxError):
            small(**changes)
    with pytest.raises(InvalidParameter, match="did you mean 'growth'"):
        small(phase={"groth": 1})


def test_a_state_of_another_training_is_refused() -> None:
    learner = ExIt(small())
    trained(learner, 8)
    plain, arrays = learner.state()
    for wrong in ({"phase": -1}, {"due": 3}, {"due": 2**60}):
        with pytest.raises(InvalidParameter):
            ExIt(small()).restore(plain | wrong, arrays)
