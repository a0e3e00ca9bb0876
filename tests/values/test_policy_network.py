"""Networks with a policy: values, masked policies, learning, inference, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

import torch

import glaux
from glaux.errors import BrokenValue, InvalidParameter
from glaux.rules.batch import Batch
from glaux.search.lockstep import LockStep
from glaux.values.calibration import random_positions
from glaux.values.examples import Examples
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import POLICIES, ActionShape, Architecture
from glaux.values.networks.inference import TorchInference
from glaux.values.networks.module import PolicyModule
from glaux.values.networks.places import find_places
from glaux.values.networks.policy_network import PolicyNetwork
from glaux.values.networks.presets import TABLE_4, TABLE_5, preset
from glaux.values.policies import in_rows
from glaux.values.remembering import Remembering
from tests.boards import GAMES, small_game
from tests.values.positions import positions

HEADS = [policy for policy in POLICIES if policy != "none"]
TINY = Architecture(depth=2, filters=8, padding=True, dense=12, policy="pointwise", policy_filters=2)
TRUNKS = {
    "C": TINY,
    "C without padding": TINY.with_changes(padding=False),
    "R": TINY.with_changes(residual=True, dense_layers=2),
    "R with squeeze": TINY.with_changes(residual=True, filters=16, squeeze=True, pointwise=5),
    "pooled": TINY.with_changes(pooling=True, output="linear", scale=3.0),
    "average": TINY.with_changes(pooling=True, average=True, dense_layers=0),
}
CONNECT_FOUR = glaux.make("connect_four")
OTHELLO = glaux.make("othello", size=6)


def random_policies(game: glaux.Game, states: np.ndarray, seed: int = 1) -> np.ndarray:
    """Policies over the legal actions that have nothing to do with the states."""
    actions, offsets = game.native.legal(states)
    rows = in_rows(
        np.random.default_rng(seed).random(len(actions), np.float32), offsets, game.spec.max_actions
    )
    return rows / np.maximum(rows.sum(1, keepdims=True), 1e-9)


def examples(game: glaux.Game, count: int, seed: int = 1) -> Examples:
    states = game.array(positions(game, count, seed))
    values = np.random.default_rng(seed).uniform(-1, 1, count).astype(np.float32)
    return Examples({"states": states, "values": values, "policies": random_policies(game, states, seed)})


def by_hand(value: PolicyNetwork, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and policies from the module, one state and one action after the other."""
    module, game, policy = value.module, value.game, np.zeros((len(states), value.game.spec.max_actions))
    assert isinstance(module, PolicyModule)
    with torch.inference_mode():
        outputs, logits = (
            part.double().numpy() for part in module.both(torch.from_numpy(game.encode(states)))
        )
    places: Any = range(game.spec.action_count)
    if value.architecture.policy == "convolutional":
        places = find_places(game).of
    for i, state in enumerate(game.states(states)):
        weights = np.exp([logits[i, places[a]] for a in game.actions(state)])
        policy[i, : len(weights)] = weights / weights.sum()
    return value.architecture.scale * outputs, policy


# What comes out


@pytest.mark.parametrize("policy", HEADS)
@pytest.mark.parametrize("trunk", TRUNKS)
def test_every_head_on_every_trunk(trunk: str, policy: str) -> None:
    architecture = TRUNKS[trunk]
    if policy == "convolutional" and not architecture.padding:
        with pytest.raises(InvalidParameter, match="needs padding=True"):
            architecture.with_changes(policy=policy)
        return
    value = PolicyNetwork(OTHELLO, architecture.with_changes(policy=policy), seed=3)
    assert value.weight_count == sum(w.size for w in value.weights().values())
    assert value.size(OTHELLO, value.settings()) == value.weight_count
    states = OTHELLO.array(positions(OTHELLO, 100))
    states = states[[OTHELLO.outcome(s) is None for s in OTHELLO.states(states)]]
    values, policies = by_hand(value, states)
    assert np.abs(value.evaluate(states) - values).max() < 1e-4 * architecture.scale
    assert np.abs(value.policies(states) - policies).max() < 1e-5
    assert value.policies(states).sum(1) == pytest.approx(1, abs=1e-5)
    on_torch = TorchInference(value.module).both(OTHELLO.encode(states))
    onnx = value._optimized.inference().both(OTHELLO.encode(states))
    for ours, theirs in zip(on_torch, onnx, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-4 * architecture.scale)


