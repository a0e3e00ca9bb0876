import hashlib
import json
import multiprocessing
import os
import pickle
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import glaux
from glaux.errors import GlauxError, InvalidFile
from glaux.values.ntuple import Learning
from glaux.values.saving import read_head, sealed
from tests.values.positions import positions


def learned(game: glaux.Game, **settings: object) -> glaux.NTupleNetwork:
    network = glaux.NTupleNetwork(game, **settings)  # type: ignore[arg-type]
    states = positions(game, 100, seed=1)
    network.fit(states, np.linspace(-1, 1, 100))
    network.history.append({"what": "fitted", "pairs": 100})
    return network


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    learned(glaux.make("connect_four"), count=5, length=3).save(tmp_path / "value")
    return tmp_path / "value"


@pytest.mark.parametrize("rule", ["sgd", "coherence_identity", "coherence_exponential"])
def test_what_is_loaded_is_what_was_saved(tmp_path: Path, rule: str) -> None:
    game = glaux.make("hex", size=5, swap=False)
    settings = {"count": 6, "length": 4, "output": "identity", "scale": 25, "per_player": False}
    value = learned(game, **settings, learning=Learning(rule=rule, alpha=0.7))
    value.save(tmp_path)
    twin = glaux.load(tmp_path)
    assert isinstance(twin, glaux.NTupleNetwork)
    assert twin.game == game
    assert twin.settings() == value.settings()
    assert (twin.history, twin.learned) == (value.history, 100)
    states = positions(game, 300, seed=7)
    assert twin.evaluate(states).tobytes() == value.evaluate(states).tobytes()
    # Learning goes on as if nothing had happened, counters of temporal coherence included.
    for network in (value, twin):
        network.fit(states, np.linspace(-20, 20, 300), seed=3)
    assert twin.evaluate(states).tobytes() == value.evaluate(states).tobytes()


@pytest.mark.parametrize("symmetries", [None, 1, 12])
def test_the_symmetries_are_kept(tmp_path: Path, symmetries: int | None) -> None:
    value = learned(glaux.make("rubik2"), count=4, length=3, symmetries=symmetries)
    value.save(tmp_path)
    twin = glaux.load(tmp_path)
    assert isinstance(twin, glaux.NTupleNetwork)
    assert twin.symmetries == value.symmetries == (symmetries or 24)
    states = positions(value.game, 50, seed=7)
    assert twin.evaluate(states).tobytes() == value.evaluate(states).tobytes()


def test_a_file_from_before_symmetries_were_a_setting(saved: Path) -> None:
    head = json.loads((saved / "value.json").read_text())
    before = glaux.load(saved)
    assert head["settings"].pop("symmetries") == 2
    (saved / "value.json").write_text(json.dumps(sealed(head)))
    states = positions(before.game, 50, seed=7)
    assert glaux.load(saved).evaluate(states).tobytes() == before.evaluate(states).tobytes()


def test_without_the_optimizer_only_the_values_are_kept(tmp_path: Path) -> None:
    value = learned(glaux.make("connect_four"))
    value.save(tmp_path, optimizer=False)
    assert [file.name.partition("-")[0] for file in tmp_path.glob("*.safetensors")] == ["weights"]
    twin = glaux.load(tmp_path)
    assert twin.optimizer() == {}
    assert twin.evaluate(value.game.initial()) == value.evaluate(value.game.initial())


def test_saving_again_replaces_and_leaves_nothing_behind(saved: Path) -> None:
    value = glaux.load(saved)
    value.fit(value.game.initial(), [1.0], epochs=50)
    value.save(saved)
    assert len(list(saved.iterdir())) == 3
    assert glaux.load(saved).evaluate(value.game.initial()) == value.evaluate(value.game.initial())


def test_with_a_game_it_must_be_the_same(saved: Path) -> None:
    assert glaux.load(saved, glaux.make("connect_four")).game == glaux.make("connect_four")
    glaux.load(saved, glaux.make("connect_four", mobility=True))
    for other in ("othello", "connect_four:columns=8"):
        with pytest.raises(InvalidFile, match=r"of connect_four:.*, not of"):
            glaux.load(saved, glaux.make(other))


def test_a_game_of_one_s_own_must_be_given(tmp_path: Path) -> None:
    class Mine(type(glaux.make("docs/examples/tic_tac_toe.py").adapter.rules)):  # type: ignore[misc]
        """Tic-tac-toe under another name."""

    game = glaux.make(Mine)
    glaux.NTupleNetwork(game, count=3, length=3).save(tmp_path)
    with pytest.raises(InvalidFile, match="pass the game"):
        glaux.load(tmp_path)
    assert glaux.load(tmp_path, game).game == game


def edit(path: Path, **changes: object) -> None:
    head = json.loads((path / "value.json").read_text())
    (path / "value.json").write_text(json.dumps(sealed(head | changes)))


def weights_file(path: Path) -> Path:
    return next(path.glob("weights-*.safetensors"))


