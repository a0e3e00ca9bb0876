"""Small trainings of AlphaZero for the tests."""

from __future__ import annotations

from typing import Any

import pytest

from glaux.learn.alphazero import AlphaZeroConfig
from glaux.learn.registry import read_config

BOARD = "connect_four:rows=4,columns=4,length=3"
TINY = {"family": "policy", "depth": 1, "filters": 8, "dense": 12, "policy_filters": 2, "rate": 0.01}
TABLE: dict[str, Any] = {
    "learner": "alphazero",
    "game": BOARD,
    "seed": 3,
    "value": {"family": "ntuple", "count": 6, "length": 3},
    "search": {"iterations": 12, "memory": 16},
    "replay": {"kind": "stratified", "mu": 20, "delta": 2.0, "memory": 16},
    "strength": {"every": 0.0},
}


def config(**changes: Any) -> AlphaZeroConfig:
    made = read_config(TABLE | changes)
    assert isinstance(made, AlphaZeroConfig)
    return made


def network(**changes: Any) -> AlphaZeroConfig:
    """With a policy network."""
    pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    return config(**{"value": TINY} | changes)
