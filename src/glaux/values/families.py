"""The one table of the families of value functions: training runs, files and the command line read it.

A new family is its own files and one entry here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glaux.errors import InvalidParameter, suggest
from glaux.fields import from_mapping
from glaux.values.networks.network import NeuralNetwork
from glaux.values.networks.policy_network import PolicyNetwork
from glaux.values.ntuple import NTupleNetwork
from glaux.values.patterns import PatternNetwork
from glaux.values.settings import ValueSettings
from glaux.values.value import ValueFunction

FAMILIES: dict[str, type[ValueFunction]] = {
    kind.family: kind for kind in (NTupleNetwork, PatternNetwork, NeuralNetwork, PolicyNetwork)
}
DEFAULT = NTupleNetwork.family


def find_family(name: str) -> type[ValueFunction]:
    """The family of this name; InvalidParameter with a sentence if there is none."""
    if name not in FAMILIES:
        raise InvalidParameter(f"There is no family '{name}'{suggest(name, list(FAMILIES))}")
    return FAMILIES[name]


def read_settings(table: object, default: str = DEFAULT) -> ValueSettings:
    """The section [value] as the settings of its family, the ``default`` if it names none."""
    if not isinstance(table, Mapping):
        raise InvalidParameter("[value] must be a table of settings.")
    kind = find_family(str(table.get("family", default)))
    settings: Any = from_mapping(kind.settings_type, table, kind.title)
    assert isinstance(settings, ValueSettings)
    return settings