DAMAGES = {
    "no directory": (lambda p: [f.unlink() for f in p.iterdir()] and p.rmdir(), "There is no directory"),
    "a file": (lambda p: [f.unlink() for f in p.iterdir()] and (p.rmdir(), p.touch()), "no directory"),
    "an empty directory": (lambda p: [f.unlink() for f in p.iterdir()], "holds no value function"),
    "truncated weights": (
        lambda p: weights_file(p).write_bytes(weights_file(p).read_bytes()[:-9]),
        "truncated or was changed",
    ),
    "changed weights": (
        lambda p: weights_file(p).write_bytes(weights_file(p).read_bytes()[:-1] + b"x"),
        "truncated or was changed",
    ),
    "empty weights": (lambda p: weights_file(p).write_bytes(b""), "truncated or was changed"),
    "no weights": (lambda p: weights_file(p).unlink(), "is missing"),
    "truncated head": (
        lambda p: (p / "value.json").write_bytes((p / "value.json").read_bytes()[:50]),
        "truncated or not JSON",
    ),
    "binary head": (lambda p: (p / "value.json").write_bytes(b"\x80\x04\x95"), "truncated or not JSON"),
    "pickle": (lambda p: (p / "value.json").write_bytes(pickle.dumps([1])), "truncated or not JSON"),
    "foreign head": (lambda p: (p / "value.json").write_text('{"model": 1}'), "does not describe"),
    "list": (lambda p: (p / "value.json").write_text("[]"), "does not describe"),
    "newer": (lambda p: edit(p, format=99), r"newer Glaux \(format 99, this one reads 3\)"),
    "no format": (lambda p: edit(p, format=None), "newer Glaux"),
    "no files": (lambda p: edit(p, files=None), "not the description"),
    "no settings": (lambda p: edit(p, settings=3), "not the description"),
    "strange family": (lambda p: edit(p, family="forest"), "unknown family 'forest'"),
    "strange game": (lambda p: edit(p, game="chess"), "can't make itself"),
    "strange setting": (lambda p: edit(p, settings={"tupels": []}), "did you mean 'tuples'"),
    "strange value": (lambda p: edit(p, settings={"tuples": 3}), "Tuples must be lists"),
    "strange number": (lambda p: edit(p, settings={"tuples": [[1]], "scale": "x"}), "not a complete value"),
    "other tuples": (lambda p: edit(p, settings={"tuples": [[1, 2]]}), "not a complete value function"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_gets_one_sentence(saved: Path, damage: str) -> None:
    spoil, message = DAMAGES[damage]
    spoil(saved)
    with pytest.raises(GlauxError, match=message) as caught:
        glaux.load(saved)
    assert len(str(caught.value)) < 300


def test_a_foreign_safetensors_file(saved: Path) -> None:
    head = json.loads((saved / "value.json").read_text())
    save_file({"conv": np.zeros(3, np.float32)}, saved / "weights-x.safetensors")
    digest = hashlib.sha256((saved / "weights-x.safetensors").read_bytes()).hexdigest()
    head["files"]["weights"] = {"name": "weights-x.safetensors", "sha256": digest}
    (saved / "value.json").write_text(json.dumps(sealed(head)))
    with pytest.raises(InvalidFile, match="not a complete value function"):
        glaux.load(saved)


def test_a_head_can_t_name_files_elsewhere(saved: Path) -> None:
    outside = saved.parent / "outside.safetensors"
    outside.write_bytes(weights_file(saved).read_bytes())
    head = json.loads((saved / "value.json").read_text())
    head["files"]["weights"]["name"] = "../outside.safetensors"
    (saved / "value.json").write_text(json.dumps(sealed(head)))
    with pytest.raises(InvalidFile, match="is missing"):
        glaux.load(saved)


def save_for_ever(path: Path) -> None:
    value = glaux.NTupleNetwork(glaux.make("connect_four"), count=20, length=6)
    for i in range(10**6):
        value.fit(value.game.initial(), [(-1.0) ** i])
        value.save(path)


def test_a_killed_writer_leaves_a_whole_value(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    for attempt in range(4):
        writer = spawn.Process(target=save_for_ever, args=(tmp_path,))
        writer.start()
        while not (tmp_path / "value.json").exists():
            time.sleep(0.01)
        time.sleep(0.05 + 0.013 * attempt)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        assert glaux.load(tmp_path).learned > 0


@pytest.mark.slow
def test_every_change_of_the_head_is_noticed(tmp_path: Path) -> None:
    glaux.NTupleNetwork(glaux.make("connect_four"), count=3, length=3).save(tmp_path)
    head = tmp_path / "value.json"
    content = head.read_bytes()
    for bit in range(8 * len(content)):
        flipped = content[bit // 8] ^ 1 << bit % 8
        head.write_bytes(content[: bit // 8] + bytes([flipped]) + content[bit // 8 + 1 :])
        with pytest.raises(InvalidFile):
            read_head(tmp_path)
    for length in range(len(content) - 2):
        head.write_bytes(content[:length])
        with pytest.raises(InvalidFile):
            read_head(tmp_path)
