from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import NTupleNetwork, _core
from glaux.errors import InvalidParameter
from glaux.learn.athenan import Athenan
from glaux.learn.config import Config
from glaux.learn.registry import read_config
from glaux.learn.run import Run
from glaux.learn.td import TD
from glaux.learn.training import Training
from glaux.players.registry import make_player
from glaux.values.ntuple import Learning
from tests.learn.playing import score
from tests.learn.reference_td import ReferenceTD
from tests.values.reference_ntuple import ReferenceNTuple

TABLE: dict[str, Any] = {
    "learner": "td",
    "game": "connect_four:rows=4,columns=4,length=3",
    "heuristic": "classic",
    "seed": 3,
    "value": {"family": "ntuple", "count": 12, "length": 4, "alpha": 0.5},
    "strength": {"every": 0.0},
}


def config(**changes: object) -> Config:
    return read_config(TABLE | changes)


def tables(learner: TD) -> tuple[bytes, bytes]:
    network = learner.network
    return network.weights()["weights"].tobytes(), network.optimizer()["counters"].tobytes()


def parts(learner: TD) -> tuple[np.ndarray, np.ndarray]:
    network = learner.network
    return network.weights()["weights"], network.optimizer().get("counters", np.zeros(0))


@pytest.mark.parametrize("rule", ["sgd", "coherence_identity", "coherence_exponential"])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("connect_four:rows=4,columns=4,length=3", {}),
        ("connect_four:rows=4,columns=4,length=3", {"lambda_": 0.7, "gamma": 0.9, "step_reward": -0.01}),
        ("othello:size=4", {"lambda_": 0.5, "learn_from_random": False}),
        ("hex:size=3", {"lambda_": 0.9, "cut": 0.01, "final_to_zero": False}),
        ("santorini", {"lambda_": 0.5}),  # several actions in a turn
        ("rubik2:limit=8", {"lambda_": 0.5, "step_reward": -0.1, "gamma": 0.9}),  # one player
    ],
)
def test_learning_is_the_reference_s(
    game: str, options: dict[str, Any], rule: str, pytestconfig: pytest.Config
) -> None:
    """By a part of the matches by day, enough for weights that have moved."""
    td = {"epsilon": 0.3, "epsilon_end": 0.1, "initial_share": 0.5, "random_most": 2, **options}
    value = {"family": "ntuple", "count": 5, "length": 3, "rule": rule, "alpha": 0.4, "init": 1e-3}
    learner = TD(config(game=game, td=td, value=value))
    reference = ReferenceTD(ReferenceNTuple(learner.network), **options)
    by_day, at_night = {"santorini": (4, 10), "rubik2:limit=8": (20, 20)}.get(game, (33, 100))
    matches = at_night if pytestconfig.getoption("--nightly") else by_day
    _, episodes = learner.native.recorded(0, matches, matches)
    assert len(episodes) == matches
    for start, actions, random in episodes:
        reference.play(learner.game.state(start), actions, random)
    weights = learner.network.weights()["weights"]
    assert np.abs(weights).max() > 0.01
    np.testing.assert_allclose(weights, reference.network.w, atol=2e-4)
    if rule != "sgd":
        counters = learner.network.optimizer()["counters"]
        np.testing.assert_allclose(counters[..., 0], reference.network.n, atol=2e-3)
        np.testing.assert_allclose(counters[..., 1], reference.network.a, atol=2e-3)


class RandomWalk(glaux.Rules):
    """The chain of the textbook: five places in a row, a step to either side, -1 and +1 at the ends."""

    state = [("place", np.int8), ("made", np.int16)]
    action_count = 2
    max_plies = 1000
    symbols = "0123456"

    def initial(self):
        return np.array((3, 0), dtype=self.state)

    def first_player(self, s):
        return True

    def actions(self, s):
        return [0, 1]

    def apply(self, s, action):
        s["place"] += 1 if action else -1
        s["made"] += 1

    def outcome(self, s):
        return {0: -1, 6: 1}.get(int(s["place"]), 0 if s["made"] >= 1000 else None)

    def cells(self, s):
        return np.array([[s["place"]]])