@pytest.mark.parametrize("policy", HEADS)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_policies(name: str, policy: str) -> None:
    """At its full size: a policy is over all the actions that there are."""
    game = glaux.make(name)
    changes: dict[str, Any] = {"policy": policy, "filters": 2, "dense": 4, "policy_filters": 1}
    value = PolicyNetwork(game, TINY.with_changes(**changes), seed=1)
    state = game.initial()
    policy_of = value.policy(state)
    assert list(policy_of) == game.actions(state)
    assert sum(policy_of.values()) == pytest.approx(1, abs=1e-4)
    end = game.playouts(state, 1, seed=1)
    both = np.concatenate([game.array(state), end])
    policies = random_policies(game, both)
    assert not policies[1].any()
    found = value.learn(Examples({"states": both, "values": np.zeros(2, np.float32), "policies": policies}))
    assert np.isfinite(found.square) and found.policy is not None and np.isfinite(found.policy)


def test_games_in_python_have_policies() -> None:
    game = glaux.make("docs/examples/tic_tac_toe.py")
    for policy in HEADS:
        value = PolicyNetwork(game, TINY.with_changes(policy=policy), adam=Adam(l2=0, rate=0.01), seed=1)
        data = examples(game, 30)
        least = -float(np.sum(data["policies"] * np.log(np.maximum(data["policies"], 1e-9))))
        first = value.learn(data).policy
        for _ in range(150):
            last = value.learn(data).policy
        assert first is not None and last is not None and last - least < 0.5 * (first - least)
        tree = glaux.MCTS(game, policy=value, seed=1).run(game.initial(), iterations=50)
        assert tree.action in game.actions(game.initial())


def test_places_of_actions_are_cells() -> None:
    """Where games count actions by cell, an action lies on a cell that it touches."""
    placed = 0
    for name in GAMES:
        game = glaux.make(name)
        places, spec = find_places(game), game.spec
        assert len(set(places.of.tolist())) == spec.action_count == places.shape.count
        area = spec.plane_rows * spec.plane_columns
        assert places.of.max() < places.shape.channels * area + places.shape.rest
        assert places.shape.rest == (places.of >= places.shape.channels * area).sum()
        margin = (spec.plane_rows - spec.board.rows) // 2
        hits, asked = 0, 0
        for state in game.states(random_positions(game, 20, seed=5)):
            for action in game.actions(state):
                place = places.of[action]
                cells = game.action_cells(state, action)
                if place >= places.shape.channels * area or not cells:
                    continue
                row, column = divmod(place % area, spec.plane_columns)
                hits += (row - margin) * spec.board.columns + column - margin in cells
                asked += 1
        placed += asked > 0 and hits == asked
    assert placed >= 17  # of 23; Arimaa counts in several ways, cubes and columns are no cells
    hex_places = find_places(glaux.make("hex", size=5)).shape
    assert hex_places == ActionShape(26, 1, 1)
    assert find_places(glaux.make("connect_four")).shape == ActionShape(7, 0, 7)


# Published sizes


ACTIONS = {  # of a board, its input planes, actions, planes of actions and others, with us
    "surakarta": ((5, 6, 6), ActionShape(1296, 36, 0)),
    "othello-8": ((4, 8, 8), ActionShape(65, 1, 1)),
    "breakthrough": ((4, 8, 8), ActionShape(192, 3, 0)),
    "hex-13": ((5, 13, 13), ActionShape(170, 1, 1)),
    "connect6": ((5, 19, 19), ActionShape(361, 1, 0)),
    "outer-open-gomoku": ((4, 15, 15), ActionShape(225, 1, 0)),
    "havannah-8": ((5, 15, 15), ActionShape(226, 1, 1)),
    "havannah-10": ((5, 19, 19), ActionShape(362, 1, 1)),
}


@pytest.mark.parametrize("name", TABLE_4)
def test_networks_of_table_4_have_as_many_weights_as_descents(name: str) -> None:
    """ "An analogous number of weights", of the order of five million, for each of the three policies."""
    shape, actions = ACTIONS[name]
    counts = [
        preset(f"polygames-{policy}-{name}").architecture.weight_count(*shape, actions)
        for policy in ("dense", "direct", "convolutional")
    ]
    if name == "othello-8":
        assert 4.4e6 < counts[1] < 4.6e6  # with one plane of actions; with two it is as the others
        direct = preset("polygames-direct-othello-8").architecture
        counts[1] = direct.weight_count(*shape, ActionShape(129, 2, 1))
    assert all(5e6 < count < 5.15e6 for count in counts)


@pytest.mark.parametrize("name", TABLE_5)
def test_exits_head_adds_little_to_the_network_of_table_5(name: str) -> None:
    """The 1x1 convolution of one filter, and the dense layer from it to the actions: nothing else."""
    side = {"go-9": 9, "go-11": 11, "hex-11": 11, "hex-13": 13, "othello-8": 8, "othello-10": 10}.get(
        name, 19 if name in ("connect6", "havannah-10") else 15
    )
    cells = side * side
    value, both = preset(f"R2-{name}").architecture, preset(f"exit-{name}").architecture
    added = (132 + 1) + (cells * cells + cells)
    actions = ActionShape(cells, 1, 0)
    assert both.weight_count(4, side, side, actions) == value.weight_count(4, side, side) + added
    assert 5e6 < both.weight_count(4, side, side, actions) < 7.5e6


