"""Pattern networks: values, gradients and learning against a reference, and what every family must keep."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import InvalidFile, InvalidParameter
from glaux.values.patterns import PatternLearning
from glaux.values.shapes import LARGEST_TABLE, default_shapes, table_sizes
from tests.boards import SMALL
from tests.values.positions import positions, sign_accuracy, terminal_pairs
from tests.values.reference_patterns import ReferencePatterns, check_gradient

GAMES = glaux.games()
DETAILED = [name for name in GAMES if glaux.make(name).spec.details]
EXCHANGING = [name for name in GAMES if glaux.make(name).spec.has_exchange]


MOVER: dict[str, Any] = {"output": "tanh"}
BANKS: dict[str, Any] = {"output": "identity", "scale": 40, "mover": False, "lines": 3, "regions": 2}


@pytest.mark.parametrize(
    ("name", "settings"),
    [(name, settings) for name in GAMES for settings in (MOVER, BANKS)]
    + [(name, settings | {"details": True}) for name in DETAILED for settings in (MOVER, BANKS)],
)
def test_values_are_the_reference_s(name: str, settings: dict[str, Any]) -> None:
    """Also those of children that are worked out from their parent, some of them far from it."""
    game = glaux.make(SMALL[name])
    network = glaux.PatternNetwork(game, seed=1, **settings)
    reference = ReferencePatterns(network)
    tolerance = 2e-5 * network.scale
    for state in positions(game, 3, seed=3):
        assert network.evaluate(state)[0] == pytest.approx(reference.value(state), abs=tolerance)
        children = game.states(game.expand(state).children)[:3]
        if children:
            found = network.native.evaluate_children(game.native, state, game.array(children))
            assert found.tolist() == pytest.approx([reference.value(c) for c in children], abs=tolerance)


@pytest.mark.parametrize("name", GAMES)
def test_children_are_worth_what_they_are_worth_alone(name: str, seed: int) -> None:
    game = glaux.make(name)
    network = glaux.PatternNetwork(game, details=name in DETAILED, seed=seed)
    for state in positions(game, 10, seed=seed):
        children = game.expand(state).children
        if len(children):
            found = network.native.evaluate_children(game.native, state, children)
            np.testing.assert_allclose(found, network.evaluate(children), rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", EXCHANGING)
def test_exchanged_states_have_opposite_values(name: str) -> None:
    game = glaux.make(name)
    network = glaux.PatternNetwork(game, seed=1)
    for state in positions(game, 10, seed=2):
        assert network.evaluate(state) == -network.evaluate(game.exchange(state))
    assert network.native.bank_count == 1
    assert glaux.PatternNetwork(game, mover=False).native.bank_count == 2


@pytest.mark.parametrize(
    "name", ["hex:size=4", "breakthrough:rows=5,columns=4", "ataxx", "morpion", "go:size=5"]
)
@pytest.mark.parametrize(("output", "scale"), [("tanh", 1), ("identity", 25)])
def test_the_gradient_is_pytorch_s(name: str, output: str, scale: float) -> None:
    game = glaux.make(name)
    details = bool(game.spec.details)
    network = glaux.PatternNetwork(game, details=details, output=output, scale=scale, seed=2)
    states = positions(game, 8, seed=4)
    targets = np.random.default_rng(1).uniform(-scale, scale, len(states)).astype(np.float32)
    check_gradient(network, states, targets)


def test_a_step_is_adagrad_s_and_adam_s() -> None:
    """One minibatch, from the gradient that PyTorch gives: the rules as their papers have them."""
    game = glaux.make("hex:size=4")
    learning = PatternLearning(rate=0.2, head_rate=0.003, minibatch=8, average=1.0, symmetric=False)
    network = glaux.PatternNetwork(game, seed=2, learning=learning)
    before = network.weights()
    states = positions(game, 16, seed=4)
    targets = np.random.default_rng(1).uniform(-1, 1, 16).astype(np.float32)
    m = v = np.zeros(before["head"].shape)
    squares = np.zeros(before["tables"].shape[:2])
    tables, head = before["tables"].astype(float), before["head"].astype(float)
    for step, part in enumerate((slice(0, 8), slice(8, 16)), start=1):
        twin = glaux.PatternNetwork(game, seed=2, learning=learning)
        twin.restore({"tables": tables.astype(np.float32), "head": head.astype(np.float32)}, {})
        by_tables, by_head = (
            g.numpy() for g in ReferencePatterns(twin).gradient(states[part], targets[part].tolist())
        )
        squares += (by_tables**2).mean(axis=2)
        seen = squares > 0
        tables[seen] -= 0.2 / 2 * by_tables[seen] / np.sqrt(squares[seen])[:, None]
        m = 0.9 * m + 0.1 * by_head
        v = 0.999 * v + 0.001 * by_head**2
        head -= 0.003 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    network.fit(states, targets, shuffle=False)
    memory = network.optimizer()
    np.testing.assert_allclose(memory["tables"], tables, rtol=0, atol=2e-4)
    np.testing.assert_allclose(memory["head"], head, rtol=0, atol=2e-4)
    assert memory["counts"].tolist() == [2, 16]
    # An average over one pair is the last one.
    np.testing.assert_allclose(network.weights()["tables"], memory["tables"], rtol=0, atol=1e-6)


def test_what_plays_is_an_average_of_what_learns() -> None:
    game = glaux.make("connect_four")
    states, values = positions(game, 200, seed=1), np.sign(np.random.default_rng(1).normal(size=200))
    network = glaux.PatternNetwork(game, learning=PatternLearning(average=1000), seed=1)
    mean = before = network.weights()["head"]
    for part in range(0, 200, 50):
        network.fit(states[part : part + 50], values[part : part + 50], shuffle=False)
        before = network.optimizer()["head"]
        mean = mean + 50 / min(1000, part + 50) * (before - mean)
        np.testing.assert_allclose(network.weights()["head"], mean, rtol=0, atol=1e-6)
    assert np.abs(before - mean).max() > 1e-3


@pytest.mark.parametrize("name", ["hex:size=5", "connect_four"])
def test_ends_of_matches_are_learned(name: str) -> None:
    game = glaux.make(name)
    network = glaux.PatternNetwork(game, seed=1)
    states, outcomes = terminal_pairs(game, 4000, seed=1)
    others, results = terminal_pairs(game, 1000, seed=2)
    fit = network.fit(states, outcomes, epochs=4)
    assert fit.loss < 0.6
    assert sign_accuracy(network, others, results) > 0.85
    figures = network.figures()
    assert set(figures) == {"active_cells", "active_first", "active_second"}
    assert all(0 < share < 1 for share in figures.values())
    assert set(network.figures().values()) == {0.0}


def test_learning_goes_on_to_the_last_bit(tmp_path: Path) -> None:
    game = glaux.make("breakthrough")
    states, values = positions(game, 300, seed=1), np.linspace(-1, 1, 300)
    network = glaux.PatternNetwork(game, seed=1, learning=PatternLearning(average=100))
    network.fit(states, values, seed=1)
    network.save(tmp_path)
    twins: list[glaux.ValueFunction] = [network, network.copy(), glaux.load(tmp_path)]
    for twin in twins:
        assert twin.settings() == network.settings()
        twin.fit(states, values, seed=2)
    for name in ("weights", "optimizer"):
        for key, array in getattr(network, name)().items():
            for twin in twins[1:]:
                assert array.tobytes() == getattr(twin, name)()[key].tobytes(), key
    assert network.snapshot().optimizer() == {}


def test_one_seed_makes_one_network() -> None:
    game = glaux.make("hex:size=5")
    states, values = positions(game, 100, seed=1), np.linspace(-1, 1, 100)
    a, b = (glaux.PatternNetwork(game, seed=7) for _ in range(2))
    a.fit(states, values)
    b.fit(states, values)
    assert a.evaluate(states).tobytes() == b.evaluate(states).tobytes()
    c = glaux.PatternNetwork(game, seed=8)
    assert not np.array_equal(c.weights()["tables"], a.weights()["tables"])


def test_threads_evaluate_while_others_learn() -> None:
    game = glaux.make("connect_four")
    network = glaux.PatternNetwork(game, seed=1)
    states = game.array(positions(game, 60, seed=1))

    def work(number: int) -> bool:
        for _ in range(10):
            if number % 2:
                network.fit(states, np.full(len(states), 0.5), seed=number)
            else:
                assert np.isfinite(network.evaluate(states)).all()
                network.weights()
                network.optimizer()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))
    assert network.optimizer()["counts"][1] == 2 * 10 * 60


@pytest.mark.parametrize("name", GAMES)
def test_default_shapes_have_tables_that_can_be_learned(name: str) -> None:
    game = glaux.make(name)
    sizes = table_sizes(game, default_shapes(game))
    assert max(sizes) <= LARGEST_TABLE
    assert max(sizes) > len(game.spec.symbols), "a cell sees its neighbours"


def test_cells_with_the_same_surroundings_share_a_table() -> None:
    """Inside Othello's board 3^9 rows; along each edge 3^6, in each corner 3^4."""
    assert sorted(table_sizes(glaux.make("othello"), default_shapes(glaux.make("othello")))) == sorted(
        [3**9, *4 * [3**6], *4 * [3**4]]
    )
    # A hexagonal cell has 7, at an edge 5, in a sharp corner 4 and in a blunt one 3 with itself.
    hexagonal = glaux.make("hex:size=5")
    assert sorted(table_sizes(hexagonal, default_shapes(hexagonal))) == sorted(
        [3**7, *4 * [3**5], *2 * [3**4], *2 * [3**3]]
    )


