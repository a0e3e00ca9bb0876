"""The options that all the searches share, and how options are made from what a user writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from glaux.fields import SEEDS, Size, check_keys, check_types, kind_of, setting
from glaux.rules.game import check_seed
from glaux.search.door import Value
from glaux.search.search import DEFAULT_MEMORY, check_memory

MOST_THREADS = 1024


def threads_setting() -> Any:
    """The field of a search that several threads can work at."""
    return setting(
        1,
        "threads that share one tree; with more than 1, equal seeds may give different trees",
        least=1,
        most=MOST_THREADS,
    )


def proven_setting() -> Any:
    """The field of a kind of MCTS that can prove states."""
    return setting(False, "prove forced wins and losses, and do not revisit lost actions")


def batch_setting() -> Any:
    """The field of a kind of MCTS that can wait for several values at once."""
    return setting(
        1,
        "states evaluated at once, for networks in play; more than 1 changes the search, because lines "
        "that wait count as lost",
        least=1,
        most=65536,
    )


@dataclass(frozen=True)
class SearchOptions:
    """What every search can be told; each has a subclass of this beside it."""

    random_ties: bool = setting(True, "break ties at random; otherwise take the lowest action")
    seed: int = setting(0, "random seed for ties and playouts", most=SEEDS)
    memory: int = setting(
        DEFAULT_MEMORY, "memory budget; the tree stops growing when it is used up", kind=Size
    )

    def __post_init__(self) -> None:
        check_types(self, "A search")
        check_seed(self.seed)
        check_memory(self.memory)

    def changed(self, options: Mapping[str, Any]) -> Self:
        """These options with some of them changed; InvalidParameter says the nearest name."""
        kinds = {f.name: kind_of(f) for f in fields(self)}
        check_keys(options, list(kinds), "A search of this kind")
        return replace(self, **{name: _plain(value, kinds[name]) for name, value in options.items()})

    def for_value(self, value: Value, scale: float) -> Self:
        """These options for a value function whose ends are worth up to ``scale``.

        What is meant for values from -1 to 1 becomes a number in the unit of the values.
        """
        return self


def _plain(value: Any, kind: type[Any]) -> Any:
    """The number as Python's own: programs compute seeds and budgets with numpy, or write 1e9."""
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if issubclass(kind, int) and isinstance(value, float) and value.is_integer() else value