def test_weights_of_a_convolutional_policy_do_not_depend_on_the_board() -> None:
    small, large = glaux.make("hex", size=5), glaux.make("hex", size=9)
    value = PolicyNetwork(small, "small-pooled-policy", seed=1)
    other = value.resized(large)
    assert isinstance(other, PolicyNetwork) and other.weight_count == value.weight_count
    assert sum(other.policy(large.initial()).values()) == pytest.approx(1, abs=1e-4)
    with pytest.raises(InvalidParameter, match="fit one board size only"):
        PolicyNetwork(small, "small-policy").resized(large)


# Learning


def test_steps_are_those_of_the_loss_as_alphazero_writes_it() -> None:
    """Against the loss written out for one state and one action after the other, and plain gradients."""
    adam = Adam(rate=0.01, l2=0.05)
    value, twin = (
        PolicyNetwork(OTHELLO, TINY.with_changes(scale=2.0, output="linear"), adam=adam, seed=2)
        for _ in range(2)
    )
    data = examples(OTHELLO, 20)
    module = twin.module
    assert isinstance(module, PolicyModule)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.01, betas=(0.9, 0.999), eps=1e-7)
    for _ in range(3):
        found = value.learn(data)
        outputs, logits = module.both(torch.from_numpy(OTHELLO.encode(data["states"])))
        squares = torch.square(outputs - torch.from_numpy(data["values"]) / 2)
        entropies = []
        for i, state in enumerate(OTHELLO.states(data["states"])):
            legal = OTHELLO.actions(state)
            target = torch.from_numpy(data["policies"][i, : len(legal)].copy())
            if not legal:
                entropies.append(torch.zeros(()))
                continue
            chosen = logits[i][torch.tensor(legal)]
            entropies.append(-(target * (chosen - torch.logsumexp(chosen, 0))).sum())
        entropy = torch.stack(entropies)
        regular = sum(w.square().sum() for n, w in module.named_parameters() if n.endswith("weight"))
        assert found.square == pytest.approx(4 * float(squares.detach().sum()), rel=1e-4)
        assert found.policy == pytest.approx(float(entropy.detach().sum()), rel=1e-4)
        optimizer.zero_grad()
        torch.autograd.backward(squares.mean() + entropy.mean() + 0.05 / 4 * regular)
        optimizer.step()
    for name, weight in module.named_parameters():
        assert value.weights()[name] == pytest.approx(weight.detach().numpy(), abs=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("policy", HEADS)
def test_policies_are_learned_by_heart(policy: str) -> None:
    data = examples(OTHELLO, 60)
    value = PolicyNetwork(
        OTHELLO, preset("small-policy", policy=policy).architecture, adam=Adam(l2=0), seed=1
    )
    for _ in range(250):
        value.learn(data)
    legal = data["policies"].sum(1) > 0
    missing = np.abs(value.policies(data["states"]) - data["policies"])[legal].sum(1)
    assert missing.mean() < 0.05  # of at most 2
    assert np.square(value.evaluate(data["states"]) - data["values"]).mean() < 0.01


def test_a_value_can_be_learned_without_a_policy() -> None:
    value = PolicyNetwork(CONNECT_FOUR, TINY, seed=1)
    data = examples(CONNECT_FOUR, 40)
    before = value.weights()
    assert value.learn(Examples({name: data[name] for name in ("states", "values")})).policy is None
    after = value.weights()
    assert (before["policy_output.weight"] == after["policy_output.weight"]).all()
    assert (before["output.weight"] != after["output.weight"]).any()
    assert value.fit(data["states"], data["values"], epochs=2).pairs == 80


def test_steps_with_and_without_a_policy_go_on_from_a_file(tmp_path: Path) -> None:
    """Adam counts the steps of the policy apart: it has had fewer."""
    value, data = PolicyNetwork(CONNECT_FOUR, TINY, seed=1), examples(CONNECT_FOUR, 40)
    alone = Examples({name: data[name] for name in ("states", "values")})
    for batch in (alone, data, alone, data):
        value.learn(batch)
        value.save(tmp_path)
        again = glaux.load(tmp_path)
        for one in (value, again):
            one.learn(data)
        for name, weight in value.weights().items():
            assert (again.weights()[name] == weight).all()
    moments = value.optimizer()
    assert (moments["step"].tolist(), moments["policy_step"].tolist()) == ([8], [6])
    del moments["policy_step"]
    with pytest.raises(InvalidParameter, match=r"have 'first_moment.policy_.*', which this network lacks"):
        value.restore(value.weights(), moments)


def test_a_rate_that_is_too_high_is_said() -> None:
    value = PolicyNetwork(CONNECT_FOUR, TINY.with_changes(output="linear"), adam=Adam(rate=1e30), seed=1)
    with pytest.raises(BrokenValue, match="no longer finite: the learning rate 1e\\+30 is too high"):
        for _ in range(5):
            value.learn(examples(CONNECT_FOUR, 20))


# Searches


def test_a_search_has_the_networks_priors() -> None:
    value = PolicyNetwork(OTHELLO, TINY, seed=1)
    search = glaux.MCTS(OTHELLO, policy=value, seed=1)
    search.run(OTHELLO.initial(), iterations=30)
    priors = search.priors(OTHELLO.initial())
    assert priors.tolist() == pytest.approx(list(value.policy(OTHELLO.initial()).values()), abs=1e-5)


def test_searches_that_ask_for_no_priors_take_it_too() -> None:
    value = PolicyNetwork(OTHELLO, TINY, seed=1)
    for search in (glaux.UBFM(OTHELLO, value), glaux.MCTS(OTHELLO, value, seed=1)):
        assert search.run(OTHELLO.initial(), evaluations=60).action in OTHELLO.actions(OTHELLO.initial())
    row = glaux.UBFM(OTHELLO, value).run(OTHELLO.initial(), iterations=1).children()[0]
    child = OTHELLO.apply(OTHELLO.initial(), row.action)
    assert row.v == pytest.approx(value.evaluate(child)[0], abs=1e-5)


def test_matches_in_lock_step_share_large_batches() -> None:
    value = PolicyNetwork(OTHELLO, TINY, seed=1)
    lockstep = LockStep[int](value, parts=1)
    searches = [glaux.MCTS(OTHELLO, policy=value, seed=i) for i in range(16)]
    for i, search in enumerate(searches):
        lockstep.start(i, search, OTHELLO.initial(), iterations=20)
    found = dict(lockstep.finished())
    assert len(found) == 16 and lockstep.mean_batch > 8
    alone = glaux.MCTS(OTHELLO, policy=value, seed=3).run(OTHELLO.initial(), iterations=20)
    assert [row.n for row in found[3].children()] == [row.n for row in alone.children()]
    lockstep.close()


def test_a_batch_with_states_that_nobody_asks_priors_for() -> None:
    value = PolicyNetwork(OTHELLO, TINY, seed=1)
    states = OTHELLO.array(positions(OTHELLO, 3))
    actions, _ = OTHELLO.native.legal(states[:1])
    batch = Batch(states, OTHELLO.encode(states), actions, np.array([0, len(actions)] + 2 * [len(actions)]))
    answer = value.answer(batch)
    assert np.asarray(answer.values) == pytest.approx(value.evaluate(states), abs=1e-6)
    assert len(np.asarray(answer.priors)) == len(actions)


# Files


@pytest.mark.parametrize("policy", HEADS)
def test_saved_and_loaded(policy: str, tmp_path: Path) -> None:
    value = PolicyNetwork(OTHELLO, TINY.with_changes(policy=policy), seed=4)
    data = examples(OTHELLO, 30)
    value.learn(data)
    value.save(tmp_path)
    again = glaux.load(tmp_path)
    assert isinstance(again, PolicyNetwork) and again.settings() == value.settings()
    copy, snapshot = value.copy(), value.snapshot()
    for other in (again, copy, snapshot):
        assert (other.policies(data["states"]) == value.policies(data["states"])).all()
    for one in (value, again, copy):
        one.learn(data)
    for other in (again, copy):
        for name, weight in value.weights().items():
            assert (other.weights()[name] == weight).all()


def test_mistakes() -> None:
    with pytest.raises(InvalidParameter, match="There is no policy 'dens': did you mean 'dense'"):
        TINY.with_changes(policy="dens")
    with pytest.raises(InvalidParameter, match="belongs to the family policy, not network"):
        glaux.NeuralNetwork(OTHELLO, TINY)
    with pytest.raises(InvalidParameter, match="has no policy: set policy to dense, direct"):
        PolicyNetwork(OTHELLO, "small")
    with pytest.raises(InvalidParameter, match="There is no loss 'square': did you mean 'squares'"):
        PolicyNetwork(OTHELLO, TINY, loss="square")
    with pytest.raises(InvalidParameter, match="set pooling=True"):
        TINY.with_changes(average=True)
    with pytest.raises(InvalidParameter, match="with a policy can't be cached"):
        Remembering(PolicyNetwork(OTHELLO, TINY), 10)


def test_small_boards_have_networks() -> None:
    for name in GAMES:
        game = small_game(name)
        assert np.isfinite(PolicyNetwork(game).evaluate(game.initial())).all()
