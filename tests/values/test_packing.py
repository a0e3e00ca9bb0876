"""Packed value functions: how far off they are, what they forget, and what is refused."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

import glaux
from glaux.errors import GlauxError, InvalidFile, InvalidParameter
from glaux.values.families import FAMILIES
from glaux.values.packing import BITS, FEW, MOST
from glaux.values.saving import sealed
from glaux.values.value import ValueFunction
from tests.values.positions import positions

PACKED = [name for name, family in FAMILIES.items() if family.memory]
GAME = glaux.make("connect_four:rows=5,columns=5")


def learned(family: str, seed: int) -> ValueFunction:
    value = FAMILIES[family].settings_type().begin(GAME, scale=1.0, bounded=True, seed=seed)
    states = positions(GAME, 400, seed=seed)
    value.fit(states, np.random.default_rng(seed).uniform(-1, 1, 400), epochs=3)
    return value


@pytest.mark.parametrize("family", PACKED)
def test_no_weight_is_off_by_more_than_half_a_step(tmp_path: Path, family: str, seed: int) -> None:
    value = learned(family, seed)
    kept, states = value.learned_weights(), positions(GAME, 300, seed=seed + 1)
    unpacked = type(value).make(GAME, value.settings())
    unpacked.restore(kept, {})
    differences, sizes = [], []
    for bits in (BITS[0], 12, 8, BITS[-1]):
        value.save_packed(tmp_path, bits)
        twin = glaux.load(tmp_path)
        assert isinstance(twin, FAMILIES[family]) and twin.settings() == value.settings()
        assert (twin.learned, twin.heuristic) == (value.learned, value.heuristic)
        assert set(twin.weights()) == set(kept)
        for name, array in twin.weights().items():
            own = BITS[0] if array.size <= FEW else bits
            step = np.abs(kept[name]).max() / (2 ** (own - 1) - 1)
            assert np.abs(array - kept[name]).max() <= step * 0.51
        differences.append(np.abs(twin.evaluate(states) - unpacked.evaluate(states)).max())
        sizes.append(sum(file.stat().st_size for file in tmp_path.iterdir()))
    assert differences[0] < 0.002 and sizes == sorted(sizes, reverse=True)
    assert len(list(tmp_path.iterdir())) == 2, "the file of the last time is gone"


@pytest.mark.parametrize("family", PACKED)
def test_a_packed_one_says_what_it_has_forgotten_and_learns_on(
    tmp_path: Path, family: str, seed: int
) -> None:
    value = learned(family, seed)
    assert value.optimizer() and not value.forgotten
    value.save_packed(tmp_path, 16)
    twin = glaux.load(tmp_path)
    assert not twin.optimizer() and twin.forgotten == FAMILIES[family].memory
    before = twin.evaluate(GAME.initial())
    twin.fit(GAME.initial(), [1.0], epochs=50)
    assert twin.evaluate(GAME.initial())[0] > before[0]
    twin.save(tmp_path)
    assert glaux.load(tmp_path).forgotten and not list(tmp_path.glob("*.xz"))


def test_rows_that_were_never_asked_for_are_zero(seed: int) -> None:
    value = learned("patterns", seed)
    drawn, kept = value.weights()["tables"], value.learned_weights()["tables"]
    asked = value.optimizer()["squares"] > 0
    assert 0 < asked.sum() < asked.size
    assert (kept[~asked] == 0).all() and (drawn[~asked] != 0).any()
    assert kept[asked].tobytes() == drawn[asked].tobytes()


def test_what_can_not_be_packed(tmp_path: Path, seed: int) -> None:
    with pytest.raises(InvalidParameter, match="bits, not 5"):
        learned("ntuple", seed).save_packed(tmp_path, 5)

    class Other(glaux.NTupleNetwork):
        memory = ""

    with pytest.raises(InvalidParameter, match="can't be packed"):
        Other(GAME, count=3, length=3).save_packed(tmp_path, 8)


# What a stranger could write


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("packed")
    learned("ntuple", 1).save_packed(place, 8)
    return place


@pytest.fixture
def packed(good: Path, tmp_path: Path) -> Path:
    for file in good.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def weights_file(place: Path) -> Path:
    return next(place.glob("weights-*.xz"))


def write_weights(place: Path, content: bytes, **changes: Any) -> None:
    """Put other bytes there, with a head that fits them."""
    head = json.loads((place / "value.json").read_text())
    entry = head["files"]["weights"]
    weights_file(place).write_bytes(content)
    head["files"]["weights"] = entry | {"sha256": hashlib.sha256(content).hexdigest()} | changes
    (place / "value.json").write_text(json.dumps(sealed(head)))


def edit_entry(place: Path, **changes: Any) -> None:
    write_weights(place, weights_file(place).read_bytes(), **changes)


def edit_arrays(place: Path, change: Callable[[dict[str, Any]], object]) -> None:
    arrays = load(lzma.decompress(weights_file(place).read_bytes()))
    change(arrays)
    content = save(arrays)
    write_weights(place, lzma.compress(content), bytes=len(content))


def about(place: Path) -> dict[str, Any]:
    head = json.loads((place / "value.json").read_text())
    told: dict[str, Any] = head["files"]["weights"]["arrays"]["weights"]
    return told


def bomb(place: Path) -> None:
    write_weights(place, lzma.compress(bytes(48 << 20), preset=0), bytes=1000)


def large_dictionary(place: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 28}]
    write_weights(place, lzma.compress(b"x" * 1000, filters=filters), bytes=1000)


def fewer_numbers(place: Path) -> None:
    edit_arrays(place, lambda arrays: arrays.update(weights=np.ascontiguousarray(arrays["weights"][:, :10])))
    edit_entry(place, arrays={"weights": about(place) | {"shape": [2, 5]}})


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "changed": (lambda p: weights_file(p).write_bytes(b"x"), "truncated or was changed"),
    "missing": (lambda p: weights_file(p).unlink(), "is missing"),
    "claims too much": (lambda p: edit_entry(p, bytes=MOST + 1), "the limit is"),
    "claims nothing": (lambda p: edit_entry(p, bytes=0), "the limit is"),
    "claims a text": (lambda p: edit_entry(p, bytes="9"), "the limit is"),
    "claims less": (lambda p: edit_entry(p, bytes=100), "does not unpack to the expected 100 bytes"),
    "claims more": (lambda p: edit_entry(p, bytes=MOST), "does not unpack"),
    "a bomb": (bomb, "does not unpack to the expected 1,000 bytes"),
    "a large dictionary": (large_dictionary, "not a compressed value function"),
    "no xz": (lambda p: write_weights(p, b"\x80\x04\x95" * 9), "not a compressed value function"),
    "cut": (lambda p: write_weights(p, weights_file(p).read_bytes()[:-40]), "does not unpack"),
    "more behind": (lambda p: write_weights(p, weights_file(p).read_bytes() + b"more"), "does not unpack"),
    "no safetensors": (
        lambda p: write_weights(p, lzma.compress(b"x" * 50), bytes=50),
        "not a safetensors file",
    ),
    "no arrays": (lambda p: edit_entry(p, arrays={}), "undescribed arrays"),
    "arrays of another kind": (lambda p: edit_entry(p, arrays=3), "not the description"),
    "other bits": (lambda p: edit_entry(p, arrays={"weights": about(p) | {"bits": 16}}), "is not packed"),
    "odd bits": (lambda p: edit_entry(p, arrays={"weights": about(p) | {"bits": 3}}), "is not packed"),
    "no shape": (lambda p: edit_entry(p, arrays={"weights": {"bits": 8}}), "is not packed"),
    "other shape": (
        lambda p: edit_entry(p, arrays={"weights": about(p) | {"shape": [2, 7]}}),
        "is not packed",
    ),
    "negative shape": (
        lambda p: edit_entry(p, arrays={"weights": about(p) | {"shape": [-1, -7]}}),
        "is not packed",
    ),
    "a strange name": (
        lambda p: edit_entry(p, arrays={"a": about(p), "weights": about(p)}),
        "is not packed",
    ),
    "no step": (lambda p: edit_arrays(p, lambda a: a.pop("weights.step")), "is not packed"),
    "a step that is none": (
        lambda p: edit_arrays(p, lambda a: a.update({"weights.step": np.array([np.nan], np.float32)})),
        "is not packed",
    ),
    "floats": (
        lambda p: edit_arrays(p, lambda a: a.update(weights=a["weights"].astype(np.float32))),
        "is not packed",
    ),
    "fewer numbers": (
        fewer_numbers,
        "its settings need",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_gets_one_sentence(packed: Path, damage: str) -> None:
    glaux.load(packed)
    spoil, message = DAMAGES[damage]
    spoil(packed)
    with pytest.raises(GlauxError, match=message) as caught:
        glaux.load(packed)
    assert isinstance(caught.value, InvalidFile) and len(str(caught.value)) < 300


def test_an_older_glaux_knows_that_it_is_too_old(packed: Path) -> None:
    assert json.loads((packed / "value.json").read_text())["format"] == 3