@pytest.mark.parametrize("lambda_", [0.0, 0.8])
def test_the_random_walk_of_the_textbook(lambda_: float) -> None:
    game = glaux.make(RandomWalk)
    network = glaux.NTupleNetwork(
        game, [[0]], per_player=False, output="identity", learning=Learning(rule="sgd")
    )
    options = _core.TdOptions()
    options.learning = network.learning.native
    options.alpha = _core.Schedule(0.2, 0.002, geometric=True)
    options.epsilon = _core.Schedule(1.0, 1.0)  # every action is drawn
    options.trace_factor, options.final_to_zero = lambda_, False
    learner = _core.TdLearner(game.native, network.native, _core.TerminalValue(), options)
    learner.run(0, 2500, 2500)
    found = network.weights()["weights"][0, 1:6]
    np.testing.assert_allclose(found, [-2 / 3, -1 / 3, 0, 1 / 3, 2 / 3], atol=0.12)


def test_the_seed_determines_a_training_however_it_is_split() -> None:
    whole, split, other = TD(config()), TD(config()), TD(config(seed=4))
    whole.train(matches=300)
    other.train(matches=300)
    for _ in range(3):
        split.native.run(split.matches, 100, 300)
        split.matches += 100
    assert tables(whole) == tables(split)
    assert tables(whole) != tables(other)


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    uninterrupted = TD(config())
    uninterrupted.train(matches=200)
    first = TD(config())
    run = Run.create(tmp_path / "run", first.config)
    while first.matches < 100:
        first._block(25, 200, 0.0)
    run.save(first)
    resumed = Run.open(tmp_path / "run").resume()
    assert isinstance(resumed, TD)
    assert resumed.matches == 100
    resumed.train(matches=200)
    assert tables(resumed) == tables(uninterrupted)
    assert resumed.value.learned == uninterrupted.value.learned


def test_several_threads_play_all_the_matches() -> None:
    learner = TD(config(workers=3))
    learner.train(matches=2000)
    assert learner.matches == 2000
    assert np.isfinite(learner.network.weights()["weights"]).all()


@pytest.mark.parametrize("rule", ["sgd", "coherence_exponential"])
def test_copies_that_learned_apart_are_joined_as_written(rule: str) -> None:
    table = config(value=TABLE["value"] | {"rule": rule}, td={"epsilon": 0.5})
    together = TD(table)
    together.native.run(0, 50, total=500, threads=1)
    before = [part.copy() for part in parts(together)]
    tally = together.native.run(50, 90, total=500, threads=3)

    apart = []
    for thread in range(3):
        alone = TD(table)
        alone.native.run(0, 50, total=500, threads=1)
        for number in range(50 + thread, 140, 3):
            alone.native.run(number, 1, total=500, threads=1)
        apart.append(parts(alone))

    changes = np.array([weights - before[0] for weights, _ in apart])
    changed = (changes != 0).sum(0)
    assert {1, 2, 3} <= set(changed.ravel().tolist())
    mean = changes.sum(0) / np.maximum(changed, 1)
    weights, counters = parts(together)
    recommended = sum(counters - before[1] for _, counters in apart)
    np.testing.assert_allclose(counters, before[1] + recommended, rtol=1e-6, atol=1e-6)
    coherence = 1.0
    if rule != "sgd":
        n, a = recommended[..., 0], recommended[..., 1]
        coherence = np.abs(n) / np.where(a > 0, a, 1)
        assert ((coherence > 0.01) & (coherence < 0.99) & (changed > 1)).any()
    np.testing.assert_allclose(weights, before[0] + mean * (1 + (changed - 1) * coherence), atol=1e-5)
    assert tally.episodes == 90


def test_threads_learn_the_same_however_fast_they_are() -> None:
    first, second = (TD(config()) for _ in range(2))
    for learner in (first, second):
        for block in range(4):
            learner.native.run(500 * block, 500, total=2000, threads=2)
    assert tables(first) == tables(second)


