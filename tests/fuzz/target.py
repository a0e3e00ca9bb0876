"""A fuzz target is a function of any bytes. It comes back, whatever they are: a mistake of a user is a
GlauxError that the target expects, and anything else that is raised is a fault.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glaux.errors import GlauxError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Run = Callable[[bytes], None]
Mutate = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class Target:
    name: str
    run: Run
    words: tuple[str, ...]
    """what inputs are likely to contain: the dictionary"""
    seeds: Callable[[], Sequence[bytes]]
    """inputs to begin with"""
    mutate: Mutate | None
    """a mutation that keeps the form of an input, besides those of bytes"""


TARGETS: dict[str, Target] = {}


def target(
    *words: str, seeds: Callable[[], Sequence[bytes]], mutate: Mutate | None = None
) -> Callable[[Run], Run]:
    """Register a function under its name."""

    def register(run: Run) -> Run:
        TARGETS[run.__name__] = Target(run.__name__, run, words, seeds, mutate)
        return run

    return register


@contextmanager
def refused() -> Iterator[None]:
    """What is wrong may be refused with a sentence."""
    try:
        yield
    except GlauxError as error:
        assert str(error).strip(), "a refusal says why"


@cache
def scratch() -> Path:
    """A directory for the files of a target, in memory if there is one."""
    memory = Path("/dev/shm")
    place = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
    _kept.append(place)
    return Path(place.name)


_kept: list[Any] = []

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3,
    7,
    2**31,
    2**32,
    -(2**31),
    2**63,
    2**64,
    10**30,
    0.5,
    -0.0,
    1e308,
    "",
    "0",
    "x",
    "hex",
    "true",
    "\x00",
    "\ud800",
    [],
    {},
    [[]],
    [0],
    {"": 0},
)


def mutate_json(data: bytes, rng: random.Random) -> bytes:
    """Another value, no value, or one more, somewhere in a JSON text; the same bytes if it is none."""
    try:
        tree = json.loads(data)
        for _ in range(rng.randint(1, 3)):
            tree = _mutate_tree(tree, rng)
        return json.dumps(tree).encode()
    except (ValueError, RecursionError):
        return data


def _mutate_tree(tree: Any, rng: random.Random) -> Any:
    """The tree with one change at a random place."""
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []
        for key in keys:
            places.append((node, key))
            walk(node[key])

    walk(tree)
    if not places:
        return rng.choice(ODD)
    node, key = rng.choice(places)
    other, other_key = rng.choice(places)
    match rng.randrange(6):
        case 0:
            del node[key]
        case 1:
            node[key] = json.loads(json.dumps(other[other_key]))
        case 2 if isinstance(node, dict):
            node[str(rng.choice(ODD))] = node.pop(key)
        case 2 | 3:
            node[key] = [node[key]] * rng.randrange(3)
        case _:
            node[key] = _near(node[key], rng)
    return tree


def _near(value: Any, rng: random.Random) -> Any:
    """A value of the same kind, or any."""
    if rng.random() < 0.5:
        return rng.choice(ODD)
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice((-2, -1, 1, 2, 100, -value * 2))
        case float():
            return value * rng.choice((-1, 0, 2, 1e9))
        case str():
            at = rng.randrange(len(value) + 1)
            return value[:at] + rng.choice(("", "0", "=", ",", ":", "é", value)) + value[at + 1 :]
    return rng.choice(ODD)
