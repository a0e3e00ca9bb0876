"""Layers of pattern networks that depend on how far the match is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidParameter
from glaux.values.patterns import PatternLearning
from glaux.values.stages import STAGES, measured_span
from tests.boards import SMALL
from tests.values.positions import positions
from tests.values.reference_patterns import ReferencePatterns, check_gradient

SPAN = [1, 6]
"""so few cells that matches on small boards pass all the stages"""


def network_of_stages(game: glaux.Game, seed: int = 1, **settings: Any) -> glaux.PatternNetwork:
    """A network whose stages differ, as they do when they have learned."""
    defaults: dict[str, Any] = {"stages": 3, "span": SPAN}
    network = glaux.PatternNetwork(game, **defaults | settings, seed=seed)
    weights = network.weights()
    weights["head"] = weights["head"] + np.random.default_rng(seed).normal(
        0, 0.1, weights["head"].shape
    ).astype(np.float32)
    network.restore(weights, {})
    return network


@pytest.mark.parametrize("name", glaux.games())
@pytest.mark.parametrize(
    "settings", [{}, {"mover": False, "regions": 2, "span": [9, 2]}], ids=["mover", "banks"]
)
def test_values_are_the_reference_s(name: str, settings: dict[str, Any]) -> None:
    """Also those of children, some of which are at another level than their parent."""
    game = glaux.make(SMALL[name])
    network = network_of_stages(game, **settings)
    reference = ReferencePatterns(network)
    for state in positions(game, 6, seed=3)[::2]:
        assert network.evaluate(state)[0] == pytest.approx(reference.value(state), abs=2e-5)
        children = game.states(game.expand(state).children)[:3]
        if children:
            found = network.native.evaluate_children(game.native, state, game.array(children))
            assert found.tolist() == pytest.approx([reference.value(c) for c in children], abs=2e-5)


@pytest.mark.parametrize("name", ["othello", "clobber", "breakthrough", "amazons"])
def test_children_and_exchanged_states_are_worth_what_they_are_worth_alone(name: str, seed: int) -> None:
    game = glaux.make(name)
    network = network_of_stages(game, seed, stages=4, span=None)
    for state in positions(game, 100, seed=seed)[::5]:
        children = game.expand(state).children
        if len(children):
            found = network.native.evaluate_children(game.native, state, children)
            np.testing.assert_allclose(found, network.evaluate(children), rtol=0, atol=1e-5)
        if game.spec.has_exchange:
            assert network.evaluate(state) == -network.evaluate(game.exchange(state))


@pytest.mark.parametrize("name", ["hex:size=4", "breakthrough:rows=5,columns=4", "ataxx", "morpion"])
def test_the_gradient_is_pytorch_s(name: str) -> None:
    game = glaux.make(name)
    first = int(np.count_nonzero(game.cells(game.initial())))
    network = network_of_stages(game, span=[first, first + (5 if first < 10 else -3)])
    states = positions(game, 12, seed=4)
    targets = np.random.default_rng(1).uniform(-1, 1, len(states)).astype(np.float32)
    check_gradient(network, states, targets)


def test_stages_begin_as_one() -> None:
    """Every stage begins with the same layers, so that values are those of one stage to the last bit."""
    game = glaux.make("othello")
    states = positions(game, 50, seed=1)
    one, four = (glaux.PatternNetwork(game, stages=stages, seed=5) for stages in (1, 4))
    assert one.evaluate(states).tobytes() == four.evaluate(states).tobytes()
    assert four.weights()["head"].size == 4 * one.weights()["head"].size
    assert (one.span, four.span) == (None, [4, 64])
    for network in (one, four):
        assert network.size(game, network.settings()) == sum(a.size for a in network.weights().values())
    assert "layers 32-32-1 in 4 stages" in four.describe()


def test_a_step_moves_the_stages_around_a_state() -> None:
    game = glaux.make("hex:size=5")
    learning = PatternLearning(average=1.0, symmetric=False)
    for held, moved in ((0, [0]), (2, [0, 1]), (4, [1]), (6, [1, 2]), (12, [2])):
        network = glaux.PatternNetwork(game, stages=3, span=[0, 8], learning=learning, seed=1)
        before = network.weights()["head"].reshape(3, -1)
        state = next(s for s in positions(game, 400) if np.count_nonzero(game.cells(s)) == held)
        network.fit(state, [0.9])
        after = network.weights()["head"].reshape(3, -1)
        assert [i for i in range(3) if (after[i] != before[i]).any()] == moved


def test_what_depends_on_progress_is_learned() -> None:
    """Whoever is ahead: a wave over the match that one set of layers follows less well."""
    game = glaux.make("othello")
    states = positions(game, 3000, seed=1)
    held = np.array([np.count_nonzero(game.cells(state)) for state in states])
    side = np.array([1 if game.first_player(state) else -1 for state in states])
    targets = side * np.sign(np.sin(held / 6))
    losses = []
    for stages in (1, 8):
        network = glaux.PatternNetwork(game, stages=stages, seed=1)
        losses.append(network.fit(states, targets, epochs=8).loss)
    assert losses[1] < 0.7 * losses[0]


def test_learning_goes_on_to_the_last_bit(tmp_path: Path) -> None:
    game = glaux.make("breakthrough")
    states, values = positions(game, 300, seed=1), np.linspace(-1, 1, 300)
    network = glaux.PatternNetwork(game, stages=3, seed=1, learning=PatternLearning(average=100))
    network.fit(states, values, seed=1)
    network.save(tmp_path)
    twin = glaux.load(tmp_path)
    assert twin.settings() == network.settings() and twin.settings()["span"] == measured_span(game)
    for one in (network, twin):
        one.fit(states, values, seed=2)
    for name in ("weights", "optimizer"):
        for key, array in getattr(network, name)().items():
            assert array.tobytes() == getattr(twin, name)()[key].tobytes(), key
    network.save_packed(tmp_path / "packed", 16)
    packed = glaux.load(tmp_path / "packed")
    assert packed.settings() == network.settings()
    np.testing.assert_allclose(packed.weights()["head"], network.weights()["head"], rtol=0, atol=1e-4)


def test_spans_are_those_of_random_matches() -> None:
    assert measured_span(glaux.make("othello")) == [4, 64]
    begin, end = measured_span(glaux.make("breakthrough"))
    assert begin == 32 and 16 <= end < 32
    begin, end = measured_span(glaux.make("hex:size=7"))
    assert begin == 0 and 30 <= end <= 49


def test_mistakes() -> None:
    game = glaux.make("connect_four")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"stages": 0}, f"1 to {STAGES} stages, not 0"),
        ({"stages": STAGES + 1}, f"not {STAGES + 1}"),
        ({"stages": 2, "span": [3, 3]}, "two different numbers of cells from 0 to 42"),
        ({"stages": 2, "span": [0, 43]}, "two different numbers"),
        ({"stages": 2, "span": 7}, "two different numbers"),
    ]
    for settings, message in wrong:
        with pytest.raises(InvalidParameter, match=message):
            glaux.PatternNetwork(game, **settings)


def test_a_board_that_stays_as_full_has_one_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    game = glaux.make("connect_four")
    monkeypatch.setattr(type(game), "playouts", lambda self, state, n, seed: self.array([state] * n))
    with pytest.raises(InvalidParameter, match="Connect Four ends with as many occupied cells"):
        glaux.PatternNetwork(game, stages=2)
