"""The training runs that are killed: every learner with several workers, as threads and as processes, and
with a neural network if there is PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from glaux.errors import UnknownName, suggest
from glaux.learn.learner import Learner
from glaux.learn.registry import LEARNERS
from glaux.learn.worker import SelfPlayConfig
from glaux.values.networks.policy_network import PolicySettings

GAME = "connect_four"
NETWORK = "network"
"""in the names of the kinds that have one"""
WORKERS = 2
CHECKPOINT_SECONDS = 0.5
SETTINGS = {
    "workers": WORKERS,
    "checkpoint_every": CHECKPOINT_SECONDS,
    "warm_start": 200,
    "strength.every": 5,
    "strength.games": 2,
    "strength.opponent": "mcts:iterations=20",
    "strength.seconds": 0.005,
    "value.family": "ntuple",
    "value.count": 20,
    "value.length": 6,
}
SEARCH_SETTINGS = {
    "search.evaluations": 1000,
    "search.memory": 64,
    "keep_resolved": 10_000,
    "replay.mu": 20,
    "replay.memory": 64,
}
NETWORK_SETTINGS = {
    "value.family": "network",
    "value.depth": 2,
    "value.filters": 8,
    "value.dense": 16,
    "search.evaluations": 50,
    "lockstep": 2,
}


@dataclass(frozen=True)
class Kind:
    """A training run as it is started, again and again in one directory."""

    name: str
    contiguous: bool
    """whether each match has a row"""
    settings: tuple[str, ...]

    def arguments(self, seed: int) -> list[str]:
        """Those of ``glaux train`` that make the run."""
        changes = [*self.settings, f"seed={seed}"]
        return [part for change in changes for part in ("--set", change)]


def kinds() -> dict[str, Kind]:
    """All kinds of training runs that are possible here, by name."""
    found = []
    deep = all(find_spec(name) for name in ("torch", "onnx", "onnxruntime"))
    for name, learner in LEARNERS.items():
        common = {"learner": name, **SETTINGS}
        if not issubclass(learner.config_type, SelfPlayConfig):
            found.append(_kind(name, False, common))
            continue
        known = learner.config_type.names()
        common |= {key: v for key, v in SEARCH_SETTINGS.items() if key.partition(".")[0] in known}
        if _has_policy(learner):
            common |= {"search.evaluations": 50, "replay.kind": "stratified"}
        found.append(_kind(name, True, common))
        found.append(_kind(f"{name}-processes", True, common | {"processes": True}))
        if deep:
            own = {key: value for key, value in common.items() if not key.startswith("value.")}
            own |= NETWORK_SETTINGS | ({"value.family": "policy"} if _has_policy(learner) else {})
            found.append(_kind(f"{name}-{NETWORK}", True, own))
            found.append(_kind(f"{name}-{NETWORK}-processes", True, own | {"processes": True}))
    return {kind.name: kind for kind in found}


def _has_policy(learner: type[Learner]) -> bool:
    """Whether it learns one by default: then it asks for one state an iteration, not for all its children."""
    return issubclass(learner.config_type.sections()["value"], PolicySettings)


def _kind(name: str, contiguous: bool, settings: dict[str, object]) -> Kind:
    texts = (f"{key}={str(value).lower()}" for key, value in settings.items())
    return Kind(name, contiguous, tuple(texts))


def choose(names: Sequence[str]) -> list[Kind]:
    """The kinds of these names, all if there are none; UnknownName for a name that is none."""
    known = kinds()
    for name in names:
        if name not in known:
            raise UnknownName(f"There is no kind of training run '{name}'{suggest(name, list(known))}")
    return [known[name] for name in names or known]
