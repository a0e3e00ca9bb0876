"""Tables of n-tuple networks that depend on how far the match is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidParameter
from glaux.values.ntuple import RULES, Learning
from glaux.values.stages import measured_span
from tests.boards import SMALL
from tests.values.positions import positions
from tests.values.reference_ntuple import ReferenceNTuple
from tests.values.test_ntuple import filled

STAGED = [name for name in glaux.games() if glaux.make(SMALL[name]).spec.symmetries]
SPAN = [1, 6]
"""so few cells that matches on small boards pass all the stages"""


@pytest.mark.parametrize("name", STAGED)
@pytest.mark.parametrize("settings", [{}, {"per_player": False, "span": [9, 2]}], ids=["players", "down"])
def test_values_are_the_reference_s(name: str, settings: dict[str, Any]) -> None:
    """Also those of children, some of which are in another stage than their parent."""
    game = glaux.make(SMALL[name])
    given: dict[str, Any] = {"stages": 3, "span": SPAN} | settings
    network = filled(glaux.NTupleNetwork(game, count=5, length=3, **given))
    reference = ReferenceNTuple(network)
    for state in positions(game, 8, seed=3)[::2]:
        assert network.evaluate(state)[0] == pytest.approx(reference.value(state), abs=2e-6)
        children = game.states(game.expand(state).children)[:4]
        if children:
            found = network.native.evaluate_children(game.native, state, game.array(children))
            assert found.tolist() == pytest.approx([reference.value(c) for c in children], abs=2e-6)


@pytest.mark.parametrize("name", ["connect_four", "othello:size=6"])
def test_reachable_cells_hold_nothing(name: str) -> None:
    game = glaux.make(name)
    network = filled(glaux.NTupleNetwork(game, count=5, length=3, reachable=True, stages=5))
    reference = ReferenceNTuple(network)
    seen = set()
    for state in positions(game, 60, seed=2):
        seen.add(reference.stage(state))
        assert network.evaluate(state)[0] == pytest.approx(reference.value(state), abs=2e-6)
    assert len(seen) >= 4


@pytest.mark.parametrize("rule", RULES)
def test_learning_is_the_reference_s(rule: str) -> None:
    game = glaux.make("hex:size=4")
    learning = Learning(rule=rule, alpha=0.5)
    network = glaux.NTupleNetwork(game, count=5, length=3, stages=3, learning=learning)
    reference = ReferenceNTuple(network)
    states = positions(game, 60, seed=4)
    targets = np.random.default_rng(1).uniform(-1, 1, len(states)).astype(np.float32)
    network.native.learn(game.native, game.array(states), targets, learning.native)
    for state, target in zip(states, targets.tolist(), strict=True):
        reference.learn(state, target)
    np.testing.assert_allclose(network.weights()["weights"], reference.w, rtol=0, atol=1e-6)
    assert all((network.weights()["weights"][2 * stage :][:2] != 0).any() for stage in range(3))


def test_one_stage_is_as_before() -> None:
    game = glaux.make("othello")
    one, four = (glaux.NTupleNetwork(game, count=9, length=4, stages=stages) for stages in (1, 4))
    assert (one.span, four.span) == (None, [4, 64])
    assert four.weight_count == 4 * one.weight_count
    for network in (one, four):
        assert network.size(game, network.settings()) == network.weight_count
    assert four.describe().startswith("9 tuples of 4 cells") and " in 4 stages" in four.describe()
    assert "stages" not in one.describe()


def test_what_depends_on_progress_is_learned() -> None:
    """Whoever is ahead: a wave over the match that one set of tables follows less well."""
    game = glaux.make("othello")
    states = positions(game, 3000, seed=1)
    held = np.array([np.count_nonzero(game.cells(state)) for state in states])
    side = np.array([1 if game.first_player(state) else -1 for state in states])
    targets = side * np.sign(np.sin(held / 6))
    losses = [
        glaux.NTupleNetwork(game, count=20, length=4, stages=stages).fit(states, targets, epochs=4).loss
        for stages in (1, 10)
    ]
    assert losses[1] < 0.7 * losses[0]


def test_a_network_is_saved_with_its_stages(tmp_path: Path) -> None:
    game = glaux.make("breakthrough")
    states, values = positions(game, 300, seed=1), np.linspace(-1, 1, 300)
    network = glaux.NTupleNetwork(game, count=9, length=4, stages=3)
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
    assert glaux.load(tmp_path / "packed").settings() == network.settings()


def test_mistakes() -> None:
    with pytest.raises(InvalidParameter, match="An n-tuple network has 1 to 16 stages, not 17"):
        glaux.NTupleNetwork(glaux.make("hex"), stages=17)
    with pytest.raises(InvalidParameter, match="two different numbers of cells"):
        glaux.NTupleNetwork(glaux.make("hex"), stages=2, span=[3, 3])
    for name in set(glaux.games()) - set(STAGED):
        with pytest.raises(InvalidParameter, match="have one stage"):
            glaux.NTupleNetwork(glaux.make(name), stages=2)
