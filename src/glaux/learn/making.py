"""From the sections of a configuration to the objects that they describe."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_keys
from glaux.learn import config as settings
from glaux.learn.replay import StratifiedReplay, UniformReplay
from glaux.learn.selection import Selection, read_selection
from glaux.search.heuristics import Heuristic
from glaux.values.loading import load
from glaux.values.ntuple import Learning, NTupleNetwork
from glaux.values.value import ValueFunction

MEGABYTE = 1 << 20
NTUPLE_KEYS = [
    "count",
    "length",
    "symmetries",
    "reachable",
    "per_player",
    "tuples",
    "output",
    "scale",
    "seed",
]
LEARNING_KEYS = ["rule", "alpha", "beta", "init"]
NETWORK_KEYS = ["architecture", "rate", "device", "threads", "seed"]


def make_replay(replay: settings.Replay) -> StratifiedReplay | UniformReplay | None:
    """The replay memory; None: only the last match is learned from."""
    memory = replay.memory * MEGABYTE
    if replay.kind == "stratified":
        return StratifiedReplay(replay.mu, replay.delta, memory=memory)
    if replay.kind == "uniform":
        return UniformReplay(replay.mu, replay.sigma, of=replay.of, memory=memory)
    return None


def make_selection(selection: settings.Selection) -> Selection:
    """How actions are chosen."""
    try:
        rate: str | float = float(selection.rate)
    except ValueError:
        rate = selection.rate
    return read_selection({"kind": selection.kind, "rate": rate})


def make_value(config: settings.Config, heuristic: Heuristic) -> ValueFunction:
    """The untrained value function, its output and scale those of the heuristic unless they are given."""
    table = dict(config.value)
    family = table.pop("family", "ntuple")
    if config.start_from:
        return _begin_with(config.start_from, heuristic, table)
    makers = {"ntuple": _make_ntuple, "network": _make_network}
    if family not in makers:
        raise InvalidParameter(f"There is no family '{family}'{suggest(str(family), list(makers))}")
    table.setdefault("seed", config.seed)
    table.setdefault("scale", heuristic.scale)
    return makers[family](heuristic, table)


def _begin_with(path: str, heuristic: Heuristic, table: dict[str, Any]) -> ValueFunction:
    """A value function that has learned: its own tables or layers, with the rates of [value]."""
    value = load(path, heuristic.game)
    if value.heuristic != heuristic.text:
        raise InvalidParameter(
            f"'{path}' has learned with the heuristic {value.heuristic}: set heuristic={value.heuristic}, "
            f"or its values mean something else than those of {heuristic.text}."
        )
    if isinstance(value, NTupleNetwork):
        changes = {key: table[key] for key in LEARNING_KEYS if key in table}
        value.learning = replace(value.learning, **changes)
    return value


def _make_ntuple(heuristic: Heuristic, table: dict[str, Any]) -> ValueFunction:
    check_keys(table, [*NTUPLE_KEYS, *LEARNING_KEYS], "An n-tuple network")
    learning = Learning(**{key: table.pop(key) for key in LEARNING_KEYS if key in table})
    table.setdefault("output", "tanh" if heuristic.bounded else "identity")
    return NTupleNetwork(heuristic.game, **table, learning=learning)


def _make_network(heuristic: Heuristic, table: dict[str, Any]) -> ValueFunction:
    from glaux.values.networks.adam import Adam  # noqa: PLC0415 (an optional dependency)
    from glaux.values.networks.architecture import Architecture  # noqa: PLC0415
    from glaux.values.networks.network import NeuralNetwork  # noqa: PLC0415
    from glaux.values.networks.presets import preset  # noqa: PLC0415

    layers = [field.name for field in fields(Architecture)]
    check_keys(table, [*NETWORK_KEYS, *layers], "A network")
    named = preset(str(table.get("architecture", "small")))
    table.setdefault("output", "tanh" if heuristic.bounded else "linear")
    architecture = named.architecture.with_changes(**{key: table[key] for key in layers if key in table})
    adam = Adam(rate=float(table["rate"])) if "rate" in table else named.adam
    return NeuralNetwork(
        heuristic.game,
        architecture,
        adam=adam,
        device=str(table.get("device", "auto")),
        threads=int(table.get("threads", 1)),
        seed=int(table["seed"]),
    )
