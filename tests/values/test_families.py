"""The table of the families: each has its settings, and makes what they say."""

import numpy as np
import pytest

import glaux
from glaux.errors import InvalidParameter
from glaux.values.examples import Column, Examples
from glaux.values.families import DEFAULT, FAMILIES, find_family, read_settings

GAME = glaux.make("connect_four")
SMALL: dict[str, dict[str, object]] = {
    "ntuple": {"count": 3, "length": 2},
    "patterns": {"shapes": [[[0, 0], [0, 1]]], "regions": 2},
    "network": {"filters": 4, "dense": 4},
    "policy": {"filters": 4, "dense": 4},
}


def test_every_family_is_tried_here() -> None:
    assert set(SMALL) == set(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_settings_make_their_family(name: str) -> None:
    settings = read_settings({"family": name, **SMALL[name]})
    value = settings.begin(GAME, scale=7.0, bounded=False, seed=3)
    assert type(value) is FAMILIES[name]
    assert isinstance(settings, FAMILIES[name].settings_type)
    assert {"states", "values"} <= set(value.columns)
    again = settings.begin(GAME, scale=7.0, bounded=False, seed=3)
    for key, weights in value.weights().items():
        assert (weights == again.weights()[key]).all()
    bounded = read_settings({"family": name, **SMALL[name], "scale": 2.0, "seed": 1})
    assert "tanh" in bounded.begin(GAME, scale=1.0, bounded=True, seed=3).describe()


class Watched(Examples):
    """Examples that know which of their columns were read."""

    read: set[str]
    __slots__ = ("read",)

    def __getitem__(self, name: str) -> Column:
        self.read.add(name)
        return super().__getitem__(name)


@pytest.mark.parametrize("name", FAMILIES)
def test_it_learns_the_columns_that_it_names_and_no_others(name: str) -> None:
    value = read_settings({"family": name, **SMALL[name]}).begin(GAME, scale=1.0, bounded=True, seed=3)
    states = GAME.array([GAME.initial(), GAME.play("1 2 1")])
    policies = np.zeros((2, GAME.spec.max_actions), np.float32)
    policies[:, 0] = 1
    columns: dict[str, Column] = {"states": states, "values": np.ones(2, np.float32)}
    examples = Watched(columns | {"policies": policies, "weights": policies})
    examples.read = set()
    value.learn(examples)
    assert examples.read == set(value.columns)
    assert value.learned == 2


def test_rates_of_the_settings_are_those_of_a_value_that_has_learned() -> None:
    value = glaux.NTupleNetwork(GAME, count=2, length=2)
    read_settings({"alpha": 0.25}).go_on_with(value)
    assert (value.learning.alpha, value.learning.beta) == (0.25, 2.7)
    network = read_settings({"family": "network", **SMALL["network"]}).begin(
        GAME, scale=1.0, bounded=True, seed=0
    )
    assert isinstance(network, glaux.NeuralNetwork)
    before = network.adam
    read_settings({"family": "network", "rate": 0.5, "device": "cpu", "threads": 2}).go_on_with(network)
    assert (network.adam.rate, network.adam.l2, network.threads) == (0.5, before.l2, 2)


def test_mistakes() -> None:
    assert read_settings({}).family == DEFAULT
    with pytest.raises(InvalidParameter, match="no family 'netwrk': did you mean 'network'"):
        find_family("netwrk")
    with pytest.raises(InvalidParameter, match="A network has no setting 'filter': did you mean 'filters'"):
        read_settings({"family": "network", "filter": 3})
    with pytest.raises(InvalidParameter, match="must be a table"):
        read_settings("ntuple")