def test_mistakes(tmp_path: Path) -> None:
    game = glaux.make("connect_four")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"shapes": []}, "1 to 16 shapes, not 0"),
        ({"shapes": [[]]}, "1 to 16 different steps"),
        ({"shapes": [[[0, 0], [0, 0]]]}, "different steps"),
        ({"shapes": [[[0, 99]]]}, "each up to 16"),
        ({"shapes": [[3]]}, "a row and a column"),
        ({"shapes": "square"}, "lists of steps"),
        ({"shapes": [[[r, c] for r in range(4) for c in range(4)]]}, "smaller ones"),
        ({"regions": 9}, "1 to 8 regions per side, not 9"),
        ({"output": "tahn"}, "did you mean 'tanh'"),
        ({"scale": -1.0}, "above 0"),
        ({"shapes": [[[0, 0]]], "lines": 3}, "either the shapes or"),
    ]
    for settings, message in wrong:
        with pytest.raises(InvalidParameter, match=message):
            glaux.PatternNetwork(game, **settings)
    for rates, message in (({"rate": 0}, "rate of learning"), ({"minibatch": 0}, "1 to 65536 examples")):
        with pytest.raises(InvalidParameter, match=message):
            PatternLearning(**rates)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="at most 255 cells"):
        _core.Patterns(game.native, [[(0, 0), (2**31 - 1, 0)]], 3, _core.PatternOptions())
    network, hexagonal = glaux.PatternNetwork(game), glaux.make("hex")
    with pytest.raises(InvalidParameter, match="another board than that of Hex"):
        network.native.evaluate(hexagonal.native, hexagonal.array([hexagonal.initial()]))
    network.fit(game.initial(), [1.0])
    memory = network.optimizer()
    for change in ({"squares": -memory["squares"] - 1}, {"first": memory["first"][:, 1:]}):
        with pytest.raises(InvalidParameter):
            network.restore(network.weights(), memory | change)
    network.save(tmp_path)
    with pytest.raises(InvalidFile, match="not of hex"):
        glaux.load(tmp_path, glaux.make("hex"))
