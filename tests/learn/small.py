"""Small trainings for the tests."""

from typing import Any

from glaux.learn.athenan import AthenanConfig
from glaux.learn.registry import read_config

TABLE: dict[str, Any] = {
    "game": "connect_four:rows=4,columns=4,length=3",
    "seed": 5,
    "warm_start": 500,
    "keep_resolved": 10_000,
    "symmetry": "random",
    "value": {"family": "ntuple", "count": 12, "length": 4},
    "search": {"algorithm": "descent", "evaluations": 100, "memory": 64},
    "replay": {"kind": "stratified", "mu": 10, "delta": 2.0, "memory": 64},
    "strength": {"every": 0.0},
}


def small(**changes: Any) -> AthenanConfig:
    """A training of a small board that takes milliseconds for a match."""
    config = read_config(TABLE | changes)
    assert isinstance(config, AthenanConfig)
    return config