def test_what_a_training_writes(tmp_path: Path) -> None:
    learner = TD(config(td={"initial_share": 0.0, "random_least": 2, "random_most": 3}))
    run = Run.create(tmp_path / "run", learner.config)
    Training(run, learner, matches=500).go()
    rows = [row for row in run.metrics() if row["kind"] == "match"]
    assert rows[-1]["match"] == 500
    assert 3 < rows[-1]["plies"] <= 14 and -1 <= rows[-1]["outcome"] <= 1
    game = learner.game
    for record in run.matches():
        state = game.parse_state(record["start"])
        for action in record["actions"]:
            state = game.apply(state, action)
        assert game.outcome(state) == record["outcome"]
    assert glaux.load(tmp_path / "run").learned == learner.value.learned


@pytest.mark.parametrize("wrapper_iterations", [0, 10])
def test_it_learns_to_play(tmp_path: Path, wrapper_iterations: int) -> None:
    table = {"epsilon": 0.2, "lambda_": 0.5, "wrapper_iterations": wrapper_iterations}
    value = {"family": "ntuple", "count": 30, "length": 5, "alpha": 1.0}
    learner = TD(config(game="hex:size=5", td=table, value=value))
    learner.value.save(tmp_path / "before")
    learner.train(matches=3000 if wrapper_iterations == 0 else 1000)
    learner.value.save(tmp_path / "after")
    players = [f"greedy:value={tmp_path / name}" for name in ("after", "before")]
    assert score("hex:size=5", players, games=60) > 0.7


def test_a_puzzle_is_learned_and_measured_by_what_is_solved(tmp_path: Path) -> None:
    changes = {
        "game": "rubik2",
        "td": {"epsilon": 0.0, "initial_share": 0.0, "random_most": 3, "step_reward": -0.1, "most_plies": 8},
        "value": {"family": "ntuple", "count": 20, "length": 5, "symmetries": 1, "output": "identity"},
        "strength": {"every": 0.2, "games": 10, "seconds": 0.001, "twists": 3},
    }
    learner = TD(config(**changes))
    run = Run.create(tmp_path / "run", learner.config)
    Training(run, learner, matches=6000).go()
    scores = [row["score"] for row in run.metrics() if row["kind"] == "strength"]
    assert scores[-1] >= 0.8
    game, greedy = learner.game, make_player(f"greedy:value={tmp_path / 'run'}", learner.game, 0)
    solved = 0
    for seed in range(40):
        state = game.scramble(3, seed)
        while not game.terminal(state):
            state = game.apply(state, greedy.choose(state))
        solved += game.outcome(state) == 1
    assert solved >= 30  # of 40; random twists solve none


def test_a_learned_value_is_a_warm_start(tmp_path: Path) -> None:
    learner = TD(config())
    learner.train(matches=100)
    learner.value.save(tmp_path / "td")
    athenan = Athenan(config(learner="athenan", start_from=str(tmp_path / "td"), value={"alpha": 0.3}))
    assert athenan.value.weights()["weights"].tobytes() == tables(learner)[0]
    assert isinstance(athenan.value, NTupleNetwork) and athenan.value.learning.alpha == 0.3
    athenan.train(matches=2)
    with pytest.raises(InvalidParameter, match="set heuristic=classic"):
        TD(config(start_from=str(tmp_path / "td"), heuristic="additive_depth"))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"td": {"epsilon": 1.5}}, "epsilon"),
        ({"td": {"lambda_": -0.1}}, "lambda"),
        ({"td": {"gamma": 2.0}}, "gamma"),
        ({"td": {"cut": 0.0}}, "cut"),
        ({"td": {"random_least": 3, "random_most": 2}}, "at least one step"),
        ({"td": {"lambda": 0.5}}, "did you mean 'lambda_'"),
        ({"value": {"family": "network", "architecture": "small"}}, "n-tuple"),
        ({"learner": "tdl"}, "'td'"),
    ],
)
def test_bad_settings(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        TD(config(**changes))


def test_starts_that_no_match_reaches() -> None:
    learner = TD(config(td={"initial_share": 0.0, "random_least": 17, "random_most": 17}))
    with pytest.raises(InvalidParameter, match="rarely last longer than 17 random actions"):
        learner.train(matches=1)
