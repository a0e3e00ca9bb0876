"""Files from elsewhere: value functions, configurations, runs and tournaments."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from functools import cache
from pathlib import Path

import numpy as np

import glaux
from glaux.arena.tournament import HEAD as TOURNAMENT_HEAD
from glaux.arena.tournament import MATCHES, Tournament, TournamentDirectory
from glaux.directories import read_lines
from glaux.learn.config import Config
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config, read_config
from glaux.learn.run import CONFIG, Run
from glaux.values.saving import HEAD, read_head, sealed
from tests.fuzz.target import mutate_json, refused, scratch, target
from tests.fuzz.texts import game_of

FIXTURES = Path(__file__).parent.parent / "fixtures"


# A value function. The first byte says what the rest is: value.json as it is, its body to be given a
# checksum, or the weights, with a value.json that fits.
PLAIN, BODY, WEIGHTS = range(3)


@cache
def _value_files() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (FIXTURES / "ntuple").iterdir()}


def _weights_name() -> str:
    return next(name for name in _value_files() if name.startswith("weights"))


def _value_seeds() -> list[bytes]:
    files = _value_files()
    return [
        bytes([PLAIN]) + files[HEAD],
        bytes([BODY]) + files[HEAD],
        bytes([WEIGHTS]) + files[_weights_name()][:4000],
    ]


def _mutate_value(data: bytes, rng: random.Random) -> bytes:
    if data[:1] == bytes([BODY]):
        return data[:1] + mutate_json(data[1:], rng)
    if data[:1] == bytes([WEIGHTS]) and len(data) > 9:  # the head of a safetensors file is JSON, too
        length = int.from_bytes(data[1:9], "little")
        head = mutate_json(data[9 : 9 + length], rng)
        return data[:1] + len(head).to_bytes(8, "little") + head + data[9 + length :]
    return data


@target(
    '"family"',
    '"settings"',
    '"tuples"',
    '"game"',
    '"F32"',
    '"shape"',
    '"data_offsets"',
    "ntuple",
    "network",
    seeds=_value_seeds,
    mutate=_mutate_value,
)
def value_directory(data: bytes) -> None:
    place = scratch() / "value"
    place.mkdir(exist_ok=True)
    kind, content = data[:1], data[1:]
    head = _value_files()[HEAD]
    weights = _value_files()[_weights_name()]
    if kind == bytes([WEIGHTS]):
        weights = content
        body = json.loads(head)
        body["files"] = {"weights": {"name": _weights_name(), "sha256": hashlib.sha256(content).hexdigest()}}
        head = json.dumps(sealed(body)).encode()
    elif kind == bytes([BODY]):
        try:
            body = json.loads(content)
            head = json.dumps(sealed(body)).encode() if isinstance(body, dict) else content
        except (ValueError, RecursionError):
            return
    else:
        head = content
    for name, old in _value_files().items():
        (place / name).write_bytes(old)
    (place / HEAD).write_bytes(head)
    (place / _weights_name()).write_bytes(weights)
    with refused():
        read_head(place)
        value = glaux.load(place)
        values = value.evaluate(value.game.array(value.game.initial()))
        assert np.isfinite(values).all()
    shutil.rmtree(place)


# The configuration of a run, as JSON and by texts


def _config_seeds() -> list[bytes]:
    tables = [
        configure(text, find_preset(text, name)).write()
        for text, name in (("hex:size=5", "laptop"), ("connect_four", "laptop"))
    ]
    files = [json.dumps({"format": 2, "config": table}).encode() for table in tables]
    return [*files, *(path.read_bytes() for path in FIXTURES.glob("*/config.json"))]


@target(
    '"format"',
    '"config"',
    '"learner"',
    '"td"',
    '"athenan"',
    '"search"',
    '"replay"',
    '"strength"',
    '"opponent"',
    seeds=_config_seeds,
    mutate=mutate_json,
)
def run_config(data: bytes) -> None:
    place = scratch() / "run"
    place.mkdir(exist_ok=True)
    (place / CONFIG).write_bytes(data)
    with refused():
        config = Run.open(place).config
        assert read_config(config.write()) == config


@cache
def _laptop() -> Config:
    return configure("connect_four", find_preset("connect_four"))


@target(
    "learner=td",
    "learner=athenan",
    "search.",
    "replay.",
    "value.",
    "strength.",
    "value.family=network",
    "=",
    ".",
    "seed=",
    "nan",
    "inf",
    "-1",
    "1k",
    "true",
    "99999999999999999999",
    seeds=lambda: [b"seed=3\nsearch.seconds=0.5"],
)
def config_texts(data: bytes) -> None:
    texts = data.decode("utf-8", "surrogateescape").split("\n")[:8]
    with refused():
        config = change_config(_laptop(), texts)
        assert read_config(config.write()) == config


# Lines of metrics, and the matches of a tournament


@cache
def _tournament() -> Tournament:
    return Tournament(game_of("connect_four:rows=4,columns=4"), ("random", "mcts:iterations=2"), 4)


def _tournament_seeds() -> list[bytes]:
    place = scratch() / "tournament-seed"
    directory = TournamentDirectory.open(place, _tournament())
    list(directory.play({}, workers=1))
    lines = (place / MATCHES).read_bytes().splitlines()
    head = (place / TOURNAMENT_HEAD).read_bytes()
    return [head, *lines]


@target(
    '"a"',
    '"b"',
    '"number"',
    '"actions"',
    '"outcome"',
    '"seconds"',
    '"choices"',
    '"opening"',
    '"players"',
    seeds=_tournament_seeds,
    mutate=mutate_json,
)
def tournament_files(data: bytes) -> None:
    place = scratch() / "tournament"
    place.mkdir(exist_ok=True)
    for name in (TOURNAMENT_HEAD, MATCHES):
        (place / name).unlink(missing_ok=True)
    with refused():
        directory = TournamentDirectory.open(place, _tournament())
        (place / MATCHES).write_bytes(data)
        directory.matches()
        list(read_lines(place / MATCHES))
        (place / TOURNAMENT_HEAD).write_bytes(data)
        TournamentDirectory.open(place, _tournament())
