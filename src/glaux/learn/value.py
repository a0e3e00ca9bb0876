"""The value function that a training run begins with."""

from __future__ import annotations

from glaux.errors import InvalidParameter
from glaux.learn.config import Config
from glaux.search.heuristics import Heuristic
from glaux.values.loading import load
from glaux.values.value import ValueFunction


def make_value(config: Config, heuristic: Heuristic) -> ValueFunction:
    """The untrained one of [value], or one that has learned elsewhere, with the rates of [value]."""
    if not config.start_from:
        return config.value.begin(
            heuristic.game, scale=heuristic.scale, bounded=heuristic.bounded, seed=config.seed
        )
    value = load(config.start_from, heuristic.game)
    if value.heuristic != heuristic.text:
        raise InvalidParameter(
            f"'{config.start_from}' was trained with the heuristic {value.heuristic}, not "
            f"{heuristic.text}: set heuristic={value.heuristic}."
        )
    config.value.go_on_with(value)
    return value
