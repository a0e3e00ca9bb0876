from __future__ import annotations

from typing import Any

import pytest

from glaux.errors import InvalidParameter, UnknownName
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import Architecture
from glaux.values.networks.presets import PRESETS, preset

OTHELLO, ARIMAA, MORPION = (4, 8, 8), (10, 8, 8), (5, 16, 16)


@pytest.mark.parametrize(
    ("name", "shape", "count"),
    [("othello", OTHELLO, 41_695_147), ("arimaa", ARIMAA, 10_511_017), ("morpion", MORPION, 9_989_285)],
)
def test_published_weight_counts(name: str, shape: tuple[int, int, int], count: int) -> None:
    assert preset(name).architecture.weight_count(*shape) == count


def test_a_weight_count_by_hand() -> None:
    """The common protocol's network on 8 x 8: boards of 6 x 6, 4 x 4 and 2 x 2 behind the convolutions."""
    convolutions = (4 * 9 * 64 + 64) + 2 * (64 * 9 * 64 + 64)
    assert preset("C").architecture.weight_count(*OTHELLO) == convolutions + (2 * 2 * 64 * 100 + 100) + 101


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *[("go-9", 9), ("go-11", 11), ("hex-11", 11), ("hex-13", 13), ("othello-8", 8), ("othello-10", 10)],
        *[("outer-open-gomoku", 15), ("connect6", 19), ("havannah-8", 15), ("havannah-10", 19)],
        *[("surakarta", 6), ("breakthrough", 8)],
    ],
)
def test_networks_of_tables_3_and_5_have_about_five_million_weights(name: str, size: int) -> None:
    """Which the papers say of them, without the exact numbers."""
    assert 5e6 < preset(f"R2-{name}").architecture.weight_count(4, size, size) < 7.5e6


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_the_same_after_json(name: str) -> None:
    found = preset(name)
    assert Architecture.from_json(found.architecture.to_json()) == found.architecture
    assert Adam.from_json(found.adam.to_json()) == found.adam
    assert found.source


def test_presets_of_our_own_take_any_board() -> None:
    for name in ("small", "small-pooled"):
        assert preset(name).architecture.weight_count(3, 1, 1) > 0


def test_weights_behind_a_pooling_do_not_depend_on_the_board() -> None:
    pooled = preset("small-pooled").architecture
    assert pooled.weight_count(5, 7, 7) == pooled.weight_count(5, 15, 13)
    flat = preset("small").architecture
    assert flat.weight_count(5, 7, 7) < flat.weight_count(5, 15, 13)


def test_describe() -> None:
    assert preset("C").architecture.describe() == (
        "3 convolutions of 64 filters, no padding, dense 100, tanh"
    )
    assert preset("morpion", scale=84).architecture.describe() == (
        "8 residual blocks of 186 filters, squeeze-and-excitation, dense 104 and 104, 84 times linear"
    )
    assert "1x1 convolution of 2217, global sum pooling" in preset("arimaa").architecture.describe()


def test_a_board_that_is_too_small() -> None:
    with pytest.raises(InvalidParameter) as error:
        preset("C").architecture.weight_count(9, 5, 5)
    assert str(error.value) == (
        "A 5 x 5 board is too small for 3 convolutions without padding: use padding=True, or depth=2."
    )
    with pytest.raises(InvalidParameter, match=r"without padding: use padding=True\.$"):
        preset("C").architecture.weight_count(9, 2, 9)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"filter": 3}, r"A network has no setting 'filter': did you mean 'filters'\?"),
        ({"filters": 0}, r"A network's filters must be 1 to 100000, not 0\."),
        ({"filters": "many"}, r"A network's filters must be a whole number, not 'many'\."),
        ({"filters": True}, r"A network's filters must be a whole number, not True\."),
        ({"depth": 2.0}, r"A network's depth must be a whole number, not 2\.0\."),
        ({"padding": 1}, r"A network's padding must be true or false, not 1\."),
        ({"output": "tan"}, r"There is no output 'tan': did you mean 'tanh'\?"),
        ({"scale": 0}, r"A network's scale must be above 0, not 0\."),
        ({"scale": float("nan")}, r"A network's scale must be a finite number, not nan\."),
        ({"residual": True}, r"Residual blocks need padding=True\."),
        ({"squeeze": True}, r"Squeeze-and-excitation needs residual=True\."),
        (
            {"residual": True, "padding": True, "squeeze": True, "filters": 15},
            r"Squeeze-and-excitation needs at least 16 filters, not 15\.",
        ),
    ],
)
def test_impossible_architectures(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        Architecture.from_json(Architecture().to_json() | changes)
    with pytest.raises(InvalidParameter, match=sentence):
        preset("C", **changes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rat": 3}, "Adam has no setting 'rat': did you mean 'rate'"),
        ({"rate": 0}, "Adam's rate and epsilon must be above 0"),
        ({"beta2": 1}, "Adam's beta1 and beta2 must be at least 0 and below 1"),
        ({"l2": -1}, "Adam's l2 can't be negative: -1"),
        ({"l2": None}, "Adam's l2 must be a finite number, not None"),
    ],
)
def test_impossible_parameters_of_adam(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        Adam.from_json(changes)


def test_settings_that_are_no_table() -> None:
    with pytest.raises(InvalidParameter, match="A network must be a table of settings, not 'C'"):
        Architecture.from_json("C")


def test_unknown_presets() -> None:
    with pytest.raises(UnknownName, match="There is no network 'R2-otello-8': did you mean 'R2-othello-8'"):
        preset("R2-otello-8")
